"""Rewriting, retrieval and reranking of the built-in RAG, over a real index."""

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Literal, TypeAlias

import pytest
from tests.evaluation.records import unanswerable
from tests.scripted import Script, ScriptedModel

from uaeval.config import EvaluationConfig, build
from uaeval.errors import (
    BlockedError,
    ConfigError,
    ModelError,
    RefusedError,
    ReplyError,
    TargetError,
    UaevalError,
)
from uaeval.knowledge.embedding import HashedWords
from uaeval.knowledge.index import HybridIndex
from uaeval.knowledge.retriever import Hit
from uaeval.llm.model import Field
from uaeval.llm.replies import ImaginedPassage, PassageOrder, RagAnswer, Reply, Rewordings
from uaeval.offline.model import OfflineModel
from uaeval.prompts import PromptLibrary
from uaeval.records import Chunk, ResponseStatus
from uaeval.systems.rag import RagSystem, prompts_of, rag_system
from uaeval.systems.retrieval import (
    Retrieval,
    RetrievedPassages,
    Rewriter,
    reranker_named,
    rewriter_named,
)

Rewriting: TypeAlias = Literal["hyde", "multi_query"]

TEXTS = {
    "fees": "A replacement badge costs twelve dollars at the front desk.",
    "lost": "Report a lost badge within two days.",
    "garage": "The garage opens at half past six. Bicycles go to the basement.",
    "leave": "Sick leave of up to 240 hours may be advanced by your supervisor.",
    "trips": "Book business trips with the travel office a week before departure.",
}


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HybridIndex]:
    chunks = [
        Chunk(id=name, document_id=name, title="", heading="", text=text, start=0, end=len(text))
        for name, text in TEXTS.items()
    ]
    folder: Path = tmp_path_factory.mktemp("index")
    with HybridIndex(chunks, folder, HashedWords()) as built:
        yield built


def raising(error: UaevalError) -> Callable[..., Reply]:
    def fail(**_: Field) -> Reply:
        raise error

    return fail


def rewriting(name: Rewriting, model: ScriptedModel) -> Rewriter:
    rewriter = rewriter_named(name, model)
    assert rewriter is not None
    return rewriter


async def hits_of(retrieval: Retrieval, question: str) -> tuple[Hit, ...]:
    return (await retrieval.find(question)).hits


# --- retrievers -------------------------------------------------------------------------------


def test_each_ranking_orders_by_its_own_measure(index: HybridIndex) -> None:
    question = "When must I report a lost badge?"
    vector = index.ranked_by("vector").search(question, 5)
    assert [hit.similarity for hit in vector] == sorted(
        (hit.similarity for hit in vector), reverse=True
    )
    assert len(vector) == 5, "every passage has a similarity"
    words = index.ranked_by("bm25").search(question, 5)
    assert [hit.chunk.id for hit in words[:2]] == ["lost", "fees"]
    assert len(words) < 5, "a passage without a word of the question is not found by words"
    assert index.ranked_by("fused").search(question, 5) == index.search(question, 5)
    assert index.ranked_by("bm25").search("zzz qqq", 5) == ()
    assert all(-1 <= hit.similarity <= 1 for hit in words)


# --- rewriting --------------------------------------------------------------------------------


async def test_an_imagined_passage_is_searched_by_beside_the_question(index: HybridIndex) -> None:
    model = ScriptedModel({"rag/hyde": ImaginedPassage(passage="Bicycles go to the basement.")})
    retrieval = Retrieval(retriever=index, rewriter=rewriting("hyde", model), k=2)
    found = [hit.chunk.id for hit in await hits_of(retrieval, "Where can I leave my two wheels?")]
    assert "garage" in found
    [ask] = model.history
    PromptLibrary().get(ask.prompt).check(ask.fields)


async def test_without_an_imagined_passage_the_question_is_searched() -> None:
    model = ScriptedModel({"rag/hyde": ImaginedPassage(passage=None)})
    assert await rewriting("hyde", model)("How?") == ("How?",)


