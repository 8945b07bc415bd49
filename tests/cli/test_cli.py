"""The command line as scripts see it: exit codes, one clear sentence, files."""

from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

import pytest
import typer
from tests.cli.conftest import DOCUMENTS, Uaeval

from uaeval.cli.main import InterruptibleGroup

Refused: TypeAlias = Callable[..., str]


@pytest.fixture
def refused(uaeval: Uaeval) -> Callable[..., str]:
    def run(*arguments: str | Path) -> str:
        done = uaeval(*arguments)
        assert done.code == 2, done.err
        return done.err

    return run


def test_the_version_is_printed(uaeval: Uaeval) -> None:
    assert uaeval("--version").out.startswith("uaeval 0.")


def test_without_a_command_the_commands_are_listed(uaeval: Uaeval) -> None:
    done = uaeval()
    assert "synthesize" in done.err and "evaluate" in done.err
    assert "Missing command" not in done.err


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (
            ["--categories", "underspecifed"],
            "categories.0: unknown category 'underspecifed'; ",
        ),
        (["--model", "nonesuch"], "'nonesuch' is not a model"),
        (["--size", "0"], "size: input should be greater than or equal to 1"),
        (["--mode", "later"], "mode: input should be 'live' or 'batch'"),
        (["--embedding", "magic"], "embedding 'magic': write hashed-words-1024"),
        (["--config", "missing.yaml"], "no such settings file: missing.yaml"),
        (["--news", "nowhere"], "nowhere: there is no such file or folder"),
    ],
)
def test_a_wrong_setting_gets_one_sentence(
    tmp_path: Path, refused: Refused, options: list[str], sentence: str
) -> None:
    assert sentence in refused("synthesize", DOCUMENTS, "-o", tmp_path / "run", *options)


def test_a_knowledge_base_that_is_not_there_is_named(tmp_path: Path, refused: Refused) -> None:
    message = refused("synthesize", tmp_path / "none", "-o", tmp_path / "run")
    assert "none: there is no such file or folder" in message


def test_a_folder_of_binaries_is_refused(tmp_path: Path, refused: Refused) -> None:
    (tmp_path / "kb").mkdir()
    (tmp_path / "kb" / "a.bin").write_bytes(bytes(range(256)) * 20)
    assert "nothing usable" in refused("synthesize", tmp_path / "kb", "-o", tmp_path / "run")


def test_an_output_that_cannot_be_made_is_named(tmp_path: Path, refused: Refused) -> None:
    (tmp_path / "file").write_text("")
    message = refused("synthesize", DOCUMENTS, "-o", tmp_path / "file" / "run")
    assert "cannot make the folder" in message


def test_a_folder_that_is_not_a_run_is_refused(tmp_path: Path, refused: Refused) -> None:
    assert "is not the folder of a run" in refused("evaluate", tmp_path)
    assert "is not the folder of a run" in refused("show", tmp_path)
    assert "is not the folder of a run" in refused("batch", "export", tmp_path, tmp_path / "f")


def test_weights_that_do_not_sum_to_one_are_refused(tmp_path: Path, refused: Refused) -> None:
    assert "sum to 1" in refused("evaluate", tmp_path, "--weights", "0.7,0.4")
    assert "two numbers" in refused("evaluate", tmp_path, "--weights", "many,few")


def test_ctrl_c_ends_a_command_with_130(capsys: pytest.CaptureFixture[str]) -> None:
    app = typer.Typer(cls=InterruptibleGroup)
    app.callback()(lambda: None)

    @app.command()
    def wait() -> None:
        raise KeyboardInterrupt

    with pytest.raises(SystemExit) as ended:
        app(["wait"])
    assert ended.value.code == 130
    assert "run the same command to resume" in capsys.readouterr().err
