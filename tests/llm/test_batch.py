import asyncio
import json
from collections.abc import Iterable
from pathlib import Path

import pytest
from tests.servers.openai_server import Body, Said, completion

from uaeval.errors import (
    BlockedError,
    ConfigError,
    ModelError,
    Pending,
    RefusedError,
    ReplyError,
    StorageError,
)
from uaeval.llm import batch
from uaeval.llm.batch import BatchModel, export, failures, retry_failures, waiting
from uaeval.llm.batch_answers import ImportCounts, import_answers
from uaeval.llm.parameters import Parameters, Usage
from uaeval.llm.replies import NonsensicalDraft, Written, YesNoJudgement
from uaeval.llm.scripted import ScriptedModel
from uaeval.llm.store import ResponseStore, StoredModel
from uaeval.prompts import PromptLibrary

YES = '{"rationale": "r", "label": "yes"}'
ONE = Usage(calls=1, prompt_tokens=11, completion_tokens=7)


class Run:
    """A run folder with a batch model, and what a batch endpoint would make of its requests."""

    def __init__(self, folder: Path, prompts: PromptLibrary, name: str = "openai:small") -> None:
        folder.mkdir(exist_ok=True)
        self.file = folder / "requests.jsonl"
        self.answers = folder / "answers.jsonl"
        self.store = ResponseStore(folder / "responses.sqlite")
        self.model = BatchModel(name, self.store, prompts)

    async def ask(self, *questions: str) -> list[YesNoJudgement | BaseException]:
        asked = (
            self.model.ask("test/judge", YesNoJudgement, question=question)
            for question in questions
        )
        return await asyncio.gather(*asked, return_exceptions=True)

    async def exported(self, *questions: str) -> list[Body]:
        await self.ask(*questions)
        return self.export()

    def export(self) -> list[Body]:
        export(self.store, self.file)
        return read_lines(self.file)

    def take(self, lines: Iterable[Body | str | bytes]) -> ImportCounts:
        self.answers.write_bytes(b"".join(as_bytes(line) + b"\n" for line in lines))
        return import_answers(self.answers, self.store)


def read_lines(file: Path) -> list[Body]:
    return [json.loads(line) for line in file.read_text("utf-8").splitlines()]


def as_bytes(line: Body | str | bytes) -> bytes:
    if isinstance(line, bytes):
        return line
    return (line if isinstance(line, str) else json.dumps(line)).encode()


def answer(request: Body, said: Said | str = YES) -> Body:
    said = Said(content=said) if isinstance(said, str) else said
    response = {"status_code": 200, "request_id": "r", "body": completion(said)}
    return {"id": "b", "custom_id": request["custom_id"], "response": response, "error": None}


def error_line(request: Body, code: str, status: int | None = 400) -> Body:
    told = {"code": code, "message": f"told: {code}"}
    if status is None:
        return {"custom_id": request["custom_id"], "response": None, "error": told}
    response = {"status_code": status, "body": {"error": told}}
    return {"custom_id": request["custom_id"], "response": response, "error": None}


@pytest.fixture
def run(tmp_path: Path, prompts: PromptLibrary) -> Run:
    return Run(tmp_path / "run", prompts)


def kinds(outcomes: Iterable[object]) -> list[str]:
    return [
        each.label if isinstance(each, YesNoJudgement) else type(each).__name__ for each in outcomes
    ]


async def test_a_run_waits_for_its_answers_and_then_goes_on(run: Run) -> None:
    assert kinds(await run.ask("a", "b", "a")) == ["Pending"] * 3
    assert waiting(run.store) == 2
    first, second = run.export()
    assert first["body"]["messages"][1]["content"] == "<question>a</question>"
    counts = run.take([answer(second), answer(first)])
    assert counts == ImportCounts(imported=2, usage=ONE + ONE)
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
        settings = Parameters(temperature=None, max_tokens=50)
        model = BatchModel("openai:o", store, prompts, parameters=settings)
        with pytest.raises(Pending):
            await model.ask("test/judge", YesNoJudgement, question="a")
        export(store, tmp_path / "requests.jsonl")
        [line] = read_lines(tmp_path / "requests.jsonl")
    assert "temperature" not in line["body"]
    assert line["body"]["max_completion_tokens"] == 50


