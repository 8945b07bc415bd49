import pytest

from uaeval.errors import ReplyError
from uaeval.offline.quality import (
    answer_correctness,
    answer_relevancy,
    attribution,
    context_relevancy,
    contextual_precision,
    contextual_recall,
    contextual_relevancy,
    faithfulness,
)
from uaeval.records import Passage


def passages(*texts: str) -> list[Passage]:
    return [
        Passage(number=number, title="", heading="", text=text)
        for number, text in enumerate(texts, 1)
    ]


BOARDING = "How long before departure does boarding for cars close?"
SHOWN = passages(
    "Boarding for cars closes 20 minutes before departure. Dogs travel free.",
    "Before departure, cars wait in lane four until boarding begins.",
    "Refunds are made within a week.",
)


@pytest.mark.parametrize(
    ("response", "score"),
    [
        ("Boarding closes 20 minutes before departure.", 1),
        ("Boarding closes 30 minutes before departure.", 0),
        ("I do not know.", 0),
    ],
)
def test_correctness_is_one_or_nothing(response: str, score: float) -> None:
    judged = answer_correctness(question=BOARDING, reference="20 minutes", response=response)
    assert judged.score == score


@pytest.mark.parametrize(
    ("response", "score"),
    [("I do not have that information.", 1), ("Boarding closes 20 minutes before departure.", 0)],
)
def test_where_nothing_is_known_abstaining_is_right(response: str, score: float) -> None:
    judged = answer_correctness(
        question=BOARDING, reference="No information available", response=response
    )
    assert judged.score == score


def test_what_cannot_be_decided_is_an_error_and_not_a_score() -> None:
    with pytest.raises(ReplyError, match="cannot decide"):
        answer_correctness(
            question=BOARDING, reference="No information available", response="asdf qwer"
        )
    with pytest.raises(ReplyError, match="cannot decide"):
        answer_relevancy(question=BOARDING, response="asdf qwer")


def test_passages_are_graded_by_what_they_cover() -> None:
    judged = context_relevancy(question=BOARDING, passages=SHOWN)
    assert judged.grades == ["relevant", "partly", "irrelevant"]


@pytest.mark.parametrize(
    ("evidence", "label"),
    [
        ("20 minutes", "present"),
        ("30 minutes", "absent"),
        ("How long before? 20 minutes\nHow soon are refunds made? within a week", "present"),
        ("How long before? 20 minutes\nHow soon are refunds made? within a month", "absent"),
        ("", "absent"),
    ],
)
def test_evidence_is_present_if_it_is_stated(evidence: str, label: str) -> None:
    assert attribution(question=BOARDING, evidence=evidence, passages=SHOWN).label == label


def test_statements_off_the_matter_are_irrelevant() -> None:
    response = "Boarding for cars closes 20 minutes before departure. The café sells warm soup."
    judged = answer_relevancy(question=BOARDING, response=response)
    assert [statement.label for statement in judged.statements] == ["yes", "no"]


def test_an_abstention_and_a_fragment_keep_to_the_question() -> None:
    for response in ("I do not know.", "Your supervisor."):
        judged = answer_relevancy(question="Who signs the form?", response=response)
        assert [statement.label for statement in judged.statements] == ["yes"], response


@pytest.mark.parametrize(
    ("response", "label"),
    [
        ("Boarding for cars closes 30 minutes before departure.", "no"),
        ("Boarding for cars closes 20 minutes before departure.", "yes"),
        ("Dogs do not travel free.", "no"),
        ("The captain speaks Danish.", "yes"),
    ],
)
def test_a_claim_is_contradicted_by_another_amount_or_a_negation(response: str, label: str) -> None:
    judged = faithfulness(response=response, passages=SHOWN)
    assert [statement.label for statement in judged.statements] == [label]


def test_the_reference_is_looked_for_in_each_passage() -> None:
    reference = (
        "Boarding for cars closes 20 minutes before departure. Cars board at the north quay."
    )
    precise = contextual_precision(question=BOARDING, reference=reference, passages=SHOWN)
    assert precise.labels == ["yes", "no", "no"]
    recalled = contextual_recall(question=BOARDING, reference=reference, passages=SHOWN)
    assert [statement.label for statement in recalled.statements] == ["yes", "no"]


def test_sentences_that_cover_half_of_the_question_speak_to_it() -> None:
    judged = contextual_relevancy(question=BOARDING, passages=SHOWN)
    assert [statement.label for statement in judged.statements] == ["yes", "no", "yes", "no"]
