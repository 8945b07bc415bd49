"""Folders that another version wrote: they are read, or an error names the version."""

import json
from pathlib import Path

import pytest
from tests.cli.conftest import Uaeval
from tests.cli.finished_run import write_finished_run

from uaeval.run_folder import RunFolder


@pytest.mark.parametrize("command", ["evaluate", "show"])
def test_a_run_of_another_version_is_refused(tmp_path: Path, uaeval: Uaeval, command: str) -> None:
    folder = tmp_path / "earlier"
    write_finished_run(folder)
    path = folder / "manifest.json"
    manifest = json.loads(path.read_text(encoding="utf-8"))
    manifest["versions"]["uaeval"] = "0.1.0"
    manifest["rounds"] = 3
    path.write_text(json.dumps(manifest), encoding="utf-8")
    refused = uaeval(command, folder)
    assert refused.code == 2
    assert "is no manifest of this version of uaeval (1 problems, written by 0.1.0)" in refused.err


def test_the_earlier_name_of_the_selected_queries_is_read(tmp_path: Path, uaeval: Uaeval) -> None:
    write_finished_run(tmp_path)
    path = tmp_path / "manifest.json"
    manifest = json.loads(path.read_text())
    counts = manifest.pop("selected")
    path.write_text(json.dumps({**manifest, "chosen": counts}), encoding="utf-8")
    assert RunFolder(tmp_path).existing_manifest().selected == counts
    assert uaeval("show", tmp_path).code == 0
