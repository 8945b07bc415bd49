import asyncio
import gc
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.scripted import ScriptedModel, identity

from uaeval.errors import ModelError, ReplyError, StorageError
from uaeval.llm.model import Field, R, T
from uaeval.llm.replies import Reply, VerdictJudgement, YesNoJudgement
from uaeval.llm.store import Request, ResponseStore, checksum, make_request
from uaeval.llm.stored_model import StoredModel
from uaeval.prompts import PromptLibrary
from uaeval.records import Passage

YES = YesNoJudgement(rationale="r", label="yes")


def stored(
    replies: Callable[..., Reply] | Reply, store: ResponseStore, prompts: PromptLibrary
) -> tuple[StoredModel, ScriptedModel]:
    inner = ScriptedModel({"test/judge": replies})
    return StoredModel(inner.name, store, prompts, inner=inner), inner


async def judge(model: StoredModel, question: str = "?") -> YesNoJudgement:
    return await model.ask("test/judge", YesNoJudgement, identity, question=question)


async def test_a_question_is_asked_once_and_remembered_across_runs(
    tmp_path: Path, prompts: PromptLibrary
) -> None:
    for asked in (1, 0, 0):
        with ResponseStore(tmp_path / "responses.sqlite") as store:
            model, inner = stored(YES, store, prompts)
            assert model.name == "scripted"
            assert [await judge(model), await judge(model)] == [YES, YES]
            assert (len(store), len(inner.history)) == (1, asked)


async def test_equal_questions_at_once_are_asked_once(
    tmp_path: Path, prompts: PromptLibrary
) -> None:
    with ResponseStore(tmp_path / "responses.sqlite") as store:
        inner = SlowModel()
        model = StoredModel(inner.name, store, prompts, inner=inner)
        replies = await asyncio.gather(*(judge(model, str(n % 2)) for n in range(20)))
    assert replies == [YES] * 20
    assert inner.asked == 2


class SlowModel:
    """Takes a moment, and fails on request."""

    name = "slow"

    def __init__(self) -> None:
        self.asked = 0
        self.fails = False

    async def ask(
        self,
        prompt_name: str,
        kind: type[R],
        parse: Callable[[R], T],
        /,
        **fields: Field,
    ) -> T:
        self.asked += 1
        await asyncio.sleep(0.02)
        if self.fails:
            raise ModelError("the line is dead")
        return parse(kind.model_validate(YES.model_dump()))


async def test_a_failure_reaches_all_who_wait_and_is_not_stored(
    tmp_path: Path, prompts: PromptLibrary
) -> None:
    with ResponseStore(tmp_path / "responses.sqlite") as store:
        inner = SlowModel()
        model = StoredModel(inner.name, store, prompts, inner=inner)
        inner.fails = True
        outcomes = await asyncio.gather(judge(model), judge(model), return_exceptions=True)
        assert [str(each) for each in outcomes] == ["the line is dead"] * 2
        assert (inner.asked, len(store)) == (1, 0)
        inner.fails = False
        assert await judge(model) == YES


async def test_each_asker_gets_its_own_value_and_parses_the_reply_once(
    tmp_path: Path, prompts: PromptLibrary
) -> None:
    parsed: list[str] = []

    async def ask(model: StoredModel, name: str) -> str:
        def parse(reply: YesNoJudgement) -> str:
            parsed.append(name)
            return f"{name}: {reply.label}"

        return await model.ask("test/judge", YesNoJudgement, parse, question="?")

    with ResponseStore(tmp_path / "responses.sqlite") as store:
        inner = SlowModel()
        model = StoredModel(inner.name, store, prompts, inner=inner)
        values = await asyncio.gather(ask(model, "first"), ask(model, "second"))
        assert list(values) == ["first: yes", "second: yes"]
        assert await ask(model, "later") == "later: yes"
        assert (inner.asked, parsed) == (1, ["first", "second", "later"])


async def test_a_reply_that_cannot_be_parsed_is_not_stored(
    tmp_path: Path, prompts: PromptLibrary
) -> None:
    def parse(reply: YesNoJudgement) -> str:
        raise ReplyError(f"{reply.label} makes no sense here")

    with ResponseStore(tmp_path / "responses.sqlite") as store:
        model, _ = stored(YES, store, prompts)
        with pytest.raises(ReplyError, match="yes makes no sense here"):
            await model.ask("test/judge", YesNoJudgement, parse, question="?")
        assert len(store) == 0
        assert await judge(model) == YES


async def test_one_asker_that_is_cancelled_takes_no_answer_from_another(
    tmp_path: Path, prompts: PromptLibrary
) -> None:
    with ResponseStore(tmp_path / "responses.sqlite") as store:
        inner = SlowModel()
        model = StoredModel(inner.name, store, prompts, inner=inner)
        hasty = asyncio.create_task(judge(model))
        patient = asyncio.create_task(judge(model))
        await asyncio.sleep(0)
        hasty.cancel()
        assert await patient == YES
        assert inner.asked == 1


