import asyncio
from pathlib import Path

import pytest
from tests.llm.batch_runs import ONE, YES, Run, answer, as_bytes, error_line, kinds, used
from tests.scripted import identity
from tests.servers.openai_server import Body, Said

from uaeval.categories.nonsensical import NonsensicalDraft
from uaeval.errors import (
    PendingReply,
    RefusedError,
    ReplyError,
    StorageError,
)
from uaeval.llm.batch.answers import ImportCounts, import_answers
from uaeval.llm.batch.requests import failures, retry_failures, waiting
from uaeval.llm.ledger import Ledger
from uaeval.llm.prices import open_prices
from uaeval.llm.replies import Written, YesNoJudgement
from uaeval.llm.usage import Usage
from uaeval.prompts import PromptLibrary


@pytest.fixture
def run(tmp_path: Path, prompts: PromptLibrary) -> Run:
    return Run(tmp_path / "run", prompts)


async def test_answers_may_be_imported_in_part(run: Run) -> None:
    first, second, third = await run.exported("a", "b", "c")
    assert run.take([answer(third)]).imported == 1
    assert kinds(await run.ask("a", "b", "c")) == ["PendingReply", "PendingReply", "yes"]
    assert run.export() == [first, second]
    assert run.take([answer(third), answer(first)]) == ImportCounts(imported=1, already=1)


async def test_a_doubled_line_counts_once(run: Run) -> None:
    [line] = await run.exported("a")
    counts = run.take([answer(line), answer(line, '{"rationale": "r", "label": "no"}')])
    assert (counts.imported, counts.already) == (1, 1)
    assert kinds(await run.ask("a")) == ["yes"]


async def test_error_lines_become_failures_until_they_are_retried(run: Run) -> None:
    asked = await run.exported("a", "b", "c", "d")
    lines = [
        error_line(asked[0], "rate_limit_exceeded", None),
        error_line(asked[1], "server_error", 500),
        error_line(asked[2], "content_filter"),
        answer(asked[3], Said(content="", finish_reason="content_filter")),
    ]
    assert run.take(lines).failed == 4
    expected = ["ModelError", "ModelError", "BlockedError", "BlockedError"]
    outcomes = await run.ask("a", "b", "c", "d")
    assert kinds(outcomes) == expected
    assert "rate_limit_exceeded" in str(outcomes[0])
    assert (waiting(run.store), failures(run.store)) == (0, 4)
    assert run.take(lines).already == 4
    assert retry_failures(run.store) == 4
    assert len({line["custom_id"] for line in [*asked, *run.export()]}) == 8
    assert run.take(lines).already == 4
    assert kinds(await run.ask("a", "b", "c", "d")) == ["PendingReply"] * 4


@pytest.mark.parametrize("code", ["batch_expired", "batch_cancelled"])
async def test_unprocessed_requests_of_a_batch_keep_waiting(run: Run, code: str) -> None:
    answered, left = await run.exported("a", "b")
    counts = run.take([error_line(left, code, None), answer(answered)])
    assert (counts.imported, counts.not_reached, counts.failed) == (1, 1, 0)
    assert (waiting(run.store), failures(run.store)) == (1, 0)
    assert run.export() == [left]


async def test_an_error_of_any_shape_is_reported(run: Run) -> None:
    asked = await run.exported("a", "b", "c")
    told = {"message": "The model `x` does not exist.", "type": "NotFoundError", "code": 404}
    nested = error_line(asked[0], "", None) | {"error": {"error": told}}
    plain = error_line(asked[1], "", None) | {"error": "the engine is dead"}
    in_body = error_line(asked[2], "", 404)
    in_body["response"]["body"] = {"error": told}
    assert run.take([nested, plain, in_body]).failed == 3
    words = [str(each) for each in await run.ask("a", "b", "c")]
    assert words[0] == words[2] == f"the batch answer is an error (404): {told['message']}"
    assert "the engine is dead" in words[1]


async def test_a_temperature_that_the_endpoint_rejects_is_no_longer_sent(run: Run) -> None:
    first, second = await run.exported("a", "b")
    assert first["body"]["temperature"] == 0
    lines = [error_line(each, "unsupported_value: 'temperature'") for each in (first, second)]
    assert run.take(lines).failed == 2
    assert run.take(lines).already == 2
    again = await run.exported("c")
    assert len(again) == 3
    assert not any("temperature" in each["body"] for each in again)
    run.take([error_line(again[0], "'temperature' once more"), answer(again[1])])
    assert kinds(await run.ask("a", "b", "c")) == ["ModelError", "yes", "PendingReply"]


async def test_a_reply_that_was_cut_off_is_asked_for_once_more(run: Run) -> None:
    [line] = await run.exported("a")
    assert run.take([answer(line, Said(content=YES, finish_reason="length"))]).failed == 1
    [repair] = run.export()
    assert "was cut off at the token limit" in repair["body"]["messages"][3]["content"]
    run.take([answer(repair, Said(content=YES, finish_reason="length"))])
    [outcome] = await run.ask("a")
    assert isinstance(outcome, ReplyError)


async def test_several_files_come_in_any_order_and_more_than_once(run: Run) -> None:
    first, second, third = await run.exported("a", "b", "c")
    files = [run.file.with_name(f"{number}.jsonl") for number in range(3)]
    contents = [[answer(first, "?"), answer(second)], [error_line(third, "oops")], [answer(second)]]
    for file, lines in zip(files, contents, strict=True):
        file.write_bytes(b"".join(as_bytes(line) + b"\n" for line in lines))
    counts = import_answers([files[2], files[1], files[0], files[0]], run.store)
    assert (counts.imported, counts.failed, counts.already) == (1, 2, 3)
    assert used(run.store) == ONE + ONE
    [repair] = run.export()
    run.take([answer(repair)])
    assert import_answers(files, run.store).already == 4
    assert kinds(await run.ask("a", "b", "c")) == ["yes", "yes", "ModelError"]
    assert used(run.store) == ONE + ONE + ONE


