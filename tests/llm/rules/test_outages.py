import pytest

from uaeval.llm.rules.judging.outages import is_outage

PAGE = (
    "<html><head><title>502 Bad Gateway</title></head><body><center><h1>502 Bad Gateway</h1>"
    "</center><hr><center>nginx/1.18.0</center></body></html>"
)
TRACE = 'Traceback (most recent call last):\n  File "app.py", line 3\nValueError: no index'
OUTAGES = (
    PAGE,
    TRACE,
    "I'm sorry, the service is currently unavailable.",
    "Sorry, something went wrong. Please try again later.",
    "502 Bad Gateway",
    "Request timed out.",
    "null",
    "{}",
    "[]",
    "Internal Server Error",
    "rate limit exceeded",
    "Rate limit exceeded. Please retry after 20 seconds.",
    "Error: Request timed out",
    "Error 500: Internal Server Error",
    "HTTP 503",
    "HTTP 503 Service Unavailable",
    "An error occurred.",
    "An unexpected error occurred while processing your request.",
    "Oops! Something went wrong.",
    "I’m sorry, but an error occurred while generating a response. Please try again.",
    "The model is currently overloaded with other requests. Sorry about that!",
    "We are experiencing technical difficulties. Please try later. Thank you for your patience.",
    '{"error": {"message": "x"}}',
    '{"detail": "Not Found"}',
    "Service unavailable, please try again later.",
    "Sorry, please try again later.",
    "I'm sorry, I can't process your request right now. Please try again later.",
    "The server is not responding",
    "Too many requests",
    "There was an error processing your request. If the problem persists, please contact support.",
    "You exceeded your current quota, please check your plan and billing details.",
    "The connection was reset by peer",
    "Our systems are down for maintenance.",
    "504 Gateway Time-out",
    "Timeout",
    "Unfortunately, our service is down at the moment. We apologize for the inconvenience.",
)
RESPONSES = (
    "I'm sorry, but I can't help with that.",
    "Sorry, I don't know.",
    "I could not find this in the knowledge base.",
    "The shuttle service is unavailable on Sundays.",
    'If the portal shows "Service unavailable", call the help desk.',
    "Please try again later.",
    "I can't answer that right now.",
    "I am unable to process your request.",
    "The request times out after 30 seconds.",
    "A 502 Bad Gateway means that the upstream server gave no valid reply.",
    "500",
    "404",
    "Not found.",
    "None",
    "No.",
    "Forbidden.",
    "You can retry the payment in a few minutes.",
    "The server room is down the hall.",
    "An error occurred in the 2019 budget, which was corrected in 2020.",
    "Your request could not be processed because the form lacks a signature.",
    "Contact support.",
    "Sorry, that is not allowed.",
    "I'm sorry, I can't help you with forging badges. Please try another question.",
    "The rate limit is 100 requests per minute.",
    "Sorry for the inconvenience.",
    "Your leave request failed because you have no hours left.",
)


@pytest.mark.parametrize("text", OUTAGES)
def test_the_message_of_a_broken_service_is_an_outage(text: str) -> None:
    assert is_outage(text)


@pytest.mark.parametrize("text", RESPONSES)
def test_answers_and_refusals_are_no_outages_even_if_they_speak_of_one(text: str) -> None:
    assert not is_outage(text)
