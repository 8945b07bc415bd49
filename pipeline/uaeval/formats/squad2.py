"""SQuAD 2.0: questions over passages, with `is_impossible`."""

from collections.abc import Iterator
from pathlib import Path

from uaeval.formats.dataset import Dataset
from uaeval.formats.format import Format
from uaeval.formats.query_fields import facts
from uaeval.formats.reading import list_of, object_of, part_of, query_of, read_json
from uaeval.records import Query
from uaeval.storage import write_array


def _article(query: Query, dataset: Dataset) -> dict[str, object]:
    sources = dataset.sources(query)
    context = "\n\n".join(source["text"] or "" for source in sources)
    answer = query.reference_answer
    answers = [] if answer is None else [{"text": answer, "answer_start": context.find(answer)}]
    question = {
        "id": query.id,
        "question": query.question,
        "is_impossible": not query.answerable,
        "answers": answers,
        "plausible_answers": [],
        "uaeval": facts(query),
    }
    title = next(filter(None, (source["title"] for source in sources)), "")
    return {
        "title": title or query.provenance.document_id,
        "paragraphs": [{"context": context, "qas": [question]}],
    }


def write(dataset: Dataset, place: Path) -> None:
    """Write the file with one article per query."""
    articles = (_article(query, dataset) for query in dataset)
    write_array(place, articles, '{"version": "v2.0", "data": ', "}")


def read(place: Path) -> Iterator[Query]:
    """Yield the queries; impossible questions from other sources lack a category, an error."""
    for number, value in enumerate(_questions(place), 1):
        where = f"{place}:{number}"
        question = object_of(value, where)
        answers = list_of(question.get("answers") or [], where)
        answer = object_of(answers[0], where).get("text") if answers else None
        exported = part_of(question, "uaeval", where)
        yield query_of({"reference_answer": answer, **question, **exported}, where)


def _questions(place: Path) -> Iterator[object]:
    where = str(place)
    for article in list_of(object_of(read_json(place), where).get("data"), where):
        for paragraph in list_of(object_of(article, where).get("paragraphs"), where):
            yield from list_of(object_of(paragraph, where).get("qas"), where)


FORMAT = Format(
    name="squad2",
    purpose="SQuAD 2.0: questions over passages, with `is_impossible`",
    loses=(
        "evidence and checks; loaders drop the key `uaeval` with the rest; the start of an "
        "answer that is not a span of its passages is -1"
    ),
    write=write,
    needs_passages=True,
    read=read,
    keys=frozenset({"data"}),
    suffixes=(".json",),
)
