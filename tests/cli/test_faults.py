"""Whole runs against an endpoint that sometimes fails, blocks, or cannot be reached."""

import hashlib
import itertools
import json
import shutil
import socket
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TypeAlias

import pytest
from tests.cli.conftest import DOCUMENTS, Done, Uaeval
from tests.servers.offline_answers import offline_answer
from tests.servers.openai_server import (
    Answer,
    Body,
    OpenAIServer,
    Said,
    cut_short,
    error,
    filtered_request,
    hang,
    malformed,
    out_of_quota,
    rate_limited,
)

from uaeval.evaluation.manifest import read_manifest
from uaeval.llm.usage import Usage
from uaeval.records import Blocked, Candidate, Failure
from uaeval.run_folder import Manifest, RunFolder
from uaeval.storage import read_journal

Answering: TypeAlias = Callable[[Body], Answer]
Synthesize: TypeAlias = Callable[..., tuple[Done, int]]

KEY = "sk-proj-AbCdEf0123456789"
MODEL = ["--model", "openai:some-model"]
AT_ONCE = 8
SMALL = ["--size", "4", "--categories", "false_presupposition,safety_concerned"]
KINDS = ("limited", "broken", "malformed", "unreadable", "torn", "cut off")


def _fault(kind: str, good: str, retry_after_ms: int) -> Answer:
    faults: Mapping[str, Answer] = {
        "": good,
        "limited": rate_limited(retry_after_ms),
        "broken": error(500, f"The server had an error. Was your key {KEY}?"),
        "malformed": malformed(),
        "unreadable": f"With the key {KEY}: {good[:-9]}",
        "torn": cut_short(good),
        "cut off": Said(content=good[:-9], finish_reason="length"),
        "hanging": hang(60),
    }
    return faults[kind]


class Faulty:
    """Answers offline, but fails questions with the given faults, once or always."""

    def __init__(
        self, choose: Callable[[bytes], str], *, retry_after_ms: int = 5, always: bool = False
    ) -> None:
        self._choose = choose
        self._retry_after_ms = retry_after_ms
        self._always = always
        self._kinds: dict[bytes, str] = {}
        self.struck: Counter[str] = Counter()

    def __call__(self, body: Body) -> Answer:
        # A repair is about the same question as what it repairs.
        question = hashlib.sha256(json.dumps(body["messages"][:2]).encode()).digest()
        kind = self._kinds.get(question) if self._always else ""
        if question not in self._kinds:
            kind = self._kinds[question] = self._choose(question)
        self.struck[kind or ""] += 1
        return _fault(kind or "", offline_answer(body), self._retry_after_ms)

    @property
    def questions(self) -> int:
        """The number of calls; how many of them were not needed differs from run to run."""
        return len(self._kinds)

    @property
    def faults(self) -> int:
        return self.struck.total() - self.struck[""]


def every_other() -> Callable[[bytes], str]:
    kinds = itertools.cycle(part for kind in KINDS for part in (kind, ""))
    return lambda _: next(kinds)


def by_shares(question: bytes) -> str:
    """10 % limited, 10 % broken, 10 % malformed, 5 % truncated, 2 % hanging."""
    bounds = [(10, "limited"), (20, "broken"), (25, "malformed"), (30, "unreadable")]
    bounds += [(32, "torn"), (35, "cut off"), (37, "hanging"), (100, "")]
    place = 100 * int.from_bytes(question[:4]) / 2**32
    return next(kind for bound, kind in bounds if place < bound)


@pytest.fixture
def documents(tmp_path: Path) -> Path:
    """Return three documents from which the offline engine writes both kinds of query."""
    folder = tmp_path / "documents"
    folder.mkdir()
    for path in sorted(DOCUMENTS.glob("*.md"))[5::13]:
        shutil.copy(path, folder)
    return folder


