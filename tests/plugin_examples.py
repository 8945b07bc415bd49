"""Packages of `examples/plugins`, put on the path as an installer would."""

import shutil
import sys
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from uaeval import plugins

EXAMPLES = Path(__file__).parents[1] / "examples" / "plugins"


def forget() -> None:
    """Look for installed packages again at the next call."""
    plugins.installed.cache_clear()
    plugins.plugins.cache_clear()


@contextmanager
def installed(name: str, site: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Install the example `name` into the folder `site`."""
    source = EXAMPLES / name
    project = tomllib.loads((source / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    metadata = site / f"{project['name'].replace('-', '_')}-{project['version']}.dist-info"
    metadata.mkdir(parents=True)
    (metadata / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n"
    )
    entries = [
        f"[{group}]\n" + "".join(f"{key} = {value}\n" for key, value in objects.items())
        for group, objects in project["entry-points"].items()
    ]
    (metadata / "entry_points.txt").write_text("".join(entries))
    for module in source.glob("*.py"):
        shutil.copy(module, site)
    packages = {folder.parent.name for folder in source.glob("*/__init__.py")}
    for package in packages:
        shutil.copytree(source / package, site / package)
    monkeypatch.syspath_prepend(str(site))
    forget()
    yield
    forget()
    for module_name in packages & sys.modules.keys():
        del sys.modules[module_name]


def lines_of(name: str) -> int:
    """Return the number of lines of an example."""
    files = [path for path in (EXAMPLES / name).rglob("*") if path.suffix in {".py", ".toml"}]
    return sum(len(path.read_text(encoding="utf-8").splitlines()) for path in files)
