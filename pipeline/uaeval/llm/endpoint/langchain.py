"""A `Model` that calls any LangChain chat model; no other module calls one."""

import json
from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass, field
from enum import IntEnum
from functools import partial
from typing import Any

from langchain_core.messages import AIMessage
from langchain_openai.chat_models.base import BaseChatOpenAI
from langsmith import tracing_context

from uaeval.errors import BlockedError, RefusedError, ReplyError
from uaeval.llm.endpoint.addresses import address_of, public_url, split_name
from uaeval.llm.endpoint.calls import Calls
from uaeval.llm.endpoint.chat_client import chat_client
from uaeval.llm.endpoint.errors import as_own_error, errors_of, is_own_bug, rejected_features
from uaeval.llm.endpoint.rate_limiter import RateLimiter, tokens_needed
from uaeval.llm.model import R, T
from uaeval.llm.reading import read_reply, repair_order
from uaeval.llm.replies import Reply, reply_format
from uaeval.llm.stop_reasons import CUT_OFF, FILTERED, stop_reasons
from uaeval.llm.usage import Usage, record_usage
from uaeval.prompts import Field, PromptLibrary
from uaeval.redaction import redact, without_known
from uaeval.storage import whole_characters


class _Format(IntEnum):
    """How the endpoint is made to reply with JSON of the right schema, strictest first."""

    SCHEMA = 0
    JSON = 1
    PROMPT = 2


@dataclass(eq=False)
class LangChainModel:
    """`provider:model` through `init_chat_model`: OpenAI, Anthropic, Ollama, vLLM and others.

    Keys are read from the provider's environment variables (`OPENAI_API_KEY` and so on). An
    OpenAI- or Anthropic-compatible endpoint with a `base_url` needs no key.
    """

    name: str
    prompts: PromptLibrary
    _: KW_ONLY
    base_url: str | None = None
    temperature: float | None = 0.0
    """It becomes `None`, the endpoint's default, if the endpoint rejects it."""
    timeout: float = 120.0
    max_retries: int = 4
    rate_limiter: RateLimiter = field(default_factory=RateLimiter)

    def __post_init__(self) -> None:
        """Create the provider's client; raise `ConfigError` if a package or key is missing."""
        self._provider, _ = split_name(self.name)
        self._chat = chat_client(self.name, self.base_url, self.temperature, self.timeout)
        url = address_of(self._provider, self.base_url)
        self._calls = Calls(
            rate_limiter=self.rate_limiter,
            endpoint=f"{self._provider} ({public_url(url)})" if url else self._provider,
            raised=errors_of(self._provider),
            timeout=self.timeout,
            max_retries=self.max_retries,
        )
        takes_schema = self._constraint(_Format.SCHEMA, reply_format(Reply))
        self._format = _Format.SCHEMA if takes_schema else _Format.PROMPT

    async def ask(
        self, prompt: str, reply_type: type[R], parse: Callable[[R], T], /, **fields: Field
    ) -> T:
        """Render the prompt, call the model and parse its reply; ask for one repair if needed."""
        system, user = self.prompts.get(prompt).render(fields)
        messages = [("system", system), ("user", user)]
        response_format = reply_format(reply_type)
        while True:
            text, cut_off = await self.complete(messages, response_format)
            try:
                return parse(read_reply(text, reply_type, cut_off=cut_off))
            except ReplyError as error:
                if len(messages) > 2:
                    problem = f"{self.name} on {prompt}, after one repair: {redact(str(error))}"
                    raise ReplyError(problem, raw=redact(text)) from None
                order = repair_order(str(error))
            messages += [("assistant", text or "(nothing)"), ("user", order)]

    async def complete(
        self, messages: list[tuple[str, str]], response_format: dict[str, Any]
    ) -> tuple[str, bool]:
        """Return the model's text and whether it was cut off; retry without unsupported features.

        `response_format` is OpenAI's, with the schema of the reply. The errors are those of `ask`
        except `ReplyError`.
        """
        while True:
            used_features = (self._format, self.temperature)
            shown_messages = self._with_schema(messages, response_format)
            constraint = self._constraint(self._format, response_format)
            needed = tokens_needed(text for _, text in shown_messages)
            send = partial(self._chat.ainvoke, shown_messages, **constraint)
            try:
                with tracing_context(enabled=False):
                    message = await self._calls.make(send, needed, _record_tokens)
            except self._calls.raised as error:
                if is_own_bug(error):
                    raise
                if not self._drop_feature(error, *used_features):
                    # Without the cause, whose message may contain the key.
                    raise as_own_error(error, self._calls.endpoint) from None
            else:
                return self._read_message(message)

    def _drop_feature(self, error: Exception, form: _Format, temperature: float | None) -> bool:
        """Stop using the feature that the endpoint rejected; return `False` if there is none."""
        rejected = rejected_features(error)
        if "temperature" in rejected and temperature is not None:
            self.temperature = None
            self._chat = chat_client(self.name, self.base_url, None, self.timeout)
            return True
        if "format" in rejected and form < _Format.PROMPT:
            self._format = max(self._format, _Format(form + 1))
            return True
        return False

    def _read_message(self, message: AIMessage) -> tuple[str, bool]:
        reasons = stop_reasons(message.response_metadata)
        if reasons & FILTERED:
            raise BlockedError(f"the content filter of {self._calls.endpoint} stopped the reply")
        if refusal := message.additional_kwargs.get("refusal"):
            raise RefusedError(redact(whole_characters(str(refusal))))
        text = whole_characters(str(message.text))  # a lone surrogate cannot be sent back
        return without_known(text), bool(reasons & CUT_OFF)

    def _constraint(self, form: _Format, response_format: dict[str, Any]) -> dict[str, Any]:
        """Return the call's arguments that make the endpoint enforce the format; maybe empty."""
        if form is _Format.PROMPT:
            return {}
        is_schema = form is _Format.SCHEMA
        if isinstance(self._chat, BaseChatOpenAI):
            shape = response_format if is_schema else {"type": "json_object"}
            argument = {"response_format": shape}
            # The SDK processes the schema of each call's `response_format`, and parses the reply
            # with it; it passes `extra_body` on unchanged, which takes half the CPU time.
            return argument if self._chat.use_responses_api else {"extra_body": argument}
        if self._provider == "ollama":
            return {"format": response_format["json_schema"]["schema"] if is_schema else "json"}
        if self._provider == "anthropic" and is_schema:
            return {"response_format": response_format}
        return {}

    def _with_schema(
        self, messages: list[tuple[str, str]], response_format: dict[str, Any]
    ) -> list[tuple[str, str]]:
        """Return the messages; add the schema if the endpoint does not enforce it."""
        if self._format is _Format.SCHEMA:
            return messages
        (role, system), *rest = messages
        schema = json.dumps(response_format["json_schema"]["schema"])
        order = f"Reply with one JSON object and nothing else. It fits this JSON schema:\n{schema}"
        return [(role, f"{system}\n\n{order}"), *rest]


def _record_tokens(message: AIMessage) -> int | None:
    """Record the tokens of a reply, and return their number; `None` if it is unknown."""
    usage = Usage.reported(message.usage_metadata)
    record_usage(usage)
    return None if usage.without_usage else usage.prompt_tokens + usage.completion_tokens
