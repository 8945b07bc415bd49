"""The errors of chat model providers, mapped to this package's own in one place."""

import importlib
import re
from collections.abc import Iterator
from traceback import walk_tb
from typing import Final

import httpx
import openai
from langchain_core.exceptions import LangChainException

from uaeval.errors import BlockedError, ModelError, RunAborted, UaevalError
from uaeval.redaction import redact

# What LangChain lets through when an endpoint answers 200 with a body of another shape.
SHAPE_ERRORS: Final = (ValueError, TypeError, LookupError, AttributeError)
_NAMED_ERRORS: Final = (
    openai.OpenAIError,
    LangChainException,
    httpx.HTTPError,
    httpx.InvalidURL,
    OSError,
)
PROVIDER_ERRORS: Final[tuple[type[Exception], ...]] = (*_NAMED_ERRORS, *SHAPE_ERRORS)
_SENDING: Final = {"_convert_input", "_get_request_payload", "_build_request", "build_request"}
"""Where LangChain and the providers' clients put a request together."""
_SDK_ERRORS: Final = {
    "anthropic": ("anthropic", "AnthropicError"),
    "bedrock": ("botocore.exceptions", "ClientError"),
    "bedrock_converse": ("botocore.exceptions", "ClientError"),
    "google_genai": ("google.genai.errors", "APIError"),
    "groq": ("groq", "GroqError"),
    "ollama": ("ollama", "ResponseError"),
}
_FILTERED: Final = re.compile(
    "content_filter|content_policy_violation|ResponsibleAIPolicyViolation|"
    "content management policy",
    re.IGNORECASE,
)
_QUOTA: Final = re.compile(
    "insufficient_quota|exceeded your current quota|credit balance is too low|insufficient.balance",
    re.IGNORECASE,
)
_FORMAT: Final = re.compile(
    r"response_format|output_config|json_schema|json_object|json mode|structured.output|guided|"
    r"grammar|\bformat\b",
    re.IGNORECASE,
)
_UNSUPPORTED: Final = {400, 404, 415, 422, 501}


def errors_of(provider: str) -> tuple[type[Exception], ...]:
    """Return every kind of error that a call to this provider may end in."""
    if provider not in _SDK_ERRORS:
        return PROVIDER_ERRORS
    module, name = _SDK_ERRORS[provider]
    try:
        own = getattr(importlib.import_module(module), name)
    except ImportError:
        return PROVIDER_ERRORS
    return (*PROVIDER_ERRORS, own)


def is_own_bug(error: Exception) -> bool:
    """Say whether an error of a general kind comes from this package, not from an odd reply.

    It does if it was raised in here, or while the request was still being put together.
    """
    if not isinstance(error, SHAPE_ERRORS) or isinstance(error, _NAMED_ERRORS):
        return False
    frames = [frame for frame, _ in walk_tb(error.__traceback__)]
    raised_here = bool(frames) and str(frames[-1].f_globals.get("__name__")).startswith("uaeval.")
    return raised_here or any(frame.f_code.co_name in _SENDING for frame in frames)


def as_own_error(error: Exception, endpoint: str) -> UaevalError:
    """Say what an error means for the run, without any key in the words."""
    text, said = str(error), f"{endpoint}: {_words(error)}"
    if isinstance(error, openai.ContentFilterFinishReasonError) or tells_of_filter(text):
        return BlockedError(f"the content filter of {said}")
    status = getattr(error, "status_code", None)
    if status == 402 or _QUOTA.search(text):
        return RunAborted(f"the quota is used up at {said}. Top up the account, then run again")
    if status == 401:
        return RunAborted(
            f"the key is not accepted by {said}. Set the right API key, then run again"
        )
    if status == 403:
        return RunAborted(
            f"the key may not use this model at {said}. Use another key or model, then run again"
        )
    if status == 404:
        return RunAborted(
            f"no such model or address at {said}. Check the model's name and base_url, "
            "then run again"
        )
    return ModelError(said)


def causes(error: BaseException | None) -> Iterator[BaseException]:
    """Yield an error and all that lies under it."""
    while error is not None:
        yield error
        error = error.__cause__


def tells_of_filter(text: str) -> bool:
    """Say whether an error's text names a provider's content filter."""
    return _FILTERED.search(text) is not None


def is_about_format(error: Exception) -> bool:
    """Say whether the endpoint turned down the kind of structured output that was asked for."""
    return _turned_down(error) and _FORMAT.search(str(error)) is not None


def is_about_temperature(error: Exception) -> bool:
    """Say whether the endpoint turned down the temperature."""
    return _turned_down(error) and "temperature" in str(error).lower()


def _turned_down(error: Exception) -> bool:
    return getattr(error, "status_code", None) in _UNSUPPORTED


def _words(error: Exception) -> str:
    status = getattr(error, "status_code", None)
    kind = next(each for each in type(error).__mro__ if not each.__name__.startswith("OpenAI"))
    begin = f"HTTP {status}" if status else kind.__name__
    if not status and isinstance(error, SHAPE_ERRORS):
        begin = f"the reply is no chat completion ({begin})"
    said = " ".join(f"{error} {_root(error)}".split())
    return f"{begin}: {redact(said)[:500].strip()}"


def _root(error: BaseException) -> str:
    """Say what lies under an error that by itself says little."""
    *_, deepest = causes(error)
    return "" if str(deepest) in str(error) else f"({type(deepest).__name__}: {deepest})"
