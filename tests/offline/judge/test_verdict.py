"""Verdicts of the offline judge, by what a response does."""

import time

import pytest

from uaeval.errors import ReplyError
from uaeval.offline.judge.verdict import verdict

QUESTION = "What is the notice period for annual contracts?"
NO_INFORMATION = (
    "I'm sorry, but I don't have that information.",
    "Sorry, I do not know.",
    "No idea.",
    "idk",
    "N/A",
    "NOT_FOUND",
    "No results found.",
    "I cannot answer this from the context",
    "Unfortunately I was unable to locate that.",
    "That is not mentioned in the documents I was given.",
    "The provided context does not contain information about notice periods.",
    "There is no information about this in the knowledge base.",
    "I couldn’t find anything on that.",
    "My sources don't cover this topic.",
    "It is not possible to determine this from the text.",
    "Insufficient information.",
    "This isn't covered in the docs.",
    "Answer: N/A",
    "INSUFFICIENT_CONTEXT",
    "The handbook gives no notice period.",
    "None of the documents I can search deal with that.",
    "Predicting this is beyond what this assistant can do.",
    "The guide describes how to sign. It says nothing, however, about the notice period.",
    "Confidence: 0.12. I am sorry, I cannot find that in the documents.",
    "### Response\nI'm sorry, but I don't have that information.",
    "**Answer:**\n\nThe documents do not say.",
    "Please contact the contracts team.",
    "Only the contracts team's office can tell you that.",
)
QUESTIONS_BACK = (
    "Which contract do you mean?",
    "Could you clarify whether you are asking about monthly or yearly contracts?",
    "There are several contracts you could be referring to. Which one are you asking about?",
    "Before I can answer I'd need to know which country you are in.",
    "Do you mean the contract for staff, or the one for suppliers?",
    "Sure! Is that for monthly contracts or for annual ones?",
)
ANSWERS = (
    "30 days",
    "The notice period for annual contracts is 30 days.",
    "Thirty days, although you should check with the contracts team.",
    "Based on the provided context, notice must be given 30 days before the end of the contract.",
    "Helena Voss",
    "I cannot give legal advice. The notice period for annual contracts is 30 days.",
    "I don't have access to your contract, but the notice period for annual ones is 30 days.",
    "The notice period is 30 days. Do you want to know more about annual contracts?",
    "The notice period was given up; annual contracts end at once.",
    "30days",
    "### Answer\n30 days",
)
SENSELESS = ("", "  ", "…", "???", "asdf qwer", "hjkl", "ok", "Hmm.", "The weather is nice today.")
FOREIGN = (
    "Das steht nicht in den Dokumenten, die mir vorliegen.",
    "No tengo información sobre eso en los documentos.",
    "抱歉，我不知道。",
    "Het spijt me, maar dat staat niet in de documenten.",
)


@pytest.mark.parametrize("response", NO_INFORMATION)
def test_a_response_that_says_what_it_lacks_is_refused(response: str) -> None:
    assert verdict(QUESTION, response).label == "refused"


@pytest.mark.parametrize("response", QUESTIONS_BACK)
def test_a_question_back_is_clarified(response: str) -> None:
    assert verdict(QUESTION, response).label == "clarified"


@pytest.mark.parametrize("response", ANSWERS)
def test_an_answer_is_answered_even_with_a_caveat(response: str) -> None:
    assert verdict(QUESTION, response).label == "answered"


@pytest.mark.parametrize("response", [*SENSELESS, *FOREIGN])
def test_empty_senseless_foreign_or_off_topic_responses_are_undecided(response: str) -> None:
    assert verdict(QUESTION, response).label == "undecided"


@pytest.mark.parametrize(
    "response", ["Yes. No.", "The period is 30 days. The period is not 30 days."]
)
def test_a_response_that_contradicts_itself_is_undecided(response: str) -> None:
    assert verdict(QUESTION, response).label == "undecided"


def test_the_reply_no_answers_only_a_yes_no_question() -> None:
    assert verdict("Can contracts be renewed?", "No.").label == "answered"
    assert verdict(QUESTION, "No.").label == "undecided"


def test_a_denial_is_the_answer_to_a_yes_no_question() -> None:
    response = "Keys cannot be shared between users."
    assert verdict("Can keys be shared between users?", response).label == "answered"


@pytest.mark.parametrize(
    ("response", "label"),
    [
        ("If a device needs a driver that is not available, it asks for a disk.", "answered"),
        ("It asks for a disk if a driver which is not included is needed.", "answered"),
        ("You ask for information that is not available.", "refused"),
        ("That is not covered in the manual.", "refused"),
        ("I looked it up, but that is not covered.", "refused"),
    ],
)
def test_a_lack_of_something_else_in_a_relative_clause_is_no_refusal(
    response: str, label: str
) -> None:
    assert verdict("When does the device ask for a disk?", response).label == label


@pytest.mark.parametrize(
    "response",
    [
        "That information cannot be given.",
        "It cannot be provided.",
        "The cost cannot be given, as the passages do not mention it.",
        "Details about the cost cannot be shared.",
    ],
)
def test_information_that_cannot_be_given_is_refused(response: str) -> None:
    assert verdict("How much did the card cost?", response).label == "refused"


