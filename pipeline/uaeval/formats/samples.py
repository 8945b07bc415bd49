"""Formats of one JSON record a query: what a record holds, and what of a query is read from it."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import TypeAlias

from pydantic import TypeAdapter

from uaeval.formats.card_facts import expected_behaviour, facts, kind, rubric, told
from uaeval.formats.dataset import Dataset
from uaeval.formats.output import write_array, write_lines
from uaeval.formats.own_queries import each_line, list_of, object_of, query_of, read_json
from uaeval.types import Query

Record: TypeAlias = dict[str, object]

_QUERY: TypeAdapter[Query] = TypeAdapter(Query)
_WORDY = re.compile(r"(?!(?:nan|inf|infinity)$)[^\W\d]", re.I)


def lines_of(record: Callable[[Query, Dataset], Record]) -> Callable[[Dataset, Path], None]:
    """Return a writer of one record a line."""
    return lambda dataset, place: write_lines(place, (record(each, dataset) for each in dataset))


def array_of(
    record: Callable[[Query, Dataset], Record], before: str = "", after: str = ""
) -> Callable[[Dataset, Path], None]:
    """Return a writer of one JSON array, between what stands around it."""
    return lambda dataset, place: write_array(
        place, (record(each, dataset) for each in dataset), before, after
    )


def from_lines(
    values: Callable[[Record, str], Mapping[str, object]],
) -> Callable[[Path], Iterator[Query]]:
    """Return a reader of one record a line; `values` returns what a record tells of its query."""
    return lambda place: (query_of(values(one, where), where) for where, one in each_line(place))


def _part(record: Record, name: str, where: str) -> Record:
    return object_of(record.get(name) or {}, where)


def row(query: Query, dataset: Dataset) -> Record:
    """Return the whole query, JSON-ready, with its expected behaviour, rubric and passages."""
    record: Record = _QUERY.dump_python(query, mode="json")
    article = dataset.article(query)
    return {
        **record,
        "outside_article": asdict(article) if article else None,
        "expected_behaviour": expected_behaviour(query),
        "rubric": rubric(query),
        "passages": [asdict(source) for source in dataset.sources(query)],
    }


def from_row(record: Record, where: str) -> Record:
    """Return the record as it is; a user's own has at least a `question`."""
    return record


def ragas(query: Query, dataset: Dataset) -> Record:
    """Return a `SingleTurnSample`; it keeps no other keys than its own, so `rubrics` has all."""
    sample: Record = {
        "user_input": query.question,
        "rubrics": told(query),
        "query_style": kind(query),
    }
    if query.answerable:
        sources = dataset.sources(query)
        texts = [source.text for source in sources if source.text is not None]
        sample["reference"] = query.reference_answer
        sample["reference_context_ids"] = [source.chunk_id for source in sources]
        sample |= {"reference_contexts": texts} if texts else {}
    return sample


def from_ragas(sample: Record, where: str) -> Record:
    """Read a sample; one of other makers needs a category in `rubrics` or a `reference`."""
    return {**sample, **_part(sample, "rubrics", where), "question": sample.get("user_input")}


def deepeval(query: Query, dataset: Dataset) -> Record:
    """Return a golden, for a JSON array: DeepEval's csv and jsonl part a context at every `|`."""
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


def read_deepeval(place: Path) -> Iterator[Query]:
    """Read goldens; those of other makers need an `expected_output`, or a category."""
    for number, value in enumerate(list_of(read_json(place), str(place)), 1):
        where = f"{place}:{number}"
        golden = object_of(value, where)
        known = _part(golden, "additional_metadata", where)
        yield query_of({"id": golden.get("name"), **golden, **known}, where)


def inspect(query: Query, dataset: Dataset) -> Record:
    """Return a sample; its target is what a model grader compares with."""
    return {
        "id": query.id,
        "input": query.question,
        "target": query.reference_answer or expected_behaviour(query),
        "metadata": facts(query),
    }


def from_inspect(sample: Record, where: str) -> Record:
    """Read a sample; one without a category is a question whose answer is its target."""
    known = _part(sample, "metadata", where)
    answer = None if known.get("category") else sample.get("target")
    return {"reference_answer": answer, **sample, **known}


def giskard(query: Query, dataset: Dataset) -> Record:
    """Return a sample; Giskard's report groups by `topic` and `question_type`.

    Its pandas would take an id such as `0007` for a number.
    """
    sources = dataset.sources(query)
    topic = next((source.title for source in sources if source.title), None)
    return {
        "id": query.id if _WORDY.match(query.id) else f"id-{query.id}",
        "question": query.question,
        "reference_answer": query.reference_answer or expected_behaviour(query),
        "reference_context": "\n\n".join(source.text or "" for source in sources),
        "conversation_history": [],
        "metadata": {
            "question_type": kind(query),
            "topic": topic or query.provenance.document_id,
            **facts(query),
        },
    }


def from_giskard(sample: Record, where: str) -> Record:
    """Read a sample; one without a category is a question with a reference answer."""
    return {**sample, **_part(sample, "metadata", where)}


def langsmith(query: Query, dataset: Dataset) -> Record:
    """Return an example."""
    return {
        "inputs": {"question": query.question},
        "outputs": {
            "answer": query.reference_answer,
            "expected_behaviour": expected_behaviour(query),
            "rubric": rubric(query),
        },
        "metadata": facts(query),
        "split": "answerable" if query.answerable else "unanswerable",
    }


def from_langsmith(example: Record, where: str) -> Record:
    """Read an example; one without a category needs an `answer` among its outputs."""
    inputs, outputs, known = (
        _part(example, name, where) for name in ("inputs", "outputs", "metadata")
    )
    return {**inputs, **outputs, **known}


def squad2(query: Query, dataset: Dataset) -> Record:
    """Return an article of one question over the passages that it bears on."""
    sources = dataset.sources(query)
    context = "\n\n".join(source.text or "" for source in sources)
    answer = query.reference_answer
    answers = [] if answer is None else [{"text": answer, "answer_start": context.find(answer)}]
    asked = {
        "id": query.id,
        "question": query.question,
        "is_impossible": not query.answerable,
        "answers": answers,
        "plausible_answers": [],
        "uaeval": facts(query),
    }
    title = next((source.title for source in sources if source.title), "")
    return {
        "title": title or query.provenance.document_id,
        "paragraphs": [{"context": context, "qas": [asked]}],
    }


def read_squad2(place: Path) -> Iterator[Query]:
    """Read questions; an impossible one of another maker lacks the category that it needs."""
    whole = object_of(read_json(place), str(place))
    number = 0
    for article in list_of(whole.get("data"), str(place)):
        for paragraph in list_of(object_of(article, str(place)).get("paragraphs"), str(place)):
            for value in list_of(object_of(paragraph, str(place)).get("qas"), str(place)):
                number += 1
                where = f"{place}:{number}"
                asked = object_of(value, where)
                known = _part(asked, "uaeval", where)
                answers = list_of(asked.get("answers") or [], where)
                answer = object_of(answers[0], where).get("text") if answers else None
                yield query_of({"reference_answer": answer, **asked, **known}, where)
