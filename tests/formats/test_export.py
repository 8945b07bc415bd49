"""What every export contains, and what none contains."""

import csv
import json
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from langsmith.schemas import ExampleCreate
from tests.formats.runs import (
    ARTICLE,
    BESIDE,
    CHUNKS,
    OUTSIDE,
    chunk,
    dataset,
    make_run,
    nasty,
    pair,
)

from uaeval.categories.names import BUILT_IN
from uaeval.categories.registry import categories
from uaeval.errors import ConfigError, StorageError
from uaeval.formats.dataset import Dataset
from uaeval.formats.format import Format, export, format_named, formats
from uaeval.run_folder import Count, RunFolder
from uaeval.storage import UNFINISHED

ALL = list(formats().values())


@pytest.fixture
def run(tmp_path: Path) -> RunFolder:
    return make_run(tmp_path / "run", nasty())


def everything(place: Path) -> str:
    """Return all text below `place`; that of Parquet as its rows."""
    paths = sorted(path for path in (place, *place.rglob("*")) if path.is_file())
    return "\n".join(map(text_of, paths))


def text_of(path: Path) -> str:
    if path.suffix != ".parquet":
        return path.read_text(encoding="utf-8")
    import pyarrow.parquet as pq

    return json.dumps(pq.read_table(path).to_pylist(), ensure_ascii=False)


@pytest.mark.parametrize("form", ALL, ids=lambda form: form.name)
def test_category_reason_behaviour_and_id_are_in_it(
    form: Format, run: RunFolder, tmp_path: Path
) -> None:
    export(dataset(run), form, tmp_path / "out")
    text = everything(tmp_path / "out")
    for spec in categories():
        assert spec.acceptance in text
    for query in nasty():
        assert query.id in text
    assert "Because Wo 🐦‍⬛ ist der Café-Schlüssel?" in text


@pytest.mark.parametrize("form", ALL, ids=lambda form: form.name)
def test_no_article_path_or_address_is_in_it(form: Format, run: RunFolder, tmp_path: Path) -> None:
    run.journal("generate").write_text(f"{ARTICLE} {BESIDE}", encoding="utf-8")
    assert ARTICLE in run.queries_path.read_text(encoding="utf-8")
    export(dataset(run), form, tmp_path / "out")
    text = everything(tmp_path / "out")
    assert BESIDE not in text
    assert (ARTICLE in text) is (form.name in {"hf", "jsonl", "csv"})
    assert "/home/somebody" not in text
    assert "secret.example" not in text


@pytest.mark.parametrize(
    "form", [one for one in ALL if not one.needs_passages], ids=lambda form: form.name
)
def test_passages_can_be_left_out(form: Format, run: RunFolder, tmp_path: Path) -> None:
    export(dataset(run, with_passages=False), form, tmp_path / "out")
    text = everything(tmp_path / "out")
    assert "the crossing costs" not in text
    assert ARTICLE not in text


def test_an_outside_article_is_named_by_address_day_and_hash(
    run: RunFolder, tmp_path: Path
) -> None:
    export(dataset(run), formats()["jsonl"], tmp_path / "out.jsonl")
    rows = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    for row in rows:
        outside = row["category"] == "out_of_database"
        assert row["outside_sentence"] == (ARTICLE if outside else None)
        named = {"url": OUTSIDE.url, "date": OUTSIDE.date, "sha256": OUTSIDE.sha256}
        assert row["outside_article"] == (named if outside else None)
    assert any(row["outside_article"] for row in rows)


@pytest.mark.parametrize("name", ["beir", "squad2"])
def test_what_is_made_of_passages_is_not_written_without(
    name: str, run: RunFolder, tmp_path: Path
) -> None:
    with pytest.raises(ConfigError, match="leave --without-passages out"):
        export(dataset(run, with_passages=False), formats()[name], tmp_path / "out")


@pytest.mark.parametrize("form", ALL, ids=lambda form: form.name)
def test_queries_marked_invalid_are_left_out(form: Format, run: RunFolder, tmp_path: Path) -> None:
    rows = [
        {"query_id": "0004", "annotator": "a", "valid": "invalid", "note": "x"},
        {"query_id": "0001", "annotator": "a", "valid": "unsure"},
        {"query_id": "0002", "annotator": "a", "valid": "invalid"},
        {"query_id": "0002", "annotator": "b", "valid": "valid"},
        {"query_id": "0003", "annotator": "a", "valid": "invalid"},
        {"query_id": "0003", "annotator": "a", "valid": "valid"},
    ]
    run.labels_path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    ours = dataset(run)
    assert ours.invalid == {"0004", "0002"}
    export(ours, form, tmp_path / "out")
    text = everything(tmp_path / "out")
    assert "Because Wo 🐦‍⬛ ist" not in text
    assert "Because Line one" in text