async def test_a_call_that_fails_after_its_caller_left_is_not_logged(
    tmp_path: Path, prompts: PromptLibrary
) -> None:
    noise: list[object] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, told: noise.append(told))
    with ResponseStore(tmp_path / "responses.sqlite") as store:
        inner = SlowModel()
        inner.fails = True
        asked = asyncio.create_task(judge(StoredModel(inner.name, store, prompts, inner=inner)))
        await asyncio.sleep(0.005)
        asked.cancel()
        await asyncio.sleep(0.05)
    del asked
    gc.collect()
    assert inner.asked == 1
    assert noise == []


def test_everything_that_an_answer_depends_on_is_in_the_key(prompts: PromptLibrary) -> None:
    def key(
        model: str = "m",
        prompt: str = "test/judge",
        kind: type[Reply] = YesNoJudgement,
        question: Field = "?",
        **parameters: float,
    ) -> str:
        fields = {"question": question}
        return make_request(model, prompts.get(prompt), kind, fields, **parameters).key  # type: ignore[arg-type]

    passage = Passage(number=1, title="t", heading="h", text="?")
    keys = [
        key(),
        key(model="n"),
        key(prompt="test/write"),
        key(kind=VerdictJudgement),
        key(question="!"),
        key(question=passage),
        key(question=[passage, passage]),
        key(temperature=0.5),
        key(sample=1),
        key(sample=2),
    ]
    assert len(set(keys)) == len(keys)
    assert key() == key(temperature=0) == key(sample=0)


def test_a_changed_prompt_file_sends_its_requests_again(
    tmp_path: Path, prompts: PromptLibrary
) -> None:
    def key(library: PromptLibrary) -> str:
        prompt = library.get("test/judge")
        return make_request("m", prompt, YesNoJudgement, {"question": "?"}).key

    before = key(prompts)
    file = tmp_path / "prompts/test/judge.md"
    file.write_text(file.read_text("utf-8").replace("version: 1", "version: 2"), encoding="utf-8")
    assert key(PromptLibrary(tmp_path / "prompts")) != before


async def test_replies_that_come_together_are_all_kept_when_keep_returns(
    tmp_path: Path, prompts: PromptLibrary
) -> None:
    path = tmp_path / "responses.sqlite"
    with ResponseStore(path) as store:
        await asyncio.gather(*(store.keep(request_of(n, prompts), YES) for n in range(50)))
        copied = shutil.copytree(tmp_path, tmp_path.with_name("copy"))  # as a crash would leave it
    with ResponseStore(copied / "responses.sqlite") as store:
        assert len(store) == 50


def test_a_store_serves_several_event_loops(tmp_path: Path, prompts: PromptLibrary) -> None:
    async def keep(numbers: range) -> None:
        await asyncio.gather(*(store.keep(request_of(n, prompts), YES) for n in numbers))

    with ResponseStore(tmp_path / "responses.sqlite") as store:
        asyncio.run(keep(range(5)))
        asyncio.run(keep(range(5, 10)))
        assert len(store) == 10


async def test_a_log_that_cannot_be_synced_is_reported_to_all_who_wait(
    tmp_path: Path, prompts: PromptLibrary
) -> None:
    with ResponseStore(tmp_path / "responses.sqlite") as store:
        (tmp_path / "responses.sqlite-wal").unlink()
        kept = (store.keep(request_of(n, prompts), YES) for n in range(3))
        outcomes = await asyncio.gather(*kept, return_exceptions=True)
    assert [type(each) for each in outcomes] == [StorageError] * 3
    assert "cannot be written; check the disk" in str(outcomes[0])


def request_of(number: int, prompts: PromptLibrary) -> Request:
    fields = {"question": str(number)}
    return make_request("m", prompts.get("test/judge"), YesNoJudgement, fields)


WORKER = """
import asyncio, sys
from pathlib import Path
from tests.scripted import identity
from uaeval.llm.replies import YesNoJudgement
from tests.scripted import ScriptedModel
from uaeval.llm.store import ResponseStore
from uaeval.llm.stored_model import StoredModel
from uaeval.prompts import PromptLibrary

async def work(folder):
    reply = YesNoJudgement(rationale="r", label="yes")
    prompts = PromptLibrary(folder / "prompts")
    inner = ScriptedModel({"test/judge": reply})
    model = StoredModel(
        inner.name, ResponseStore(folder / "responses.sqlite"), prompts, inner=inner
    )
    for number in range(10_000):
        await model.ask("test/judge", YesNoJudgement, identity, question=str(number))
        print(number, flush=True)

asyncio.run(work(Path(sys.argv[1])))
"""


