"""Exports are read back: the same records, or the same queries without their proof."""

from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.formats.runs import dataset, make_run, nasty, pair

from uaeval.formats.format import Format, export, formats, read_queries
from uaeval.records import Query

WHOLE = [one for one in formats().values() if one.back == "whole"]
QUERIES = [one for one in formats().values() if one.back == "queries"]
ENDINGS = {"deepeval": ".json", "squad2": ".json", "csv": ".csv"}

AWKWARD = st.sampled_from("\"'|{}%#\n\r\t\x00=+-@,;\\🐦א")
TEXT = st.text(st.one_of(AWKWARD, st.characters(codec="utf-8")), min_size=1)


def written(form: Format, folder: Path, queries: tuple[Query, ...]) -> Path:
    place = folder / f"out{'' if form.folder else ENDINGS.get(form.name, '.jsonl')}"
    export(dataset(make_run(folder / "run", queries)), form, place)
    return place


def by_id(queries: tuple[Query, ...]) -> list[Query]:
    return sorted(queries, key=lambda query: query.id)


@pytest.mark.parametrize("form", WHOLE, ids=lambda form: form.name)
def test_the_same_records_come_back(form: Format, tmp_path: Path) -> None:
    found = read_queries(written(form, tmp_path, nasty()))
    expected = nasty()
    assert by_id(found) == by_id(expected)
    if form.name != "hf":
        assert found == expected


@pytest.mark.parametrize("form", QUERIES, ids=lambda form: form.name)
def test_the_same_queries_come_back(form: Format, tmp_path: Path) -> None:
    found = {query.id: query for query in read_queries(written(form, tmp_path, nasty()))}
    expected = [query for query in nasty() if form.name != "uaeval4rag" or not query.answerable]
    assert found.keys() == {query.id for query in expected}
    for query in expected:
        again = found[query.id]
        assert again.question == query.question
        assert again.category == query.category
        assert again.reason == query.reason
        assert again.reference_answer == query.reference_answer


@pytest.mark.parametrize("form", [*WHOLE, *QUERIES], ids=lambda form: form.name)
@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(question=TEXT.filter(str.strip), reason=TEXT, answer=TEXT, name=TEXT)
def test_any_text_survives_the_round_trip(
    form: Format, question: str, reason: str, answer: str, name: str
) -> None:
    query, twin = pair("one", "underspecified", question)
    query = replace(query, reason=reason, id=name, subtype=reason)
    twin = replace(twin, reference_answer=answer, pair_id=name, id=f"{name}-twin")
    with TemporaryDirectory() as folder:
        found = {one.id: one for one in read_queries(written(form, Path(folder), (query, twin)))}
    if form.back == "whole":
        assert found == {query.id: query, twin.id: twin}
    again = found[query.id]
    assert (again.question, again.reason) == (question, reason)
    if form.name != "uaeval4rag":
        assert found[twin.id].reference_answer == answer
