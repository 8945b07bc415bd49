"""Query files of a user, and files that cannot be read as such."""

import json
from dataclasses import asdict, replace
from pathlib import Path

import pytest
from tests.formats.runs import dataset, make_run, pair

from uaeval.errors import DatasetError
from uaeval.formats.format import export, format_named, read_queries
from uaeval.text.conversation import Turn

QUERY = pair("nonsensical-0001", "nonsensical", "Ferry the?")[0]


def lines(path: Path, *rows: object) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def test_a_question_with_a_category_or_an_answer_is_enough(tmp_path: Path) -> None:
    path = lines(
        tmp_path / "mine.jsonl",
        {"question": "Where is it?", "category": "underspecified", "author": "me"},
        {"question": "How long is the pier?", "answer": "80 metres", "id": 7},
    )
    query, control = read_queries(path)
    assert (query.id, query.category, query.reference_answer) == (
        "given-0001",
        "underspecified",
        None,
    )
    assert (control.id, control.category, control.reference_answer) == ("7", None, "80 metres")
    assert control.pair_category is None
    assert control.provenance.document_id == "7"


def test_the_earlier_turns_of_a_conversation_are_read(tmp_path: Path) -> None:
    said = [{"speaker": "user", "text": "My badge is lost."}, {"role": "ai", "content": "Oh."}]
    asked = {"question": "Who replaces it?", "category": "underspecified"}
    pairs = [["human", "My badge is lost."], ["agent", "Oh."]]
    path = lines(tmp_path / "mine.jsonl", *({**asked, "history": each} for each in (said, pairs)))
    queries = read_queries(path)
    turns = (Turn(role="user", content="My badge is lost."), Turn(role="assistant", content="Oh."))
    assert [query.history for query in queries] == [turns, turns]
    assert queries[0].conversation == (
        "Earlier turns:\nUser: My badge is lost.\nAssistant: Oh.\n\nQuestion: Who replaces it?"
    )


def test_a_csv_file_with_a_byte_order_mark_is_read(tmp_path: Path) -> None:
    path = tmp_path / "mine.csv"
    path.write_text(
        '\ufeffid,question,category\n0012,"Where, then?",nonsensical\n', encoding="utf-8"
    )
    (query,) = read_queries(path)
    assert (query.id, query.question, query.category) == (
        "0012",
        "Where, then?",
        "nonsensical",
    )


@pytest.mark.parametrize(
    ("rows", "problem"),
    [
        ([{"question": "Where?"}], "give a `category`"),
        ([{"question": "Where?", "category": "silly"}], "unknown category 'silly'"),
        ([asdict(QUERY) | {"category": "silly"}], ": category: unknown category 'silly'"),
        ([{"category": "nonsensical"}], "no question"),
        ([[1]], "expected a JSON object"),
        ([asdict(replace(QUERY, question=" "))], f"the question of {QUERY.id} is blank"),
        ([{"question": " ", "category": "nonsensical"}], "the question of given-0001 is blank"),
        (
            [{"id": "a", "question": q, "category": "nonsensical"} for q in ("x?", "y?")],
            "duplicate id 'a'",
        ),
        ([], "holds no queries"),
        *(
            ([{"question": "x?", "category": "nonsensical", "history": history}], problem)
            for history, problem in [
                ("Hi", "history should be a list of turns"),
                ([["robot", "Hi"]], r"role` and `content`; got \['robot', 'Hi'\]"),
                ([{"role": "user"}], "got {'role': 'user'}"),
                ([7], "got 7"),
            ]
        ),
    ],
)
def test_unusable_input_is_named(rows: list[object], problem: str, tmp_path: Path) -> None:
    with pytest.raises(DatasetError, match=problem):
        read_queries(lines(tmp_path / "mine.jsonl", *rows))


@pytest.mark.parametrize(
    ("name", "text", "problem"),
    [
        ("a.jsonl", "{not json}\n", "cannot read"),
        ("a.json", "[1]", "no format that can be read"),
        ("a.json", '{"data": 3}', "expected a JSON array"),
        ("a.csv", 'id,question,category\n1,"open\n', "cannot read"),
        ("a.csv", "id,question,category\n1,x?\n", "more or fewer cells"),
        ("a.txt", "x", "unknown suffix"),
    ],
)
def test_a_broken_file_gives_one_sentence(
    name: str, text: str, problem: str, tmp_path: Path
) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    with pytest.raises(DatasetError, match=problem):
        read_queries(tmp_path / name)


def test_what_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(DatasetError, match="no such file"):
        read_queries(tmp_path / "none.jsonl")
    with pytest.raises(DatasetError, match="nor of an exported dataset"):
        read_queries(tmp_path)


def test_questions_and_reasons_must_match(tmp_path: Path) -> None:
    (tmp_path / "unanswerable_questions.json").write_text('{"underspecified": ["a?", "b?"]}')
    (tmp_path / "unanswerable_reasons.json").write_text('{"underspecified": ["why"]}')
    with pytest.raises(DatasetError, match="has 2 questions, 1 reasons"):
        read_queries(tmp_path)


def test_a_damaged_entry_of_a_list_is_named_by_its_number(tmp_path: Path) -> None:
    source = dataset(make_run(tmp_path / "run", pair("q-1", "nonsensical", "Is a ferry tea?", 1)))
    export(source, format_named("deepeval"), tmp_path / "out")
    [place] = (tmp_path / "out").rglob("*.json")
    entries = json.loads(place.read_text(encoding="utf-8"))
    place.write_text(json.dumps([*entries, 7]), encoding="utf-8")
    with pytest.raises(DatasetError, match=f"{place.name}:{len(entries) + 1}: expected"):
        read_queries(place)