async def test_files_are_taken_in_all_or_none_and_usage_with_them(
    run: Run, tmp_path: Path, prompts: PromptLibrary
) -> None:
    [mine] = await run.exported("a")
    [theirs] = await Run(tmp_path / "other", prompts).exported("a")
    good, strange = run.file.with_name("good.jsonl"), run.file.with_name("strange.jsonl")
    good.write_bytes(as_bytes(answer(mine)))
    strange.write_bytes(as_bytes(answer(theirs)))
    with pytest.raises(StorageError, match=r"strange\.jsonl, line 1 .* is of another run"):
        import_answers([good, strange], run.store)
    assert kinds(await run.ask("a")) == ["PendingReply"]
    assert used(run.store) == Usage()
    import_answers([good], run.store)
    assert used(run.store) == ONE


async def test_an_error_line_counts_no_call_and_an_unreadable_reply_does(run: Run) -> None:
    failed, unreadable, refused = await run.exported("a", "b", "c")
    lines = [error_line(failed, "oops"), answer(unreadable, "?")]
    lines.append(answer(refused, Said(content=None, refusal="No.", cached_tokens=3)))
    expected = Usage(calls=2, prompt_tokens=22, completion_tokens=14, cached_tokens=3)
    run.take(lines)
    assert used(run.store) == expected


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
    assert kinds(await run.ask("a")) == ["PendingReply"]
    [repair] = run.export()
    assert repair["custom_id"] != line["custom_id"]
    assert repair["body"]["messages"][:2] == line["body"]["messages"]
    assert repair["body"]["messages"][2] == {"role": "assistant", "content": "Yes, surely"}
    assert "no JSON object" in repair["body"]["messages"][3]["content"]
    assert run.take([answer(repair)]).imported == 1
    assert kinds(await run.ask("a")) == ["yes"]


async def test_an_answer_that_cannot_be_parsed_is_repaired_in_the_next_round(
    run: Run,
) -> None:
    def parse(reply: YesNoJudgement) -> YesNoJudgement:
        if reply.label == "no":
            raise ReplyError("there is nothing to deny")
        return reply

    async def checked() -> str:
        asked = run.model.ask("test/judge", YesNoJudgement, parse, question="a")
        return kinds(await asyncio.gather(asked, return_exceptions=True))[0]

    no = '{"rationale":"r","label":"no"}'
    [line] = await run.exported("a")
    assert run.take([answer(line, no)]).imported == 1
    assert [await checked(), await checked()] == ["PendingReply", "PendingReply"]
    [repair] = run.export()
    assert repair["body"]["messages"][2] == {"role": "assistant", "content": no}
    assert "there is nothing to deny" in repair["body"]["messages"][3]["content"]
    assert run.take([answer(line, no)]).already == 1
    assert await checked() == "PendingReply"

    assert run.take([answer(repair, no)]).imported == 1
    assert [await checked(), await checked()] == ["ReplyError", "ReplyError"]
    assert (waiting(run.store), failures(run.store)) == (0, 1)
    assert retry_failures(run.store) == 1
    [again] = run.export()
    assert again["body"] == line["body"]
    run.take([answer(again)])
    assert await checked() == "yes"


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
    assert run.take(lines) == ImportCounts(failed=1, already=1)


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
    places = tuple(f"{run.answers}, line {number}" for number in (2, 3, 4, 5, 6, 7, 9))
    assert counts == ImportCounts(imported=1, unreadable=places)


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
    assert kinds(await run.ask("a")) == ["PendingReply"]
    with pytest.raises(StorageError, match="is of another run"):
        run.take([answer({"custom_id": "request-1"})])


async def test_the_request_file_is_not_taken_for_answers(run: Run) -> None:
    with pytest.raises(StorageError, match="is a request; import the file of answers"):
        run.take(await run.exported("a"))


def test_a_file_that_cannot_be_read_is_named(run: Run) -> None:
    with pytest.raises(StorageError, match=r"gone\.jsonl cannot be read: No such file"):
        import_answers([run.file.with_name("gone.jsonl")], run.store)
    with pytest.raises(StorageError, match="cannot be read"):
        import_answers([run.file.parent], run.store)


async def test_replies_with_parts_survive_the_way_through_a_file(run: Run) -> None:
    kind = Written[NonsensicalDraft]
    with pytest.raises(PendingReply):
        await run.model.ask("test/write", kind, identity, question="a")
    [line] = run.export()
    run.take([answer(line, '{"declined": "nothing here", "draft": null}')])
    reply = await run.model.ask("test/write", kind, identity, question="a")
    assert reply.declined == "nothing here"


async def test_the_usage_of_a_batch_is_recorded_by_prompt_and_errors_cost_nothing(
    run: Run,
) -> None:
    first, second, third = await run.exported("a", "b", "c")
    cached = Said(content=YES, cached_tokens=5)
    untold = Said(content="Yes!", prompt_tokens=None)
    run.take([answer(first, cached), answer(second, untold), error_line(third, "server_error")])
    [entry] = Ledger(run.store, open_prices(None)).entries()
    used = ONE + Usage(calls=1, cached_tokens=5, without_usage=1)
    about = {"model": run.model.name, "prompt": "test/judge", "batch": True}
    assert entry.model_dump() == used.model_dump() | about
