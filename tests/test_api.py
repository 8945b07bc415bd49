"""The public functions, as a Python program calls them."""

from pathlib import Path

import pytest
from langchain_core.runnables import RunnableLambda
from tests.cli.finished_run import write_finished_run

import uaeval
from uaeval.errors import ConfigError


@pytest.fixture
def run(tmp_path: Path) -> Path:
    write_finished_run(tmp_path / "run")
    return tmp_path / "run"


def decline(question: str) -> str:
    return f"I do not know about {question}"


def test_a_function_or_a_chain_can_be_evaluated_as_it_is(run: Path) -> None:
    found = uaeval.evaluate(run, system=decline)
    assert found.responses[0].text == "I do not know about How many hours may I borrow?"
    assert found.folder == run / "evaluations" / "python-tests.test_api-decline"
    chain = RunnableLambda(lambda given: "Ask me later, " + given["input"])
    found = uaeval.evaluate(run, chain, name="chain", body={"input": "{question}"})
    assert found.responses[0].text == "Ask me later, How many hours may I borrow?"
    assert found.responses[0].system == "langchain:langchain_core.runnables.base:RunnableLambda"


def test_what_is_neither_is_refused(run: Path) -> None:
    with pytest.raises(ConfigError, match="is not a function"):
        uaeval.evaluate(run, system=object())
