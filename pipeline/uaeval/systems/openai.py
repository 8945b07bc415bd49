"""The system `openai`: an endpoint that speaks the chat completions API of OpenAI."""

from typing import Final

from pydantic import JsonValue

from uaeval.config import HISTORY, QUESTION, EvaluationConfig
from uaeval.errors import ConfigError
from uaeval.llm.endpoint.addresses import address_of, key_of
from uaeval.systems.http import HttpSystem
from uaeval.systems.kind import SystemKind

CHAT_ANSWER: Final = "choices[0].message['content', 'refusal']"
"""Path of the answer; a refusal by the model counts as an answer."""


def openai_chat_system(config: EvaluationConfig) -> HttpSystem:
    """Return the system `openai:<model>` at the settings' URL.

    Requests are authorized by a header of the settings, or else by `OPENAI_API_KEY`.
    """
    base, body = address_of("openai", config.url), config.body
    headers = dict(config.headers)
    if not any(name.lower() in {"authorization", "api-key"} for name in headers):
        headers["Authorization"] = f"Bearer {key_of('openai', base)}".replace("$", "$$")
    messages: JsonValue = [HISTORY, {"role": "user", "content": QUESTION}]
    if body is not None and not isinstance(body, dict):
        raise ConfigError("body: give a JSON object with `messages` for a chat endpoint")
    sent = {
        "url": f"{str(base).rstrip('/')}/chat/completions",
        "body": {"model": config.system.partition(":")[2], **(body or {"messages": messages})},
        "headers": headers,
        "answer_path": config.answer_path or CHAT_ANSWER,
    }
    return HttpSystem(config.model_copy(update=sent))


KIND = SystemKind(
    name="openai",
    argument="<model>",
    settings=frozenset({"url", "body", "headers", "answer_path", "contexts_path"}),
    open=lambda config, _model, _queries: openai_chat_system(config),
)
