import pytest

from uaeval.llm.rules.mining.facts import Fact, FactKind
from uaeval.llm.rules.mining.twins import apt
from uaeval.types import Passage


def fact(sentence: str, question: str, answer: str, kind: FactKind = FactKind.DEFINITION) -> Fact:
    return Fact(
        sentence=sentence, plain=sentence, question=question, answer=answer, kind=kind, topic=""
    )


def is_apt(made: Fact) -> bool:
    """Say whether a fact is apt on a page that holds nothing else."""
    return apt(made, Passage(number=1, title="Any page", heading="", text=made.sentence))


@pytest.mark.parametrize(
    ("sentence", "question", "answer", "kind"),
    [
        (
            "You can request up to 240 hours of advanced sick leave.",
            "How many hours of advanced sick leave can I request?",
            "up to 240 hours",
            FactKind.AMOUNT,
        ),
        (
            "The tour at Gannet Quay has 46 stops and is offered in six languages.",
            "How many stops does the tour at Gannet Quay have?",
            "46 stops",
            FactKind.AMOUNT,
        ),
    ],
)
def test_a_named_question_answered_in_full_is_apt(
    sentence: str, question: str, answer: str, kind: FactKind
) -> None:
    assert is_apt(fact(sentence, question, answer, kind))


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Who should I contact of my travel card for details?", "the number on the back"),
        ("Who conducts the documentation review of Phase 2?", "the Infrastructure Lead"),
        ("Can I take the leave full-time?", "Yes, you can take the leave full-time"),
        ("What should I do if I need to setup a printer?", "follow the instructions"),
        ("Who should I consult for the performance cycle?", "the general TTS guidance"),
        ("What happens if I leave GSA?", "any unused comp time will be forfeited"),
        ("Who provides workers with a phone but does not provide chairs?", "the Depot"),
    ],
)
def test_an_unnamed_cut_or_empty_one_is_not_apt(question: str, answer: str) -> None:
    assert not is_apt(fact(f"{question} {answer}.", question, answer))


def test_a_dropped_condition_or_second_owner_is_not_apt() -> None:
    assert not is_apt(
        fact(
            "Staff can use the Depot van when it is raining.",
            "Can staff use the Depot van?",
            "Yes, staff can use the Depot van",
            FactKind.PERMISSION,
        )
    )
    assert not is_apt(
        fact(
            "The CoE Drive is owned by CoE Front Office and CoE Management Team.",
            "Who is the CoE Drive owned by?",
            "CoE Front Office",
            FactKind.PERSON,
        )
    )