@pytest.mark.parametrize(
    ("name", "reply"),
    [
        ("hyde", ImaginedPassage(passage=None)),
        ("hyde", ImaginedPassage(passage=" \n")),
        ("hyde", ImaginedPassage(passage="badge ")),
        ("multi_query", Rewordings(queries=[])),
        ("multi_query", Rewordings(queries=["", " badge"])),
    ],
)
async def test_a_rewriting_that_gives_nothing_is_recorded(
    index: HybridIndex, name: Rewriting, reply: Reply
) -> None:
    model = ScriptedModel({f"rag/{name}": reply, "rag/answer": RagAnswer(answer="Two days.")})
    retrieval = Retrieval(retriever=index, rewriter=rewriting(name, model), k=3)
    answer = await RagSystem(retrieval=retrieval, model=model).answer(
        unanswerable(1, question="badge")
    )
    assert answer.stopped_parts == ("rewriting gave nothing",)
    assert [one.id for one in answer.contexts] == [hit.chunk.id for hit in index.search("badge", 3)]


async def test_a_rewriting_that_works_or_is_absent_records_nothing(
    index: HybridIndex,
) -> None:
    model = ScriptedModel({"rag/hyde": ImaginedPassage(passage="Two days.")})
    assert (
        await Retrieval(retriever=index, rewriter=rewriting("hyde", model)).find("badge")
    ).stopped == ()
    assert (await Retrieval(retriever=index).find("badge")).stopped == ()


async def test_other_wordings_are_searched_by_and_fused(index: HybridIndex) -> None:
    said = Rewordings(queries=["badge price", " badge price ", "", "How much?", "garage", "desk"])
    model = ScriptedModel({"rag/multi_query": said})
    assert await rewriting("multi_query", model)("How much?") == ("How much?", "badge price")
    retrieval = Retrieval(retriever=index, rewriter=rewriting("multi_query", model), k=5)
    hits = await hits_of(retrieval, "How much?")
    assert len({hit.chunk.id for hit in hits}) == len(hits) == 5
    assert hits[0].chunk.id == "fees"


# --- reranking --------------------------------------------------------------------------------


async def order(index: HybridIndex, order: list[int], k: int = 3) -> list[str]:
    model = ScriptedModel({"rag/rerank": PassageOrder(order=order)})
    retrieval = Retrieval(
        retriever=index, reranker=reranker_named("model", model), k=k, candidates=4
    )
    hits = await hits_of(retrieval, "When must I report a lost badge?")
    [ask] = model.history
    PromptLibrary().get(ask.prompt).check(ask.fields)
    shown = ask.fields["passages"]
    assert isinstance(shown, tuple)
    assert len(shown) == 4
    return [hit.chunk.id for hit in hits]


async def test_a_model_orders_the_candidates_and_what_it_leaves_out_follows(
    index: HybridIndex,
) -> None:
    first, second, third, fourth = (
        hit.chunk.id for hit in index.search("When must I report a lost badge?", 4)
    )
    assert await order(index, [4, 2]) == [fourth, second, first]
    assert await order(index, []) == [first, second, third]


@pytest.mark.parametrize("wrong", [[5], [0], [1, 1]])
async def test_an_order_of_passages_that_were_not_shown_is_no_order(
    index: HybridIndex, wrong: list[int]
) -> None:
    with pytest.raises(ReplyError, match="names a passage"):
        await order(index, wrong)


