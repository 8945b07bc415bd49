"""The errors of chat model providers: what they mean, and which may succeed on a retry."""

import importlib
import re
from collections.abc import Iterator, Mapping
from socket import gaierror
from traceback import walk_tb
from typing import Final

import httpx
import openai
from langchain_core.exceptions import LangChainException

from uaeval import http_replies
from uaeval.errors import BlockedError, ModelError, RunAborted, UaevalError
from uaeval.llm.endpoint.addresses import PROVIDERS
from uaeval.llm.stop_reasons import names_content_filter
from uaeval.redaction import redact
from uaeval.resources import shipped_table

# Errors that LangChain raises if an endpoint answers 200 with an unexpected body.
SHAPE_ERRORS: Final = (ValueError, TypeError, LookupError, AttributeError, RecursionError)
_NAMED_ERRORS: Final = (
    openai.OpenAIError,
    LangChainException,
    httpx.HTTPError,
    httpx.InvalidURL,
    OSError,
)
PROVIDER_ERRORS: Final[tuple[type[Exception], ...]] = (*_NAMED_ERRORS, *SHAPE_ERRORS)
_BUILDERS: Final = {"_convert_input", "_get_request_payload", "_build_request", "build_request"}
"""The functions of LangChain and the providers' clients that build a request."""
_REJECTIONS: Final = shipped_table("llm/endpoint/rejections.yaml")
_UNSUPPORTED: Final = {400, 404, 415, 422, 501}
TOO_MANY: Final = 429
OVERLOADED: Final = {TOO_MANY, 503, 529}
"""Statuses of an endpoint that gets too many calls."""
_CONNECTION_ERRORS: Final = (openai.APIConnectionError, httpx.RequestError, OSError)
UNREACHABLE: Final = (httpx.ConnectError, httpx.ConnectTimeout, ConnectionRefusedError, gaierror)
TIMED_OUT: Final = (TimeoutError, openai.APITimeoutError, httpx.TimeoutException)


def errors_of(provider: str) -> tuple[type[Exception], ...]:
    """Return the types of error that a call to this provider may raise."""
    module, _, name = PROVIDERS.get(provider, {}).get("error", "").rpartition(".")
    try:
        provider_errors = (getattr(importlib.import_module(module), name),) if module else ()
    except ImportError:
        provider_errors = ()
    return (*PROVIDER_ERRORS, *provider_errors)


_BY_STATUS: Final[Mapping[int | None, tuple[str, str]]] = {
    401: ("the key is not accepted by", "Set the right API key, then run again"),
    402: ("the quota is used up at", "Top up the account, then run again"),
    403: ("the key may not use this model at", "Use another key or model, then run again"),
    404: ("no such model or address at", "Check the model's name and base_url, then run again"),
}


def as_own_error(error: Exception, endpoint: str) -> UaevalError:
    """Return an error as one of this package; its message does not contain the key."""
    text, description = str(error), f"{endpoint}: {_describe(error)}"
    if isinstance(error, openai.ContentFilterFinishReasonError) or names_content_filter(text):
        return BlockedError(f"the content filter of {description}")
    no_quota = re.search(_REJECTIONS["quota"], text, re.IGNORECASE)
    status = 402 if no_quota else status_of(error)
    if status in _BY_STATUS:
        problem, remedy = _BY_STATUS[status]
        return RunAborted(f"{problem} {description}. {remedy}")
    return ModelError(description)


def _describe(error: Exception) -> str:
    status = status_of(error)
    kind = next(base for base in type(error).__mro__ if not base.__name__.startswith("OpenAI"))
    problem = f"HTTP {status}" if status else kind.__name__
    if not status and isinstance(error, SHAPE_ERRORS):
        problem = f"the reply is not a chat completion ({problem})"
    *_, deepest = _causes(error)
    root = "" if str(deepest) in str(error) else f"({type(deepest).__name__}: {deepest})"
    text = " ".join(f"{error} {root}".split())
    return f"{problem}: {redact(text)[:500].strip()}"


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__


def status_of(error: Exception) -> int | None:
    """Return the HTTP status of the answer; `None` without an answer."""
    status = getattr(error, "status_code", None)
    return status if isinstance(status, int) else None


def is_own_bug(error: Exception) -> bool:
    """Return whether an error such as `TypeError` is a bug of this package, not of the reply.

    It is if this package raised it, or if it was raised while the request was being built.
    """
    if not isinstance(error, SHAPE_ERRORS) or isinstance(error, _NAMED_ERRORS):
        return False
    frames = [frame for frame, _ in walk_tb(error.__traceback__)]
    raised_here = bool(frames) and str(frames[-1].f_globals.get("__name__")).startswith("uaeval.")
    return raised_here or any(frame.f_code.co_name in _BUILDERS for frame in frames)


def rejected_features(error: Exception) -> set[str]:
    """Return which of `temperature` and `format` the endpoint rejected."""
    if status_of(error) not in _UNSUPPORTED:
        return set()
    features = _REJECTIONS["features"].items()
    return {name for name, pattern in features if re.search(pattern, str(error), re.IGNORECASE)}


def is_transient(error: BaseException) -> bool:
    """Return whether another attempt at the same call may succeed.

    It may after a lost connection, a timeout, a transient status, or 200 with a body that is not a
    chat completion. It cannot if the key, the quota or the request is at fault.
    """
    final = UaevalError | openai.LengthFinishReasonError
    if not isinstance(error, Exception) or isinstance(error, final):
        return False
    if is_own_bug(error) or rejected_features(error):
        return False
    if not isinstance(as_own_error(error, ""), ModelError):
        return False
    status = status_of(error)
    if status is not None:
        return status == 200 or http_replies.is_transient_status(status)
    return isinstance(error, SHAPE_ERRORS) or caused_by(error, _CONNECTION_ERRORS)


def caused_by(error: Exception, kinds: tuple[type[Exception], ...]) -> bool:
    """Return whether an error or one of its causes is of these `kinds`."""
    return any(isinstance(cause, kinds) for cause in _causes(error))


def retry_after(error: Exception) -> float | None:
    """Return the seconds that the endpoint asks to wait; `None` if it does not ask."""
    headers = getattr(getattr(error, "response", None), "headers", None)
    return http_replies.retry_after_seconds(headers) if isinstance(headers, Mapping) else None
