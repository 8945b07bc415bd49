"""A `Model` that calls any LangChain chat model, and retries; no other module calls one.

The providers' clients are configured not to retry.
"""

import asyncio
import json
import random
from collections.abc import Awaitable, Callable
from dataclasses import KW_ONLY, dataclass, field
from enum import IntEnum
from functools import partial
from typing import Any, Final

from langchain_core.messages import AIMessage
from langchain_openai.chat_models.base import BaseChatOpenAI
from langsmith import tracing_context

from uaeval.errors import BlockedError, RefusedError, ReplyError, RunAborted
from uaeval.llm.endpoint import errors
from uaeval.llm.endpoint.addresses import address_of, public_url, split_name
from uaeval.llm.endpoint.chat_client import chat_client
from uaeval.llm.endpoint.rate_limiter import Permit, RateLimiter
from uaeval.llm.model import Field, R, T
from uaeval.llm.reading import read_reply, repair_messages
from uaeval.llm.replies import Reply, reply_format
from uaeval.llm.sizing import estimated_tokens
from uaeval.llm.stop_reasons import CUT_OFF, FILTERED, stop_reasons
from uaeval.llm.usage import Usage, record_usage
from uaeval.prompts import PromptLibrary
from uaeval.redaction import redact, without_known
from uaeval.storage import whole_characters

LONGEST_PAUSE: Final = 600.0
"""Longest wait in seconds that an endpoint may ask for; the run is aborted if it asks for more."""
_REPLY_TOKENS: Final = 300
"""Tokens of a typical reply."""


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
    """Seconds, from sending to the last byte of the reply."""
    max_retries: int = 4
    rate_limiter: RateLimiter = field(default_factory=RateLimiter)

    def __post_init__(self) -> None:
        """Create the provider's client; raise `ConfigError` if a package or key is missing."""
        self._provider, _ = split_name(self.name)
        self._chat = chat_client(self.name, self.base_url, self.temperature, self.timeout)
        url = address_of(self._provider, self.base_url)
        self._endpoint = f"{self._provider} ({public_url(url)})" if url else self._provider
        self._errors = errors.errors_of(self._provider)
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
                messages += repair_messages(text, str(error))

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
            needed = sum(_most_tokens(text) for _, text in shown_messages) + _REPLY_TOKENS
            send = partial(self._chat.ainvoke, shown_messages, **constraint)
            try:
                with tracing_context(enabled=False):
                    message = await self._call(send, needed)
            except self._errors as error:
                if errors.is_own_bug(error):
                    raise
                if not self._drop_feature(error, *used_features):
                    # Without the cause, whose message may contain the key.
                    raise errors.as_own_error(error, self._endpoint) from None
            else:
                return self._read_message(message)

    async def _call(self, send: Callable[[], Awaitable[AIMessage]], tokens: int) -> AIMessage:
        """Return the result of `send`, after retries if they are needed and allowed.

        `tokens` is the estimated size of the call. The error is that of the last attempt, or
        `RunAborted` if no further call can succeed: the key is refused, the quota is used up, or
        the endpoint cannot be reached or asks for too long a wait.
        """
        attempt = 0
        while True:
            attempt += 1
            try:
                async with self.rate_limiter.permit(tokens, attempt) as permit:
                    record_usage(Usage(calls=1, retries=int(attempt > 1)))
                    message = await self._send(send, permit)
                    usage = Usage.reported(message.usage_metadata)
                    record_usage(usage)
                    self.rate_limiter.record_success(permit, usage.tokens)
                    return message
            except self._errors as error:
                if attempt > self.max_retries or not errors.is_transient(error):
                    raise
                await asyncio.sleep(self._backoff(error, attempt))

    def _backoff(self, error: Exception, attempt: int) -> float:
        """Return the seconds to wait before a retry; on overload, pause all calls to the model."""
        if errors.retry_after(error):
            return 0.0
        longest = min(60.0, self.rate_limiter.backoff * 2 ** (attempt - 1))
        seconds = random.uniform(0, longest)
        if errors.status_of(error) in errors.OVERLOADED:
            self.rate_limiter.pause(seconds)
            return 0.0
        return seconds

    async def _send(self, send: Callable[[], Awaitable[AIMessage]], permit: Permit) -> AIMessage:
        """Send one request and record its error; the timeout also ends a slow reply."""
        limit = asyncio.timeout(self.timeout)
        try:
            async with limit:
                return await send()
        except self._errors as error:
            timeout_error = TimeoutError(f"timed out: no whole reply within {self.timeout:g} s")
            actual = timeout_error if limit.expired() else error
            if not errors.is_own_bug(actual):
                self._record_error(actual, permit)
            raise actual from actual.__cause__

    def _record_error(self, error: Exception, permit: Permit) -> None:
        """Count an error, and pause or stop the other calls if necessary."""
        status, is_timeout = errors.status_of(error), errors.caused_by(error, errors.TIMED_OUT)
        record_usage(Usage(rate_limited=int(status == errors.TOO_MANY), timeouts=int(is_timeout)))
        if status in errors.OVERLOADED:
            self.rate_limiter.record_overload(permit)
        if not is_timeout and not errors.caused_by(error, errors.UNREACHABLE):
            self.rate_limiter.record_response()
        if reason := self._reason_to_stop(error, permit):
            self.rate_limiter.slots.close(reason)
            raise reason from None
        if errors.is_transient(error):
            self.rate_limiter.pause(errors.retry_after(error) or 0)

    def _reason_to_stop(self, error: Exception, permit: Permit) -> RunAborted | None:
        """Return the error that ends the run if no further call can succeed now, else `None`."""
        meaning = errors.as_own_error(error, self._endpoint)
        if isinstance(meaning, RunAborted):
            return None if errors.rejected_features(error) else meaning
        if errors.caused_by(error, errors.UNREACHABLE):
            seconds_lost = self.rate_limiter.record_unreachable()
            if seconds_lost >= self.rate_limiter.patience:
                return RunAborted(
                    f"no connection for {seconds_lost:.0f} s: {meaning}. "
                    "Check base_url and the network, then run again"
                )
        wait = errors.retry_after(error) if errors.is_transient(error) else None
        if wait and wait > LONGEST_PAUSE:
            return RunAborted(
                f"{self._endpoint} asked to retry after {wait:.0f} s (Retry-After); run again then"
            )
        is_timeout = errors.caused_by(error, errors.TIMED_OUT)
        if is_timeout and (unanswered := self.rate_limiter.record_timeout(permit)):
            return RunAborted(
                f"{unanswered} requests in a row got no answer: {meaning}. Check that the endpoint "
                "serves this model; if it is slow, raise --timeout or lower --concurrency; then "
                "run again"
            )
        return None

    def _drop_feature(self, error: Exception, form: _Format, temperature: float | None) -> bool:
        """Stop using the feature that the endpoint rejected; return `False` if there is none."""
        rejected = errors.rejected_features(error)
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
            raise BlockedError(f"the content filter of {self._endpoint} stopped the reply")
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


def _most_tokens(text: str) -> int:
    """Return a high estimate, by characters or bytes: some scripts take more than English."""
    return max(estimated_tokens(text), len(text.encode(errors="replace")) // 4)
