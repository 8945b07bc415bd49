"""Workflows, hooks, templates and Dockerfile: they parse, and name what exists."""

import re
import shlex
import tomllib
from collections.abc import Iterable
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[2]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
MAKE_TARGETS = set(
    re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), flags=re.MULTILINE)
)
OTHER_COMMANDS = {"grep"}
"""Programs that every runner has."""


def load(path: Path) -> Any:
    return yaml.safe_load(path.read_text(encoding="utf-8"))


def project() -> Any:
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def steps(workflow: Path) -> list[dict[str, Any]]:
    return [step for job in load(workflow)["jobs"].values() for step in job["steps"]]


def test_there_are_workflows() -> None:
    assert [path.stem for path in WORKFLOWS] == ["ci", "docs", "release"]


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=lambda path: path.stem)
def test_a_workflow_runs_what_the_makefile_has(workflow: Path) -> None:
    commands = [shlex.split(step["run"]) for step in steps(workflow) if "run" in step]
    assert commands
    for command in commands:
        if command[0] == "make":
            assert set(command[1:]) <= MAKE_TARGETS
        else:
            assert command[0] in OTHER_COMMANDS


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=lambda path: path.stem)
def test_a_workflow_is_bounded_and_needs_no_secret(workflow: Path) -> None:
    assert "secrets." not in workflow.read_text(encoding="utf-8")
    assert load(workflow)["permissions"] == {"contents": "read"}
    builds = [
        job for job in load(workflow)["jobs"].values() if any("run" in s for s in job["steps"])
    ]
    assert all(job["timeout-minutes"] <= 90 for job in builds)


def test_ci_tests_every_python_of_the_classifiers() -> None:
    tested = load(ROOT / ".github" / "workflows" / "ci.yml")["jobs"]["test"]["strategy"]["matrix"]
    listed = [
        name.rpartition(" ")[2]
        for name in project()["project"]["classifiers"]
        if name.startswith("Programming Language :: Python :: 3.")
    ]
    assert tested["python"] == listed


def test_hooks_are_local() -> None:
    repositories = load(ROOT / ".pre-commit-config.yaml")["repos"]
    assert {repository["repo"] for repository in repositories} == {"local"}
    hooks = [hook for repository in repositories for hook in repository["hooks"]]
    assert [hook["id"] for hook in hooks] == ["ruff", "ruff-format", "mypy"]
    checked = (ROOT / "Makefile").read_text(encoding="utf-8").partition("\ncheck:")[2]
    for hook in hooks:
        program = Path(shlex.split(hook["entry"])[0]).name
        assert f"$(BIN)/{program}" in checked


@pytest.mark.parametrize(
    "form", sorted((ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml")), ids=lambda path: path.stem
)
def test_an_issue_form_has_what_github_requires(form: Path) -> None:
    content = load(form)
    assert {"name", "description", "body"} <= content.keys()
    identifiers = [field["id"] for field in content["body"]]
    assert len(set(identifiers)) == len(identifiers)
    assert all(field["attributes"]["label"] for field in content["body"])


def test_the_image_gets_all_that_the_wheel_is_built_from() -> None:
    lines = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    assert lines[0] == "*"
    sent = {line[1:] for line in lines if line.startswith("!")}
    wheel = project()["tool"]["hatch"]["build"]["targets"]["wheel"]
    needed = {"pyproject.toml", "LICENSE", "constraints.txt", project()["project"]["readme"]}
    needed |= {Path(place).parts[0] for place in [*wheel["packages"], *wheel["force-include"]]}
    assert sent == needed
    assert all((ROOT / name).exists() for name in sent)


def test_the_image_runs_uaeval_without_root() -> None:
    text = (ROOT / "Dockerfile").read_text(encoding="utf-8")
    last = text.rpartition("\nFROM ")[2]
    assert 'ENTRYPOINT ["uaeval"]' in last
    assert last.index("USER uaeval") < last.index("ENTRYPOINT")


def test_the_changelog_has_the_version_of_the_package() -> None:
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    dated = re.findall(r"^## \[(\d+\.\d+\.\d+)\] - \d{4}-\d\d-\d\d$", text, flags=re.MULTILINE)
    assert dated[0] == project()["project"]["version"]


def test_every_tool_of_the_documentation_is_pinned() -> None:
    pins = (ROOT / "constraints.txt").read_text(encoding="utf-8")
    groups = project()["dependency-groups"]
    for requirement in [*groups["docs"], *groups["dev"]]:
        name = re.split(r"[\[<>=]", requirement)[0].lower()
        assert re.search(rf"^{re.escape(name)}==", pins.lower(), flags=re.MULTILINE), name


def test_the_core_brings_few_distributions_beyond_those_that_do_the_work() -> None:
    work = "langchain langchain-openai chromadb spacy httpx trafilatura datasets".split()
    dependencies = project()["project"]["dependencies"]
    beyond = _needed(dependencies) - _needed(work)
    assert len(beyond) <= 41, sorted(beyond)
    assert not {"scipy", "scikit-learn", "torch", "transformers", "nbclient", "ray"} & beyond


def _needed(wanted: Iterable[str]) -> set[str]:
    """Return the distributions that requirements bring in, by the metadata of what is installed."""
    found: set[tuple[str, str]] = set()
    left = [Requirement(each) for each in wanted]
    while left:
        requirement = left.pop()
        name = canonicalize_name(requirement.name)
        for extra in {"", *requirement.extras} - {extra for known, extra in found if known == name}:
            found.add((name, extra))
            needs = map(Requirement, metadata.requires(name) or ())
            left += [n for n in needs if n.marker is None or n.marker.evaluate({"extra": extra})]
    return {name for name, _ in found}
