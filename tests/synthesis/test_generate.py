"""Who writes if a content filter blocks the author, and which passages are used."""

from typing import Any

import pytest
from tests.scripted import ScriptedModel
from tests.synthesis.conftest import WordRetriever, chunk_of

from uaeval.categories.false_presupposition import FalsePresuppositionDraft
from uaeval.categories.numbered_passages import NumberedPassages
from uaeval.categories.out_of_database import OutOfDatabaseDraft
from uaeval.categories.underspecified import UnderspecifiedDraft
from uaeval.categories.voices import STYLES, Voice
from uaeval.errors import BlockedError
from uaeval.llm.replies import ReadingDraft, Reply, TwinDraft, Written
from uaeval.offline.model import OfflineModel
from uaeval.records import Assignment, Candidate, Category, Chunk, Rejection
from uaeval.synthesis.generate import author_context, generate

CERTIFICATE = chunk_of(
    "leave.md#0",
    "Employees must send the medical certificate to Human Resources within 3 days. A medical "
    "certificate is signed by a doctor. Sick leave without a medical certificate is not paid.",
)
BILL = chunk_of("bill.md#0", "The bill is signed by a doctor.")
LINKS = chunk_of("links.md#0", "- a list\n- of links")


def _assigned(category: Category, chunk: Chunk, **fields: Any) -> Assignment:
    defaults = {"id": f"{category}-0001", "subtype": None, "turn": 1}
    return Assignment(category=category, chunk=chunk, **defaults | fields)


def _filtered(**_: object) -> Reply:
    raise BlockedError("filtered")


async def _written(
    chunk: Chunk, category: Category = "safety_concerned", language: str = "auto"
) -> Candidate:
    author = ScriptedModel({f"{category}/generate": _filtered})
    context = author_context(WordRetriever([CERTIFICATE, LINKS]))
    assignment = _assigned(category, chunk, subtype="illegal")
    candidate = await generate(context, author, language, assignment, fallback=OfflineModel())
    assert isinstance(candidate, Candidate)
    return candidate


async def test_the_offline_engine_writes_of_harm_and_is_named() -> None:
    candidate = await _written(CERTIFICATE)
    assert candidate.author == "offline-2"
    assert candidate.subtype == "illegal"
    assert candidate.twin.chunk_id == "leave.md#0"


async def test_queries_that_the_offline_engine_declines_stay_blocked() -> None:
    with pytest.raises(BlockedError, match="filtered"):
        await _written(LINKS)


async def test_another_language_stays_blocked() -> None:
    with pytest.raises(BlockedError, match="filtered"):
        await _written(CERTIFICATE, language="de")


async def test_other_categories_stay_blocked() -> None:
    with pytest.raises(BlockedError, match="filtered"):
        await _written(CERTIFICATE, "nonsensical")


async def test_an_author_is_told_the_style_and_the_asker_of_its_assignment() -> None:
    fields = []
    for voice in (Voice(style="keywords", asker="a new nurse"), None):
        author = ScriptedModel({"false_presupposition/generate": _filtered})
        assignment = _assigned("false_presupposition", CERTIFICATE, voice=voice)
        with pytest.raises(BlockedError):
            await generate(author_context(WordRetriever([CERTIFICATE])), author, "auto", assignment)
        fields.append((author.history[0].fields["style"], author.history[0].fields["asker"]))
    assert fields == [(f"keywords: {STYLES['keywords']}", "a new nurse"), ("any", "somebody")]


@pytest.mark.parametrize(
    ("text", "check"),
    [
        ("The ferry carries eighty bicycles across the bay.", "off_topic"),
        ("Medical certificate of sick leave\n\nHuman Resources for employees", "no_statement"),
        (
            "A medical certificate is signed by a doctor. Sick leave without a medical certificate "
            "is not paid. Ask Ms Bell.",
            "known",
        ),
    ],
)
async def test_an_outside_text_that_states_nothing_new_is_not_asked_about(
    text: str, check: str
) -> None:
    author = ScriptedModel({})
    assignment = _assigned("out_of_database", chunk_of("news.md#0", text))
    context = author_context(WordRetriever([CERTIFICATE, LINKS]))
    outcome = await generate(context, author, "auto", assignment)
    assert isinstance(outcome, Rejection)
    assert outcome.check == check