@pytest.mark.parametrize(
    ("refusing", "told"),
    [
        ({"rag/rerank"}, ("reranker refused",)),
        ({"rag/hyde"}, ("rewriting refused",)),
        ({"rag/hyde", "rag/rerank"}, ("rewriting refused", "reranker refused")),
    ],
)
async def test_a_part_that_refuses_has_no_effect_and_the_answer_names_it(
    index: HybridIndex, refusing: set[str], told: tuple[str, ...]
) -> None:
    script: dict[str, Script] = {
        "rag/hyde": ImaginedPassage(passage="Badges."),
        "rag/rerank": PassageOrder(order=[]),
        "rag/answer": RagAnswer(answer="Two days."),
    }
    model = ScriptedModel(script | {part: raising(RefusedError("No.")) for part in refusing})
    kept = dict[str, RetrievedPassages]()
    retrieval = Retrieval(
        retriever=index,
        rewriter=rewriting("hyde", model),
        reranker=reranker_named("model", model),
        k=3,
        cache=kept,
    )
    system = RagSystem(retrieval=retrieval, model=model)
    query = unanswerable(1, question="badge")
    answer = await system.answer(query)
    assert (answer.text, answer.stopped_parts) == ("Two days.", told)
    assert (await system.answer(query)).stopped_parts == told, "what is shared tells it too"
    if len(refusing) == 2:
        plain = [hit.chunk.id for hit in index.search("badge", 3)]
        assert [context.id for context in answer.contexts] == plain


def test_a_cross_encoder_requires_its_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)  # as if not installed
    with pytest.raises(ConfigError, match=r'pip install "uaeval\[cross-encoder\]"'):
        reranker_named("cross-encoder:cross-encoder/ms-marco-MiniLM-L6-v2", OfflineModel())


# --- errors in any part -----------------------------------------------------------------------


@pytest.mark.parametrize("part", ["rag/hyde", "rag/rerank"])
async def test_a_part_that_fails_gives_no_response_and_a_filter_blocks(
    index: HybridIndex, part: str
) -> None:
    good: dict[str, Script] = {
        "rag/hyde": ImaginedPassage(passage="Badges."),
        "rag/rerank": PassageOrder(order=[1]),
        "rag/answer": RagAnswer(answer="Two days."),
    }
    for error, outcome in ((ModelError("down"), None), (BlockedError("no"), "blocked")):
        model = ScriptedModel(good | {part: raising(error)})
        retrieval = Retrieval(
            retriever=index,
            rewriter=rewriting("hyde", model),
            reranker=reranker_named("model", model),
        )
        system = RagSystem(retrieval=retrieval, model=model)
        if outcome is None:
            with pytest.raises(TargetError, match="rag: down"):
                await system.answer(unanswerable(1))
        else:
            answer = await system.answer(unanswerable(1))
            assert (answer.status, answer.text) == (ResponseStatus.BLOCKED, "")
            named = {"rag/hyde": "rewriting blocked", "rag/rerank": "reranker blocked"}
            assert answer.stopped_parts == (named[part],)


# --- settings ---------------------------------------------------------------------------------


async def test_the_offline_engine_serves_every_part_but_one(index: HybridIndex) -> None:
    settings = build(
        EvaluationConfig,
        dataset=Path("run"),
        retriever="bm25",
        rewriting="multi_query",
        reranker="model",
        answer_prompt="evidence_first",
        k=2,
    )
    query = unanswerable(1, question="How soon must a lost badge be reported?")
    answer = await rag_system(settings, index, OfflineModel()).answer(query)
    assert "within two days" in answer.text
    assert answer.contexts[0].id == "lost"
    assert prompts_of(settings) == ("rag/multi_query", "rag/rerank", "rag/answer_evidence_first")
    with pytest.raises(ConfigError, match="the offline engine cannot write passages"):
        build(EvaluationConfig, dataset=Path("run"), rewriting="hyde")


@pytest.mark.parametrize(
    ("setting", "value"),
    [("retriever", "magic"), ("rewriting", "some"), ("reranker", "cross-encoder:"), ("k", 0)],
)
def test_an_unknown_part_is_refused(setting: str, value: object) -> None:
    with pytest.raises(ConfigError, match=f"^{setting}: "):
        build(EvaluationConfig, dataset=Path("run"), **{setting: value})


def test_the_manifest_holds_only_settings_that_differ_from_the_default() -> None:
    plain = build(EvaluationConfig, dataset=Path("run")).decisive()
    assert not plain.keys() & {"retriever", "rewriting", "reranker", "answer_prompt", "url"}
    other = build(EvaluationConfig, dataset=Path("run"), retriever="bm25").decisive()
    assert other == plain | {"retriever": "bm25"}
