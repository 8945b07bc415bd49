from dataclasses import replace
from pathlib import Path

import pytest
from tests.evaluation.evidence import (
    TEXTS,
    by_id,
    false_premise,
    proven,
    supported_control,
    two_readings,
)
from tests.evaluation.records import unanswerable

from uaeval.evaluation.metrics.attribution import expected_chunks, retrieved, texts_of
from uaeval.records import Category, Chunk, Context, Outcome
from uaeval.storage import write_journal


def test_each_kind_of_query_rests_on_its_own_passages() -> None:
    one, two, fee = (frozenset({name}) for name in TEXTS)
    assert expected_chunks(supported_control()) == (one,)
    assert expected_chunks(two_readings()) == (one, two)
    assert expected_chunks(false_premise()) == (fee,)


@pytest.mark.parametrize(
    "category",
    [
        "nonsensical",
        "modality_limited",
        "safety_concerned",
        "out_of_database",
    ],
)
def test_what_no_passage_could_answer_expects_none(category: Category) -> None:
    query = replace(unanswerable(1, category), evidence=(proven("x", supports="leave.md#1"),))
    assert expected_chunks(query) == ()


def test_only_what_is_proven_is_expected() -> None:
    inconclusive = replace(proven("x", supports="leave.md#1"), outcome=Outcome.INCONCLUSIVE)
    assert expected_chunks(replace(supported_control(), evidence=(inconclusive,))) == ()


def test_any_one_of_several_supporting_passages_will_do() -> None:
    query = replace(supported_control(), evidence=(proven("x", supports="a#1 leave.md#1"),))
    assert retrieved(expected_chunks(query), by_id("other#0", "leave.md#1"), TEXTS) == [True]
    assert retrieved(expected_chunks(query), by_id("leave.md#2"), TEXTS) == [False]
    assert retrieved(expected_chunks(query), (), TEXTS) == [False]


@pytest.mark.parametrize(
    ("text", "there"),
    [
        (f"Leave. {TEXTS['leave.md#1']} See also annual leave.", True),
        ("staff MAY borrow up to 240 hours of sick leave, in any one year", True),
        ("Staff may borrow sick leave. It is up to the head how many hours in a year.", False),
        ("", False),
    ],
)
def test_a_system_with_chunks_of_its_own_is_read_by_their_text(text: str, there: bool) -> None:
    contexts = (Context(id=None, text=text),)
    assert retrieved((frozenset({"leave.md#1"}),), contexts, TEXTS) == [there]


def test_only_the_texts_that_are_expected_are_kept(tmp_path: Path) -> None:
    chunks = [
        Chunk(id=name, document_id="d", title="", heading="", text=text, start=0, end=len(text))
        for name, text in TEXTS.items()
    ]
    queries = [two_readings(), unanswerable(2, "nonsensical")]
    path = tmp_path / "chunks.jsonl"
    assert texts_of(path, queries) == {}
    write_journal(path, Chunk, chunks)
    assert set(texts_of(path, queries)) == {"leave.md#1", "leave.md#2"}
    assert texts_of(path, []) == {}
