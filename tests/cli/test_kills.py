"""A run against an endpoint that is killed again and again: nothing lost, little repeated."""

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tests.cli.conftest import Uaeval
from tests.servers.chat_server import ChatServer, Plan
from tests.servers.permit_office import write_documents

KILLS = 20
AT_ONCE = 8
OPTIONS = [
    "--size", "160",
    "--categories", "underspecified,false_presupposition,nonsensical,safety_concerned",
    "--concurrency", str(AT_ONCE),
    "--model", "openai:some-model",
]  # fmt: skip


@pytest.mark.slow
def test_twenty_kills_repeat_no_more_calls_than_were_in_flight(
    tmp_path: Path, uaeval: Uaeval
) -> None:
    write_documents(tmp_path / "documents", 200)
    whole, broken = tmp_path / "whole", tmp_path / "broken"
    with ChatServer("tests.servers.permit_office:answer") as server:
        given = ["synthesize", str(tmp_path / "documents"), "--base-url", server.url, *OPTIONS]
        server.follow(Plan(latency_s=0.05))
        done = uaeval(*given, "-o", whole)
        assert done.code == 0, done.err
        needed = server.counts().calls

        server.follow(Plan(latency_s=0.05))
        chance = random.Random(3)
        kills = sum(
            _killed_after(chance.randint(1, needed // KILLS), server, [*given, "-o", str(broken)])
            for _ in range(KILLS)
        )
        assert kills >= KILLS - 2
        done = uaeval(*given, "-o", broken)
        assert done.code == 0, done.err
        made = server.counts().calls

        server.follow(Plan())
        assert uaeval(*given, "-o", broken).code == 0
        assert server.counts().calls == 0
    assert (broken / "queries.jsonl").read_bytes() == (whole / "queries.jsonl").read_bytes()
    assert made - needed <= (kills + 1) * AT_ONCE


def _killed_after(calls: int, server: ChatServer, arguments: list[str]) -> bool:
    """Start a run, kill it after so many calls, and return whether it was still running."""
    before = server.counts().calls
    with subprocess.Popen(
        [sys.executable, "-m", "uaeval", *arguments],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as process:
        while process.poll() is None and server.counts().calls < before + calls:
            time.sleep(0.005)
        if process.poll() is None:
            os.kill(process.pid, signal.SIGKILL)
            return True
    return False
