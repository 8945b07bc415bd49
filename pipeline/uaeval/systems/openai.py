"""The system `openai`: an endpoint that speaks the chat completions API of OpenAI."""

from collections.abc import Mapping
from typing import Final

from pydantic import JsonValue

from uaeval.config import HISTORY, QUESTION
from uaeval.errors import ConfigError
from uaeval.llm.endpoint.addresses import address_of, key_of
from uaeval.systems.attempts import Limits
from uaeval.systems.extract import Paths, find, is_blocked
from uaeval.systems.http import HttpSystem, Request
from uaeval.systems.kind import SystemKind
from uaeval.systems.system import Answer

CHAT_ANSWER: Final = "choices[0].message.content"


class OpenAIChatSystem(HttpSystem):
    """Sends each question as the user's message, with the fields of the user's body."""

    def __init__(
        self,
        model: str,
        limits: Limits,
        *,
        url: str | None = None,
        body: JsonValue = None,
        headers: Mapping[str, str] | None = None,
        paths: Paths | None = None,
    ) -> None:
        """Ask the endpoint at `url`, with `OPENAI_API_KEY` unless a header authorizes."""
        base = address_of("openai", url)
        given = dict(headers or {})
        if not any(name.lower() in {"authorization", "api-key"} for name in given):
            given["Authorization"] = f"Bearer {key_of('openai', base)}".replace("$", "$$")
        messages: JsonValue = [HISTORY, {"role": "user", "content": QUESTION}]
        if body is not None and not isinstance(body, dict):
            raise ConfigError("body: a chat endpoint wants a JSON object with `messages`")
        super().__init__(
            Request(
                url=f"{str(base).rstrip('/')}/chat/completions",
                body={"model": model, **(body or {"messages": messages})},
                headers=given,
            ),
            limits,
            paths=paths or Paths(answer=CHAT_ANSWER),
            name=f"openai:{model}",
        )

    def read_json(self, value: object) -> Answer:
        """Return the answer; a refusal of the model is one."""
        for refusal in find("choices[0].message.refusal", value):
            if isinstance(refusal, str) and refusal and not is_blocked(value):
                return Answer(text=refusal)
        return super().read_json(value)


KIND = SystemKind(
    name="openai",
    argument="<model>",
    settings=frozenset({"url", "body", "headers", "answer_path", "contexts_path"}),
    open=lambda config, model, _queries: OpenAIChatSystem(
        model,
        Limits.of(config),
        url=config.url,
        body=config.body,
        headers=config.headers,
        paths=Paths.of(config, CHAT_ANSWER),
    ),
)
