"""A pytest plugin: evaluate a system once, and run a test for each query or each figure.

A project names the dataset in its configuration, and defines the fixture `uaeval_system`.
"""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest

if TYPE_CHECKING:
    from uaeval.evaluation.gate import Check
    from uaeval.results import EvaluatedQuery, EvaluationResult

_DATASET: Final = "uaeval_dataset"
_LIMITS: Final = ("uaeval_fail_under", "uaeval_fail_over")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Register the command-line option and the settings of the configuration file."""
    dataset = "folder of a run of uaeval, or a file of queries"
    parser.getgroup("uaeval").addoption("--uaeval-dataset", help=dataset)
    parser.addini(_DATASET, dataset, type="string")
    parser.addini(_LIMITS[0], "minimum values of figures, such as joint=0.75", type="linelist")
    parser.addini(
        _LIMITS[1], "maximum values of figures, such as over_refusal=0.1", type="linelist"
    )


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Parametrize a test by query, or by figure that has a limit."""
    if "uaeval_query" in metafunc.fixturenames:
        query_ids = _query_ids(_dataset(metafunc.config))
        metafunc.parametrize("uaeval_query", query_ids, ids=query_ids, indirect=True)
    if "uaeval_figure" in metafunc.fixturenames:
        limits = [(name, line) for name in _LIMITS for line in metafunc.config.getini(name)]
        if not limits:
            raise pytest.UsageError(f"{' or '.join(_LIMITS)}: give at least one FIGURE=BOUND")
        ids = [line for _, line in limits]
        metafunc.parametrize("uaeval_figure", limits, ids=ids, indirect=True)


def _dataset(config: pytest.Config) -> Path:
    if path := config.getoption("--uaeval-dataset"):
        return config.invocation_params.dir / str(path)
    if name := config.getini(_DATASET):
        return config.rootpath / str(name)
    raise pytest.UsageError(
        f"set {_DATASET} in the pytest configuration, or give --uaeval-dataset: the folder of a "
        "run of uaeval, or a file of queries"
    )


def _query_ids(dataset: Path) -> Sequence[str]:
    from uaeval.errors import UsageError
    from uaeval.formats.query_source import dataset_folder, read_query_source
    from uaeval.run_folder import RunFolder

    try:
        return [query.id for query in read_query_source(RunFolder(dataset_folder(dataset))).queries]
    except UsageError as error:
        raise pytest.UsageError(f"{_DATASET}: {error}") from error


@pytest.fixture(scope="session")
def uaeval_dataset(pytestconfig: pytest.Config) -> Path:
    """The folder or file of queries that the configuration names."""
    return _dataset(pytestconfig)


@pytest.fixture(scope="session")
def uaeval_system() -> object:
    """The system under test: a function, a LangChain runnable, or a name such as `http`."""
    raise pytest.UsageError(
        "define a fixture uaeval_system (scope session) that returns the system under test"
    )


@pytest.fixture(scope="session")
def uaeval_settings() -> Mapping[str, object]:
    """Settings of `uaeval evaluate`, such as `{"judge": "openai:gpt-4.1-mini"}`; default: none."""
    return {}


@pytest.fixture(scope="session")
def uaeval_evaluation(
    uaeval_dataset: Path, uaeval_system: object, uaeval_settings: Mapping[str, object]
) -> "EvaluationResult":
    """The evaluation, made once per session; it is resumed if `uaeval_settings` sets a `name`."""
    from uaeval.api import evaluate
    from uaeval.config import RESPONSES
    from uaeval.formats.query_source import dataset_folder

    name = "-".join(filter(None, ["pytest", os.environ.get("PYTEST_XDIST_WORKER")]))
    if "name" not in uaeval_settings:  # the system may have changed since the last session
        folder = dataset_folder(uaeval_dataset) / "evaluations" / name
        (folder / RESPONSES).unlink(missing_ok=True)
    settings: dict[str, Any] = {"name": name, **uaeval_settings}
    return evaluate(uaeval_dataset, uaeval_system, **settings)


@pytest.fixture(scope="session")
def _queries_by_id(uaeval_evaluation: "EvaluationResult") -> "Mapping[str, EvaluatedQuery]":
    return {evaluated.query.id: evaluated for evaluated in uaeval_evaluation}


@pytest.fixture
def uaeval_query(
    request: pytest.FixtureRequest, _queries_by_id: "Mapping[str, EvaluatedQuery]"
) -> "EvaluatedQuery":
    """One query with its response and judgements; a test that takes it runs for each query."""
    return _queries_by_id[request.param]


@pytest.fixture
def uaeval_figure(request: pytest.FixtureRequest, uaeval_evaluation: "EvaluationResult") -> "Check":
    """A figure and its limit; a test that takes it runs for each limit of the configuration."""
    from uaeval.config import GateSettings
    from uaeval.evaluation.gate import check_gate, read_limits

    name, line = request.param
    under, over = ([line], []) if name == _LIMITS[0] else ([], [line])
    (check,) = check_gate(read_limits(under, over), uaeval_evaluation.scores, GateSettings())
    return check
