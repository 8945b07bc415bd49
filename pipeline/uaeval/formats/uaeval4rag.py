"""The two files of UAEval4RAG's code: questions, and reasons in the same order, by category."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path
from shutil import copyfileobj
from tempfile import TemporaryFile
from typing import TextIO

from uaeval.categories.names import category_names
from uaeval.categories.registry import category
from uaeval.errors import DatasetError
from uaeval.formats.dataset import Dataset
from uaeval.formats.format import Format
from uaeval.formats.query_fields import expected_behaviour, rubric
from uaeval.formats.reading import list_of, object_of, query_of, read_json
from uaeval.records import Query
from uaeval.storage import line, text_file

QUESTIONS = "unanswerable_questions.json"
REASONS = "unanswerable_reasons.json"
IDS = "unanswerable_ids.json"
_CONTROLS = "answerable_questions.json"


def spelling(name: str) -> str:
    """Return the name of a category in UAEval4RAG's code."""
    return category(name).uaeval4rag_name or name


def write(dataset: Dataset, place: Path) -> None:
    """Write both files, and files with ids, rubrics and twins, which UAEval4RAG does not read.

    Each file holds `{key: [value, …]}`. The lists are collected on disk, to save memory.
    """
    place.mkdir(parents=True)
    with ExitStack() as stack:

        def new_list() -> TextIO:
            return stack.enter_context(TemporaryFile("w+", encoding="utf-8", newline="", dir=place))

        lists = defaultdict[str, dict[str, TextIO]](lambda: defaultdict(new_list))
        for query in dataset:
            for name, key, value in _values(query):
                elements = lists[name][key]
                elements.write((",\n" if elements.tell() else "") + line(value))
        for name, by_key in lists.items():
            _join(place / name, by_key)


def _values(query: Query) -> Iterator[tuple[str, str, object]]:
    """Yield the values of a query, each as file, key of the list, value."""
    if query.category is None:
        yield _CONTROLS, "question", query.question
        yield _CONTROLS, "ground_truth", query.reference_answer
        yield _CONTROLS, "id", query.id
        return
    key = spelling(query.category)
    yield QUESTIONS, key, query.question
    yield REASONS, key, query.reason or ""
    yield IDS, key, query.id
    yield "unanswerable_expected_behaviours.json", key, expected_behaviour(query)
    yield "unanswerable_rubrics.json", key, rubric(query)


def _join(path: Path, lists: Mapping[str, TextIO]) -> None:
    """Write one JSON object of lists, given the elements of each list in a file."""
    with text_file(path) as whole:
        whole.write("{")
        for number, (key, part) in enumerate(lists.items()):
            whole.write((",\n" if number else "\n") + line(key) + ": [\n")
            part.seek(0)
            copyfileobj(part, whole)
            whole.write("\n]")
        whole.write("\n}\n")


def read(place: Path) -> Iterator[Query]:
    """Yield the queries with their reasons, and their ids if the folder has them."""
    questions = object_of(read_json(place / QUESTIONS), QUESTIONS)
    reasons = object_of(read_json(place / REASONS), REASONS)
    ids = object_of(read_json(place / IDS), IDS) if (place / IDS).exists() else {}
    our_names = {spelling(name): name for name in category_names()}
    for key, values in questions.items():
        category = our_names.get(key, key)
        whys = list_of(reasons.get(key), f"{place / REASONS} {key}")
        names = list_of(ids.get(key) or [None] * len(whys), f"{place / IDS} {key}")
        texts = list_of(values, f"{place / QUESTIONS} {key}")
        if not len(texts) == len(whys) == len(names):
            raise DatasetError(f"{place}: {key} has {len(texts)} questions, {len(whys)} reasons")
        for number, (question, reason, name) in enumerate(zip(texts, whys, names, strict=True), 1):
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
