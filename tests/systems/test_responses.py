"""Recorded responses, joined to their queries."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from tests.evaluation.records import control, response, unanswerable

from uaeval.errors import StorageError, TargetError
from uaeval.records import Context, Response, ResponseStatus
from uaeval.storage import write_journal
from uaeval.systems.responses import RecordedResponses
from uaeval.text.conversation import Turn

QUERIES = [
    unanswerable(1, question="How many hours?"),
    control(1, question="How many hours of sick leave?"),
    unanswerable(2, question="Which form?"),
]

Recorded = Callable[..., RecordedResponses]


@pytest.fixture
def recorded(tmp_path: Path) -> Recorded:
    def read(*rows: object) -> RecordedResponses:
        path = tmp_path / "file.jsonl"
        lines = (row if isinstance(row, str) else json.dumps(row) for row in rows)
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
        return RecordedResponses(path, QUERIES)

    return read


async def test_rows_are_joined_by_id_and_by_question_where_the_id_is_unknown(
    recorded: Recorded,
) -> None:
    system = recorded(
        {"query_id": "underspecified-0002", "response": "Form B.", "latency_s": 1.5},
        {"id": "mine-7", "question": " how many  HOURS? ", "answer": "It depends."},
        {
            "question": "How many hours of sick leave?",
            "text": "240",
            "contexts": ["Up to 240 hours.", {"id": "c1", "text": "More."}],
        },
    )
    by_id = await system.answer(QUERIES[2])
    assert (by_id.text, by_id.latency_s) == ("Form B.", 1.5)
    assert (await system.answer(QUERIES[0])).text == "It depends."
    by_text = await system.answer(QUERIES[1])
    assert by_text.contexts == (
        Context(id=None, text="Up to 240 hours."),
        Context(id="c1", text="More."),
    )


async def test_the_responses_of_an_evaluation_can_be_recorded_ones(tmp_path: Path) -> None:
    path = tmp_path / "responses.jsonl"
    write_journal(path, Response, [response(query, f"to {query.id}") for query in QUERIES])
    system = RecordedResponses(path, QUERIES)
    assert (await system.answer(QUERIES[1])).text == f"to {QUERIES[1].id}"


async def test_blocked_stays_blocked_and_an_error_or_a_gap_is_no_response(
    recorded: Recorded,
) -> None:
    system = recorded(
        {"query_id": QUERIES[0].id, "status": "blocked", "text": ""},
        {"query_id": QUERIES[1].id, "error": "HTTP 500", "text": None},
    )
    assert (await system.answer(QUERIES[0])).status is ResponseStatus.BLOCKED
    for query, told in ((QUERIES[1], "HTTP 500"), (QUERIES[2], "no response was recorded")):
        with pytest.raises(TargetError, match=told) as caught:
            await system.answer(query)
        assert caught.value.raw is not None, "it is no outage"


async def test_a_stopped_part_of_the_rag_stays_recorded(recorded: Recorded) -> None:
    told = {"query_id": QUERIES[0].id, "text": "a", "stopped_parts": ["reranker refused"]}
    answer = await recorded(told).answer(QUERIES[0])
    assert answer.stopped_parts == ("reranker refused",)
    with pytest.raises(StorageError, match="stopped_parts should be a list of texts"):
        recorded({**told, "stopped_parts": "reranker refused"})


A = {"query_id": "underspecified-0001", "text": "a"}


@pytest.mark.parametrize(
    ("rows", "told"),
    [
        ([A, A], "lines 1 and 2 are both for underspecified-0001"),
        ([A, {"question": "How many hours?", "text": "b"}], "lines 1 and 2 are both"),
        (
            [A, {"query_id": "other-1", "text": "b"}],
            "no query of the dataset matches line 2 ",
        ),
        ([A | {"question": "Another?"}], "underspecified-0001 asks another question"),
        ([{"text": "a"}], "file.jsonl:1: the row has neither query_id nor question"),
        ([{"query_id": A["query_id"]}], "the row has no response"),
        ([A | {"answer": "b"}], "file.jsonl:1: text and answer differ; keep the one that is"),
        ([A | {"text": 5}], "the response should be a text, got 5"),
        ([A | {"contexts": [3]}], "each context should be a text"),
        ([A | {"status": "fine"}], "status should be ok or blocked, got 'fine'"),
        ([A | {"latency_s": -1}], "latency_s should be seconds"),
        (["{torn"], "file.jsonl:1: the line is not JSON"),
        (["query_id,text"], "file.jsonl:1: the line is not JSON (Expecting value: line 1 column 1"),
        (["query_id,text"], "write one object on each line"),
        (["[1]"], "should be a JSON object"),
        ([""], "has no responses"),
    ],
)
def test_rows_that_cannot_be_used_get_one_sentence(
    recorded: Recorded, rows: list[object], told: str
) -> None:
    with pytest.raises(StorageError) as refused:
        recorded(*rows)
    assert told in str(refused.value)


async def test_a_row_without_an_id_answers_every_query_with_its_question(tmp_path: Path) -> None:
    path = tmp_path / "file.jsonl"
    row = json.dumps({"question": "How?", "text": "so"})
    queries = [unanswerable(1, question="How?"), unanswerable(2, question="how?")]
    for rows in ([row], [row, row]):
        path.write_text("\n".join(rows))
        system = RecordedResponses(path, queries)
        assert [(await system.answer(query)).text for query in queries] == ["so", "so"]
    path.write_text("\n".join([row, json.dumps({"question": "How?", "text": "or so"})]))
    with pytest.raises(StorageError, match="lines 1 and 2 are both for underspecified-0001"):
        RecordedResponses(path, queries)


async def test_a_response_with_an_id_answers_no_other_query_with_the_same_question(
    tmp_path: Path,
) -> None:
    path = tmp_path / "file.jsonl"
    queries = [unanswerable(1, question="How?"), unanswerable(2, question="How?")]
    path.write_text(json.dumps({"id": queries[0].id, "question": "How?", "text": "so"}))
    with pytest.raises(TargetError, match="no response was recorded"):
        await RecordedResponses(path, queries).answer(queries[1])


def test_a_question_that_follows_different_turns_needs_an_id(tmp_path: Path) -> None:
    path = tmp_path / "file.jsonl"
    path.write_text(json.dumps({"question": "How?", "text": "so"}))
    earlier = (Turn(role="user", content="Hello"),)
    asked = unanswerable(2, question="how?")
    queries = [unanswerable(1, question="How?"), replace(asked, history=earlier)]
    with pytest.raises(
        StorageError, match="underspecified-0001, underspecified-0002 have the same question"
    ):
        RecordedResponses(path, queries)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match="no such file of responses"):
        RecordedResponses(tmp_path / "none.jsonl", QUERIES)


async def test_a_recorded_response_that_was_cut_off_is_not_a_response(recorded: Recorded) -> None:
    system = recorded({"query_id": QUERIES[0].id, "text": "I do not", "finish_reason": "length"})
    with pytest.raises(TargetError, match="cut off at the model's limit of tokens"):
        await system.answer(QUERIES[0])
