"""Datasets whose files were lost or changed after the run are never used silently."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.cli.conftest import DOCUMENTS, Uaeval
from tests.cli.finished_run import write_finished_run

from uaeval.run_folder import Manifest, RunFolder

CATEGORIES = ["--categories", "false_presupposition,safety_concerned"]


@pytest.fixture(scope="module")
def documents(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("documents")
    for path in sorted(DOCUMENTS.glob("*.md"))[::3]:
        shutil.copy(path, folder)
    return folder


@pytest.fixture
def finished(tmp_path: Path, uaeval: Uaeval, documents: Path) -> tuple[Path, list[str | Path]]:
    """Synthesize a small dataset; return its folder and the command."""
    run = tmp_path / "run"
    command: list[str | Path] = ["synthesize", documents, "-o", run, "--size", "4", *CATEGORIES]
    assert uaeval(*command).code == 0
    return run, command


@pytest.fixture
def written(tmp_path: Path) -> Path:
    """Write a run of three pairs whose manifest knows its files."""
    run = tmp_path / "run"
    write_finished_run(run)
    note_files(run)
    return run


def manifest_of(run: Path) -> Manifest:
    manifest = RunFolder(run).manifest()
    assert manifest
    return manifest


def note_files(run: Path) -> None:
    manifest = manifest_of(run)
    manifest.files = RunFolder(run).finished_files()
    RunFolder(run).write_manifest(manifest)


def lose(path: Path) -> None:
    path.unlink()


def shorten(path: Path) -> None:
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:-2]))


def alter(path: Path) -> None:
    path.write_bytes(path.read_bytes().replace(b"the", b"The", 1))


DAMAGES: list[Callable[[Path], None]] = [lose, shorten, alter]


def test_the_manifest_counts_and_hashes_finished_files(
    finished: tuple[Path, list[str | Path]],
) -> None:
    run, _ = finished
    files = manifest_of(run).files
    assert set(files) == {"queries.jsonl", "chunks.jsonl"}
    assert files["queries.jsonl"].records == 8
    assert files == RunFolder(run).finished_files()


@pytest.mark.parametrize("name", ["queries.jsonl", "chunks.jsonl"])
@pytest.mark.parametrize("damage", DAMAGES)
def test_synthesize_rebuilds_what_was_lost_with_the_same_bytes(
    finished: tuple[Path, list[str | Path]],
    uaeval: Uaeval,
    name: str,
    damage: Callable[[Path], None],
) -> None:
    run, command = finished
    path, before = run / name, manifest_of(run)
    whole = path.read_bytes()
    damage(path)
    assert uaeval("evaluate", run).code == 2
    done = uaeval(*command)
    assert done.code == 0, done.err
    assert f"{path} {'is missing' if damage is lose else 'was changed'}" in done.err
    assert "rebuilding from the stored answers" in done.err
    assert path.read_bytes() == whole
    assert manifest_of(run) == before


def test_a_dataset_without_stored_answers_is_not_rebuilt(
    finished: tuple[Path, list[str | Path]], uaeval: Uaeval
) -> None:
    run, command = finished
    (run / "queries.jsonl").unlink()
    (run / "responses.sqlite").unlink()
    done = uaeval(*command)
    assert done.code == 2
    assert "queries.jsonl is missing; 8 records were written" in done.err
    assert "responses.sqlite is missing as well" in done.err
    assert not (run / "queries.jsonl").exists()
    assert uaeval(*command, "--refresh").code == 0
    assert uaeval(*command).code == 0


def test_a_rebuilt_dataset_that_differs_is_refused_until_a_refresh(
    finished: tuple[Path, list[str | Path]], uaeval: Uaeval
) -> None:
    run, command = finished
    manifest = manifest_of(run)
    print_ = manifest.files["queries.jsonl"].model_copy(update={"sha256": "0" * 64})
    manifest.files = {**manifest.files, "queries.jsonl": print_}
    RunFolder(run).write_manifest(manifest)
    for _ in range(2):
        done = uaeval(*command)
        assert done.code == 2
        assert "the stored answers now give another dataset" in done.err
    assert uaeval("evaluate", run).code == 2
    assert uaeval(*command, "--refresh").code == 0
    assert uaeval("evaluate", run).code == 0


OPENING = [
    ["evaluate", "{run}"],
    ["export", "{run}", "jsonl", "{run}/../out.jsonl"],
    ["grade", "{run}", "--models", "offline"],
    ["sweep", "{run}/../grid.yaml"],
    ["show", "{run}"],
    ["review", "{run}", "--results"],
    ["report", "{run}", "--html", "{run}/../page.html"],
    ["compare", "{run}/evaluations/rag", "{run}/evaluations/rag"],
    ["sample", "{run}/evaluations/rag", "-o", "{run}/../sample.csv"],
]


def test_every_command_refuses_a_dataset_that_was_shortened(written: Path, uaeval: Uaeval) -> None:
    (written.parent / "grid.yaml").write_text(f"dataset: {written}\ngrid:\n  k: [3, 5]\n")
    assert uaeval("evaluate", written).code == 0
    path = written / "queries.jsonl"
    whole = path.read_bytes()
    for damage, told in (
        (shorten, f"{path} was changed: it holds 4 records; 6 records were written"),
        (lose, f"{path} is missing; 6 records were written"),
    ):
        damage(path)
        for command in OPENING:
            done = uaeval(*(part.format(run=written) for part in command))
            assert done.code == 2, done.out + done.err
            assert told in done.err, command
            assert "run the synthesize command of" in done.err, command
        path.write_bytes(whole)


def test_a_folder_whose_manifest_knows_no_files_still_opens(tmp_path: Path, uaeval: Uaeval) -> None:
    run = tmp_path / "run"
    write_finished_run(run)
    shorten(run / "queries.jsonl")
    assert uaeval("evaluate", run).code == 0
    assert uaeval("show", run).code == 0
