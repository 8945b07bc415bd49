"""Prompts and endpoints shared by the tests of this folder."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from tests.servers.openai_server import Answer, Body, OpenAIServer

from uaeval.llm.ledger import Ledger
from uaeval.llm.prices import open_prices
from uaeval.llm.store import ResponseStore
from uaeval.prompts import PromptLibrary

Serve = Callable[[Callable[[Body], Answer]], OpenAIServer]

PROMPT = """---
reply: {reply}
version: 1
---
# System
Judge. Reply as JSON.
# User
<question>$question</question>
"""


@pytest.fixture
def prompts(tmp_path: Path) -> PromptLibrary:
    folder = tmp_path / "prompts"
    for name, reply in {"test/judge": "YesNoJudgement", "test/write": "Written"}.items():
        file = folder / f"{name}.md"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(PROMPT.format(reply=reply), encoding="utf-8")
    return PromptLibrary(folder)


def unlimited(store: ResponseStore) -> Ledger:
    return Ledger(store, open_prices(None))


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    with ResponseStore(tmp_path / "responses.sqlite") as store:
        yield unlimited(store)


@pytest.fixture
def serve() -> Iterator[Serve]:
    with ExitStack() as stack:
        yield lambda answer: stack.enter_context(OpenAIServer(answer))


@pytest.fixture(autouse=True)
def _no_keys_from_outside(monkeypatch: pytest.MonkeyPatch) -> None:
    for provider in ("OPENAI", "ANTHROPIC"):
        for kind in ("API_KEY", "API_BASE", "BASE_URL", "API_URL"):
            monkeypatch.delenv(f"{provider}_{kind}", raising=False)
    monkeypatch.delenv("LANGSMITH_GATEWAY", raising=False)
