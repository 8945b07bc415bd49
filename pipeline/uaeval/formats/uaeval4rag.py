"""The two files of UAEval4RAG's own code: questions and reasons by category, in the same order."""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TextIO

from uaeval.categories.names import category_names
from uaeval.categories.registry import category
from uaeval.errors import DatasetError
from uaeval.formats.dataset import Dataset
from uaeval.formats.facts import expected_behaviour, rubric
from uaeval.formats.format import Format
from uaeval.formats.output import line, text_file
from uaeval.formats.reading import list_of, object_of, query_of, read_json
from uaeval.records import Query

QUESTIONS = "unanswerable_questions.json"
REASONS = "unanswerable_reasons.json"
IDS = "unanswerable_ids.json"
_CONTROLS = "answerable_questions.json"


def spelling(name: str) -> str:
    """Return what that code calls a category."""
    return category(name).uaeval4rag_name or name


def write(dataset: Dataset, place: Path) -> None:
    """Write both files, and beside them ids, rubrics and twins, which that code does not read."""
    place.mkdir(parents=True)
    with TemporaryDirectory(dir=place) as scratch, ExitStack() as stack:
        lists = _Lists(Path(scratch), stack)
        for query in dataset:
            _add(lists, query)
        lists.join(place)


def _add(lists: "_Lists", query: Query) -> None:
    if query.category is None:
        lists.add(_CONTROLS, "question", query.question)
        lists.add(_CONTROLS, "ground_truth", query.reference_answer)
        lists.add(_CONTROLS, "id", query.id)
        return
    key = spelling(query.category)
    lists.add(QUESTIONS, key, query.question)
    lists.add(REASONS, key, query.reason or "")
    lists.add(IDS, key, query.id)
    lists.add("unanswerable_expected_behaviours.json", key, expected_behaviour(query))
    lists.add("unanswerable_rubrics.json", key, rubric(query))


class _Lists:
    """JSON files of the form `{key: [value, …]}`, written one value at a time."""

    def __init__(self, scratch: Path, stack: ExitStack) -> None:
        self._scratch = scratch
        self._stack = stack
        self._files: dict[str, dict[str, TextIO]] = {}

    def add(self, name: str, key: str, value: object) -> None:
        """Append a value to the list `key` of the file `name`."""
        keys = self._files.setdefault(name, {})
        if key not in keys:
            path = self._scratch / f"{name}.{key}"
            keys[key] = self._stack.enter_context(path.open("w+", encoding="utf-8", newline=""))
        file = keys[key]
        file.write((",\n" if file.tell() else "") + line(value))

    def join(self, place: Path) -> None:
        """Write the files."""
        for name, keys in self._files.items():
            with text_file(place / name) as whole:
                whole.write("{")
                for number, (key, part) in enumerate(keys.items()):
                    whole.write((",\n" if number else "\n") + line(key) + ": [\n")
                    part.seek(0)
                    while piece := part.read(1 << 20):
                        whole.write(piece)
                    whole.write("\n]")
                whole.write("\n}\n")


def read(place: Path) -> Iterator[Query]:
    """Read questions and reasons, and ids if the folder has them; else make ids."""
    questions = object_of(read_json(place / QUESTIONS), QUESTIONS)
    reasons = object_of(read_json(place / REASONS), REASONS)
    known = (place / IDS).exists()
    ids = object_of(read_json(place / IDS), IDS) if known else {}
    ours = {spelling(name): name for name in category_names()}
    for key, asked in questions.items():
        category = ours.get(key, key)
        why = list_of(reasons.get(key), f"{place / REASONS} {key}")
        names = list_of(ids.get(key) or [None] * len(why), f"{place / IDS} {key}")
        texts = list_of(asked, f"{place / QUESTIONS} {key}")
        if not len(texts) == len(why) == len(names):
            raise DatasetError(f"{place}: {key} has {len(texts)} questions, {len(why)} reasons")
        rows = zip(texts, why, names, strict=True)
        for number, (question, reason, name) in enumerate(rows, 1):
            yield query_of(
                {
                    "id": name or f"{category}-{number:04d}",
                    "question": question,
                    "reason": reason,
                    "category": category,
                },
                f"{place / QUESTIONS} {key}:{number}",
            )


FORMAT = Format(
    name="uaeval4rag",
    purpose="UAEval4RAG's own code: questions and reasons by category, two files",
    loses=(
        "evidence, checks and passages; that code joins by the question's text and reads "
        "neither ids nor twins, which stand in files beside"
    ),
    write=write,
    folder=True,
    read=read,
    suffixes=(),
    contains=QUESTIONS,
)
