"""Requests at a Batch API over real HTTP: none is sent twice, none is lost."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TypeAlias

import pytest
from tests.llm.batch_runs import ONE, YES, Run, kinds, used
from tests.servers.batch_api import BatchServer, Ending
from tests.servers.openai_server import (
    Answer,
    Body,
    Fault,
    broken_down,
    error,
    malformed,
    out_of_quota,
)

from uaeval.errors import ConfigError, ModelError, RunAborted
from uaeval.llm.batch import requests as batch
from uaeval.llm.batch.answers import ImportCounts
from uaeval.llm.batch.api import BatchApi
from uaeval.llm.batch.requests import underway, waiting
from uaeval.llm.batch.submitted import (
    SentBatch,
    batch_state,
    forget,
    import_batch,
    open_batches,
    sent_batches,
    store_state,
    submit,
)
from uaeval.llm.stored_model import BatchModel
from uaeval.prompts import PromptLibrary

QUICK = (0.001, 0.001)


class Shop:
    """A run, an endpoint, and the commands between them."""

    def __init__(self, run: Run, server: BatchServer, api: BatchApi) -> None:
        self.run = run
        self.server = server
        self.api = api

    async def ask(self, *questions: str) -> list[str]:
        return kinds(await self.run.ask(*questions))

    def submit(self) -> list[SentBatch]:
        made: list[SentBatch] = []
        submit(self.run.store, self.api, made.append)
        return made

    def fetch(self) -> ImportCounts:
        """Poll until every batch has ended, and import all answers."""
        counts = ImportCounts()
        while still := open_batches(self.run.store):
            for each in still:
                remote = batch_state(self.api, each)
                assert remote
                store_state(self.run.store, each, remote)
                if remote.ended:
                    counts += import_batch(self.run.store, self.api, each, remote)[1]
        return counts

    def sent(self) -> list[list[str]]:
        """Return what was asked in each batch."""
        return [
            [request["body"]["messages"][1]["content"][10:-11] for request in requests]
            for requests in self.server.sent()
        ]


Open: TypeAlias = Callable[..., Shop]


@pytest.fixture
def opened(tmp_path: Path, prompts: PromptLibrary) -> Iterator[Open]:
    with ExitStack() as stack:

        def open_shop(
            answer: Callable[[Body], Answer] = lambda _: YES,
            *,
            page: int = 100,
            folder: str = "run",
        ) -> Shop:
            server = stack.enter_context(BatchServer(answer, page=page))
            run = Run(tmp_path / folder, prompts)
            stack.enter_context(run.store)
            return Shop(run, server, stack.enter_context(BatchApi(server.url, pauses=QUICK)))

        yield open_shop


async def test_requests_are_sent_once_and_their_answers_imported(opened: Open) -> None:
    shop = opened()
    await shop.ask("é", "b")
    [made] = shop.submit()
    assert (made.model, made.requests, made.status) == ("openai:small", 2, "validating")
    assert (shop.submit(), shop.sent()) == ([], [["é", "b"]])
    assert (waiting(shop.run.store), underway(shop.run.store)) == (2, 2)
    assert shop.fetch() == ImportCounts(imported=2)
    assert await shop.ask("é", "b") == ["yes", "yes"]
    assert (shop.submit(), open_batches(shop.run.store)) == ([], ())
    [job] = shop.server.jobs.values()
    assert job.metadata == {"program": "uaeval", "run": shop.run.store.run_id, "number": "1"}
    kept = shop.run.file.with_name("batches") / "1.answers.jsonl"
    assert len(kept.read_bytes().splitlines()) == 2


async def test_what_is_in_a_batch_is_not_exported(opened: Open) -> None:
    shop = opened()
    await shop.ask("a")
    shop.submit()
    await shop.ask("b")
    [line] = shop.run.export()
    assert line["body"]["messages"][1]["content"] == "<question>b</question>"


async def test_each_model_and_each_fileful_is_a_batch(
    opened: Open, prompts: PromptLibrary, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(batch, "MOST_REQUESTS", 2)
    shop = opened()
    await shop.ask("a", "b", "c")
    shop.run.model = BatchModel("openai:large", shop.run.store, prompts)
    await shop.ask("a")
    assert [each.model for each in shop.submit()] == ["openai:small"] * 2 + ["openai:large"]
    assert shop.sent() == [["a", "b"], ["c"], ["a"]]
    shop.fetch()
    assert used(shop.run.store) == ONE + ONE + ONE + ONE


async def test_an_upload_that_fails_is_sent_again(opened: Open) -> None:
    shop = opened()
    await shop.ask("a")
    shop.server.faults["POST /files"].append(broken_down())
    shop.submit()
    assert (shop.server.calls.count("POST /files"), shop.sent()) == (2, [["a"]])


async def test_an_upload_that_was_not_written_down_leaves_the_requests_free(opened: Open) -> None:
    shop = opened()
    await shop.ask("a")
    shop.server.late_faults["POST /files"].extend([broken_down()] * 3)
    with pytest.raises(ModelError, match="HTTP 500"):
        shop.submit()
    assert underway(shop.run.store) == 0
    shop.submit()
    assert shop.sent() == [["a"]]


async def test_a_batch_whose_creation_was_interrupted_is_found_and_not_created_again(
    opened: Open,
) -> None:
    shop = opened()
    await shop.ask("a")
    shop.server.late_faults["POST /batches"].append(broken_down())
    [made] = shop.submit()
    assert made.id == "batch-1"
    assert len(shop.server.jobs) == 1


async def test_a_batch_that_was_not_created_is_requested_again(opened: Open) -> None:
    shop = opened()
    await shop.ask("a")
    shop.server.faults["POST /batches"].extend([broken_down(), error(429, "slow down")])
    shop.submit()
    assert shop.server.calls.count("POST /batches") == 3
    assert len(shop.server.jobs) == 1


@pytest.mark.parametrize("made", [True, False])
@pytest.mark.parametrize("page", [100, 1])
async def test_a_crash_between_file_and_batch_costs_nothing_twice(
    opened: Open, made: bool, page: int
) -> None:
    shop = opened(page=page)
    await shop.ask("a")
    faults = shop.server.late_faults if made else shop.server.faults
    faults["POST /batches"].append(broken_down())
    shop.server.faults["GET /batches"].extend([broken_down()] * 30)
    with pytest.raises(ModelError):
        shop.submit()
    [unsure] = open_batches(shop.run.store)
    assert (unsure.id, unsure.status, underway(shop.run.store)) == ("", "unconfirmed", 1)
    shop.server.faults.clear()
    elsewhere = shop.api.upload("other.jsonl", shop.server.files["file-1"])
    shop.api.create(elsewhere, {}, doubtful=False)
    [found] = shop.submit()
    assert found.requests == 1
    assert len(shop.server.jobs) == 2
    shop.fetch()
    assert await shop.ask("a") == ["yes"]


@pytest.mark.slow
@pytest.mark.parametrize("half", [0, 0.5])
def test_ctrl_c_at_any_call_pays_nothing_twice_and_loses_nothing(opened: Open, half: float) -> None:
    for number in range(1, 40):
        shop = opened(folder=f"run-{number}")
        asyncio.run(shop.ask("a", "b"))
        shop.server.endings.append(Ending(status="expired", answered=1))
        shop.server.interrupt_at = number + half
        interrupted = 0
        while waiting(shop.run.store):
            try:
                shop.submit()
                shop.fetch()
            except KeyboardInterrupt:
                interrupted += 1
        assert sorted(shop.server.answered) == sorted(set(shop.server.answered))
        assert asyncio.run(shop.ask("a", "b")) == ["yes", "yes"]
        if not interrupted:
            assert number > 8
            return
    raise AssertionError("the calls never came to an end")


async def test_a_refused_batch_frees_its_requests(opened: Open) -> None:
    shop = opened()
    await shop.ask("a")
    shop.server.faults["POST /batches"].append(error(400, "Billing hard limit has been reached"))
    with pytest.raises(RunAborted, match="Billing hard limit"):
        shop.submit()
    assert (sent_batches(shop.run.store), underway(shop.run.store)) == ((), 0)


async def test_a_used_up_quota_stops_the_run(opened: Open) -> None:
    shop = opened()
    await shop.ask("a")
    shop.server.faults["POST /files"].extend([out_of_quota()] * 3)
    with pytest.raises(RunAborted, match="quota is used up"):
        shop.submit()


async def test_an_expired_batch_gives_what_it_answered_and_frees_the_rest(opened: Open) -> None:
    shop = opened()
    shop.server.endings.append(Ending(status="expired", answered=1))
    await shop.ask("a", "b", "c")
    shop.submit()
    counts = shop.fetch()
    assert (counts.imported, counts.not_reached, counts.failed) == (1, 2, 0)
    [expired] = sent_batches(shop.run.store)
    assert (expired.status, expired.completed, expired.settled) == ("expired", 1, True)
    assert "24 hours" in expired.reason
    shop.submit()
    shop.fetch()
    assert shop.sent() == [["a", "b", "c"], ["b", "c"]]
    assert await shop.ask("a", "b", "c") == ["yes"] * 3


async def test_a_batch_that_fails_validation_says_why_and_frees_its_requests(opened: Open) -> None:
    shop = opened()
    found = [{"code": "invalid", "line": n, "message": f"wrong {n}"} for n in range(1, 8)]
    shop.server.endings.append(Ending(status="failed", errors=tuple(found)))
    await shop.ask("a")
    shop.submit()
    shop.fetch()
    [failed] = sent_batches(shop.run.store)
    assert failed.reason.startswith("line 1: wrong 1; line 2: wrong 2; ")
    assert failed.reason.endswith("; and 2 more")
    assert underway(shop.run.store) == 0
    shop.submit()
    shop.fetch()
    assert await shop.ask("a") == ["yes"]


async def test_error_lines_become_failures_and_repairs_are_sent_again(opened: Open) -> None:
    def answer(body: Body) -> Answer:
        question = body["messages"][1]["content"]
        if "bad" in question:
            return error(400, "no such tool")
        return "?" if "odd" in question and len(body["messages"]) == 2 else YES

    shop = opened(answer)
    await shop.ask("good", "bad", "odd")
    shop.submit()
    counts = shop.fetch()
    assert (counts.imported, counts.failed) == (1, 2)
    assert used(shop.run.store) == ONE + ONE
    shop.submit()
    assert shop.fetch().imported == 1
    assert used(shop.run.store) == ONE + ONE + ONE
    assert await shop.ask("good", "bad", "odd") == ["yes", "ModelError", "yes"]
    assert len(shop.server.answered) == 4


async def test_a_cancelled_batch_gives_its_answers(opened: Open) -> None:
    shop = opened()
    shop.server.endings.append(Ending(answered=1))
    await shop.ask("a", "b")
    [made] = shop.submit()
    assert shop.api.cancel(made.id).status == "cancelling"
    counts = shop.fetch()
    assert (counts.imported, counts.not_reached) == (1, 1)
    assert sent_batches(shop.run.store)[0].status == "cancelled"


async def test_answers_that_the_endpoint_no_longer_has_are_requested_again(opened: Open) -> None:
    shop = opened()
    await shop.ask("a")
    shop.submit()
    shop.server.faults["GET /files/:id/content"].append(error(404, "No such File object"))
    assert shop.fetch() == ImportCounts()
    assert sent_batches(shop.run.store)[0].reason == "a file of its answers is no longer there"
    assert await shop.ask("a") == ["PendingReply"]
    shop.submit()
    assert shop.fetch().imported == 1


async def test_an_interrupted_download_imports_nothing(opened: Open) -> None:
    shop = opened()
    await shop.ask("a")
    shop.submit()
    shop.server.faults["GET /files/:id/content"].extend([broken_down()] * 3)
    with pytest.raises(ModelError):
        shop.fetch()
    assert underway(shop.run.store) == 1
    assert shop.fetch().imported == 1


async def test_an_unknown_batch_stops_until_it_is_given_up(opened: Open) -> None:
    shop = opened()
    await shop.ask("a")
    [made] = shop.submit()
    shop.server.jobs.clear()
    with pytest.raises(
        RunAborted, match=r"does not have the batch batch-1\. .* cancel RUN --forget"
    ):
        batch_state(shop.api, made)
    forget(shop.run.store, made)
    assert underway(shop.run.store) == 0


async def test_another_endpoint_is_not_asked_about_a_batch(opened: Open) -> None:
    shop = opened()
    await shop.ask("a")
    [made] = shop.submit()
    with (
        BatchApi("http://user:secret@127.0.0.1:9/v1") as other,
        pytest.raises(ConfigError, match=r"was sent to \S+, not to http://127\.0\.0\.1:9/v1;"),
    ):
        batch_state(other, made)


async def test_a_model_of_another_provider_is_not_sent(
    opened: Open, prompts: PromptLibrary
) -> None:
    shop = opened()
    shop.run.model = BatchModel("azure_openai:small", shop.run.store, prompts)
    await shop.ask("a")
    with pytest.raises(ConfigError, match="azure_openai:small cannot be sent from here"):
        shop.submit()


def test_openai_requires_a_key() -> None:
    with BatchApi() as api, pytest.raises(ConfigError, match="set OPENAI_API_KEY"):
        api.upload("requests.jsonl", b"{}")


@pytest.mark.parametrize(
    "page", [error(200, "It works!"), malformed(), Fault(body=b"{"), error(404, "Not Found")]
)
def test_an_endpoint_with_other_replies_is_not_taken_for_a_batch_api(
    opened: Open, page: Fault
) -> None:
    shop = opened()
    shop.server.faults["POST /files"].append(page)
    with pytest.raises(ConfigError, match="has no Batch API"):
        shop.api.upload("a.jsonl", b"{}")
