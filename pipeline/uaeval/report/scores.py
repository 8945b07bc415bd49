"""`scores.json`: every score as it was computed; what is undefined is null, never a zero."""

from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from uaeval.errors import StorageError
from uaeval.records import Score
from uaeval.storage import read_json, write_json

_ADAPTER: TypeAdapter[tuple[Score, ...]] = TypeAdapter(tuple[Score, ...])


def write_scores(path: Path, scores: tuple[Score, ...]) -> None:
    """Write all scores as one JSON document: `{"scores": […]}`."""
    write_json(path, {"scores": _ADAPTER.dump_python(scores, mode="json")})


def read_scores(path: Path) -> tuple[Score, ...]:
    """Read what `write_scores` wrote.

    Raises:
        StorageError: the file cannot be read or holds something else.
    """
    value = read_json(path).get("scores")
    try:
        return _ADAPTER.validate_python(value)
    except ValidationError as error:
        raise StorageError(f"{path} holds no scores; evaluate again to write them") from error