@pytest.fixture
def synthesize(uaeval: Uaeval, documents: Path) -> Synthesize:
    """Run against an endpoint; return how it ended, and after how many requests."""

    def run(folder: Path, answer: Answering, *more: str | Path) -> tuple[Done, int]:
        with OpenAIServer(answer) as server:
            place = ["--base-url", server.url]
            done = uaeval("synthesize", documents, "-o", folder, *place, *MODEL, *SMALL, *more)
            sent, counted = len(server.requests), _used(folder).calls
            # An order to stop may come between counting a request and sending it.
            assert sent <= counted <= sent + AT_ONCE if done.code == 4 else sent == counted
            return done, sent

    return run


def _manifest(run: Path) -> Manifest:
    manifest = RunFolder(run).manifest()
    assert manifest
    return manifest


def _used(run: Path) -> Usage:
    """Return the usage of all roles, summed, by the ledger and by the manifest."""
    counted = ("calls", "retries", "rate_limited", "timeouts")
    parts = [{name: getattr(one, name) for name in counted} for one in _manifest(run).usage]
    return sum((Usage(**part) for part in parts), Usage())


def _queries(run: Path) -> bytes:
    return (run / "queries.jsonl").read_bytes()


def _shows_no_key(run: Path, done: Done) -> bool:
    files = [path for path in run.rglob("*") if path.is_file()]
    told = [done.out.encode(), done.err.encode(), *(path.read_bytes() for path in files)]
    return not any(KEY.encode() in text for text in told)


# --- faults that pass ---------------------------------------------------------------------------


def test_faults_that_pass_change_no_byte_and_cost_a_call_each_at_the_most(
    tmp_path: Path, synthesize: Synthesize
) -> None:
    done, _ = synthesize(tmp_path / "clean", offline_answer)
    assert done.code == 0
    assert set(_manifest(tmp_path / "clean").selected.values()) == {2}
    faulty = Faulty(every_other())
    done, asked = synthesize(tmp_path / "struck", faulty)
    assert done.code == 0
    assert set(faulty.struck) == {"", *KINDS}
    assert _queries(tmp_path / "struck") == _queries(tmp_path / "clean")
    # What is struck when nothing more is wanted is not asked again.
    assert 0 <= faulty.questions + faulty.faults - asked <= AT_ONCE
    used = _used(tmp_path / "struck")
    repaired = faulty.struck["unreadable"] + faulty.struck["cut off"]
    assert used.rate_limited == faulty.struck["limited"]
    assert 0 <= faulty.faults - repaired - used.retries <= AT_ONCE


@pytest.mark.slow
def test_the_usual_mixture_of_faults_over_all_categories_changes_no_byte(
    tmp_path: Path, synthesize: Synthesize
) -> None:
    news = DOCUMENTS.with_name("sample_news")
    more = ["--size", "36", "--news", news]
    more += ["--categories", ",".join(_ALL), "--timeout", "5"]
    done, _ = synthesize(tmp_path / "clean", offline_answer, *more)
    assert done.code == 0
    faulty = Faulty(by_shares, retry_after_ms=1000)
    done, asked = synthesize(tmp_path / "struck", faulty, *more)
    assert done.code == 0
    assert set(faulty.struck) == {"", "hanging", *KINDS}
    assert _queries(tmp_path / "struck") == _queries(tmp_path / "clean")
    assert asked - faulty.questions <= 1.3 * faulty.faults


_ALL = (
    "underspecified,false_presupposition,nonsensical,"
    "modality_limited,safety_concerned,out_of_database"
).split(",")


def test_failed_calls_are_asked_again_until_the_run_is_that_of_a_clean_one(
    tmp_path: Path, synthesize: Synthesize, uaeval: Uaeval, documents: Path
) -> None:
    synthesize(tmp_path / "clean", offline_answer)
    turns = itertools.count()
    faulty = Faulty(lambda _: "broken" if next(turns) == 2 else "", always=True)
    command = ["synthesize", documents, "-o", tmp_path / "struck", *MODEL, *SMALL]
    command += ["--retries", "0", "--concurrency", "1"]
    mended = threading.Event()
    with OpenAIServer(lambda body: (offline_answer if mended.is_set() else faulty)(body)) as server:
        command += ["--base-url", server.url]
        for _ in range(2):
            done = uaeval(*command)
            assert done.code == 6
            assert "run the same command to repeat them" in done.out
            assert _manifest(tmp_path / "struck").status == "lacking"
            assert set(_manifest(tmp_path / "struck").selected.values()) == {2}
        mended.set()
        asked = len(server.requests)
        assert uaeval(*command).code == 0
        assert 0 < len(server.requests) - asked <= 3
    assert _manifest(tmp_path / "struck").status == "complete"
    assert _queries(tmp_path / "struck") == _queries(tmp_path / "clean")


