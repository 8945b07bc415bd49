"""Whole runs from datasets by name: the knowledge base, and the articles beside it."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.servers.hub import Hub

from uaeval.knowledge.documents import load
from uaeval.resources import shipped

MUSEUMS, REGION = "ostermere/museums", "ostermere/region"


@pytest.fixture
def hub() -> Iterator[Hub]:
    with Hub() as server:
        for name, shape in ((MUSEUMS, "sample"), (REGION, "sample_news")):
            documents = load(shipped("knowledge_bases") / shape).documents
            rows = ({"id": one.id, "title": one.title, "text": one.text} for one in documents)
            server.repositories[name] = False
            server.files[name]["train.jsonl"] = b"".join(
                json.dumps(row).encode() + b"\n" for row in rows
            )
        yield server


def synthesize(
    hub: Hub | str, place: Path, source: str, *options: str
) -> subprocess.CompletedProcess[str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("HF_")}
    settings = {
        "HF_ENDPOINT": hub if isinstance(hub, str) else hub.url,
        "HF_HOME": str(place / "hf"),
        "PYTHONPATH": os.pathsep.join(sys.path),
    }
    wanted = ["--categories", "nonsensical,out_of_database", "--size", "6", *options]
    return subprocess.run(
        [sys.executable, "-m", "uaeval", "synthesize", source, "-o", "run", *wanted],
        capture_output=True, text=True, check=False, env={**kept, **settings}, cwd=place,
    )  # fmt: skip


@pytest.mark.slow
def test_knowledge_base_and_articles_are_loaded_by_name(hub: Hub, tmp_path: Path) -> None:
    done = synthesize(hub, tmp_path, f"hf:{MUSEUMS}", "--news", f"hf:{REGION}:train")

    assert done.returncode == 0, done.stderr
    manifest = json.loads((tmp_path / "run" / "manifest.json").read_text())
    facts = manifest["knowledge_base"]
    assert facts["source"] == f"hf:{MUSEUMS}"
    assert (facts["documents"], facts["articles"], facts["held_out"]) == (40, 26, 0)
    assert manifest["selected"] == {"nonsensical": 3, "out_of_database": 3}
    articles = (tmp_path / "run" / "articles.jsonl").read_text().splitlines()
    assert {json.loads(line)["source"] for line in articles} == {f"hf:{REGION}:train"}

    before = len(hub.requests)
    again = synthesize(hub, tmp_path, f"hf:{MUSEUMS}", "--news", f"hf:{REGION}:train")
    assert again.returncode == 0, again.stderr
    asked = [one for one in hub.requests[before:] if f"/{MUSEUMS}" in one or f"/{REGION}" in one]
    assert sorted(asked) == [f"GET /api/datasets/{MUSEUMS}", f"GET /api/datasets/{REGION}"]

    hub.commits += 1
    changed = synthesize(hub, tmp_path, f"hf:{MUSEUMS}", "--news", f"hf:{REGION}:train")
    assert changed.returncode == 2
    assert "the knowledge base's files have changed" in changed.stderr


@pytest.mark.slow
def test_what_is_wrong_with_a_dataset_is_told_once_and_ends_with_2(
    hub: Hub, tmp_path: Path
) -> None:
    sample = str(shipped("knowledge_bases") / "sample")
    config = tmp_path / "run.yaml"
    config.write_text("text_field: article\n")
    asked = {
        "there is none": (f"hf:{MUSEUMS}-of-old",),
        "there is none of articles": (sample, "--news", f"hf:{REGION}-of-old"),
        "no such field": (f"hf:{MUSEUMS}", "--config", str(config)),
        "no such field of articles": (sample, "--news", f"hf:{REGION}", "--config", str(config)),
    }
    for name, arguments in asked.items():
        done = synthesize(hub, tmp_path, *arguments)
        assert done.returncode == 2, name
        said = " ".join(done.stderr.split())
        assert said.count("error: ") == 1, said
        reason = "there is no field 'article'" if "field" in name else "has no such dataset"
        assert reason in said
        assert "Traceback" not in said
    assert not (tmp_path / "run" / "queries.jsonl").exists()


@pytest.mark.slow
@pytest.mark.parametrize("part", ["knowledge base", "news"])
def test_without_a_network_there_is_one_sentence(tmp_path: Path, part: str) -> None:
    sample = str(shipped("knowledge_bases") / "sample")
    arguments = (
        [f"hf:{MUSEUMS}"] if part == "knowledge base" else [sample, "--news", f"hf:{REGION}"]
    )
    done = synthesize("http://127.0.0.1:9", tmp_path, *arguments)
    assert done.returncode == 2
    assert "the Hub cannot be reached (" in " ".join(done.stderr.split())
    assert "Traceback" not in done.stderr
