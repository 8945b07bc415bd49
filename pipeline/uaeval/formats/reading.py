"""Read queries from records: whole records of a dataset, or questions with few other fields."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import MISSING, fields
from pathlib import Path
from typing import Literal

from pydantic import TypeAdapter, ValidationError

from uaeval.categories.names import category_names, known_category
from uaeval.errors import DatasetError
from uaeval.records import Category, Provenance, Query
from uaeval.storage import first_problem, whole_characters
from uaeval.text.conversation import Turn

USER = "user"
_ROLES: Mapping[str, Literal["user", "assistant"]] = {
    **dict.fromkeys(("user", "human"), "user"),
    **dict.fromkeys(("assistant", "agent", "ai", "bot", "model"), "assistant"),
}
QUESTION = ("question", "query", "user_input", "input", "text")
"""Possible keys of the question; the first that a record has is used."""
ANSWER = ("reference_answer", "reference", "ground_truth", "expected_output", "answer")
_NAMES = frozenset(field.name for field in fields(Query))
_NEEDED = frozenset(field.name for field in fields(Query) if field.default is MISSING)
"""Required fields of a whole record."""
_QUERY: TypeAdapter[Query] = TypeAdapter(Query)


def query_of(value: Mapping[str, object], where: str) -> Query:
    """Return the query in `value`, which is a whole record or a question with some fields.

    An answerable question needs a reference answer, an unanswerable one a category. If a field is
    missing or invalid, raises a `DatasetError` whose message begins with `where`.
    """
    record = value if value.keys() >= _NEEDED else _whole_record(value, where)
    try:
        query = _QUERY.validate_python({name: record[name] for name in _NAMES & record.keys()})
    except ValidationError as error:
        raise DatasetError(f"{where}: {first_problem(error)}") from error
    if not query.question.strip():
        raise DatasetError(f"{where}: the question of {query.id} is blank")
    return query


def _whole_record(value: Mapping[str, object], where: str) -> Mapping[str, object]:
    if (question := _text(value, QUESTION)) is None:
        raise DatasetError(f"{where}: no question; name it `question`")
    answer = _text(value, ANSWER)
    category = _category(_text(value, ["category"]), where)
    if category is None and answer is None and value.get("answerable") is not True:
        raise DatasetError(
            f"{where}: give a `category` ({', '.join(category_names())}), or, for a question that "
            "should be answered, a `reference_answer`"
        )
    name = _text(value, ["id", "_id"]) or f"given-{int(where.rpartition(':')[2]):04d}"
    return {
        **dict.fromkeys(("evidence", "checks", "readings"), ()),
        **dict.fromkeys(("outside_answer", "hardness")),
        **{field: _text(value, [field]) for field in ("subtype", "pair_id", "reason")},
        "id": name,
        "category": category,
        "pair_category": _category(_text(value, ["pair_category"]), where) or category,
        "question": question,
        "reference_answer": None if category else answer,
        "language": _text(value, ["language"]) or "und",
        "provenance": Provenance(
            document_id=_text(value, ["document_id"]) or name,
            chunk_ids=(),
            generator=_text(value, ["generator"]) or USER,
            verifier=_text(value, ["verifier"]) or "none",
            generate_prompt="",
            verify_prompt="",
        ),
        "history": _turns(value.get("history") or (), where),
    }


def _turns(value: object, where: str) -> tuple[Turn, ...]:
    """Return the earlier turns, given as objects with role and text, or as pairs of these."""
    problem = f"{where}: history should be a list of turns, each with `role` and `content`"
    if not isinstance(value, Sequence) or isinstance(value, str):
        raise DatasetError(problem)
    turns = []
    for turn in value:
        if isinstance(turn, Mapping):
            parts = [_text(turn, ("role", "speaker")), _text(turn, ("content", "text"))]
        else:
            parts = [*turn] if isinstance(turn, Sequence) else []
        match parts:
            case [str(speaker), str(text)] if speaker in _ROLES:
                turns.append(Turn(role=_ROLES[speaker], content=whole_characters(text)))
            case _:
                raise DatasetError(f"{problem}; got {turn!r:.200}")
    return tuple(turns)


def _category(name: str | None, where: str) -> Category | None:
    """Return the category called `name`; `None` for `None` and `answerable`."""
    if name is None or name == "answerable":
        return None
    try:
        return known_category(name)
    except ValueError as error:
        raise DatasetError(f"{where}: {error}") from error


def _text(value: Mapping[str, object], names: Sequence[str]) -> str | None:
    """Return the value of the first of `names` with text or a number, as text."""
    for name in names:
        text = value.get(name)
        if isinstance(text, int | float) and not isinstance(text, bool):
            return str(text)
        if isinstance(text, str) and text:
            return whole_characters(text)
    return None


def json_lines(path: Path) -> Iterator[tuple[str, dict[str, object]]]:
    """Yield place (`file:line`) and JSON object of each line of a file.

    Raises `DatasetError` if the file cannot be read, or a line is not a JSON object.
    """
    try:
        with path.open(encoding="utf-8-sig", newline="\n") as file:
            for number, line in enumerate(file, 1):
                if line.strip():
                    where = f"{path}:{number}"
                    yield where, object_of(json.loads(line), where)
    except (OSError, ValueError, RecursionError) as error:
        raise DatasetError(f"cannot read {path} as lines of JSON: {error}") from error


def read_json(path: Path) -> object:
    """Return the JSON document in a file; raise `DatasetError` if it cannot be read."""
    try:
        return json.loads(path.read_text(encoding="utf-8-sig"))
    except (OSError, ValueError, RecursionError) as error:
        raise DatasetError(f"cannot read {path} as JSON: {error}") from error


def object_of(value: object, where: str) -> dict[str, object]:
    """Return `value`; raise `DatasetError` if it is not a JSON object."""
    if not isinstance(value, dict):
        raise DatasetError(f"{where}: expected a JSON object")
    return value


def list_of(value: object, where: str) -> list[object]:
    """Return `value`; raise `DatasetError` if it is not a JSON array."""
    if not isinstance(value, list):
        raise DatasetError(f"{where}: expected a JSON array")
    return value


def part_of(record: dict[str, object], name: str, where: str) -> dict[str, object]:
    """Return the JSON object in the field `name`; an empty one if it is missing or null."""
    return object_of(record.get(name) or {}, where)
