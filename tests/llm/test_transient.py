import json
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import httpx
import openai
import pytest

from uaeval.errors import ModelError, RunAborted
from uaeval.llm.endpoint.errors import (
    OVERLOADED,
    TIMED_OUT,
    UNREACHABLE,
    caused_by,
    is_transient,
    retry_after,
    status_of,
)

REQUEST = httpx.Request("POST", "http://h/v1")


def answered(
    status: int, message: str = "told", headers: Mapping[str, str] | None = None
) -> openai.APIStatusError:
    response = httpx.Response(status, request=REQUEST, headers=headers)
    return openai.APIStatusError(message, response=response, body=None)


def caused(error: Exception, cause: Exception) -> Exception:
    error.__cause__ = cause
    return error


LOST = openai.APIConnectionError(request=REQUEST)
REFUSED = caused(openai.APIConnectionError(request=REQUEST), httpx.ConnectError("refused"))
SLOW = caused(openai.APITimeoutError(request=REQUEST), httpx.ReadTimeout("slow"))


@pytest.mark.parametrize(
    "error",
    [
        *(answered(status) for status in (408, 409, 425, 429, 500, 502, 503, 504, 529)),
        LOST,
        REFUSED,
        SLOW,
        TimeoutError("timed out"),
        ConnectionResetError("reset"),
        httpx.ReadError("broke off"),
        caused(Exception("of another provider's client"), httpx.ConnectError("refused")),
        json.JSONDecodeError("Expecting value", "<html>", 0),
        KeyError("choices"),
    ],
)
def test_temporary_failures_deserve_another_attempt(error: Exception) -> None:
    assert is_transient(error)


@pytest.mark.parametrize(
    "error",
    [
        *(answered(status) for status in (400, 401, 402, 403, 404, 422)),
        answered(429, "You exceeded your current quota"),
        answered(500, "content_filter"),
        answered(501, "response_format of type json_schema is not supported"),
        httpx.InvalidURL("no address"),
        Exception("of no known kind"),
        RunAborted("wrong key"),
        caused(ModelError("ours"), httpx.ConnectError("refused")),
    ],
)
def test_what_is_settled_is_not(error: Exception) -> None:
    assert not is_transient(error)


def test_kinds_of_errors_are_distinguished() -> None:
    assert caused_by(REFUSED, UNREACHABLE)
    assert not caused_by(LOST, UNREACHABLE)
    assert caused_by(SLOW, TIMED_OUT)
    assert not caused_by(REFUSED, TIMED_OUT)
    statuses = [status_of(answered(status)) for status in (429, 500, 503, 529)]
    assert [status for status in statuses if status in OVERLOADED] == [429, 503, 529]


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "3"}, 3),
        ({"retry-after": "0.5"}, 0.5),
        ({"Retry-After": "3", "retry-after-ms": "250"}, 0.25),
        ({"retry-after": "3", "retry-after-ms": "soon"}, 3),
        ({"retry-after": "Wed, 21 Oct 2015 07:28:00 GMT"}, 0),
        ({"retry-after": "0"}, 0),
    ],
)
def test_retry_after_is_read(headers: Mapping[str, str], seconds: float) -> None:
    assert retry_after(answered(429, headers=headers)) == seconds


@pytest.mark.parametrize("zone", ["GMT", "-0000"])
def test_a_date_is_read_as_the_seconds_until_then(zone: str) -> None:
    then = format_datetime(datetime.now(UTC) + timedelta(seconds=90)).replace("+0000", zone)
    wait = retry_after(answered(429, headers={"retry-after": then}))
    assert wait is not None
    assert 80 < wait <= 90


@pytest.mark.parametrize("text", ["", "soon", "-1", "nan", "inf", "99/99/99"])
def test_an_unreadable_retry_after_is_ignored(text: str) -> None:
    assert retry_after(answered(429, headers={"retry-after": text})) is None
    assert retry_after(LOST) is None
