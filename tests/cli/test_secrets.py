"""Every setting that takes a secret: none appears in a file, log or output."""

import itertools
import json
import logging
import sys
from pathlib import Path

import pytest
from tests.cli.conftest import DOCUMENTS, Done, Uaeval
from tests.cli.finished_run import write_finished_run
from tests.news.newsroom import newsroom
from tests.servers.rag_server import Got, RagServer, Sent
from tests.servers.web import Answer, Asked, site

SECRETS = {
    "RAG_QUERY": "query/canary&2xV9b",
    "RAG_HEADER": "header-canary-Lm4Zt",
    "RAG_BODY": 'body "canary" 81Kd',
    "OPENAI_API_KEY": "key_canary_7Q2xV9",
}
PARTS = ("canary", "2xV9", "m4Zt", "81Kd")


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> Path:
    for name, value in SECRETS.items():
        monkeypatch.setenv(name, value)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    for name in ("uaeval", "httpx", "httpcore", "openai", "asyncio"):
        caplog.set_level(logging.DEBUG, name)
    write_finished_run(tmp_path / "run")
    return tmp_path / "run"


def assert_silent(folder: Path, logged: str, *done: Done) -> None:
    told = [logged, *(text for each in done for text in (each.out, each.err))]
    files = [path for path in folder.rglob("*") if path.is_file()]
    for part in PARTS:
        assert not [text for text in told if part in text]
        assert not [path for path in files if part.encode() in path.read_bytes()]


class Indiscreet:
    """Repeats everything that it was sent, in answers, errors, redirects and broken replies."""

    def __init__(self) -> None:
        self._turns = itertools.count()
        self.got: list[Got] = []

    def __call__(self, got: Got) -> Sent:
        self.got.append(got)
        echo = f"{got.path}\n{dict(got.headers)}\n{got.body.decode()}"
        replies = (
            Sent(body={"answer": f"I do not know. You sent: {echo}"}),
            Sent(status=500, body=echo.encode()),
            Sent(status=400, body={"error": echo}, headers={"x-echo": got.headers["x-rag"]}),
            Sent(body=echo.encode(), headers={"content-type": "application/json"}),
            Sent(status=302, headers={"location": got.path}),
        )
        return replies[next(self._turns) % len(replies)]


@pytest.mark.parametrize("system", ["http", "openai:some-model"])
def test_what_settings_take_from_the_environment_is_sent_and_never_written(
    run: Path, uaeval: Uaeval, caplog: pytest.LogCaptureFixture, system: str
) -> None:
    indiscreet = Indiscreet()
    with RagServer(indiscreet) as server:
        options = ["--system", system, "--answer-path", "answer", "--retries", "0"]
        options += ["--header", "X-Rag: Bearer $RAG_HEADER", "--name", "mine"]
        options += ["--body", '{"q": "{question}", "auth": {"pass": "$RAG_BODY"}}']
        url = server.url + ("/ask?k=$RAG_QUERY" if system == "http" else "")
        done = [uaeval("evaluate", run, *options, "--url", url) for _ in range(3)]
        done += [uaeval("--debug", "evaluate", run, *options, "--url", url), uaeval("show", run)]
    assert {each.code for each in done} <= {0, 6}
    got = indiscreet.got[0]
    assert got.headers["x-rag"] == f"Bearer {SECRETS['RAG_HEADER']}"
    assert json.loads(got.body)["auth"] == {"pass": SECRETS["RAG_BODY"]}
    assert "k=query%2Fcanary%262xV9b" in got.path or system != "http"
    manifest = (run / "evaluations" / "mine" / "manifest.json").read_text()
    assert '"pass": "$RAG_BODY"' in manifest
    assert_silent(run, caplog.text, *done)


@pytest.mark.parametrize(
    "options",
    [
        ["--url", "http://me:canary-2xV9@127.0.0.1:9/ask"],
        ["--url", "http://me:canary/2xV9@127.0.0.1:9/ask"],
        ["--url", "http://127.0.0.1:9/ask?k=canary2xV9"],
        ["--url", "http://127.0.0.1:9/ask?tenant=sk-canary-2xV9"],
        ["--url", "http://127.0.0.1:9/ask?tenant=7canaryQ2xV9bLm4Zt81Kd"],
        ["--url", "http://127.0.0.1:9", "--body", '{"q": "{question}", "api_key": "canary"}'],
        ["--url", "http://127.0.0.1:9", "--body", '{"q": "{question}", "api_key": "canary"'],
        [
            "--url",
            "http://127.0.0.1:9",
            "--body",
            '["{question}", {"o": [{"x": "sk-canary2xV9"}]}]',
        ],
        ["--url", "http://127.0.0.1:9", "--header", "X-Api-Key: canary"],
        ["--url", "http://127.0.0.1:9", "--header", "X-Api-Key=Bearer canary"],
        ["--base-url", "http://me:canary@127.0.0.1:9/v1", "--model", "openai:m"],
        ["--judge-base-url", "http://127.0.0.1:9/v1?key=canary", "--judge", "openai:m"],
    ],
)
def test_a_secret_that_is_written_out_is_refused_unseen(
    run: Path, uaeval: Uaeval, caplog: pytest.LogCaptureFixture, options: list[str]
) -> None:
    system = ["--system", "http"] if "--url" in options else []
    done = uaeval("--debug", "evaluate", run, *system, *options)
    assert done.code == 2, done.err
    assert_silent(run, caplog.text, done)