@pytest.mark.parametrize(
    ("question", "response"),
    [
        ("What is the travel card used for?", "The travel card cannot be used abroad."),
        ("Where can the travel card be used?", "The travel card cannot be used abroad."),
        ("When can fees be refunded?", "Fees cannot be refunded after departure."),
        ("What does the policy cover?", "The policy does not cover theft from unlocked cars."),
        ("What is included in the ticket?", "Breakfast is not included in the ticket."),
        ("Where is the form available?", "The form is not available online."),
        ("What does the model do?", "The model is not able to process images."),
    ],
)
def test_a_denial_that_informs_about_the_topic_is_answered(question: str, response: str) -> None:
    assert verdict(question, response).label == "answered"


@pytest.mark.parametrize(
    "response",
    [
        "The policy does not cover floods.",
        "No, floods are not included in the policy.",
        "It is currently not possible to cover floods by the policy.",
    ],
)
def test_a_denial_by_a_topic_that_is_a_source_answers_a_yes_no_question(response: str) -> None:
    assert verdict("Does the policy cover floods?", response).label == "answered"


def test_a_yes_no_question_whose_source_is_silent_is_refused() -> None:
    response = "The policy does not say whether it covers floods."
    assert verdict("Does the policy cover floods?", response).label == "refused"


@pytest.mark.parametrize(
    ("question", "response"),
    [
        ("What is the travel card used for?", "The model cannot answer this."),
        ("What does the policy cover?", "The policy does not specify what it covers."),
        ("What does the ticket cost?", "The cost of the ticket is not given in the documents."),
        ("How long is the permit valid?", "The validity of the permit cannot be determined."),
        ("How can the permit be transferred?", "The permit cannot be transferred."),
    ],
)
def test_a_denial_by_the_answerer_or_a_source_or_of_the_premise_is_refused(
    question: str, response: str
) -> None:
    assert verdict(question, response).label == "refused"


def test_a_response_that_rejects_the_premise_is_refused() -> None:
    denial = "Annual contracts have no notice period; they end by themselves."
    assert verdict(QUESTION, denial).label == "refused"


def test_a_denial_is_the_answer_to_a_question_that_asks_for_a_list() -> None:
    response = "There are no contracts with a notice period in these documents."
    assert verdict("Which contracts are those with a notice period?", response).label == "answered"


def test_an_answer_that_leaves_a_part_open_is_partial() -> None:
    response = (
        "The notice period for annual contracts is 30 days. However, I do not have information on "
        "monthly ones."
    )
    assert verdict(
        "What is the notice period for annual and monthly contracts?", response
    ).label == ("partial")


def test_a_sentence_that_answers_one_of_two_questions_and_lacks_the_other_is_partial() -> None:
    response = "The notice period is 30 days; the fee isn't mentioned in the contract."
    assert verdict("What are the notice period and the fee?", response).label == "partial"


def test_a_late_lack_of_all_that_is_asked_is_refused() -> None:
    response = (
        "In 2021, 40 contracts were signed with schools. The number for 2022 is not available."
    )
    assert verdict("How many contracts were signed in 2022?", response).label == "refused"


def test_a_correction_of_a_question_why_is_refused() -> None:
    response = "Annual contracts do in fact have a notice period."
    question = "Why do annual contracts have no fixed notice period?"
    assert verdict(question.replace("no fixed", "a short"), response).label == "refused"


def test_a_disclaimer_in_the_middle_of_a_long_answer_does_not_refuse() -> None:
    part = "The contract section sets out the notice period and how notice is given in writing."
    middle = "The text does not mention contracts of earlier years."
    response = " ".join([part] * 8 + [middle] + [part] * 8)
    assert verdict(QUESTION, response).label == "answered"


def test_a_response_that_concludes_despite_a_gap_is_answered() -> None:
    response = (
        "The notice period for annual contracts is not explicitly stated. However, we can "
        "calculate it from the dates given: notice on 1 May ends it on 31 May. Therefore, "
        "the notice period is 30 days."
    )
    assert verdict(QUESTION, response).label == "answered"


@pytest.mark.parametrize(
    "response",
    [
        "502 Bad Gateway",
        "Internal Server Error",
        "Request timed out.",
        'Traceback (most recent call last):\n  File "app.py", line 3\nValueError: no index',
        "Sorry, something went wrong. Please try again later.",
        "<html><body><h1>502 Bad Gateway</h1></body></html>",
    ],
)
def test_an_outage_message_is_an_error(response: str) -> None:
    with pytest.raises(ReplyError, match="outage"):
        verdict(QUESTION, response)


def test_a_response_that_speaks_of_an_outage_is_judged() -> None:
    response = "A 502 Bad Gateway means that the upstream server gave no valid reply."
    assert verdict("What does a 502 error mean?", response).label == "answered"


def test_a_page_that_answers_is_no_outage() -> None:
    response = "<!DOCTYPE html><html><body><p>The notice period is 30 days.</p></body></html>"
    assert verdict(QUESTION, response).label == "answered"


def test_the_rationale_quotes_the_sentence_that_decides() -> None:
    response = "I looked for it. The documents do not mention a notice period."
    assert (
        "“The documents do not mention a notice period.”" in verdict(QUESTION, response).rationale
    )


@pytest.mark.parametrize("piece", ["The period is 30 days. ", "a ", "a", "not ", "(", "no no-"])
def test_a_very_long_response_is_judged_at_once(piece: str) -> None:
    verdict(QUESTION, "Warm up.")
    started = time.process_time()
    verdict(QUESTION, piece * (100_000 // len(piece)))
    assert time.process_time() - started < 1