async def test_answers_may_come_in_part(run: Run) -> None:
    first, second, third = await run.exported("a", "b", "c")
    assert run.take([answer(third)]).imported == 1
    assert kinds(await run.ask("a", "b", "c")) == ["Pending", "Pending", "yes"]
    assert run.export() == [first, second]
    assert run.take([answer(third), answer(first)]) == ImportCounts(
        imported=1, already=1, usage=ONE
    )


async def test_a_doubled_line_counts_once(run: Run) -> None:
    [line] = await run.exported("a")
    counts = run.take([answer(line), answer(line, '{"rationale": "r", "label": "no"}')])
    assert (counts.imported, counts.already) == (1, 1)
    assert kinds(await run.ask("a")) == ["yes"]


async def test_error_lines_become_failures_until_they_are_retried(run: Run) -> None:
    asked = await run.exported("a", "b", "c", "d")
    lines = [
        error_line(asked[0], "batch_expired", None),
        error_line(asked[1], "server_error", 500),
        error_line(asked[2], "content_filter"),
        answer(asked[3], Said(content="", finish_reason="content_filter")),
    ]
    assert run.take(lines).failed == 4
    expected = ["ModelError", "ModelError", "BlockedError", "BlockedError"]
    outcomes = await run.ask("a", "b", "c", "d")
    assert kinds(outcomes) == expected
    assert "batch_expired" in str(outcomes[0])
    assert (waiting(run.store), failures(run.store)) == (0, 4)
    assert run.take(lines).already == 4
    assert retry_failures(run.store) == 4
    assert len({line["custom_id"] for line in [*asked, *run.export()]}) == 8
    assert run.take(lines).already == 4
    assert kinds(await run.ask("a", "b", "c", "d")) == ["Pending"] * 4


async def test_a_later_good_answer_replaces_a_failure(run: Run) -> None:
    [line] = await run.exported("a")
    run.take([error_line(line, "server_error", 500)])
    assert run.take([answer(line)]).imported == 1
    assert kinds(await run.ask("a")) == ["yes"]
    assert failures(run.store) == retry_failures(run.store) == 0


async def test_an_unreadable_answer_is_repaired_in_the_next_round(run: Run) -> None:
    [line] = await run.exported("a")
    assert run.take([answer(line, "Yes, surely")]).failed == 1
    assert run.take([answer(line, "Yes, surely")]).already == 1
    assert kinds(await run.ask("a")) == ["Pending"]
    [repair] = run.export()
    assert repair["custom_id"] != line["custom_id"]
    assert repair["body"]["messages"][:2] == line["body"]["messages"]
    assert repair["body"]["messages"][2] == {"role": "assistant", "content": "Yes, surely"}
    assert "no JSON object" in repair["body"]["messages"][3]["content"]
    assert run.take([answer(repair)]).imported == 1
    assert kinds(await run.ask("a")) == ["yes"]


async def test_an_answer_that_stays_unreadable_is_a_failure(run: Run) -> None:
    [line] = await run.exported("a")
    run.take([answer(line, "Yes")])
    [repair] = run.export()
    assert run.take([answer(repair, "Yes!")]).failed == 1
    [outcome] = await run.ask("a")
    assert isinstance(outcome, ReplyError)
    assert "'Yes!'" in str(outcome)
    assert outcome.raw == "Yes!"
    assert retry_failures(run.store) == 1
    [again] = run.export()
    assert again["body"] == line["body"]


async def test_both_rounds_of_one_request_in_one_file_count_each(run: Run) -> None:
    [line] = await run.exported("a")
    lines = [answer(line, "Yes"), answer(line, "Yes")]
    assert run.take(lines) == ImportCounts(failed=1, already=1, usage=ONE)


