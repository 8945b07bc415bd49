"""Example packages, installed as pip would leave them."""

import shutil
import sys
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.cli.conftest import uaeval

from uaeval.plugins import plugins
from uaeval.resources import CHECKOUT

__all__ = ["uaeval"]
EXAMPLES = CHECKOUT / "examples" / "plugins"
Install = Callable[[str], None]


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Install]:
    """Return a function that installs the example of this name for one test."""
    place = tmp_path / "site-packages"
    place.mkdir()
    monkeypatch.syspath_prepend(str(place))
    packages: list[str] = []

    def put(name: str) -> None:
        settings = tomllib.loads((EXAMPLES / name / "pyproject.toml").read_text(encoding="utf-8"))
        project = settings["project"]
        for package in settings["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]:
            shutil.copytree(EXAMPLES / name / package, place / package)
            packages.append(package)
        meta = place / f"{project['name'].replace('-', '_')}-{project['version']}.dist-info"
        meta.mkdir()
        head = f"Name: {project['name']}\nVersion: {project['version']}"
        (meta / "METADATA").write_text(f"Metadata-Version: 2.1\n{head}\n")
        (meta / "entry_points.txt").write_text(_entry_points(project["entry-points"]))
        plugins.cache_clear()

    plugins.cache_clear()
    yield put
    plugins.cache_clear()
    for name in [name for name in sys.modules if name.partition(".")[0] in packages]:
        del sys.modules[name]


def _entry_points(groups: dict[str, dict[str, str]]) -> str:
    return "".join(
        f"[{group}]\n" + "".join(f"{name} = {value}\n" for name, value in entries.items())
        for group, entries in groups.items()
    )
