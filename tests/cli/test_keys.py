"""No key and no header is written to a file of a run, shown or logged."""

import logging
import shutil
from pathlib import Path

import pytest
from tests.cli.conftest import DOCUMENTS, Done, Uaeval
from tests.servers.offline_answers import offline_answer
from tests.servers.openai_server import Answer, Body, Fault, OpenAIServer, Said, error, unauthorized

from uaeval.run_folder import RunFolder

KEYS = ("sk-canary-7Q2xV9bLm4Zt81Kd", "canary_7Q2xV9bLm4Zt81Kd")
MODEL = ("--model", "openai:some-model")


@pytest.fixture
def documents(tmp_path: Path) -> Path:
    folder = tmp_path / "documents"
    folder.mkdir()
    for path in sorted(DOCUMENTS.glob("*.md"))[:6]:
        shutil.copy(path, folder)
    return folder


def echo(key: str) -> str:
    return f"POST /v1/chat/completions\nAuthorization: Bearer {key}\nX-Api-Key: {key}\n"


class Indiscreet:
    """Answers offline, but repeats the key in the reply to every second question to a prompt."""

    def __init__(self, key: str) -> None:
        headers = {"retry-after-ms": "5", "X-Echo": f"Bearer {key}"}
        self._faults: tuple[Answer, ...] = (
            error(500, f"Internal error. Request headers: {echo(key)}", headers=headers),
            echo(key),
            Said(content=None, refusal=f"I may not help the owner of {key}."),
            "x" * 190 + echo(key),
            error(400, f"malformed request of {key}"),
            Fault(status=503, body=echo(key).encode(), headers=headers),
        )
        self._seen: dict[str, list[str]] = {}

    def __call__(self, body: Body) -> Answer:
        prompt, question = (message["content"] for message in body["messages"][:2])
        seen = self._seen.setdefault(prompt, [])
        if question not in seen:
            seen.append(question)
        turn, silent = divmod(seen.index(question), 2)
        return offline_answer(body) if silent else self._faults[turn % len(self._faults)]


def assert_silent(key: str, folder: Path, *told: str) -> None:
    """Look for the key, and for half of it, in every file of the run and in all output."""
    for part in (key, key[-12:]):
        for text in told:
            assert part not in text
        for path in folder.rglob("*"):
            assert path.is_dir() or part.encode() not in path.read_bytes(), path


@pytest.mark.slow
def test_a_whole_run_against_an_indiscreet_endpoint_keeps_the_key(
    tmp_path: Path,
    documents: Path,
    uaeval: Uaeval,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    key = KEYS[1]
    monkeypatch.setenv("OPENAI_API_KEY", key)
    caplog.set_level(logging.INFO)
    run = tmp_path / "run"
    with OpenAIServer(Indiscreet(key)) as server:
        place = (*MODEL, "--base-url", server.url, "--concurrency", "1")
        kind = ("--categories", "nonsensical", "--size", "4")
        done = [uaeval("synthesize", documents, "-o", run, *kind, *place)]
        done += [uaeval("evaluate", run, *place), uaeval("show", run)]
        assert set(server.keys) == {f"Bearer {key}"}
    assert_several_outcomes(run, done)
    shown = [text for each in done for text in (each.out, each.err)]
    assert_silent(key, run, *shown, caplog.text)


def assert_several_outcomes(run: Path, done: list[Done]) -> None:
    """Assert that the run met the failures that might have revealed the key."""
    manifest = RunFolder(run).manifest()
    assert manifest
    assert manifest.selected["nonsensical"] > 0
    failed = "".join(path.read_text() for path in run.rglob("*.failed.jsonl"))
    for kind in ("ModelError", "ReplyError", "RefusedError", "TargetError"):
        assert kind in failed
    assert "[key]" in failed
    assert {each.code for each in done} <= {0, 6}


@pytest.mark.parametrize("key", KEYS)
def test_a_run_that_ends_at_once_keeps_the_key(
    tmp_path: Path,
    documents: Path,
    uaeval: Uaeval,
    monkeypatch: pytest.MonkeyPatch,
    key: str,
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", key)
    with OpenAIServer(lambda _: unauthorized(f"{key}\n{echo(key)}")) as server:
        done = uaeval(
            "synthesize", documents, "-o", tmp_path / "run", *MODEL, "--base-url", server.url
        )
    assert done.code == 4
    assert "Set the right API key" in done.err
    assert_silent(key, tmp_path / "run", done.out, done.err)