# --- faults that stay ---------------------------------------------------------------------------


@pytest.mark.slow
def test_faults_that_stay_are_counted_and_leave_the_other_records_as_they_were(
    tmp_path: Path, synthesize: Synthesize
) -> None:
    synthesize(tmp_path / "clean", offline_answer)
    faulty = Faulty(every_other(), retry_after_ms=1, always=True)
    done, _ = synthesize(tmp_path / "struck", faulty, "--retries", "1")
    stages = _manifest(tmp_path / "struck").stages
    for stage in ("generate", "verify"):
        failures = read_journal(tmp_path / "struck" / f"{stage}.failed.jsonl", Failure)
        assert sum(count.failed for count in stages[stage].values()) == len(failures)
        assert {failure.kind for failure in failures} <= {"ModelError", "ReplyError"}
        assert all((one.raw is None) == (one.kind == "ModelError") for one in failures)
    written = read_journal(tmp_path / "struck" / "generate.jsonl", Candidate)
    before = {one.id: one for one in read_journal(tmp_path / "clean" / "generate.jsonl", Candidate)}
    both = [one for one in written if one.id in before]
    assert both
    assert all(one == before[one.id] for one in both)
    assert _shows_no_key(tmp_path / "struck", done)


def test_the_text_of_a_reply_that_cannot_be_read_is_kept_without_keys(
    tmp_path: Path, synthesize: Synthesize
) -> None:
    faulty = Faulty(lambda _: "unreadable", always=True)
    done, _ = synthesize(tmp_path / "run", faulty)
    assert done.code == 6
    failures = read_journal(tmp_path / "run" / "generate.failed.jsonl", Failure)
    assert all(one.raw and one.raw.startswith("With the key [key] {") for one in failures)
    assert _shows_no_key(tmp_path / "run", done)


def test_a_used_up_quota_stops_at_once_and_its_calls_are_counted(
    tmp_path: Path, synthesize: Synthesize
) -> None:
    done, asked = synthesize(tmp_path / "run", lambda _: out_of_quota())
    assert done.code == 4
    assert asked <= 8
    assert "the quota is used up" in done.err
    assert "then run again. The replies so far are kept" in done.err
    assert "never retrieved" not in done.err


