"""Easy pairs: those that words tell apart, or that a model gets right without passages."""

from dataclasses import replace
from functools import partial

import pytest
from tests.scripted import ScriptedModel
from tests.synthesis.test_panel import CANDIDATE, proving, rejecting
from tests.synthesis.worlds import CHUNKS, candidate_of, proven_of, selected

from uaeval.errors import BlockedError, RefusedError
from uaeval.llm.replies import ClosedBookAnswer
from uaeval.records import Rejection
from uaeval.synthesis.category_progress import BuildResult
from uaeval.synthesis.dataset import easy_pairs, without
from uaeval.synthesis.plan import plan
from uaeval.synthesis.verify import Panel, Proven, Verifying, ask_closed_book
from uaeval.text.telling_apart import told_apart

TOPICS = "leave travel parking laptops badges lunch phones training desks visas lamps keys".split()


def model(twin: str | None, query: str | None) -> ScriptedModel:
    answers = {CANDIDATE.twin.question: twin, CANDIDATE.question: query}
    return ScriptedModel(
        {"rag/closed_book": lambda question: ClosedBookAnswer(answer=answers[question])}
    )


async def _checked(verify: Verifying, asked: ScriptedModel, *, drop: bool) -> Proven | Rejection:
    closed_book = partial(ask_closed_book, asked)
    return await Panel((verify,), closed_book=closed_book, drop_easy=drop)(CANDIDATE)


@pytest.mark.parametrize(
    ("twin", "query", "easy"),
    [("a week", None, True), ("a week", "12", False), (None, None, False), ("a day", None, False)],
)
async def test_a_pair_that_a_model_gets_right_without_passages_is_noted(
    twin: str | None, query: str | None, easy: bool
) -> None:
    proven = await _checked(proving(), model(twin, query), drop=False)
    assert isinstance(proven, Proven)
    assert proven.closed_book is easy
    dropped = await _checked(proving(), model(twin, query), drop=True)
    assert isinstance(dropped, Rejection) is easy


async def test_what_is_not_proven_is_not_asked() -> None:
    asked = model("a week", None)
    await _checked(rejecting("proof"), asked, drop=True)
    assert not asked.history


@pytest.mark.parametrize(
    ("error", "easy"), [(RefusedError("I cannot"), True), (BlockedError("no"), None)]
)
async def test_a_refusal_declines_and_a_content_filter_gives_no_evidence(
    error: Exception, easy: bool | None
) -> None:
    def answer(question: str) -> ClosedBookAnswer:
        if question == CANDIDATE.question:
            raise error
        return ClosedBookAnswer(answer="a week")

    asked = ScriptedModel({"rag/closed_book": answer})
    proven = await _checked(proving(), asked, drop=False)
    assert isinstance(proven, Proven)
    assert proven.closed_book is easy


def test_a_word_that_only_queries_have_gives_a_high_auc() -> None:
    asked = [f"what is the rule on {topic}" for topic in TOPICS]
    assert all(told_apart([(f"{text} show me a video now", text) for text in asked]))
    assert not any(told_apart([(text, text) for text in asked]))
    assert not any(told_apart([(f"{text} show me a video now", text) for text in asked[:9]]))


def built(closed_book: tuple[int, ...]) -> BuildResult:
    """Return pairs that words do not tell apart; a model gets the numbered ones right."""
    order = plan(CHUNKS, "nonsensical", seed=0)
    pairs = []
    for number, (assignment, topic) in enumerate(zip(order, TOPICS, strict=False)):
        candidate = candidate_of(assignment, f"how tall is {topic} of {number}")
        twin = replace(candidate.twin, question=candidate.question)
        proven = proven_of(replace(candidate, twin=twin))
        pairs.append(replace(proven, closed_book=number in closed_book))
    selection = selected(pairs, "nonsensical", len(pairs), per_document=9, user_queries=True)
    return BuildResult(categories=(), selections={"nonsensical": selection})


def test_easy_pairs_are_named_and_left_out_with_their_reason() -> None:
    result = built(closed_book=(1, 4))
    selected = result.selections["nonsensical"].selected
    easy = easy_pairs(result)
    assert easy == {selected[1].id: ("closed_book",), selected[4].id: ("closed_book",)}
    left = without(result, easy).selections["nonsensical"]
    assert len(left.selected) == len(selected) - 2
    assert [each.id for each in left.passed_over if each.check == "easy"] == list(easy)
