"""DeepEval: goldens in a JSON array, and a test file with a metric of each category."""

from collections.abc import Iterator
from pathlib import Path

from uaeval.formats.dataset import Dataset
from uaeval.formats.facts import facts, text_facts
from uaeval.formats.format import Format
from uaeval.formats.output import array_of
from uaeval.formats.reading import list_of, object_of, part_of, query_of, read_json
from uaeval.formats.tool_folder import data_or_folder, tool_folder
from uaeval.records import Query

DATA = "deepeval.json"


def _golden(query: Query, dataset: Dataset) -> dict[str, object]:
    """Return a golden; an array, as DeepEval's csv and jsonl split a context at every `|`."""
    texts = [source.text for source in dataset.sources(query) if source.text is not None]
    return {
        "input": query.question,
        "expected_output": query.reference_answer,
        "context": texts if query.answerable and texts else None,
        "name": query.id,
        "comments": query.reason,
        "source_file": query.provenance.document_id,
        "additional_metadata": facts(query),
        "custom_column_key_values": text_facts(query),
    }


def read(place: Path) -> Iterator[Query]:
    """Read goldens; those of other makers need an `expected_output`, or a category."""
    for number, value in enumerate(list_of(read_json(place), str(place)), 1):
        where = f"{place}:{number}"
        golden = object_of(value, where)
        metadata = part_of(golden, "additional_metadata", where)
        yield query_of({"id": golden.get("name"), **golden, **metadata}, where)


FORMAT = Format(
    name="deepeval",
    purpose="DeepEval: `deepeval test run test_uaeval.py`, a GEval metric of each category",
    loses="evidence and checks; metrics that want an expected output cannot take these queries",
    write=tool_folder("deepeval", DATA, array_of(_golden)),
    folder=True,
    read=data_or_folder(DATA, read),
    keys=frozenset({"input", "expected_output"}),
    suffixes=(".json",),
    contains=DATA,
)
