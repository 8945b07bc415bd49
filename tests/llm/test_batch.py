from pathlib import Path

import pytest
from tests.llm.batch_runs import Run, answer, kinds, read_lines
from tests.scripted import ScriptedModel, identity

from uaeval.errors import (
    BlockedError,
    ConfigError,
    ModelError,
    PendingReply,
    RefusedError,
    ReplyError,
    StorageError,
)
from uaeval.llm.batch import requests as batch
from uaeval.llm.batch.answers import ImportCounts
from uaeval.llm.batch.requests import export, waiting
from uaeval.llm.replies import YesNoJudgement
from uaeval.llm.store import ResponseStore
from uaeval.llm.stored_model import BatchModel, StoredModel
from uaeval.prompts import PromptLibrary


@pytest.fixture
def run(tmp_path: Path, prompts: PromptLibrary) -> Run:
    return Run(tmp_path / "run", prompts)


async def test_a_run_waits_for_its_answers_and_then_continues(run: Run) -> None:
    assert kinds(await run.ask("a", "b", "a")) == ["PendingReply"] * 3
    assert waiting(run.store) == 2
    first, second = run.export()
    assert first["body"]["messages"][1]["content"] == "<question>a</question>"
    counts = run.take([answer(second), answer(first)])
    assert counts == ImportCounts(imported=2)
    assert kinds(await run.ask("a", "b", "a")) == ["yes"] * 3
    assert (waiting(run.store), export(run.store, run.file)) == (0, ())
    assert not run.file.exists()


async def test_a_line_is_what_the_batch_endpoint_wants(run: Run) -> None:
    [line] = await run.exported("a")
    assert list(line) == ["custom_id", "method", "url", "body"]
    assert line["custom_id"].startswith(f"{run.store.run_id}-")
    assert (line["method"], line["url"]) == ("POST", "/v1/chat/completions")
    body = line["body"]
    assert list(body) == ["model", "messages", "temperature", "response_format"]
    assert body["model"] == "small"
    assert body["messages"][0] == {"role": "system", "content": "Judge. Reply as JSON."}
    assert body["response_format"]["json_schema"]["name"] == "YesNoJudgement"


async def test_the_order_is_that_of_asking_whatever_was_asked_before(run: Run) -> None:
    questions = ["c", "a", "d", "b"]
    lines = await run.exported(*questions)
    asked = [line["body"]["messages"][1]["content"][10] for line in lines]
    assert asked == questions
    assert await run.exported("z", "a") == [*lines, run.export()[-1]]


async def test_settings_travel_with_the_request(tmp_path: Path, prompts: PromptLibrary) -> None:
    with ResponseStore(tmp_path / "responses.sqlite") as store:
        model = BatchModel("openai:o", store, prompts, temperature=None)
        with pytest.raises(PendingReply):
            await model.ask("test/judge", YesNoJudgement, identity, question="a")
        export(store, tmp_path / "requests.jsonl")
        [line] = read_lines(tmp_path / "requests.jsonl")
    assert "temperature" not in line["body"]


async def test_an_export_that_cannot_be_written_is_named(run: Run) -> None:
    await run.ask("a")
    run.file.touch()
    with pytest.raises(StorageError, match=r"cannot write .*: (Not a dir|File exists)"):
        export(run.store, run.file / "requests.jsonl")


async def test_each_model_gets_a_file_of_its_own(run: Run, prompts: PromptLibrary) -> None:
    other = BatchModel("openai:large", run.store, prompts)
    await run.ask("a", "b")
    with pytest.raises(PendingReply):
        await other.ask("test/judge", YesNoJudgement, identity, question="a")
    files = export(run.store, run.file)
    assert [file.name for file in files] == ["requests.jsonl", "requests-2.jsonl"]
    assert [[line["body"]["model"] for line in read_lines(file)] for file in files] == [
        ["small", "small"],
        ["large"],
    ]
    for file in files:
        counts = run.take([answer(line) for line in read_lines(file)])
        assert counts.failed == counts.unknown == 0
    keepsake = run.file.with_name("requests-3.jsonl")
    keepsake.write_text("mine", encoding="utf-8")
    assert export(run.store, run.file) == ()
    assert [file.exists() for file in (*files, keepsake)] == [False, False, True]


async def test_a_file_holds_no_more_than_the_endpoint_takes(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(batch, "MOST_REQUESTS", 2)
    await run.ask("a", "b", "c", "d", "e")
    files = export(run.store, run.file)
    assert [len(read_lines(file)) for file in files] == [2, 2, 1]
    monkeypatch.setattr(batch, "MOST_BYTES", 10)
    assert len(export(run.store, run.file)) == 5


async def test_batch_and_online_share_their_answers(run: Run, prompts: PromptLibrary) -> None:
    inner = ScriptedModel(
        {"test/judge": YesNoJudgement(rationale="r", label="no")}, name="openai:small"
    )
    online = StoredModel(inner.name, run.store, prompts, inner=inner)
    [line] = await run.exported("a")
    run.take([answer(line)])
    assert (await online.ask("test/judge", YesNoJudgement, identity, question="a")).label == "yes"
    await run.ask("b")
    assert (await online.ask("test/judge", YesNoJudgement, identity, question="b")).label == "no"
    assert waiting(run.store) == 0
    assert kinds(await run.ask("b")) == ["no"]


def test_a_model_without_batch_files_is_refused(run: Run, prompts: PromptLibrary) -> None:
    with pytest.raises(ConfigError, match="cannot be asked in batches"):
        BatchModel("anthropic:x", run.store, prompts)


def test_every_error_of_a_record_survives_the_round_trip() -> None:
    assert set(batch._KINDS.values()) == {ModelError, RefusedError, BlockedError, ReplyError}
