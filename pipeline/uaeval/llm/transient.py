"""Which errors of a call may pass with time, and how long an endpoint asks to be left alone."""

import math
import socket
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Final

import httpx
import openai

from uaeval.errors import ModelError, UaevalError
from uaeval.llm.provider_errors import (
    SHAPE_ERRORS,
    as_own_error,
    causes,
    is_about_format,
    is_about_temperature,
    is_own_bug,
)

TOO_MANY: Final = 429
_OVERLOADED: Final = {TOO_MANY, 503, 529}
_TRANSIENT: Final = {200, 408, 409, TOO_MANY}
_BROKEN_OFF: Final = (openai.APIConnectionError, httpx.RequestError, OSError)
_UNREACHABLE: Final = (
    httpx.ConnectError,
    httpx.ConnectTimeout,
    ConnectionRefusedError,
    socket.gaierror,
)
_TIMED_OUT: Final = (TimeoutError, openai.APITimeoutError, httpx.TimeoutException)


def is_transient(error: BaseException) -> bool:
    """Say whether another attempt at the same call may succeed.

    It may after a lost connection, a timeout, 408, 409, 429, 5xx, and after an answer 200 whose
    body is no chat completion; not if the key, the quota or the request itself is at fault.
    """
    if not isinstance(error, Exception) or _is_settled(error):
        return False
    status = status_of(error)
    if status is not None:
        return status in _TRANSIENT or status >= 500
    return isinstance(error, SHAPE_ERRORS) or _comes_from(error, _BROKEN_OFF)


def _is_settled(error: Exception) -> bool:
    """Say whether the endpoint, or this package, has said its last word on the request."""
    return (
        isinstance(error, UaevalError | openai.LengthFinishReasonError)
        or is_own_bug(error)
        or is_turned_down(error)
        or not isinstance(as_own_error(error, ""), ModelError)
    )


def is_turned_down(error: Exception) -> bool:
    """Say whether the endpoint lacks a feature that the call can do without."""
    return is_about_format(error) or is_about_temperature(error)


def is_unreachable(error: Exception) -> bool:
    """Say whether there was no connection at all; that is no matter of one request."""
    return _comes_from(error, _UNREACHABLE)


def is_timeout(error: Exception) -> bool:
    """Say whether the time for the call ran out."""
    return _comes_from(error, _TIMED_OUT)


def is_overload(error: Exception) -> bool:
    """Say whether the endpoint gets more calls than it bears."""
    return status_of(error) in _OVERLOADED


def status_of(error: Exception) -> int | None:
    """Return the HTTP status of the answer; `None` if there was none."""
    status = getattr(error, "status_code", None)
    return status if isinstance(status, int) else None


def retry_after(error: Exception) -> float | None:
    """Return the seconds that the endpoint asks to wait; `None` if it does not say."""
    headers = getattr(getattr(error, "response", None), "headers", None)
    if not isinstance(headers, Mapping):
        return None
    asked = headers.get("retry-after", "")
    waits = (
        _number(headers.get("retry-after-ms", ""), 1 / 1000),
        _number(asked, 1),
        _until(asked),
    )
    return next((wait for wait in waits if wait is not None), None)


def _number(text: str, seconds_each: float) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value * seconds_each if math.isfinite(value) and value >= 0 else None


def _until(date: str) -> float | None:
    try:
        moment = parsedate_to_datetime(date)
    except ValueError:
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return max(0.0, (moment - datetime.now(UTC)).total_seconds())


def _comes_from(error: BaseException, kinds: tuple[type[BaseException], ...]) -> bool:
    return any(isinstance(each, kinds) for each in causes(error))