def _presupposing(quote: str) -> Written[FalsePresuppositionDraft]:
    draft = FalsePresuppositionDraft(
        need="",
        twin=TwinDraft(question="Who signs a medical certificate?", answer="a doctor", quote=quote),
        question="Which nurse signs the medical certificate?",
        reason="A doctor signs it.",
        premise="A nurse signs the medical certificate.",
        fact="A medical certificate is signed by a doctor.",
    )
    return Written[FalsePresuppositionDraft](declined=None, draft=draft)


@pytest.mark.parametrize(
    ("quote", "source"),
    [
        ("A medical certificate is signed by a doctor.", "leave.md#0"),
        ("A nurse signs it.", "links.md#0"),
        ("signed by a doctor", "leave.md#0"),
    ],
)
async def test_twin_and_query_are_from_the_passage_that_has_the_quote(
    quote: str, source: str
) -> None:
    author = ScriptedModel({"false_presupposition/generate": _presupposing(quote)})
    assignment = _assigned("false_presupposition", LINKS, others=(BILL, CERTIFICATE))
    context = author_context(WordRetriever([CERTIFICATE, LINKS]))
    candidate = await generate(context, author, "auto", assignment)
    assert isinstance(candidate, Candidate)
    assert candidate.twin.chunk_id == candidate.source_chunk_id == source
    (shown,) = [ask.fields for ask in author.history]
    assert shown["passage"] == NumberedPassages((LINKS, BILL, CERTIFICATE)).passages[0]
    assert shown["others"] == NumberedPassages((LINKS, BILL, CERTIFICATE)).passages[1:]


async def test_a_query_is_from_the_outside_text_that_has_its_answer() -> None:
    fee = chunk_of("fee.md#0", "The doctor asks a fee of 40 euros for a medical certificate.")
    yellow = "Medical certificates of sick leave are yellow since May 2021."
    colour = chunk_of("colour.md#0", yellow)
    copied = chunk_of("copied.md#0", CERTIFICATE.text)
    draft = OutOfDatabaseDraft(
        need="",
        twin=TwinDraft(
            question="Who signs a medical certificate?",
            answer="a doctor",
            quote="A medical certificate is signed by a doctor.",
        ),
        question="Since when has a medical certificate been yellow?",
        reason="The documents do not tell since when.",
        subject="medical certificate",
        passage=1,
        outside_answer="May 2021",
        phrasings=["Its paper turned yellow in May 2021."],
    )
    reply = Written[OutOfDatabaseDraft](declined=None, draft=draft)
    author = ScriptedModel({"out_of_database/generate": reply})
    assignment = _assigned("out_of_database", copied, others=(fee, colour))
    context = author_context(WordRetriever([CERTIFICATE, LINKS]))
    candidate = await generate(context, author, "auto", assignment)
    assert isinstance(candidate, Candidate)
    assert candidate.source_chunk_id == "colour.md#0"
    assert candidate.outside_sentence == colour.text
    assert candidate.twin.chunk_id == "leave.md#0"
    (shown,) = [ask.fields for ask in author.history]
    assert shown["article"] == NumberedPassages((fee, colour)).passages[0]
    assert shown["others"] == NumberedPassages((fee, colour)).passages[1:]


async def test_the_twin_is_from_the_passage_that_has_its_quote_not_from_a_wrong_number() -> None:
    other = chunk_of("other.md#0", "A medical certificate for flying is signed by a pilot.")
    draft = UnderspecifiedDraft(
        twin=TwinDraft(
            question="Who signs a medical certificate for flying?",
            answer="a pilot",
            quote="A medical certificate for flying is signed by a pilot.",
        ),
        question="Who signs a medical certificate?",
        reason="What it is for is left out.",
        subtype="entity",
        readings=[
            ReadingDraft(question="For flying?", value="flying", passage=1, answer="a pilot"),
            ReadingDraft(question="For leave?", value="leave", passage=1, answer="a doctor"),
        ],
    )
    reply = Written[UnderspecifiedDraft](declined=None, draft=draft)
    assignment = _assigned("underspecified", CERTIFICATE)
    candidate = await generate(
        author_context(WordRetriever([CERTIFICATE, other])),
        ScriptedModel({"underspecified/generate": reply}),
        "auto",
        assignment,
    )
    assert isinstance(candidate, Candidate)
    assert candidate.twin.chunk_id == "other.md#0"
    assert [each.chunk_id for each in candidate.readings] == ["other.md#0", "leave.md#0"]
