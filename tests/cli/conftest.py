import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from uaeval.cli.main import main
from uaeval.resources import shipped

DOCUMENTS = shipped("knowledge_bases") / "sample"


@dataclass(frozen=True)
class Done:
    """How a command ended."""

    code: int
    out: str
    err: str


Uaeval = Callable[..., Done]


@pytest.fixture
def uaeval(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Uaeval:
    def run(*arguments: str | Path) -> Done:
        monkeypatch.setattr(sys, "argv", ["uaeval", *map(str, arguments)])
        with pytest.raises(SystemExit) as ended:
            main()
        told = capsys.readouterr()
        code = ended.value.code
        assert isinstance(code, int)
        return Done(code, " ".join(told.out.split()), " ".join(told.err.split()))

    return run
