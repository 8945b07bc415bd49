"""Absence of an outside answer: what code finds, what a verifier is shown."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import pytest
from tests.scripted import ScriptedModel
from tests.synthesis.conftest import WordRetriever, chunk_of

from uaeval.categories.literal import answering_sentence, find_answer, shown_for, states
from uaeval.categories.out_of_database import OutOfDatabaseDraft, OutOfDatabaseVerification
from uaeval.errors import ModelError, RefusedError
from uaeval.llm.replies import ClaimStances, RagAnswer, Reply, TwinCheck, TwinDraft, Written
from uaeval.records import Assignment, Candidate, Chunk, Outcome, Passage, Rejection, Twin
from uaeval.synthesis.generate import author_context, generate
from uaeval.synthesis.verify import Panel, Proven, Verify, ask_rag, code_checks

TWIN = chunk_of("ferry.md#0", "The ferry to Lindmar runs daily. A bike costs 6 euros.")
BESIDE = [chunk_of(f"desk{n}.md#0", f"Desk {n} sells tickets for the ferry.") for n in range(8)]
CANDIDATE = Candidate(
    id="out_of_database-0001",
    category="out_of_database",
    subtype=None,
    question="What harbour fee does Lindmar charge per passenger?",
    reason="The fee is not there.",
    twin=Twin(
        question="What does a bike cost on the ferry?",
        reference_answer="6 euros",
        chunk_id="ferry.md#0",
        quote="A bike costs 6 euros.",
    ),
    source_chunk_id="news.md#0",
    outside_answer="3 euros",
    phrasings=("Lindmar takes 3 euros harbour fee.",),
)


def _with(text: str) -> WordRetriever:
    return WordRetriever([TWIN, *BESIDE, chunk_of("fees.md#0", text)])


@pytest.mark.parametrize(
    ("answer", "statement"),
    [
        ("up to 240 hours", "No more than two hundred and forty hours are given."),
        ("Executive Order 11566", "It rests on Executive Order 11566."),
        ("United States Department of Agriculture", "The first partner was USDA."),
        ("Eric Brewer", "It was a present of E. Brewer."),
        ("Yuma and Carson City", "Reserve Carson City or else Yuma."),
        ("in May 2021", "It was published in May 2021."),
        ("text-to-speech-v1", "Install Text-to-Speech-v1 first."),
        ("2026-03-14", "It was opened on 14 March 2026."),
        ("ноябрь", "Срок — ноябрь."),
    ],
)
def test_an_answer_is_recognised(answer: str, statement: str) -> None:
    assert states(answer, statement)


@pytest.mark.parametrize(
    ("answer", "statement"),
    [
        ("3 euros", "A bike costs 6 euros."),
        ("Yes", "Yes, it does."),
        ("Tuesday", "The desk opens on Monday."),
        ("Eric Brewer", "Ask E. Baker."),
        ("Executive Order 11566", "It is an order of 11566 pages."),
        ("text-to-speech-v1", "Install speech-to-text-v1 first."),
    ],
)
def test_another_answer_is_not_a_statement_of_it(answer: str, statement: str) -> None:
    assert not states(answer, statement)


def test_initials_in_the_question_are_not_its_answer() -> None:
    name, mention = "Lake Harbour Agency", "The first partner was the LHA."
    assert states(name, mention, "Who was the first partner?")
    assert not states(name, mention, "What does LHA stand for?")
    assert states(name, "The LHA is the Lake Harbour Agency.", "What does LHA stand for?")


@pytest.mark.parametrize(
    "text",
    [
        "Lindmar charges each passenger a harbour fee of 3 euros.",
        "The harbour fee of Lindmar is three euros a head.",
    ],
)
def test_a_statement_of_the_answer_is_shown_however_many_passages_are_nearer(text: str) -> None:
    nearer = "Lindmar may charge or take a harbour fee per passenger, in euros."
    crowd = [chunk_of(f"crowd{n:02}.md#0", nearer) for n in range(12)]
    retriever = WordRetriever([TWIN, *crowd, chunk_of("fees.md#0", text)])
    assert "fees.md#0" in {chunk.id for chunk in shown_for(CANDIDATE, retriever, 3).chunks}


def test_the_same_amount_about_something_else_is_no_match() -> None:
    assert find_answer(CANDIDATE, _with("Coffee at the kiosk costs 3 euros.")) is None


def test_an_answer_beside_one_word_of_the_question_is_no_match() -> None:
    candidate = replace(CANDIDATE, question="What fee does Lindmar charge?")
    assert find_answer(candidate, _with("The kiosk takes a fee of 3 euros for a bag.")) is None
    assert find_answer(candidate, _with("Lindmar takes a fee of 3 euros."))


def test_a_statement_about_the_subject_that_query_and_twin_share_is_no_match() -> None:
    final = "France beat Croatia in the final of the 2018 cup, after Spain had won in 2010."
    twin = replace(CANDIDATE.twin, question="Who won the final of the 2018 cup?")
    award = "Who won the fair play award of the 2018 cup?"
    candidate = replace(CANDIDATE, question=award, twin=twin, outside_answer="Spain")
    assert find_answer(candidate, _with(final)) is None
    assert find_answer(candidate, _with("The fair play award of the 2018 cup went to Spain."))


def test_an_answer_that_the_question_names_is_left_to_the_verifier() -> None:
    question = "Is calling a macro an expression or a statement?"
    candidate = replace(CANDIDATE, question=question, outside_answer="an expression")
    text = "A statement ends with a semicolon, and the macro stands before an expression."
    assert find_answer(candidate, _with(text)) is None


def test_a_passage_deep_in_the_hits_is_shown_for_one_statement_in_it() -> None:
    """Its statement is nearest to the question, though the searches rank it last."""
    filler = "Lindmar is old. Its harbour sleeps. Any fee is due. What passenger? They charge it."
    crowd = [chunk_of(f"crowd{n:02}.md#0", f"{filler} Per day.") for n in range(20)]
    text = "Passengers pay Lindmar a harbour fee, which the port sets each spring."
    hidden = chunk_of("hidden.md#0", text)
    retriever = WordRetriever([TWIN, *crowd, hidden])
    ranked = [hit.chunk.id for hit in retriever.search(CANDIDATE.question, 30)]
    assert ranked.index("hidden.md#0") >= 20
    shown = shown_for(CANDIDATE, retriever, 6)
    assert len(shown.chunks) == 6
    assert {"hidden.md#0", "ferry.md#0"} <= {chunk.id for chunk in shown.chunks}


def test_a_statement_in_the_words_of_a_phrasing_is_shown() -> None:
    """It shares nothing with the query, and the searches rank it last."""
    filler = "Lindmar is old. Its harbour sleeps. Any fee is due. What passenger? They charge it."
    more = "A levy is due. Travellers meet. The arrival is late. The town is old. Some pay euros."
    crowd = [chunk_of(f"crowd{n:02}.md#0", f"{filler} {more}") for n in range(20)]
    hidden = chunk_of("hidden.md#0", "Travellers pay the town a levy on arrival.")
    retriever = WordRetriever([TWIN, *crowd, hidden])
    phrasing = "On arrival in the town, travellers pay a levy of 3 euros."
    assert [hit.chunk.id for hit in retriever.search(phrasing, 30)].index("hidden.md#0") >= 20
    candidate = replace(CANDIDATE, phrasings=(phrasing,))
    shown = shown_for(candidate, retriever, 6)
    assert "hidden.md#0" in {chunk.id for chunk in shown.chunks}


def _verifier(*, supports: bool = False, contradicts: bool = False) -> ScriptedModel:
    def verify(passages: tuple[Passage, ...], **_: object) -> Reply:
        bike = next(one.number for one in passages if "bike" in one.text)
        desk = [next(one.number for one in passages if "Desk" in one.text)]
        return OutOfDatabaseVerification(
            rationale="r",
            answer=ClaimStances(
                supports=desk if supports else [], contradicts=desk if contradicts else []
            ),
            label="not_answered",
            one_subject=True,
            natural="likely",
            twin=TwinCheck(stands_alone=True, supports=[bike], contradicts=[]),
        )

    return ScriptedModel(
        {"out_of_database/verify": verify, "rag/answer": RagAnswer(answer="I do not know.")}
    )


@pytest.mark.parametrize(
    ("stances", "outcome"),
    [({"supports": True}, "refuted"), ({"contradicts": True}, "inconclusive")],
)
async def test_only_what_all_passages_are_silent_on_is_released(
    stances: dict[str, bool], outcome: str
) -> None:
    retriever = WordRetriever([TWIN, *BESIDE])
    model = _verifier(**stances)
    found = await Verify(retriever, model, modalities="text", passages_shown=4)(CANDIDATE)
    assert isinstance(found, Rejection)
    assert (found.check, found.rationale.partition(":")[0]) == ("proof", outcome)
    silent = Verify(retriever, _verifier(), modalities="text", passages_shown=4)
    proven = await silent(CANDIDATE)
    assert isinstance(proven, Proven)
    assert proven.query_evidence[0].outcome is Outcome.PROVEN
    assert len(proven.query_evidence[0].silent) == 6


def _refuse(**_: object) -> Reply:
    raise RefusedError("I cannot help with that.")


def _break(**_: object) -> Reply:
    raise ModelError("no answer")


@pytest.mark.parametrize(
    ("rag", "said"),
    [
        (lambda **_: RagAnswer(answer="It is 3 euros."), "It is 3 euros."),
        (_refuse, "I cannot help with that."),
    ],
)
async def test_the_answer_of_a_rag_is_recorded_and_decides_nothing(
    rag: Callable[..., Reply], said: str
) -> None:
    retriever = WordRetriever([TWIN, *BESIDE])
    verify = Verify(retriever, _verifier(), modalities="text", passages_shown=4)
    model = ScriptedModel({"rag/answer": rag})
    asked = Panel((verify,), rag=partial(ask_rag, retriever, model))
    outcome, without = await asked(CANDIDATE), await verify(CANDIDATE)
    assert isinstance(outcome, Proven)
    assert isinstance(without, Proven)
    assert outcome == replace(without, rag_answer=said)


async def test_a_rag_that_fails_is_an_error_and_not_an_answer() -> None:
    retriever = WordRetriever([TWIN, *BESIDE])
    verify = Verify(retriever, _verifier(), modalities="text", passages_shown=4)
    model = ScriptedModel({"rag/answer": _break})
    with pytest.raises(ModelError):
        await Panel((verify,), rag=partial(ask_rag, retriever, model))(CANDIDATE)


ARTICLE = chunk_of("news.md#0", "The port of Lindmar is old.\nIts ferry fee\nis 3 euros from May.")


async def _written(answer: str, subject: str = "Lindmar") -> Candidate | Rejection:
    draft = OutOfDatabaseDraft(
        need="",
        subject=subject,
        twin=TwinDraft(
            question=CANDIDATE.twin.question, answer="6 euros", quote=CANDIDATE.twin.quote
        ),
        question=CANDIDATE.question,
        reason=CANDIDATE.reason,
        passage=1,
        outside_answer=answer,
        phrasings=list(CANDIDATE.phrasings),
    )
    reply = Written[OutOfDatabaseDraft](declined=None, draft=draft)
    chunks: list[Chunk] = [replace(TWIN, text="The port ferry to Lindmar. A bike costs 6 euros.")]
    assignment = Assignment(
        id=CANDIDATE.id,
        category=CANDIDATE.category,
        subtype=None,
        turn=1,
        chunk=ARTICLE,
    )
    author = ScriptedModel({"out_of_database/generate": reply})
    return await generate(author_context(WordRetriever(chunks)), author, "auto", assignment)


async def test_article_and_passage_speak_of_the_subject() -> None:
    rejection = await _written("three euros", subject="May")
    assert isinstance(rejection, Rejection)
    assert rejection.check == "no_shared_subject"


async def test_the_sentence_of_the_article_that_answers_is_noted() -> None:
    candidate = await _written("three euros")
    assert isinstance(candidate, Candidate)
    assert candidate.outside_sentence == "Its ferry fee is 3 euros from May."


async def test_an_answer_that_the_article_does_not_give_is_rejected() -> None:
    outcome = await _written("9 euros")
    assert isinstance(outcome, Rejection)
    assert outcome.check == "not_in_article"


def test_an_answer_over_several_sentences_is_taken_from_the_fullest() -> None:
    article = "The museum of Marlowick closed early. It opens the boat hall, the kiln and the quay."
    found = answering_sentence("the museum opens boat hall, kiln and quay early", article)
    assert found == "It opens the boat hall, the kiln and the quay."


@pytest.mark.parametrize(
    ("question", "passes"),
    [
        ("How much did the company raise in 2026?", False),
        ("what did the minister say about ferry fees", False),
        ("This study: what share of crossings were late?", False),
        ("What fee did Lindmar Lines name when the company raised its fares?", True),
        ("what did the company that runs the lindmar ferry raise its fares to", True),
        (CANDIDATE.question, True),
    ],
)
def test_an_outside_query_names_whom_it_is_about(question: str, passes: bool) -> None:
    candidate = replace(CANDIDATE, question=question)
    checks = code_checks(candidate, WordRetriever([TWIN, *BESIDE]))
    failed = [check.name for check in checks if not check.passed]
    assert failed == ([] if passes else ["unnamed"])
