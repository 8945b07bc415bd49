"""Correctness against a reference answer."""

import pytest

from uaeval.offline.judge.correct import correct


@pytest.mark.parametrize(
    ("reference", "response", "label"),
    [
        ("1577", "The capital expenditure was $1,577 million.", "yes"),
        ("1577", "It spent about $1.58 billion.", "yes"),
        ("1577", "It spent $1,373 million.", "no"),
        ("0.551", "The ratio is 55.1%.", "yes"),
        ("24.26", "Revenue is 6,489 and average assets are 267.5, so the ratio is 24.26.", "yes"),
        ("24.26", "Revenue is 6,489 and average assets are 253, so the ratio is 25.65.", "no"),
        ("-3.7", "The cycle takes -3.7 days.", "yes"),
    ],
)
def test_figures_are_compared_over_scales_rounding_and_signs(
    reference: str, response: str, label: str
) -> None:
    assert correct("What is the amount?", reference, response).label == label


@pytest.mark.parametrize(
    ("response", "label"),
    [
        ("It opened on May 12, 2003.", "yes"),
        ("The bridge was opened on 12 May 2003.", "yes"),
        ("The bridge was opened on 12 May 2013.", "no"),
    ],
)
def test_dates_are_compared_where_the_question_asks_when(response: str, label: str) -> None:
    assert correct("When was the bridge opened?", "12 May 2003", response).label == label


@pytest.mark.parametrize(
    ("response", "label"),
    [("One and a half hours.", "yes"), ("It takes 90 minutes.", "yes"), ("Two hours.", "no")],
)
def test_spans_are_compared_over_units_and_number_words(response: str, label: str) -> None:
    assert correct("How long does charging take?", "90 minutes", response).label == label


@pytest.mark.parametrize(
    ("reference", "response", "label"),
    [
        ("Yes, returns are free within 30 days.", "Yes, returns are free for 30 days.", "yes"),
        ("Yes, returns are free within 30 days.", "No, customers pay for returns.", "no"),
        ("No, customers pay for returns.", "Returns are not free; customers pay for them.", "yes"),
    ],
)
def test_yes_and_no_are_compared(reference: str, response: str, label: str) -> None:
    assert correct("Are returns free?", reference, response).label == label


@pytest.mark.parametrize(
    ("response", "label"),
    [
        ("Complaints are heard by Joanna Pike.", "yes"),
        ("Complaints are heard by Harold Minty.", "no"),
        ("I don't know who hears complaints.", "no"),
        ("Which complaints do you mean?", "no"),
        ("asdf qwer", "undecided"),
    ],
)
def test_names_are_compared_and_abstentions_are_incorrect(response: str, label: str) -> None:
    assert correct("Who hears complaints?", "Joanna Pike", response).label == label


@pytest.mark.parametrize(
    ("reference", "response", "label"),
    [
        ("3", "It has 2 replicas [3].", "no"),
        ("3", "It has three (3) replicas【4†setup.md】.", "yes"),
        ("4", "It has 8 replicas and 4 GB of memory.", "undecided"),
    ],
)
def test_figures_of_citations_and_of_other_things_do_not_count(
    reference: str, response: str, label: str
) -> None:
    assert correct("How many replicas does it have?", reference, response).label == label


def test_times_are_compared_where_the_question_asks_when() -> None:
    question = "When does the office close on Fridays?"
    assert correct(question, "1 pm", "On Fridays the office closes at 13:00.").label == "yes"
    assert correct(question, "1 pm", "On Fridays the office closes at 15:00.").label == "no"


@pytest.mark.parametrize(
    ("response", "label"),
    [
        ("You need:\n- cumin\n- coriander\n- cloves\n- turmeric", "yes"),
        ("You need cumin, coriander and turmeric.", "no"),
    ],
)
def test_each_item_of_a_list_is_needed(response: str, label: str) -> None:
    reference = "Cumin, coriander, turmeric and cloves"
    assert correct("Which spices go into the sauce?", reference, response).label == label


def test_a_name_may_be_spelled_otherwise() -> None:
    question = "Which street is closed?"
    assert correct(question, "Harbour Street", "Harbor St. is closed.").label == "yes"


def test_a_denial_agrees_with_a_reference_that_denies() -> None:
    question, reference = "Which debts are due this year?", "There are none"
    assert correct(question, reference, "No debts are due this year.").label == "yes"


def test_a_response_that_cannot_be_judged_is_undecided() -> None:
    question = "Why was the rule changed?"
    reference = "Because staff kept losing their keys and locks had to be replaced."
    response = "The rule was changed after several incidents with staff, at great cost."
    assert correct(question, reference, response).label == "undecided"


def test_a_constant_answer_is_hardly_ever_correct() -> None:
    references = [
        ("How many pupils fit in a room?", "28"),
        ("What does a scan cost?", "£26"),
        ("Who runs the shop?", "Joanna Pike"),
        ("When does the office open?", "at 9:30 on weekdays"),
        ("Why is the tower closed?", "because of repairs to its roof"),
    ]
    labels = [correct(*pair, "It is 42, as the board decided.").label for pair in references]
    assert "yes" not in labels
