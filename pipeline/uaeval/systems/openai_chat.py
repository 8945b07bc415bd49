"""A system that speaks the chat completions API of OpenAI: a RAG behind a chat endpoint."""

from collections.abc import Mapping
from typing import Final

from pydantic import JsonValue

from uaeval.errors import ConfigError
from uaeval.llm.endpoints import address_of, key_of
from uaeval.systems.attempts import Limits
from uaeval.systems.extract import Paths, find
from uaeval.systems.http import HttpSystem, Request
from uaeval.systems.system import Answer
from uaeval.types import ResponseStatus

CHAT_ANSWER: Final = "choices[0].message.content"
_FILTERED: Final = "content_filter"


class OpenAIChatSystem(HttpSystem):
    """Sends each question as the user's message; a body of the user's own may say more."""

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
        """Take the endpoint's base address; `OPENAI_API_KEY` is sent where no header says else.

        Raises:
            ConfigError: the provider's own endpoint is meant and there is no key, or the body is
                no object.
        """
        base = address_of("openai", url)
        given = dict(headers or {})
        if not any(name.lower() in {"authorization", "api-key"} for name in given):
            given["Authorization"] = f"Bearer {key_of('openai', base)}".replace("$", "$$")
        message: JsonValue = [{"role": "user", "content": "{question}"}]
        if body is not None and not isinstance(body, dict):
            raise ConfigError("body: a chat endpoint wants a JSON object with `messages`")
        super().__init__(
            Request(
                url=f"{str(base).rstrip('/')}/chat/completions",
                body={"model": model, **(body or {"messages": message})},
                headers=given,
            ),
            limits,
            paths=paths or Paths(answer=CHAT_ANSWER),
            name=f"openai:{model}",
        )

    def read_json(self, value: object) -> Answer:
        """Return the answer; a refusal is one, what the content filter stopped is not."""
        if find("choices[0].finish_reason", value) == [_FILTERED]:
            return Answer(text="", status=ResponseStatus.BLOCKED)
        for refusal in find("choices[0].message.refusal", value):
            if isinstance(refusal, str) and refusal:
                return Answer(text=refusal)
        return super().read_json(value)
