"""Entry points of other packages: loaded by name, broken ones are errors."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.plugin_examples import forget

from uaeval.errors import ConfigError
from uaeval.plugins import installed_prompts, plugins

Install = Callable[..., None]


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Install]:
    """Return a function that puts a package with one entry point on the path."""
    monkeypatch.syspath_prepend(str(tmp_path))

    def put(package: str, entry: str, *groups: str) -> None:
        meta = tmp_path / f"{package}-1.dist-info"
        meta.mkdir()
        (meta / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1\n")
        sections = (f"[uaeval.{group}]\n{entry}\n" for group in groups or ("formats",))
        (meta / "entry_points.txt").write_text("".join(sections))

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
    with pytest.raises(ConfigError, match=r"two packages register 'plain'.*: first and second;"):
        plugins("uaeval.formats")


@pytest.mark.parametrize(
    ("source", "problem"),
    [
        ("x = (", "SyntaxError"),
        ("raise RuntimeError('no licence')", "RuntimeError: no licence"),
        ("raise SystemExit(1)", "SystemExit: 1"),
        ("class Own(Exception): ...\nraise Own('odd')", "Own: odd"),
        (
            "from uaeval.categories.base import CategorySpec\nCategorySpec(name='mine')",
            "TypeError: .*definition",
        ),
    ],
)
def test_an_error_while_loading_names_the_package(
    install: Install, tmp_path: Path, source: str, problem: str
) -> None:
    (tmp_path / "failing_plugin.py").write_text(source)
    install("broken", "bad = failing_plugin:FORMAT")
    with pytest.raises(ConfigError, match=f"'bad' .* of broken: {problem}"):
        plugins("uaeval.formats")


def test_one_name_in_two_groups_keeps_the_prompts_of_both(install: Install, tmp_path: Path) -> None:
    (tmp_path / "two_modules").mkdir()
    (tmp_path / "two_modules" / "__init__.py").touch()
    (tmp_path / "two_modules" / "prompts").mkdir()
    (tmp_path / "two_modules" / "prompts" / "judge.md").touch()
    install("metric", "mine = two_modules:METRIC", "metrics")
    install("format", "mine = json:dumps", "formats")
    assert "mine/judge" in installed_prompts()