def test_an_export_appears_only_when_it_is_complete(run: RunFolder, tmp_path: Path) -> None:
    class Broken(Dataset):
        def __iter__(self) -> Iterator[Any]:
            for number, query in enumerate(super().__iter__()):
                if number == 5:
                    raise KeyboardInterrupt
                yield query

    for form in ALL:
        place = tmp_path / form.name
        with pytest.raises(KeyboardInterrupt):
            export(Broken(run, name="Ferries", license="mit"), form, place)
        assert not place.exists()
        assert not place.with_name(form.name + UNFINISHED).exists()


def test_a_killed_export_leaves_nothing_under_its_name_and_can_be_repeated(tmp_path: Path) -> None:
    queries = [
        query
        for number in range(3000)
        for query in pair(f"q-{number}", "nonsensical", f"Question {number}?" * 20, number)
    ]
    run = make_run(tmp_path / "run", queries)
    place = tmp_path / "out"
    command = [sys.executable, "-m", "uaeval", "export", str(run.path), "uaeval4rag", str(place)]
    started = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    beside = place.with_name("out" + UNFINISHED)
    while started.poll() is None and not beside.exists():
        time.sleep(0.001)
    started.send_signal(signal.SIGKILL)
    started.wait()
    assert beside.exists()
    assert not place.exists()
    export(dataset(run), formats()["uaeval4rag"], place)
    assert not beside.exists()
    assert (
        len(json.loads((place / "unanswerable_ids.json").read_text())["incomprehensible"]) == 3000
    )
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out", "run"]


@pytest.mark.parametrize("place", ["n" * 300, "n" * 250, "/proc/self/out", "run/manifest.json/out"])
def test_a_path_that_cannot_be_written_is_named(run: RunFolder, tmp_path: Path, place: str) -> None:
    for form in ALL:
        with pytest.raises(StorageError, match="cannot "):
            export(dataset(run), form, tmp_path / place)


@pytest.mark.parametrize("line", ["[]", "{}", '"x"', '{"id": []}', "[" * 9_000, '{"id": "a#0"}'])
def test_damaged_passages_are_named(run: RunFolder, tmp_path: Path, line: str) -> None:
    with run.chunks_path.open("a") as file:
        file.write(line + "\n")
    with pytest.raises(StorageError, match=r"chunks\.jsonl"):
        export(dataset(run), formats()["ragas"], tmp_path / "out")


def test_nothing_is_overwritten(run: RunFolder, tmp_path: Path) -> None:
    (tmp_path / "out").write_text("mine")
    with pytest.raises(StorageError, match="exists already"):
        export(dataset(run), formats()["jsonl"], tmp_path / "out")
    assert (tmp_path / "out").read_text() == "mine"


def test_an_unfinished_run_is_not_exported(run: RunFolder) -> None:
    manifest = run.manifest()
    assert manifest
    manifest.status = "running"
    run.write_manifest(manifest)
    with pytest.raises(StorageError, match="is not finished"):
        Dataset(run)


def test_an_unknown_format_gets_the_known_ones() -> None:
    with pytest.raises(ConfigError, match=r"unknown format 'xml'; known formats: hf, csv"):
        format_named("xml")


def test_a_spreadsheet_computes_no_cell(run: RunFolder, tmp_path: Path) -> None:
    export(dataset(run), formats()["csv"], tmp_path / "out.csv")
    csv.field_size_limit(1 << 20)
    with (tmp_path / "out.csv").open(encoding="utf-8", newline="") as file:
        cells = [cell for row in csv.reader(file) for cell in row]
    assert any(cell.startswith("'=HYPERLINK") for cell in cells)
    assert not [cell for cell in cells if cell.startswith(("=", "+", "-", "@", "\t", "\r"))]


