"""The system `openai`: an endpoint that speaks the chat completions API of OpenAI."""

from collections.abc import Mapping
from typing import Final

from pydantic import JsonValue

from uaeval.config import HISTORY, QUESTION
from uaeval.errors import ConfigError
from uaeval.llm.endpoint.addresses import address_of, key_of
from uaeval.systems.attempts import Limits
from uaeval.systems.extract import Paths
from uaeval.systems.http import HttpSystem, Request
from uaeval.systems.kind import SystemKind

CHAT_ANSWER: Final = "choices[0].message['content', 'refusal']"
"""A refusal of the model is an answer."""


def openai_chat_system(
    model: str,
    limits: Limits,
    *,
    url: str | None = None,
    body: JsonValue = None,
    headers: Mapping[str, str] | None = None,
    paths: Paths | None = None,
) -> HttpSystem:
    """Return the system at `url`; it gets `OPENAI_API_KEY` unless a header authorizes.

    Each question is the user's message, sent with the fields of `body`.
    """
    base = address_of("openai", url)
    given = dict(headers or {})
    if not any(name.lower() in {"authorization", "api-key"} for name in given):
        given["Authorization"] = f"Bearer {key_of('openai', base)}".replace("$", "$$")
    messages: JsonValue = [HISTORY, {"role": "user", "content": QUESTION}]
    if body is not None and not isinstance(body, dict):
        raise ConfigError("body: a chat endpoint wants a JSON object with `messages`")
    request = Request(
        url=f"{str(base).rstrip('/')}/chat/completions",
        body={"model": model, **(body or {"messages": messages})},
        headers=given,
    )
    paths = paths or Paths(answer=CHAT_ANSWER)
    return HttpSystem(request, limits, paths=paths, name=f"openai:{model}")


KIND = SystemKind(
    name="openai",
    argument="<model>",
    settings=frozenset({"url", "body", "headers", "answer_path", "contexts_path"}),
    open=lambda config, model, _queries: openai_chat_system(
        model,
        Limits.of(config),
        url=config.url,
        body=config.body,
        headers=config.headers,
        paths=Paths.of(config, CHAT_ANSWER),
    ),
)
