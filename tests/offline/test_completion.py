import pytest

from uaeval.llm.replies import CompletionDraft
from uaeval.offline.completion import complete
from uaeval.records import Category, Passage

LEAVE = Passage(
    number=1,
    title="Leave",
    heading="",
    text="Sick leave lasts for 12 days. Leave is never sold.",
)
TICKETS = Passage(
    number=2,
    title="Tickets",
    heading="",
    text="A season ticket costs 30 dollars. Season tickets are never sold online.",
)
EMPTY = Passage(number=3, title="", heading="", text="See also the other pages.")


def completed(
    question: str, category: Category, known: str = "nothing", *passages: Passage
) -> CompletionDraft | str:
    reply = complete(
        question=question,
        category=category,
        known=known,
        language="auto",
        passages=passages or (LEAVE, TICKETS),
    )
    return reply.draft or str(reply.declined)


@pytest.mark.parametrize(
    ("category", "lacking"),
    [
        ("underspecified", "its readings"),
        ("false_presupposition", "its premise"),
        ("out_of_database", "an outside answer"),
    ],
)
def test_what_only_a_model_can_find_is_declined(category: Category, lacking: str) -> None:
    assert completed("How many places?", category) == (
        f"the file must give {lacking}; only a model can find it"
    )


def test_the_twin_is_the_fact_nearest_to_the_query() -> None:
    draft = completed("Sing me the price of a season ticket?", "modality_limited")
    assert isinstance(draft, CompletionDraft)
    assert draft.passage == 2
    assert "30 dollars" in draft.twin.answer
    assert draft.twin.quote in TICKETS.text
    assert (draft.premise, draft.fact, draft.outside_answer) == (None, None, None)


def test_a_premise_is_returned_with_the_sentence_that_denies_it() -> None:
    draft = completed(
        "Where are season tickets sold online?",
        "false_presupposition",
        "Season tickets are sold online.",
    )
    assert isinstance(draft, CompletionDraft)
    assert (draft.premise, draft.fact) == (
        "Season tickets are sold online.",
        "Season tickets are never sold online.",
    )


def test_a_premise_that_no_passage_denies_is_declined() -> None:
    found = completed("Who paints?", "false_presupposition", "The season ticket is painted.")
    assert found == "no passage denies the premise in one sentence"


def test_an_outside_answer_is_taken_over() -> None:
    draft = completed("When did the season ticket begin?", "out_of_database", "in 1931")
    assert isinstance(draft, CompletionDraft)
    assert draft.outside_answer == "in 1931"
    assert draft.phrasings == ["When did the season ticket begin? in 1931"]


def test_without_a_fact_on_the_matter_there_is_no_twin() -> None:
    found = completed("Paint the ticket?", "nonsensical", "nothing", EMPTY)
    assert found == "no passage near the query states a fact that a twin can be asked about"