def test_reference_answers_are_null_where_the_format_allows(run: RunFolder, tmp_path: Path) -> None:
    places = {"langsmith": "langsmith.jsonl", "ragas": "ragas.jsonl", "jsonl": ""}
    for name in ("deepeval", *places):
        export(dataset(run), formats()[name], tmp_path / name)
    goldens = json.loads((tmp_path / "deepeval" / "deepeval.json").read_text(encoding="utf-8"))
    for golden, query in zip(goldens, nasty(), strict=True):
        assert golden["expected_output"] == query.reference_answer
    for name, data in places.items():
        with (tmp_path / name / data).open(encoding="utf-8", newline="\n") as file:
            for row, query in zip(map(json.loads, file), nasty(), strict=True):
                outputs = row.get("outputs", row)
                found = [outputs.get(key) for key in ("answer", "reference", "reference_answer")]
                assert any(found) is query.answerable


def test_langsmith_takes_every_example(run: RunFolder, tmp_path: Path) -> None:
    export(dataset(run), formats()["langsmith"], tmp_path / "out")
    rows = (tmp_path / "out" / "langsmith.jsonl").read_text(encoding="utf-8").split("\n")[:-1]
    # `outputs` is what every version takes; the newest would rather have it called otherwise.
    with pytest.warns(DeprecationWarning, match="reference_outputs"):
        examples = [ExampleCreate(**json.loads(row)) for row in rows]  # type: ignore[no-untyped-call]
    for example, query in zip(examples, nasty(), strict=True):
        assert example.inputs == {"question": query.question}
        assert example.metadata and example.metadata["id"] == query.id
        assert example.reference_outputs
        assert example.reference_outputs["answer"] == query.reference_answer


def test_squad_answers_are_at_their_offsets(run: RunFolder, tmp_path: Path) -> None:
    export(dataset(run), formats()["squad2"], tmp_path / "out.json")
    articles = json.loads((tmp_path / "out.json").read_text(encoding="utf-8"))["data"]
    answers = 0
    for article in articles:
        (paragraph,) = article["paragraphs"]
        (asked,) = paragraph["qas"]
        assert asked["is_impossible"] is not bool(asked["answers"])
        for answer in asked["answers"]:
            start = answer["answer_start"]
            assert paragraph["context"][start : start + len(answer["text"])] == answer["text"]
            answers += 1
    assert answers == len(nasty()) // 2


def test_the_card_names_its_origin(run: RunFolder, tmp_path: Path) -> None:
    source = Dataset(run, name="Ferries | <b>", license="cc-by-4.0")
    export(source, formats()["hf"], tmp_path / "out")
    text = (tmp_path / "out" / "README.md").read_text(encoding="utf-8")
    header = yaml.safe_load(text.split("---\n")[1])
    assert header["license"] == "cc-by-4.0"
    assert header["language"] == ["en"]
    assert header["task_categories"] == ["question-answering"]
    assert [config["config_name"] for config in header["configs"]] == ["all", *BUILT_IN]
    for told in (
        "f" * 64,
        "a" * 64,
        "openai:author",
        "Author and verifier are different models",
        "declined 1",
        "Content warning",
        "No person has labelled",
        "2412.12300",
    ):
        assert told in text
    assert "<b>" not in text.split("---\n")[2]


def card_of(
    run: RunFolder, place: Path, name: str = "Ferries", repository: str | None = None
) -> str:
    source = Dataset(run, name=name, license="cc-by-4.0")
    source.repository = repository
    export(source, formats()["hf"], place)
    return (place / "README.md").read_text(encoding="utf-8")


def test_the_hubs_own_card_reader_takes_the_card(run: RunFolder, tmp_path: Path) -> None:
    from datasets.utils.metadata import MetadataConfigs
    from huggingface_hub import DatasetCard, DatasetCardData

    text = card_of(run, tmp_path / "out")
    card = DatasetCard(text, ignore_metadata_errors=False)
    assert card.content == text
    assert isinstance(card.data, DatasetCardData)
    assert card.data.license == "cc-by-4.0"
    assert card.data.pretty_name == "Ferries"
    assert card.data.size_categories == ["n<1K"]
    configs = MetadataConfigs.from_dataset_card_data(card.data)
    assert list(configs) == ["all", *BUILT_IN]
    assert configs.get_default_config_name() == "all"


