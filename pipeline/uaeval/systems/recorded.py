"""Responses that were recorded before: joined to the queries by id, by the question if need be."""

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from uaeval.errors import StorageError, TargetError
from uaeval.systems.attempts import MisfitFault
from uaeval.systems.extract import contexts
from uaeval.systems.system import Answer
from uaeval.types import Query, ResponseStatus

_IDS: Final = ("query_id", "id")
_QUESTIONS: Final = ("question", "query")
_TEXTS: Final = ("text", "response", "answer")
_CONTEXTS: Final = ("retrieved_contexts", "contexts", "context")
_NAMED: Final = 10


@dataclass(frozen=True, slots=True)
class _Row:
    """One line of the file."""

    path: Path
    number: int
    values: Mapping[str, object]

    def fault(self, problem: str) -> StorageError:
        """Return an error that says where the row stands."""
        return StorageError(f"{self.path}:{self.number}: {problem}")

    def get(self, names: Sequence[str]) -> object:
        """Return the first of these that the row has."""
        return next((self.values[name] for name in names if name in self.values), None)

    def has(self, names: Sequence[str]) -> bool:
        return any(name in self.values for name in names)


class RecordedResponses:
    """A JSONL file of responses; each row stands for one query.

    A row has `query_id` (or `question`), the response under `text`, `response` or `answer`, and if
    it likes `contexts`, `status` (`ok` or `blocked`), `latency_s`, `stopped_parts` and `error`.
    Rows that an evaluation of this package wrote are such rows.
    """

    def __init__(self, path: Path, queries: Sequence[Query]) -> None:
        """Read the file.

        Raises:
            StorageError: it cannot be read; a row is no response, is for no query of the dataset
                or for the same one as another row.
        """
        self.name = f"responses:{path.name}"
        self._answers = {query_id: _read(row) for query_id, row in _joined(path, queries).items()}

    async def answer(self, query: Query) -> Answer:
        """Return what was recorded.

        Raises:
            TargetError: nothing was, or an error.
        """
        found = self._answers.get(query.id)
        if isinstance(found, Answer):
            return found
        # `raw` is set: a row that is missing is no outage, however many there are.
        raise TargetError(f"{self.name}: {found or 'no response was recorded'}", raw=found or "")


def _joined(path: Path, queries: Sequence[Query]) -> dict[str, _Row]:
    by_id = {query.id: query for query in queries}
    by_text: dict[str, list[Query]] = defaultdict(list)
    for query in queries:
        by_text[_plain(query.question)].append(query)
    joined: dict[str, _Row] = {}
    strangers: list[str] = []
    for row in _rows(path):
        meant = _query_of(row, by_id, by_text)
        if meant is None:
            given = row.get(_IDS)
            strangers.append(f"line {row.number}" + (f" ({given})" if given is not None else ""))
        elif meant.id in joined:
            first = joined[meant.id].number
            raise StorageError(
                f"{path}: lines {first} and {row.number} are both for {meant.id}; keep one of them"
            )
        else:
            joined[meant.id] = row
    if strangers:
        raise StorageError(_unmatched(path, strangers))
    return joined


def _query_of(
    row: _Row, by_id: Mapping[str, Query], by_text: Mapping[str, Sequence[Query]]
) -> Query | None:
    """Return the query that the row is for.

    Raises:
        StorageError: its id is of one query and its question of another, or of several.
    """
    given, question = row.get(_IDS), row.get(_QUESTIONS)
    if given is None and not isinstance(question, str):
        raise row.fault("the row has neither query_id nor question")
    known = by_id.get(str(given)) if given is not None else None
    if known is None:
        alike = by_text.get(_plain(question), ()) if isinstance(question, str) else ()
        if len(alike) > 1:
            names = ", ".join(query.id for query in alike)
            raise row.fault(f"the question is that of {names}; give query_id")
        return alike[0] if alike else None
    if isinstance(question, str) and _plain(question) != _plain(known.question):
        raise row.fault(
            f"{known.id} asks another question in this dataset; "
            "evaluate the dataset that these responses were recorded for"
        )
    return known


def _unmatched(path: Path, strangers: Sequence[str]) -> str:
    more = f" and {len(strangers) - _NAMED} more" if len(strangers) > _NAMED else ""
    return (
        f"{path}: no query of the dataset is meant by {', '.join(strangers[:_NAMED])}{more}; "
        "take these rows out, or evaluate the dataset that they were recorded for"
    )


def _plain(text: str) -> str:
    return " ".join(text.split()).casefold()


def _rows(path: Path) -> list[_Row]:
    try:
        lines = path.read_text(encoding="utf-8-sig").split("\n")
    except FileNotFoundError as error:
        raise StorageError(f"there is no file of responses {path}") from error
    except (OSError, UnicodeDecodeError) as error:
        raise StorageError(f"cannot read responses from {path}: {error}") from error
    rows = [_row(path, number, line) for number, line in enumerate(lines, 1) if line.strip()]
    if not rows:
        raise StorageError(f"{path} holds no responses")
    return rows


def _row(path: Path, number: int, line: str) -> _Row:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise StorageError(f"{path}:{number}: the line is no JSON ({error})") from error
    if not isinstance(value, dict):
        raise StorageError(f"{path}:{number}: the line should hold a JSON object")
    return _Row(path, number, value)


def _read(row: _Row) -> Answer | str:
    """Return the answer, or the error that was recorded in its place."""
    error = row.values.get("error")
    if error:
        return f"recorded as an error: {error}"
    status = _status(row)
    text = _text(row)
    if not row.has(_TEXTS) and status is ResponseStatus.OK:
        raise row.fault("the row has no response; write it as `text`, or an `error`")
    if text is not None and not isinstance(text, str):
        raise row.fault(f"the response should be a text, got {text!r}")
    try:
        found = contexts(row.get(_CONTEXTS))
    except MisfitFault as fault:
        raise row.fault(str(fault)) from None
    return Answer(
        text="" if text is None or status is ResponseStatus.BLOCKED else text,
        status=status,
        contexts=found,
        latency_s=_seconds(row),
        stopped_parts=_parts(row),
    )


def _text(row: _Row) -> object:
    given = {name: row.values[name] for name in _TEXTS if row.values.get(name) is not None}
    texts = list(given.values())
    if any(text != texts[0] for text in texts):
        raise row.fault(f"{' and '.join(given)} differ; keep the one that is the response")
    return texts[0] if texts else None


def _status(row: _Row) -> ResponseStatus:
    given = row.values.get("status", "ok")
    if given not in tuple(ResponseStatus):
        known = " or ".join(ResponseStatus)
        raise row.fault(f"status should be {known}, got {given!r}")
    return ResponseStatus(str(given))


def _parts(row: _Row) -> tuple[str, ...]:
    given = row.values.get("stopped_parts") or []
    if not isinstance(given, list) or not all(isinstance(part, str) for part in given):
        raise row.fault(f"stopped_parts should be a list of texts, got {given!r}")
    return tuple(given)


def _seconds(row: _Row) -> float | None:
    given = row.values.get("latency_s")
    if given is None:
        return None
    if isinstance(given, bool) or not isinstance(given, int | float) or not 0 <= given < 1e9:
        raise row.fault(f"latency_s should be seconds, got {given!r}")
    return float(given)