def start_worker(folder: Path, answers: int) -> "subprocess.Popen[str]":
    worker = subprocess.Popen(
        [sys.executable, "-c", WORKER, str(folder)], stdout=subprocess.PIPE, text=True
    )
    assert worker.stdout is not None
    for _ in range(answers):
        worker.stdout.readline()
    return worker


async def test_after_a_kill_every_answer_is_there_and_the_store_is_free(
    tmp_path: Path, prompts: PromptLibrary
) -> None:
    worker = start_worker(tmp_path, answers=25)
    worker.send_signal(signal.SIGKILL)
    worker.communicate()
    with ResponseStore(tmp_path / "responses.sqlite") as store:
        model, inner = stored(YES, store, prompts)
        for number in range(25):
            await judge(model, str(number))
        assert inner.history == []


def test_a_second_process_gets_an_error_that_the_store_is_in_use(
    tmp_path: Path, prompts: PromptLibrary
) -> None:
    worker = start_worker(tmp_path, answers=1)
    try:
        with pytest.raises(StorageError, match=r"responses\.sqlite is in use by another process"):
            ResponseStore(tmp_path / "responses.sqlite")
    finally:
        worker.kill()
        worker.communicate()


def test_a_store_that_is_open_is_in_use_in_the_same_process_too(tmp_path: Path) -> None:
    path = tmp_path / "responses.sqlite"
    with ResponseStore(path), pytest.raises(StorageError, match="in use"):
        ResponseStore(path)
    with ResponseStore(path) as store:
        assert len(store) == 0


def test_a_damaged_file_is_named(tmp_path: Path) -> None:
    path = tmp_path / "responses.sqlite"
    path.write_bytes(b"these are not the bytes that you are looking for" * 100)
    with pytest.raises(
        StorageError, match=r"responses\.sqlite is not a response store.*move it away"
    ):
        ResponseStore(path)


def test_a_truncated_file_is_named(tmp_path: Path, prompts: PromptLibrary) -> None:
    path = tmp_path / "responses.sqlite"
    with ResponseStore(path) as store:
        fill(store, prompts, 200)
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    with pytest.raises(StorageError, match=r"responses\.sqlite is damaged.*move it away"):
        ResponseStore(path)


def fill(store: ResponseStore, prompts: PromptLibrary, count: int) -> None:
    long = YesNoJudgement(rationale="long " * 200, label="yes")
    for number in range(count):
        store.put(request_of(number, prompts), long)


def test_a_full_disk_is_reported_and_loses_nothing(tmp_path: Path, prompts: PromptLibrary) -> None:
    path = tmp_path / "responses.sqlite"
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    with ResponseStore(path) as store:
        fill(store, prompts, 3)
        resource.setrlimit(resource.RLIMIT_FSIZE, (150_000, hard))
        try:
            with pytest.raises(StorageError, match=r"run the command again, no answer is lost"):
                fill(store, prompts, 500)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        kept = len(store)
    with ResponseStore(path) as store:
        assert len(store) == kept > 3


def test_a_read_only_store_is_reported(tmp_path: Path, prompts: PromptLibrary) -> None:
    with ResponseStore(tmp_path / "responses.sqlite") as store:
        store.execute("PRAGMA query_only = 1")
        with pytest.raises(StorageError, match="is read-only; make it and its folder writable"):
            fill(store, prompts, 1)


def test_a_missing_folder_is_reported(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match="cannot be opened; its folder has to exist"):
        ResponseStore(tmp_path / "nowhere" / "responses.sqlite")


def test_a_store_of_another_format_is_not_changed(tmp_path: Path) -> None:
    path = tmp_path / "responses.sqlite"
    other = sqlite3.connect(path)
    other.execute("CREATE TABLE mine (x)")
    other.close()
    with pytest.raises(StorageError, match="has format 0"):
        ResponseStore(path)


async def test_a_reply_of_another_version_is_not_silently_missed(
    tmp_path: Path, prompts: PromptLibrary
) -> None:
    with ResponseStore(tmp_path / "responses.sqlite") as store:
        model, _ = stored(YES, store, prompts)
        await judge(model)
        columns = store.execute("SELECT key, model, prompt, reply_type FROM replies")[0]
        store.execute("UPDATE replies SET reply = '{}', crc = ?", checksum(*columns, "{}"))
        with pytest.raises(StorageError, match="of another version of uaeval"):
            await judge(model)


def test_statements_in_a_transaction_take_effect_together(tmp_path: Path) -> None:
    with ResponseStore(tmp_path / "responses.sqlite") as store:
        with pytest.raises(ModelError), store.transaction():
            store.execute("INSERT INTO about VALUES ('a', 'b')")
            raise ModelError("stop")
        assert store.execute("SELECT name FROM about") == [("run_id",)]