@pytest.mark.parametrize(
    "options",
    [
        ["--body", '{"q": "{question}", "model": "gpt-4.1-mini-2025-04-14", "max_tokens": 500}'],
        ["--body", '{"q": "{question}", "session": "6f1c2a34-9d0e-4b7a-8c11-2f9e5d7b6a10"}'],
        ["--body", '{"q": "{question}", "token": 5, "prompt": "In the museum, token by token."}'],
        ["--header", "X-Tenant: museum", "--url", "http://127.0.0.1:9/?collection=docs-2024&k=5"],
    ],
)
def test_ordinary_settings_are_not_taken_for_secrets(
    run: Path, uaeval: Uaeval, options: list[str]
) -> None:
    done = uaeval("evaluate", run, "--system", "http", "--url", "http://127.0.0.1:9", *options)
    assert "no connection to http://127.0.0.1:9" in done.err


@pytest.mark.parametrize(
    ("options", "setting"),
    [
        (["--url", "http://h/?k=$NOT_SET"], "url"),
        (["--url", "http://h/", "--header", "Authorization: Bearer $NOT_SET"], "headers"),
    ],
)
def test_a_variable_that_is_not_set_is_named(
    run: Path, uaeval: Uaeval, options: list[str], setting: str
) -> None:
    done = uaeval("evaluate", run, "--system", "http", *options)
    assert done.code == 2
    assert f"error: {setting}" in done.err
    assert ": set NOT_SET in the environment" in done.err


def test_a_grid_names_secrets_as_options_do(
    run: Path, uaeval: Uaeval, caplog: pytest.LogCaptureFixture
) -> None:
    with RagServer(Indiscreet()) as server:
        grid = run.parent / "grid.yaml"
        grid.write_text(
            f"dataset: {run}\nmax_retries: 0\nanswer_path: answer\n"
            f"headers: {{X-Rag: $RAG_HEADER}}\nurl: {server.url}/?k=$RAG_QUERY\n"
            "grid: {system: [http, 'openai:some-model']}\n"
        )
        done = uaeval("sweep", grid)
    assert done.code in {0, 6}, done.err
    assert_silent(run, caplog.text, done)


@pytest.mark.parametrize(
    "entry", ["http://me:canary@127.0.0.1:9/feed", "http://127.0.0.1:9/feed?token=canary"]
)
def test_a_news_address_with_a_secret_is_refused_unseen(
    run: Path, uaeval: Uaeval, caplog: pytest.LogCaptureFixture, entry: str
) -> None:
    done = uaeval("--debug", "synthesize", DOCUMENTS, "-o", run.parent / "new", "--news", entry)
    assert done.code == 2
    assert_silent(run.parent, caplog.text, done)


def test_news_addresses_read_a_token_from_the_environment_and_do_not_reveal_it(
    run: Path, uaeval: Uaeval, caplog: pytest.LogCaptureFixture
) -> None:
    new, room = run.parent / "new", newsroom([1, 2])

    def replies(asked: Asked) -> Answer | None:
        if not asked.path.startswith("/feed"):
            return room(asked)
        assert asked.path in {"/feed?token=header-canary-Lm4Zt", "/feed2?token=header-canary-Lm4Zt"}
        if asked.path.startswith("/feed2"):
            return Answer(status=500, body=asked.path.encode())
        feed = room(Asked(path="/feed", headers=asked.headers, at=asked.at))
        assert feed
        assert isinstance(feed.body, bytes)
        link = b"<link>http://me:of-the-feed@127.0.0.1:9/story</link>"
        item = b"<item><title>t</title>" + link + b"</item></channel>"
        return Answer(body=feed.body.replace(b"</channel>", item), kind=feed.kind)

    with site(replies) as feeds:
        (run.parent / "run.yaml").write_text("host_delay: 0.0\nallow_hosts: [127.0.0.1]\n")
        options = ["--categories", "out_of_database", "--size", "2"]
        options += ["--config", str(run.parent / "run.yaml")]
        for name in ("feed", "feed2"):
            options += ["--news", f"{feeds.url}/{name}?token=$RAG_HEADER"]
        done = uaeval("synthesize", DOCUMENTS, "-o", new, *options)
        again = uaeval("synthesize", DOCUMENTS, "-o", new, *options, "--refresh")
    assert done.code == again.code == 0, done.err
    assert len((new / "articles.jsonl").read_text().splitlines()) == 2
    failed = (new / "articles.failed.jsonl").read_text()
    assert len(failed.splitlines()) == 2
    assert "of-the-feed" not in failed
    assert_silent(run.parent, caplog.text, done, again)
