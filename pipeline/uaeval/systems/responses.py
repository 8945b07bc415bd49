"""The system `responses`: recorded responses, joined to queries by id or by question."""

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final

from pydantic import BaseModel, Field, ValidationError

from uaeval.errors import StorageError, TargetError
from uaeval.llm.stop_reasons import CUT_OFF, stop_reasons
from uaeval.records import Query, ResponseStatus
from uaeval.systems.attempts import MisfitFault
from uaeval.systems.extract import contexts
from uaeval.systems.kind import SystemKind
from uaeval.systems.system import Answer

_IDS: Final = ("query_id", "id")
_TEXTS: Final = ("text", "response", "answer")
_NAMED: Final = 10
_List = Annotated[tuple[str, ...] | None, Field(strict=False, description="a list of texts")]


@dataclass(frozen=True, slots=True)
class _Row:
    path: Path
    number: int
    values: Mapping[str, object]

    def fault(self, problem: str) -> StorageError:
        return StorageError(f"{self.path}:{self.number}: {problem}")

    def get(self, names: Sequence[str]) -> object:
        """Return the value of the first of `names` that the row has."""
        return next((self.values[name] for name in names if name in self.values), None)


class _Details(BaseModel, strict=True):
    """The fields of an `Answer` that a row may have besides the response."""

    status: ResponseStatus = Field(
        default=ResponseStatus.OK, strict=False, description=" or ".join(ResponseStatus)
    )
    latency_s: float | None = Field(default=None, ge=0, lt=1e9, description="seconds")
    stopped_parts: _List = None
    tool_calls: _List = None


class RecordedResponses:
    """A JSONL file with one response per row, such as the `responses.jsonl` of an evaluation.

    A row has `query_id` (or `question`), and the response under `text`, `response` or `answer`.
    Optional fields are `contexts`, `status` (`ok` or `blocked`), `latency_s`, `stopped_parts`,
    `tool_calls` and `error`.
    """

    def __init__(self, path: Path, queries: Sequence[Query]) -> None:
        """Read the file.

        Raises:
            StorageError: the file cannot be read, a row is no response or matches none of
                `queries`, or two rows that differ match the same query.
        """
        self.name = f"responses:{path.name}"
        self._answers = {query_id: _read(row) for query_id, row in _joined(path, queries).items()}

    async def answer(self, query: Query) -> Answer:
        """Return the recorded answer; raise `TargetError` if there is none, or only an error."""
        if isinstance(answer := self._answers.get(query.id), Answer):
            return answer
        # With `raw` set, any number of missing rows does not count as an outage.
        raise TargetError(f"{self.name}: {answer or 'no response was recorded'}", raw=answer or "")


def _joined(path: Path, queries: Sequence[Query]) -> dict[str, _Row]:
    by_id = {query.id: query for query in queries}
    by_text: dict[str, list[Query]] = defaultdict(list)
    for query in queries:
        by_text[_plain(query.question)].append(query)
    joined: dict[str, _Row] = {}
    unmatched: list[str] = []
    for row in _rows(path):
        if not (matches := _queries_of(row, by_id, by_text)):
            id_ = row.get(_IDS)
            unmatched.append(f"line {row.number}" + (f" ({id_})" if id_ is not None else ""))
        for match in matches:
            first = joined.setdefault(match.id, row)
            if first is not row and (len(matches) == 1 or first.values != row.values):
                raise StorageError(
                    f"{path}: lines {first.number} and {row.number} are both for {match.id}; "
                    "keep one of them"
                )
    if unmatched:
        more = f" and {len(unmatched) - _NAMED} more" if len(unmatched) > _NAMED else ""
        raise StorageError(
            f"{path}: no query of the dataset matches {', '.join(unmatched[:_NAMED])}{more}; "
            "remove these rows, or evaluate the dataset that they were recorded for"
        )
    return joined


def _queries_of(
    row: _Row, by_id: Mapping[str, Query], by_text: Mapping[str, Sequence[Query]]
) -> Sequence[Query]:
    """Return the query with the row's id, else those with its question after the same turns."""
    id_, question = row.get(_IDS), row.get(("question", "query"))
    text = _plain(question) if isinstance(question, str) else None
    if id_ is None and text is None:
        raise row.fault("the row has neither query_id nor question")
    if id_ is None or (query := by_id.get(str(id_))) is None:
        matches = by_text.get(text or "", ())
        if len({match.history for match in matches}) > 1:
            names = ", ".join(match.id for match in matches)
            raise row.fault(f"the queries {names} have the same question; give query_id")
        return matches
    if text is not None and text != _plain(query.question):
        raise row.fault(
            f"{query.id} asks another question in this dataset; "
            "evaluate the dataset that these responses were recorded for"
        )
    return [query]


def _plain(text: str) -> str:
    return " ".join(text.split()).casefold()


def _rows(path: Path) -> list[_Row]:
    try:
        lines = path.read_text(encoding="utf-8-sig").split("\n")
    except FileNotFoundError as error:
        raise StorageError(f"no such file of responses: {path}") from error
    except (OSError, UnicodeDecodeError) as error:
        raise StorageError(f"cannot read responses from {path}: {error}") from error
    rows = []
    for number, line in enumerate(lines, 1):
        try:
            value = json.loads(line) if line.strip() else None
        except (ValueError, RecursionError) as error:
            problem = f"the line is not JSON ({error}); write one object on each line"
            raise StorageError(f"{path}:{number}: {problem}") from error
        if isinstance(value, dict):
            rows.append(_Row(path, number, value))
        elif line.strip():
            raise StorageError(f"{path}:{number}: the line should be a JSON object")
    if not rows:
        raise StorageError(f"{path} has no responses")
    return rows


def _read(row: _Row) -> Answer | str:
    """Return the answer, or the error that was recorded in its place."""
    if error := row.values.get("error"):
        return f"recorded as an error: {error}"
    if stop_reasons(row.values) & CUT_OFF:
        return "recorded as cut off at the model's limit of tokens"
    try:
        details = dict(_Details.model_validate(row.values))
        passages = contexts(row.get(("retrieved_contexts", "contexts", "context")))
    except ValidationError as problem:
        name = str(problem.errors()[0]["loc"][0])
        should_be = f"{name} should be {_Details.model_fields[name].description}"
        raise row.fault(f"{should_be}, got {row.values[name]!r}") from None
    except MisfitFault as fault:
        raise row.fault(str(fault)) from None
    text = _text(row, blocked=details["status"] is ResponseStatus.BLOCKED)
    given = {name: value for name, value in details.items() if value is not None}
    return Answer(text=text, contexts=passages, **given)


def _text(row: _Row, *, blocked: bool) -> str:
    if not blocked and row.values.keys().isdisjoint(_TEXTS):
        raise row.fault("the row has no response; write it as `text`, or an `error`")
    texts = {name: row.values[name] for name in _TEXTS if row.values.get(name) is not None}
    text, *others = texts.values() or [""]
    if any(other != text for other in others):
        raise row.fault(f"{' and '.join(texts)} differ; keep the one that is the response")
    if not isinstance(text, str):
        raise row.fault(f"the response should be a text, got {text!r}")
    return "" if blocked else text


KIND = SystemKind(
    name="responses",
    argument="<file.jsonl>",
    open=lambda _config, path, queries: nullcontext(RecordedResponses(Path(path), queries)),
)
