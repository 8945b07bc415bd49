"""Folders that another version wrote: every command ends in an error that names the version."""

import json
from pathlib import Path

import pytest
from tests.cli.conftest import Uaeval
from tests.cli.finished_run import write_finished_run


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