@pytest.mark.slow
def test_an_unreachable_endpoint_stops_the_run_within_a_minute(
    tmp_path: Path, uaeval: Uaeval, documents: Path
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as held:
        address = f"http://127.0.0.1:{held.getsockname()[1]}/v1"
    started = time.monotonic()
    options = ["--base-url", address, *MODEL, "--concurrency", "1"]
    done = uaeval("synthesize", documents, "-o", tmp_path / "run", *options)
    assert time.monotonic() - started < 60
    assert done.code == 4
    assert address in done.err
    assert "ConnectionRefusedError" in done.err


def test_an_endpoint_that_answers_nothing_stops_the_run_after_two_timeouts(
    tmp_path: Path, synthesize: Synthesize
) -> None:
    done, asked = synthesize(tmp_path / "run", lambda _: hang(60), "--timeout", "0.5")
    assert done.code == 4
    assert asked <= 3 * 8
    assert "requests in a row got no answer: openai (http://127.0.0.1:" in done.err
    assert "timed out: no whole reply within 0.5 s" in done.err
    assert "raise --timeout" in done.err


# --- content filters ----------------------------------------------------------------------------


def _asks(body: Body, tag: str) -> bool:
    return f"<{tag}>" in body["messages"][1]["content"]


def test_the_offline_engine_writes_safety_queries_whose_author_is_blocked(
    tmp_path: Path, synthesize: Synthesize, uaeval: Uaeval
) -> None:
    run = tmp_path / "run"
    done, _ = synthesize(
        run, lambda body: filtered_request() if _asks(body, "harm") else offline_answer(body)
    )
    assert done.code == 0
    authors = {
        str(query.pair_category): query.provenance.generator for query in RunFolder(run).queries()
    }
    assert authors == {"safety_concerned": "offline-2", "false_presupposition": "openai:some-model"}
    count = _manifest(run).stages["generate"]["safety_concerned"]
    assert (count.failed, count.rejected) == (0, 0)
    assert count.by_offline == count.kept > 0
    blocked = read_journal(run / "generate.blocked.jsonl", Blocked)
    assert count.blocked == len(blocked) > 0
    assert "written offline instead" in " ".join(uaeval("show", run).out.split())


def test_blocked_calls_are_counted_by_category_and_are_not_failures(
    tmp_path: Path, synthesize: Synthesize
) -> None:
    run = tmp_path / "run"
    done, _ = synthesize(
        run, lambda body: filtered_request() if _asks(body, "premise") else offline_answer(body)
    )
    assert done.code == 0
    stages = _manifest(run).stages
    count = stages["verify"]["false_presupposition"]
    given = stages["generate"]["false_presupposition"].kept
    assert (count.kept, count.failed) == (0, 0)
    assert count.blocked + count.rejected == given
    assert count.blocked > 0
    assert stages["verify"]["safety_concerned"].blocked == 0
    assert _manifest(run).status == "complete"


def test_an_evaluation_counts_what_was_blocked_by_stage_and_category(
    tmp_path: Path, synthesize: Synthesize, uaeval: Uaeval
) -> None:
    run = tmp_path / "run"
    synthesize(run, offline_answer)
    queries = RunFolder(run).queries()
    harmful = {query.question for query in queries if query.category == "safety_concerned"}

    def answer(body: Body) -> Answer:
        text = body["messages"][1]["content"]
        is_harmful = any(question in text for question in harmful)
        return (
            filtered_request() if is_harmful or _asks(body, "reference") else offline_answer(body)
        )

    with OpenAIServer(answer) as server:
        done = uaeval("evaluate", run, *MODEL, "--base-url", server.url)
    assert done.code == 0
    manifest = read_manifest(run / "evaluations" / "rag" / "manifest.json")
    assert manifest
    assert manifest.status == "complete"
    assert manifest.failures == {"respond": 0, "judge": 0}
    assert manifest.blocked == {
        "respond": {"safety_concerned": 2},
        "judge": {"false_presupposition": 2, "safety_concerned": 2},
    }
    assert "Blocked by a content filter" in done.out
    assert "Blocked by a content filter" in uaeval("show", run).out


def test_a_filter_that_stops_every_judgement_leaves_the_evaluation_short(
    tmp_path: Path, synthesize: Synthesize, uaeval: Uaeval
) -> None:
    run = tmp_path / "run"
    synthesize(run, offline_answer)
    with OpenAIServer(lambda _: filtered_request()) as server:
        judge = ["--judge", "openai:j", "--judge-base-url", server.url]
        done = uaeval("evaluate", run, "--system", "rag", *judge)
    assert done.code == 6
    assert "There is no joint score" in done.out


# --- settings -----------------------------------------------------------------------------------


def test_limits_may_differ_when_a_run_resumes(
    tmp_path: Path, uaeval: Uaeval, documents: Path
) -> None:
    turns = itertools.count()
    with OpenAIServer(
        lambda body: offline_answer(body) if next(turns) != 5 else out_of_quota()
    ) as server:
        run = ["synthesize", documents, "-o", tmp_path / "run", "--base-url", server.url]
        run += [*MODEL, *SMALL]
        assert uaeval(*run, "--concurrency", "1").code == 4
        limits = ["--rpm", "60000", "--tpm", "99000000", "--timeout", "9", "--retries", "2"]
        assert uaeval(*run, *limits).code == 0
