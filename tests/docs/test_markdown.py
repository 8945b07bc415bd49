"""Links, code blocks and commands of README and docs."""

import ast
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest
import typer
import yaml
from tests.docs.markdown import ROOT, RUNNABLE, SHELL, Block, Page, commands, read_page
from typer.core import TyperGroup

from uaeval.cli.main import app

GENERATED = ROOT / "docs" / "reference"
README = ROOT / "README.md"
PATTERNS = (
    *("*.md", "docs/**/*.md", "examples/**/*.md", ".github/**/*.md"),
    *("prompts/README.md", "knowledge_bases/README.md"),
)
PAGES = [read_page(path) for pattern in PATTERNS for path in sorted(ROOT.glob(pattern))]
BLOCKS = [block for page in PAGES for block in page.blocks]
ELSEWHERE = [GENERATED, *(ROOT / name for name in ("examples", "prompts", "knowledge_bases"))]
WRITTEN = [page for page in PAGES if not any(map(page.path.is_relative_to, ELSEWHERE))]
"""README, CHANGELOG, CONTRIBUTING and the pages of `docs/` that people write."""
COMMAND = typer.main.get_command(app)
USAGE_ERROR: type[Exception] = typer.BadParameter.__mro__[1]


def name_of(page: Page) -> str:
    return str(page.path.relative_to(ROOT))


def test_relative_links_lead_somewhere() -> None:
    anchors = {other.path: other.anchors for other in PAGES}
    links = [(page, link) for page in PAGES for link in page.links]
    for page, link in links:
        parts = urlsplit(link)
        if parts.scheme in {"http", "https", "mailto"}:
            continue
        assert not parts.scheme, f"{name_of(page)}: {link}"
        target = (page.path.parent / unquote(parts.path)).resolve() if parts.path else page.path
        assert target.exists(), f"{name_of(page)} links to {link}, which does not exist"
        if parts.fragment:
            assert parts.fragment in anchors[target], f"{name_of(page)}: no heading for {link}"


def test_every_code_block_names_its_language() -> None:
    assert [str(block) for page in WRITTEN for block in page.blocks if not block.language] == []


@pytest.mark.parametrize(
    "block", [block for block in BLOCKS if block.language == "python"], ids=str
)
def test_python_blocks_compile_and_their_imports_exist(block: Block) -> None:
    tree = ast.parse(block.text, filename=str(block))
    compile(tree, str(block), "exec")
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("uaeval"):
            names = ", ".join(alias.name for alias in node.names)
            exec(f"from {node.module} import {names}", {})


@pytest.mark.parametrize("block", [block for block in BLOCKS if block.language == "yaml"], ids=str)
def test_yaml_blocks_parse(block: Block) -> None:
    assert yaml.safe_load(block.text)


def commands_of_uaeval() -> list[tuple[Block, str]]:
    return [
        (block, line)
        for block in BLOCKS
        if block.language in SHELL and not block.path.is_relative_to(GENERATED)
        for line in commands(block)
        if line.startswith("uaeval ")
    ]


def parse(line: str) -> None:
    """Parse a command line as the command does, without running it."""
    arguments = shlex.split(line, comments=True)[1:]
    command: Any = COMMAND
    context = typer.Context(command, info_name="uaeval")
    while isinstance(command, TyperGroup):
        name, found, arguments = command.resolve_command(context, arguments)
        assert name and found
        if isinstance(found, TyperGroup):
            context = typer.Context(found, info_name=name, parent=context)
        else:
            found.make_context(name, arguments, parent=context)
        command = found


@pytest.mark.parametrize(
    ("block", "line"), commands_of_uaeval(), ids=lambda each: str(each)[:60].replace("/", "-")
)
def test_commands_parse(block: Block, line: str) -> None:
    try:
        parse(line)
    except USAGE_ERROR as error:
        pytest.fail(f"{block}: {line}: {error}")


def test_unknown_options_and_missing_arguments_are_noticed() -> None:
    for line in ("uaeval evaluate x --no-such-option", "uaeval compare", "uaeval nonsense"):
        with pytest.raises(USAGE_ERROR):
            parse(line)


def test_make_targets_in_the_docs_exist() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z-]+):", makefile, flags=re.MULTILINE))
    for page in WRITTEN:
        named = re.findall(r"`make ([a-z-]+)", page.path.read_text(encoding="utf-8"))
        assert set(named) <= targets, name_of(page)


@pytest.mark.parametrize(
    "kind", ["category", "reader", "source", "system", "metric", "metric_by_code", "format"]
)
def test_the_page_on_plugins_shows_each_example_as_it_is(kind: str) -> None:
    (module,) = (ROOT / "examples" / "plugins" / kind).glob("**/*.py")
    extending = next(block for block in BLOCKS if block.text == module.read_text(encoding="utf-8"))
    assert extending.path == ROOT / "docs" / "extending.md"


def test_the_readme_is_short() -> None:
    assert len(README.read_text(encoding="utf-8").splitlines()) <= 150


def test_lines_are_short() -> None:
    assert not [
        f"{name_of(page)}:{number}"
        for page in WRITTEN
        for number, line in enumerate(page.path.read_text(encoding="utf-8").splitlines(), 1)
        if len(line) > 120 and (page.path == README or not line.startswith("|"))
    ]


def test_every_page_can_be_reached_from_the_navigation() -> None:
    text = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    for path in (ROOT / "docs").glob("**/*.md"):
        place = path.relative_to(ROOT / "docs")
        assert str(place) in text or f": {place.parent}/\n" in text


@pytest.mark.slow
@pytest.mark.parametrize(
    "page", [page for page in PAGES if any(block.runnable for block in page.blocks)], ids=name_of
)
def test_runnable_blocks_run(page: Page, tmp_path: Path) -> None:
    (tmp_path / "knowledge_bases").symlink_to(ROOT / "knowledge_bases")
    folder = tmp_path / "bin"
    folder.mkdir()
    uaeval = folder / "uaeval"
    uaeval.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m uaeval "$@"\n', encoding="utf-8")
    uaeval.chmod(0o755)
    environment = os.environ | {"PATH": f"{folder}{os.pathsep}{os.environ['PATH']}"}
    environment["PYTHONPATH"] = str(ROOT / "pipeline")
    script = "\n".join(block.text for block in page.blocks if block.runnable)
    done = subprocess.run(
        ["bash", "-eu", "-c", script],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_marked_blocks_are_found() -> None:
    marks = sum(page.path.read_text(encoding="utf-8").count(RUNNABLE) for page in PAGES)
    assert marks == sum(block.runnable for block in BLOCKS) > 0