async def test_a_refusal_and_a_body_without_message_are_failures(run: Run) -> None:
    refused, empty, odd = await run.exported("a", "b", "c")
    bare = answer(empty)
    bare["response"]["body"] = {"choices": []}
    text = answer(odd)
    text["response"]["body"] = "oops"
    counts = run.take([answer(refused, Said(content=None, refusal="No.")), bare, text])
    assert counts.failed == 3
    outcomes = await run.ask("a", "b", "c")
    assert kinds(outcomes) == ["RefusedError", "ModelError", "ModelError"]
    assert isinstance(outcomes[0], RefusedError)
    assert outcomes[0].text == "No."


async def test_lines_that_are_no_answers_are_counted_with_their_numbers(run: Run) -> None:
    [line] = await run.exported("a")
    garbage: list[Body | str | bytes] = [
        "", "{", b"\xff\xfe", "[]", "3", "{}", '{"custom_id": 3}', answer(line),
        {"custom_id": line["custom_id"], "response": None, "error": None},
    ]  # fmt: skip
    counts = run.take(garbage)
    assert counts == ImportCounts(imported=1, unreadable=(2, 3, 4, 5, 6, 7, 9), usage=ONE)


async def test_ids_that_were_never_asked_are_counted(run: Run) -> None:
    [line] = await run.exported("a")
    stray = {**line, "custom_id": f"{run.store.run_id}-{'0' * 32}-1"}
    assert run.take([answer(stray)]) == ImportCounts(unknown=1)


async def test_the_file_of_another_run_is_refused_whole(
    run: Run, tmp_path: Path, prompts: PromptLibrary
) -> None:
    [mine] = await run.exported("a")
    other = Run(tmp_path / "other", prompts)
    [theirs] = await other.exported("a")
    with pytest.raises(StorageError, match=r"answers\.jsonl, line 2 .* is of another run"):
        run.take([answer(mine), answer(theirs)])
    assert kinds(await run.ask("a")) == ["Pending"]
    with pytest.raises(StorageError, match="is of another run"):
        run.take([answer({"custom_id": "request-1"})])


async def test_the_request_file_is_not_taken_for_answers(run: Run) -> None:
    with pytest.raises(StorageError, match="is a request; import the file of answers"):
        run.take(await run.exported("a"))


def test_a_file_that_cannot_be_read_is_named(run: Run) -> None:
    with pytest.raises(StorageError, match=r"gone\.jsonl cannot be read: No such file"):
        import_answers(run.file.with_name("gone.jsonl"), run.store)
    with pytest.raises(StorageError, match="cannot be read"):
        import_answers(run.file.parent, run.store)


async def test_an_export_to_nowhere_is_named(run: Run) -> None:
    await run.ask("a")
    with pytest.raises(StorageError, match="cannot be written: No such file"):
        export(run.store, run.file.parent / "nowhere" / "requests.jsonl")


async def test_replies_with_parts_survive_the_way_through_a_file(run: Run) -> None:
    kind = Written[NonsensicalDraft]
    with pytest.raises(Pending):
        await run.model.ask("test/write", kind, question="a")
    [line] = run.export()
    run.take([answer(line, '{"declined": "nothing here", "draft": null}')])
    reply = await run.model.ask("test/write", kind, question="a")
    assert reply.declined == "nothing here"


async def test_each_model_gets_a_file_of_its_own(run: Run, prompts: PromptLibrary) -> None:
    other = BatchModel("openai:large", run.store, prompts)
    await run.ask("a", "b")
    with pytest.raises(Pending):
        await other.ask("test/judge", YesNoJudgement, question="a")
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
    online = StoredModel(inner, run.store, prompts)
    [line] = await run.exported("a")
    run.take([answer(line)])
    assert (await online.ask("test/judge", YesNoJudgement, question="a")).label == "yes"
    await run.ask("b")
    assert (await online.ask("test/judge", YesNoJudgement, question="b")).label == "no"
    assert waiting(run.store) == 0
    assert kinds(await run.ask("b")) == ["no"]


def test_a_model_without_batch_files_is_refused(run: Run, prompts: PromptLibrary) -> None:
    with pytest.raises(ConfigError, match="cannot be asked in batches"):
        BatchModel("anthropic:x", run.store, prompts)


def test_every_error_of_a_record_comes_back_as_itself() -> None:
    assert set(batch._KINDS.values()) == {ModelError, RefusedError, BlockedError, ReplyError}
