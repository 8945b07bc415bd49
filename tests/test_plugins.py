"""Entry points of other packages: loaded by name, broken ones are errors."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.plugin_examples import forget

from uaeval.errors import ConfigError
from uaeval.plugins import plugins

Install = Callable[[str, str], None]


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Install]:
    """Return a function that puts a package with one entry point on the path."""
    monkeypatch.syspath_prepend(str(tmp_path))

    def put(package: str, entry: str) -> None:
        meta = tmp_path / f"{package}-1.dist-info"
        meta.mkdir()
        (meta / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1\n")
        (meta / "entry_points.txt").write_text(f"[uaeval.formats]\n{entry}\n")

    forget()
    yield put
    forget()


def test_an_entry_point_is_loaded_by_name(install: Install) -> None:
    install("first", "plain = json:dumps")
    import json

    assert plugins("uaeval.formats")["plain"] is json.dumps
    assert "plain" not in plugins("uaeval.readers")


def test_a_broken_entry_point_names_its_package(install: Install) -> None:
    install("broken", "bad = json:no_such_thing")
    with pytest.raises(ConfigError, match=r"cannot load 'bad' \(json:no_such_thing\) of broken"):
        plugins("uaeval.formats")


def test_one_name_of_two_packages_is_an_error(install: Install) -> None:
    install("first", "plain = json:dumps")
    install("second", "plain = json:loads")
    with pytest.raises(ConfigError, match="two packages register 'plain'"):
        plugins("uaeval.formats")
