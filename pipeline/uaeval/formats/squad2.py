"""SQuAD 2.0: question answering over a passage, with `is_impossible`."""

from collections.abc import Iterator
from pathlib import Path

from uaeval.formats.dataset import Dataset
from uaeval.formats.facts import facts
from uaeval.formats.given import list_of, object_of, query_of, read_json
from uaeval.formats.output import write_array
from uaeval.types import Query


def write(dataset: Dataset, place: Path) -> None:
    """Write one article a query, each with the passages that the query bears on."""
    before, after = '{"version": "v2.0", "data": ', "}"
    write_array(place, (_article(query, dataset) for query in dataset), before, after)


def _article(query: Query, dataset: Dataset) -> dict[str, object]:
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


def read(place: Path) -> Iterator[Query]:
    """Read questions; an impossible one of another maker lacks the category that it needs."""
    whole = object_of(read_json(place), str(place))
    number = 0
    for article in list_of(whole.get("data"), str(place)):
        for paragraph in list_of(object_of(article, str(place)).get("paragraphs"), str(place)):
            for value in list_of(object_of(paragraph, str(place)).get("qas"), str(place)):
                number += 1
                where = f"{place}:{number}"
                yield _query(object_of(value, where), where)


def _query(asked: dict[str, object], where: str) -> Query:
    known = object_of(asked.get("uaeval") or {}, where)
    answers = list_of(asked.get("answers") or [], where)
    answer = object_of(answers[0], where).get("text") if answers else None
    return query_of({"reference_answer": answer, **asked, **known}, where)
