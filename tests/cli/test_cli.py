"""The command line as scripts see it: exit codes, one clear sentence, files."""

import subprocess
import sys
from pathlib import Path

import pytest

from uaeval.resources import shipped

SAMPLE = shipped("knowledge_bases") / "sample"
DOCUMENTS = SAMPLE / "documents"


def uaeval(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "uaeval", *map(str, arguments)],
        capture_output=True,
        text=True,
        check=False,
    )


def _refused(*arguments: str | Path) -> str:
    done = uaeval(*arguments)
    assert done.returncode == 2, done.stderr
    assert "Traceback" not in done.stderr
    return " ".join(done.stderr.split())


def test_the_version_is_told() -> None:
    assert uaeval("--version").stdout.startswith("uaeval 0.")


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--categories", "underspecifed"], "categories.0: input should be 'underspecified'"),
        (["--model", "nonesuch"], "'nonesuch' names no model"),
        (["--size", "0"], "size: input should be greater than or equal to 1"),
        (["--mode", "later"], "mode: input should be 'live' or 'batch'"),
        (["--embedding", "magic"], "embedding 'magic': write hashed-words-1024"),
        (["--config", "missing.yaml"], "there is no settings file missing.yaml"),
        (["--news", "nowhere"], "nowhere: there is no such file or folder"),
    ],
)
def test_a_wrong_setting_gets_one_sentence(
    tmp_path: Path, options: list[str], sentence: str
) -> None:
    assert sentence in _refused("synthesize", DOCUMENTS, "-o", tmp_path / "run", *options)


def test_a_knowledge_base_that_is_not_there_is_named(tmp_path: Path) -> None:
    message = _refused("synthesize", tmp_path / "none", "-o", tmp_path / "run")
    assert "none: there is no such file or folder" in message


def test_a_folder_of_binaries_is_refused(tmp_path: Path) -> None:
    (tmp_path / "kb").mkdir()
    (tmp_path / "kb" / "a.bin").write_bytes(bytes(range(256)) * 20)
    assert "nothing usable" in _refused("synthesize", tmp_path / "kb", "-o", tmp_path / "run")


def test_an_output_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    message = _refused("synthesize", DOCUMENTS, "-o", tmp_path / "file" / "run")
    assert "cannot make the folder" in message


def test_a_folder_that_is_no_run_is_refused(tmp_path: Path) -> None:
    assert "is not the folder of a run" in _refused("evaluate", tmp_path)
    assert "is not the folder of a run" in _refused("show", tmp_path)
    assert "is not the folder of a run" in _refused("batch", "export", tmp_path, tmp_path / "f")


def test_weights_that_are_no_shares_are_refused(tmp_path: Path) -> None:
    assert "sum to 1" in _refused("evaluate", tmp_path, "--weights", "0.7,0.4")
    assert "two numbers" in _refused("evaluate", tmp_path, "--weights", "many,few")
