import inspect

import httpx
import openai
import pytest
from langchain_core.exceptions import LangChainException

from uaeval.errors import BlockedError, ModelError, RunAborted, UaevalError
from uaeval.llm.endpoint.addresses import split_name
from uaeval.llm.endpoint.errors import (
    PROVIDER_ERRORS,
    as_own_error,
    errors_of,
    is_own_bug,
)

REQUEST = httpx.Request("POST", "http://h/v1")


def with_status(status: int, message: str = "told") -> openai.APIStatusError:
    response = httpx.Response(status, request=REQUEST)
    return openai.APIStatusError(message, response=response, body=None)


@pytest.mark.parametrize(
    ("error", "own"),
    [
        (with_status(400), ModelError),
        (with_status(400, "Error code: 400 - {'code': 'content_filter'}"), BlockedError),
        (with_status(400, "x" * 900 + "ResponsibleAIPolicyViolation"), BlockedError),
        (with_status(400, "Your credit balance is too low"), RunAborted),
        (with_status(401), RunAborted),
        (with_status(402), RunAborted),
        (with_status(403), RunAborted),
        (with_status(404), RunAborted),
        (with_status(409), ModelError),
        (with_status(422), ModelError),
        (with_status(429), ModelError),
        (with_status(429, "Error code: 429 - {'code': 'insufficient_quota'}"), RunAborted),
        (with_status(503), ModelError),
        (openai.APIConnectionError(request=REQUEST), ModelError),
        (openai.APITimeoutError(request=REQUEST), ModelError),
        (openai.ContentFilterFinishReasonError(), BlockedError),
        (LangChainException("told"), ModelError),
        (httpx.ReadTimeout("told"), ModelError),
        (ConnectionResetError("told"), ModelError),
        (KeyError("choices"), ModelError),
    ],
)
def test_every_error_means_one_thing_for_the_run(error: Exception, own: type[UaevalError]) -> None:
    assert type(as_own_error(error, "here")) is own


def test_the_map_is_complete_for_the_client() -> None:
    raised = [
        each
        for _, each in inspect.getmembers(openai, inspect.isclass)
        if issubclass(each, Exception) and each.__module__.startswith("openai")
    ]
    assert len(raised) > 10
    assert [each.__name__ for each in raised if not issubclass(each, PROVIDER_ERRORS)] == []


def test_a_provider_whose_package_is_absent_has_the_common_errors() -> None:
    assert errors_of("groq") == errors_of("nobody") == PROVIDER_ERRORS


def test_the_cause_of_a_lost_connection_is_reported() -> None:
    lost = openai.APIConnectionError(request=REQUEST)
    lost.__cause__ = httpx.ConnectError("Name or service not known")
    assert "(ConnectError: Name or service not known)" in str(as_own_error(lost, "here"))


def test_a_body_of_another_shape_is_reported_as_such() -> None:
    said = str(as_own_error(AttributeError("'str' object"), "here"))
    assert said == "here: the reply is not a chat completion (AttributeError): 'str' object"


def test_an_error_of_a_general_kind_that_was_raised_in_here_is_our_own_bug() -> None:
    with pytest.raises(AttributeError) as ours:
        split_name(3)  # type: ignore[arg-type] # the bug
    with pytest.raises(ValueError, match="Expecting") as theirs:
        httpx.Response(200, content=b"{").json()
    assert is_own_bug(ours.value)
    assert not is_own_bug(theirs.value)
