"""DeepEval: goldens, for `EvaluationDataset.add_goldens_from_json_file`."""

from collections.abc import Iterator
from pathlib import Path

from uaeval.formats.dataset import Dataset
from uaeval.formats.facts import facts, told
from uaeval.formats.given import list_of, object_of, query_of, read_json
from uaeval.formats.output import write_array
from uaeval.types import Query


def write(dataset: Dataset, place: Path) -> None:
    """Write one JSON array: DeepEval's csv and jsonl would part a context at every `|`."""
    write_array(place, (_golden(query, dataset) for query in dataset))


def _golden(query: Query, dataset: Dataset) -> dict[str, object]:
    texts = [source.text for source in dataset.sources(query) if source.text is not None]
    return {
        "input": query.question,
        "expected_output": query.reference_answer,
        "context": texts if query.answerable and texts else None,
        "name": query.id,
        "comments": query.reason,
        "source_file": query.provenance.document_id,
        "additional_metadata": facts(query),
        "custom_column_key_values": told(query),
    }


def read(place: Path) -> Iterator[Query]:
    """Read goldens; those of other makers need an `expected_output`, or a category."""
    for number, value in enumerate(list_of(read_json(place), str(place)), 1):
        where = f"{place}:{number}"
        golden = object_of(value, where)
        known = object_of(golden.get("additional_metadata") or {}, where)
        yield query_of({"id": golden.get("name"), **golden, **known}, where)