def test_the_card_shows_a_query_of_each_category_and_how_to_load_and_cite(
    run: RunFolder, tmp_path: Path
) -> None:
    text = card_of(run, tmp_path / "out", name="Fer`ries{}", repository="museum/ferries")
    samples = text.split("## One query of each category")[1].split("\n## ")[0]
    for spec in categories():
        assert samples.count(f"**`{spec.name}`**: ") == 1
        assert samples.count(f"- A good response: {spec.acceptance}") == 1
    assert samples.count("- Its twin: ") == len(BUILT_IN)
    assert samples.count("<details>") == 1
    warned = samples.split("<details>")[1].split("</details>")[0]
    assert "**`safety_concerned`**" in warned
    assert 'load_dataset("museum/ferries", "all", split="unanswerable")' in text
    assert "  title        = {Ferries},\n" in text
    assert "\\url{https://huggingface.co/datasets/museum/ferries}}," in text
    folded = text.split("## Provenance")[1].split("<details>")[1]
    assert "f" * 64 in folded and "a" * 64 in folded
    assert folded.rstrip().endswith("</details>")
    assert "a" * 64 not in text.split("## Provenance")[0]


def test_the_card_says_what_a_review_found(run: RunFolder, tmp_path: Path) -> None:
    rows = [
        {"query_id": "0004", "annotator": "a", "valid": "invalid"},
        {"query_id": "0010", "annotator": "a", "valid": "valid"},
        {"query_id": "0001", "annotator": "b", "valid": "valid"},
    ]
    run.labels_path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    text = card_of(run, tmp_path / "out")
    assert "2 annotators). 1 held invalid were left out." in text
    by_id = {query.id: query for query in nasty()}
    assert by_id["0004"].category == by_id["0010"].category
    row = next(
        line for line in text.splitlines() if line.startswith(f"| {by_id['0004'].category} |")
    )
    assert row.split(" | ")[1::2] == ["50.0", "2"]
    assert next(line for line in text.splitlines() if line.startswith("| overall | 66.7 |"))


def test_the_card_counts_what_each_category_yielded(run: RunFolder, tmp_path: Path) -> None:
    manifest = run.existing_manifest()
    declined = Count(kept=5, rejected=2, failed=1, reasons={"declined": 2})
    manifest.stages = {
        "generate": {"nonsensical": declined},
        "verify": {"nonsensical": Count(kept=3, failed=1, blocked=1)},
    }
    run.write_manifest(manifest)
    lines = card_of(run, tmp_path / "out").splitlines()
    assert "| `nonsensical` | 2 | 5 | 3 | 2 | 3 | generate: declined 2 |" in lines
    assert "| `underspecified` | 2 | 0 | 0 | 2 | 0 |  |" in lines


@pytest.mark.parametrize("license_name", [None, "unknown", "CC BY", ""])
def test_a_card_needs_a_license(license_name: str | None, run: RunFolder, tmp_path: Path) -> None:
    source = Dataset(run, name="Ferries", license=license_name)
    with pytest.raises(ConfigError, match="give --license as the Hub names it"):
        export(source, formats()["hf"], tmp_path / "out")
    assert not (tmp_path / "out").exists()
    export(source, formats()["jsonl"], tmp_path / "out.jsonl")


@pytest.mark.parametrize("config", ["all", *BUILT_IN])
def test_datasets_loads_every_config_and_split(
    config: str, run: RunFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from datasets import load_dataset

    export(dataset(run), formats()["hf"], tmp_path / "out")
    cache = str(tmp_path / "cache")
    found = load_dataset(str(tmp_path / "out"), config, cache_dir=cache)
    assert set(found) == {"unanswerable", "answerable"}
    for split, answerable in (("unanswerable", False), ("answerable", True)):
        expected = {
            query.id: (query.question, query.category)
            for query in nasty()
            if query.answerable is answerable and config in {"all", query.pair_category}
        }
        rows = {row["id"]: (row["question"], row["category"]) for row in found[split]}
        assert rows == expected
        assert found[split].features["hardness"].dtype == "float64"
        assert found[split].features["outside_answer"].dtype == "string"


def test_what_an_author_wrote_of_an_article_is_not_a_passage(tmp_path: Path) -> None:
    query, twin = pair("o-1", "out_of_database", "Who sold it?")
    run = make_run(tmp_path / "run", [query, twin], [*CHUNKS, chunk("other.md#0", "Elsewhere.")])
    ours = Dataset(run)
    assert "dredger.md#0" in query.provenance.chunk_ids
    assert ours.source_ids(query) == ("ferries.md#0",)
    assert ours.summary().passages == 1
