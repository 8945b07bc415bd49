"""Messages of a broken service are errors, whatever apology they contain."""

import pytest

from uaeval.offline.judge.unreadable import is_outage


@pytest.mark.parametrize(
    "message",
    [
        "I'm currently experiencing technical difficulties and cannot answer your question.",
        "Request timed out. I could not find an answer.",
        "I'm sorry, but I can't answer right now because the service is overloaded.",
        "An internal error occurred, so I could not process your question.",
        "Error: context length exceeded.",
    ],
)
def test_an_apology_for_a_fault_is_an_outage(message: str) -> None:
    assert is_outage(message)


@pytest.mark.parametrize(
    "response",
    [
        "I could not find an answer.",
        "I'm sorry, I cannot answer your question because the documents do not say.",
        "The request timed out because the server's limit is 30 seconds.",
        "I cannot answer this question, and the manual says nothing about outages.",
        "The service is overloaded at noon, so call in the morning.",
    ],
)
def test_a_refusal_and_an_answer_about_faults_are_no_outages(response: str) -> None:
    assert not is_outage(response)
