"""A user's own query, completed for its proof."""

from dataclasses import replace

import pytest
from tests.scripted import ScriptedModel
from tests.synthesis.conftest import WordRetriever

from uaeval.errors import DatasetError, ReplyError
from uaeval.formats.reading import query_of
from uaeval.llm.replies import CompletionDraft, ReadingDraft, TwinDraft, Written
from uaeval.offline.model import OfflineModel
from uaeval.records import Candidate, Category, Evidence, Outcome, Query, Reading, Rejection
from uaeval.synthesis.generate import complete
from uaeval.synthesis.plan import plan_given
from uaeval.text.conversation import Turn

TWIN = TwinDraft(
    question="How long does a Slack account take?", answer="2 days", quote="It takes 2 days."
)
DRAFT = CompletionDraft(
    twin=TWIN,
    passage=1,
    reason="why",
    premise=None,
    fact=None,
    readings=[],
    outside_answer=None,
    phrasings=[],
)


def query(category: Category, question: str = "How long does the account take?") -> Query:
    return query_of({"id": "q7", "question": question, "category": category}, "mine:1")


def answering(draft: CompletionDraft) -> ScriptedModel:
    reply = Written[CompletionDraft](declined=None, draft=draft)
    return ScriptedModel({"given/complete": reply})


async def completed(
    given: Query, model: ScriptedModel | OfflineModel, retriever: WordRetriever
) -> Candidate | Rejection:
    (line,) = plan_given([given], retriever)
    return await complete(retriever, model, "auto", {given.id: given}, line.plan[0])


async def test_the_query_stays_as_it_is_and_gets_a_twin(retriever: WordRetriever) -> None:
    given = query("nonsensical")
    model = answering(DRAFT)
    candidate = await completed(given, model, retriever)
    assert isinstance(candidate, Candidate)
    assert (candidate.id, candidate.question) == ("q7", given.question)
    assert candidate.author == "user"
    assert candidate.reason == "why"
    (ask,) = model.history
    assert ask.fields["known"] == "nothing"
    assert ask.fields["category"] == "nonsensical"
    first, *_ = retriever.search(given.question, 1)
    assert candidate.twin.chunk_id == first.chunk.id


async def test_what_the_file_says_is_passed_on_and_kept(retriever: WordRetriever) -> None:
    own = (
        Reading(question="Slack?", value="Slack", chunk_id="slack.md#0", answer="2 days"),
        Reading(question="Figma?", value="Figma", chunk_id="figma.md#0", answer="5 days"),
        Reading(question="Gone?", value="Gone", chunk_id="gone.md#0", answer="9 days"),
    )
    given = replace(query("underspecified"), readings=own, reason="mine", subtype="entity")
    model = answering(DRAFT)
    candidate = await completed(given, model, retriever)
    assert isinstance(candidate, Candidate)
    assert candidate.readings == own[:2]
    assert candidate.reason == "mine"
    assert candidate.missing == "entity"
    assert "Figma? — 5 days" in str(model.history[0].fields["known"])


async def test_readings_that_are_written_name_shown_passages(retriever: WordRetriever) -> None:
    wrong = ReadingDraft(question="Slack?", value="Slack", passage=9, answer="2 days")
    with pytest.raises(ReplyError, match="passage 9 was not shown"):
        await completed(
            query("underspecified"),
            answering(DRAFT.model_copy(update={"readings": [wrong]})),
            retriever,
        )


async def test_the_denying_sentence_names_its_own_passage(retriever: WordRetriever) -> None:
    draft = DRAFT.model_copy(update={"premise": "Leave is sold.", "fact": "Leave is never sold."})
    candidate = await completed(query("false_presupposition"), answering(draft), retriever)
    assert isinstance(candidate, Candidate)
    assert candidate.source_chunk_id == "leave.md#0"


async def test_a_query_that_cannot_be_completed_is_rejected_with_the_reason(
    retriever: WordRetriever,
) -> None:
    declined = Written[CompletionDraft](declined="too far off", draft=None)
    found = await completed(
        query("nonsensical"), ScriptedModel({"given/complete": declined}), retriever
    )
    assert isinstance(found, Rejection)
    assert (found.check, found.rationale) == ("declined", "too far off")


@pytest.mark.parametrize(
    ("category", "lacking"),
    [
        ("underspecified", "its readings"),
        ("false_presupposition", "its premise"),
        ("out_of_database", "an outside answer"),
    ],
)
async def test_the_offline_engine_says_what_it_cannot_find(
    category: Category, lacking: str, retriever: WordRetriever
) -> None:
    found = await completed(query(category), OfflineModel(), retriever)
    assert isinstance(found, Rejection)
    assert lacking in found.rationale


async def test_the_denial_of_a_premise_is_found_offline(
    retriever: WordRetriever,
) -> None:
    premise = Evidence(claim="Leave is sold.", outcome=Outcome.PROVEN)
    given = replace(
        query("false_presupposition", "Where is sick leave sold to employees?"),
        evidence=(premise,),
    )
    found = await completed(given, OfflineModel(), retriever)
    assert isinstance(found, Candidate)
    assert (found.premise, found.fact) == ("Leave is sold.", "Leave is never sold.")


def test_lines_keep_the_order_and_want_every_query(retriever: WordRetriever) -> None:
    rows = [
        replace(query("nonsensical"), id="b"),
        replace(query("underspecified"), id="z"),
        replace(query("nonsensical"), id="a"),
    ]
    lines = plan_given(rows, retriever)
    assert [(line.name, line.quota) for line in lines] == [
        ("underspecified", 1),
        ("nonsensical", 2),
    ]
    assert [one.id for one in lines[1].plan] == ["b", "a"]


def test_a_query_with_earlier_turns_is_not_completed(retriever: WordRetriever) -> None:
    given = replace(query("underspecified"), history=(Turn(role="user", content="Hello"),))
    with pytest.raises(DatasetError, match="q7: a query with earlier turns can be evaluated"):
        plan_given([given], retriever)


def test_a_file_of_controls_is_not_verified(retriever: WordRetriever) -> None:
    control = query_of({"question": "How long?", "answer": "2 days"}, "mine:1")
    with pytest.raises(DatasetError, match="no query has a category"):
        plan_given([control], retriever)
