"""The real client of the Hub, over HTTP, against a server of ours that speaks its API."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from datasets import load_dataset
from tests.evaluation.folders import write_evaluation
from tests.evaluation.records import both, response
from tests.formats.runs import make_run, nasty
from tests.servers.hub import TOKEN, Hub

from uaeval.evaluation.evaluation import SCORES, read_evaluation, write_scores
from uaeval.evaluation.metrics.scores import item_scores
from uaeval.run_folder import RunFolder

NAME = "museum/ferries"


@pytest.fixture
def run(tmp_path: Path) -> RunFolder:
    return make_run(tmp_path / "run", nasty())


@pytest.fixture
def hub() -> Iterator[Hub]:
    with Hub() as server:
        yield server


def push(
    hub: Hub | str,
    run: RunFolder,
    *options: str,
    token: str | None = TOKEN,
    license_of: tuple[str, ...] = ("--license", "cc-by-4.0"),
) -> subprocess.CompletedProcess[str]:
    home = str(run.path.parent / "hf")
    kept = {name: value for name, value in os.environ.items() if not name.startswith("HF_")}
    settings = {
        "HF_ENDPOINT": hub if isinstance(hub, str) else hub.url,
        "HF_HOME": home,
        "HF_HUB_DISABLE_XET": "1",
        **({"HF_TOKEN": token} if token else {}),
    }
    return subprocess.run(
        [sys.executable, "-m", "uaeval", "push", str(run.path), NAME, *license_of, *options],
        capture_output=True,
        text=True,
        check=False,
        env={**kept, **settings},
    )


def pulled(hub: Hub, folder: Path) -> Path:
    """Write the files of the repository, and return their folder."""
    for path, content in hub.files[NAME].items():
        place = folder / "pulled" / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content)
    return folder / "pulled"


def test_a_push_is_private_says_what_it_publishes_and_loads(
    hub: Hub, run: RunFolder, tmp_path: Path
) -> None:
    done = push(hub, run)
    assert done.returncode == 0, done.stderr
    assert hub.repositories == {NAME: True}
    assert "Publishing 24 queries to museum/ferries, private" in done.stdout
    assert "characters of the knowledge base, in 8 passages" in done.stdout
    assert hub.commits == 1
    found = load_dataset(str(pulled(hub, tmp_path)), "all", cache_dir=str(tmp_path / "cache"))
    ids = {row["id"] for split in found.values() for row in split}
    assert ids == {query.id for query in nasty()}
    assert "POST /api/validate-yaml" in hub.requests
    card = hub.files[NAME]["README.md"]
    assert b"license: cc-by-4.0" in card
    assert b"config_name: leaderboard" not in card
    assert b'load_dataset("museum/ferries", "all", split="unanswerable")' in card
    assert b"https://huggingface.co/datasets/museum/ferries}}" in card
    assert TOKEN not in done.stdout + done.stderr


@pytest.mark.slow
def test_evaluations_are_collected_in_a_config(hub: Hub, run: RunFolder, tmp_path: Path) -> None:
    for name, verdict in (("first", "refused"), ("second", "answered")):
        evaluate(run, name, verdict)
    evaluate(run, "third", "refused", nonsensical="answered")
    assert push(hub, run, "--evaluation", "first").returncode == 0
    assert push(hub, run, "--evaluation", "second", "--evaluation", "third").returncode == 0
    assert push(hub, run).returncode == 0, "what is there stays"
    board = load_dataset(str(pulled(hub, tmp_path)), "leaderboard", cache_dir=str(tmp_path / "c"))
    rows = {row["evaluation"]: row for row in board["evaluations"]}
    assert list(rows) == ["first", "second", "third"]
    assert rows["first"]["judge"] == "judge-model"
    assert rows["first"]["acceptable_ratio"] == 1.0
    assert rows["second"]["acceptable_ratio"] == 0.0
    assert rows["third"]["acceptable_ratio"] == pytest.approx(5 / 6), "of all categories"
    low, high = rows["second"]["correctness_low"], rows["second"]["correctness_high"]
    assert low <= rows["second"]["correctness"] <= high
    assert b"config_name: leaderboard" in hub.files[NAME]["README.md"]


def evaluate(run: RunFolder, name: str, verdict: str, nonsensical: str | None = None) -> None:
    """Write an evaluation of a system that treats all queries of a category alike."""
    queries = nasty()
    verdicts = {query.id: verdict for query in queries} | {
        query.id: nonsensical or verdict for query in queries if query.category == "nonsensical"
    }
    judgements = [
        judgement
        for query in queries
        for judgement in both(
            query,
            verdicts[query.id],
            "yes" if query.answerable is (verdicts[query.id] == "answered") else "no",
        )
    ]
    folder = write_evaluation(run.path, name, queries, list(map(response, queries)), judgements)
    write_scores(folder / SCORES, item_scores(read_evaluation(folder).items, weights=(0.7, 0.3)))


def test_an_evaluation_that_is_not_there_is_named_before_anything_is_sent(
    hub: Hub, run: RunFolder
) -> None:
    done = push(hub, run, "--evaluation", "none")
    assert done.returncode == 2
    assert "evaluations/none is not the folder of an evaluation" in done.stderr
    assert hub.repositories == {}


@pytest.mark.parametrize("license_of", [(), ("--license", "unknown")])
def test_a_missing_license_is_reported_before_anything_is_sent(
    license_of: tuple[str, ...], hub: Hub, run: RunFolder
) -> None:
    done = push(hub, run, license_of=license_of)
    assert done.returncode == 2
    assert "give --license as the Hub names it" in done.stderr
    assert hub.repositories == {}


def test_passages_are_not_published_if_asked(hub: Hub, run: RunFolder) -> None:
    done = push(hub, run, "--without-passages", "--public")
    assert done.returncode == 0, done.stderr
    assert hub.repositories == {NAME: False}
    assert "ids and hashes of 8 passages, but not their text" in done.stdout
    assert not [
        path for path, content in hub.files[NAME].items() if b"the crossing costs" in content
    ]


def test_a_broken_upload_can_be_repeated(hub: Hub, run: RunFolder) -> None:
    hub.broken_uploads = 3
    broken = push(hub, run)
    assert broken.returncode == 4
    assert f"the upload to {NAME} broke off" in broken.stderr
    assert "Traceback" not in broken.stderr
    assert hub.commits == 0
    arrived = hub.uploads
    assert push(hub, run).returncode == 0
    assert hub.commits == 1
    assert arrived < hub.uploads == 12


def test_what_is_no_part_any_more_goes(hub: Hub, run: RunFolder) -> None:
    assert push(hub, run).returncode == 0
    assert "data/nonsensical/answerable.parquet" in hub.files[NAME]
    make_run(run.path, [one for one in nasty() if one.pair_category != "nonsensical"])
    assert push(hub, run).returncode == 0
    assert "data/nonsensical/answerable.parquet" not in hub.files[NAME]
    assert "data/underspecified/answerable.parquet" in hub.files[NAME]


def test_a_public_repository_is_not_written_to_unasked(hub: Hub, run: RunFolder) -> None:
    hub.repositories[NAME] = False
    done = push(hub, run)
    assert done.returncode == 2
    assert "is public on the Hub; add --public" in done.stderr
    assert hub.files[NAME] == {}


@pytest.mark.parametrize("token", [None, "hf_other"])
def test_a_missing_write_permission_gives_one_sentence(
    token: str | None, hub: Hub, run: RunFolder
) -> None:
    done = push(hub, run, token=token)
    assert done.returncode == 2
    assert "HF_TOKEN" in done.stderr
    assert "Traceback" not in done.stderr
    assert "hf_other" not in done.stderr


def test_an_unreachable_hub_is_reported(run: RunFolder) -> None:
    done = push("http://127.0.0.1:9", run)
    assert done.returncode == 4
    assert "broke off" in done.stderr
    assert "Traceback" not in done.stderr
