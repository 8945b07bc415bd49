"""Folders that the engine before `offline` wrote: they open, and are not resumed."""

import json
import shutil
from pathlib import Path

import pytest
from tests.cli.conftest import Uaeval
from tests.cli.finished_run import write_finished_run

from uaeval.resources import shipped

DOCUMENTS = shipped("knowledge_bases") / "sample"


@pytest.fixture
def earlier(tmp_path: Path) -> Path:
    folder = tmp_path / "earlier"
    write_finished_run(folder)
    _made_by_rules(folder / "manifest.json", {"generator": "rules-1", "verifier": "rules-1"})
    return folder


def _made_by_rules(path: Path, models: dict[str, str]) -> None:
    manifest = json.loads(path.read_text(encoding="utf-8"))
    manifest["models"] = models
    manifest["settings"]["model"] = "rules"
    path.write_text(json.dumps(manifest).replace("by_offline", "by_rules"), encoding="utf-8")


def test_they_are_evaluated_reported_and_exported(earlier: Path, uaeval: Uaeval) -> None:
    assert uaeval("evaluate", earlier).code == 0
    evaluation = earlier / "evaluations" / "rag"
    _made_by_rules(evaluation / "manifest.json", {"system": "rules-1", "judge": "rules-1"})
    done = uaeval("report", earlier, "--html", earlier.with_name("site"))
    assert done.code == 0, done.err
    done = uaeval("export", earlier, "hf", earlier.with_name("out"), "--license", "mit")
    assert done.code == 0, done.err
    card = (earlier.with_name("out") / "README.md").read_text(encoding="utf-8")
    assert "**offline engine**" in card
    assert uaeval("show", earlier).code == 0


def test_an_evaluation_of_theirs_is_not_resumed(earlier: Path, uaeval: Uaeval) -> None:
    assert uaeval("evaluate", earlier).code == 0
    evaluation = earlier / "evaluations" / "rag"
    _made_by_rules(evaluation / "manifest.json", {"system": "rules-1", "judge": "rules-1"})
    refused = uaeval("evaluate", earlier)
    assert refused.code == 2
    assert "model was 'rules', the engine of an earlier version, is 'offline'" in refused.err


def test_a_synthesis_of_theirs_is_not_resumed(tmp_path: Path, uaeval: Uaeval) -> None:
    documents = tmp_path / "documents"
    documents.mkdir()
    for path in sorted(DOCUMENTS.glob("*.md"))[:3]:
        shutil.copy(path, documents)
    command = ["synthesize", documents, "-o", tmp_path / "run", "--size", "1"]
    command += ["--categories", "nonsensical", "--model", "rules"]
    assert uaeval(*command).code in {0, 6}
    made_by = {"generator": "rules-1", "verifier": "rules-1"}
    _made_by_rules(tmp_path / "run" / "manifest.json", made_by)
    refused = uaeval(*command)
    assert refused.code == 2
    assert "model was 'rules', the engine of an earlier version, is 'offline'" in refused.err
