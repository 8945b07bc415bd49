from collections import Counter
from dataclasses import replace

import pytest

from uaeval.categories.names import BUILT_IN
from uaeval.categories.registry import categories
from uaeval.categories.registry import category as category_of
from uaeval.errors import KnowledgeBaseError
from uaeval.records import Chunk, Document
from uaeval.synthesis.outside_articles import hold_out
from uaeval.synthesis.plan import choices, plan, quotas


def _chunks(documents: int, each: int) -> list[Chunk]:
    return [
        Chunk(id=f"d{d}#{c}", document_id=f"d{d}", title="", heading="", text="", start=0, end=0)
        for d in range(documents)
        for c in range(each)
    ]


def test_quotas_sum_to_the_size_and_differ_by_at_most_one() -> None:
    shares = quotas(20, list(BUILT_IN))
    assert sum(shares.values()) == 20
    assert Counter(shares.values()) == {3: 4, 4: 2}


def test_documents_take_turns() -> None:
    order = plan(_chunks(5, 3), "false_presupposition", seed=1)
    assert {one.chunk.document_id for one in order[:5]} == {f"d{d}" for d in range(5)}


def test_an_assignment_offers_chunks_of_several_documents_and_a_turn_each_chunk_once() -> None:
    spec = category_of("safety_concerned")
    order = plan(_chunks(6, 2), spec.name, seed=1, choices=3)
    groups = [{each.id for each in (one.chunk, *one.others)} for one in order]
    first, second = groups[:4], groups[4:8]
    assert len(order) == 4 * len(spec.assigned)
    for turn in (first, second):
        assert len(set().union(*turn)) == 12
        assert all(len({id_.partition("#")[0] for id_ in group}) == 3 for group in turn)
    assert not any(group in first for group in second)


def test_with_few_chunks_an_assignment_offers_fewer() -> None:
    spec = category_of("safety_concerned")
    offered = [choices(spec, chunks, quota=10) for chunks in (5, 59, 60, 149, 150, 500)]
    assert offered == [1, 1, 2, 4, 5, 5]
    assert choices(category_of("underspecified"), 500, quota=10) == 1
    assert choices(spec, 0, quota=0) == 1


def test_short_passages_come_last_and_documents_take_turns_before_them() -> None:
    chunks = [
        replace(chunk, text="Leave is paid. " * (30 if chunk.id.endswith("#0") else 2))
        for chunk in _chunks(5, 2)
    ]
    order = [planned.chunk.id for planned in plan(chunks, "false_presupposition", seed=1)]
    assert {id_.partition("#")[2] for id_ in order[:5]} == {"0"}
    assert {id_.partition("#")[2] for id_ in order[5:10]} == {"1"}


def test_every_chunk_meets_every_subtype_as_often_as_it_is_assigned() -> None:
    order = plan(_chunks(4, 2), "safety_concerned", seed=1)
    assigned = category_of("safety_concerned").assigned
    for chunk in {one.chunk.id for one in order}:
        met = [one.subtype for one in order if one.chunk.id == chunk]
        assert sorted(filter(None, met)) == sorted(assigned)


def test_every_assigned_kind_is_one_of_the_category() -> None:
    for spec in categories():
        assert set(spec.assigned) in (set(), set(spec.subtypes))


def test_the_order_of_the_chunks_given_does_not_matter() -> None:
    chunks = _chunks(4, 4)
    assert plan(chunks, "underspecified", 3) == plan(chunks[::-1], "underspecified", 3)


def test_a_plan_is_a_sequence_whose_assignments_are_numbered_and_equal_each_time() -> None:
    order = plan(_chunks(3, 2), "underspecified", 0)
    every = list(order)
    assert [one.id for one in every[:2]] == ["underspecified-0001", "underspecified-0002"]
    assert len({one.id for one in every}) == len(every) == len(order)
    assert order[4:9] == every[4:9]
    assert order[-1] == every[-1]
    with pytest.raises(IndexError):
        order[len(order)]


def test_another_seed_gives_another_order() -> None:
    chunks = _chunks(6, 2)
    first = [one.chunk.id for one in plan(chunks, "underspecified", 0)]
    second = [one.chunk.id for one in plan(chunks, "underspecified", 1)]
    assert first != second
    assert sorted(first) == sorted(second)


def _documents(count: int) -> list[Document]:
    return [Document(id=f"d{n}", title="", text="", source="") for n in range(count)]


def test_holdout_parts_the_documents() -> None:
    kept, held_out = hold_out(_documents(20), 0.15, seed=0)
    assert len(held_out) == 3
    assert {d.id for d in (*kept, *held_out)} == {d.id for d in _documents(20)}


def test_holdout_takes_documents_with_words_of_their_own_first() -> None:
    shared = [Document(id=f"d{n}", title="", text="loom loom loom", source="") for n in range(19)]
    own = Document(id="own", title="Ferry", text="The ferry sails. The ferry is old.", source="")
    assert hold_out([*shared, own], 0.05, seed=0)[1] == (own,)


def test_holdout_prefers_documents_on_a_subject_of_another() -> None:
    texts = ["barn barn barn"] * 17 + ["quay quay quay", "ferry ferry ferry quay quay quay"]
    documents = [
        Document(id=f"d{n}", title="", text=text, source="")
        for n, text in enumerate([*texts, "crane crane crane"])
    ]
    [held_out] = hold_out(documents, 0.05, seed=0)[1]
    assert held_out.text == texts[-1]


def test_holdout_never_takes_all() -> None:
    assert len(hold_out(_documents(2), 0.85, seed=0)[0]) == 1


def test_holdout_of_one_document_is_refused_with_the_remedy() -> None:
    with pytest.raises(KnowledgeBaseError, match="--news DIR"):
        hold_out(_documents(1), 0.15, seed=0)
