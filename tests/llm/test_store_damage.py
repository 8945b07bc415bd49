"""A damaged response store gives what was stored, or one error that says what to do."""

import random
import sqlite3
from pathlib import Path

import pytest
from tests.scripted import identity

from uaeval.errors import RecordError, StorageError
from uaeval.llm.batch.requests import failures, parts, waiting
from uaeval.llm.batch.submitted import sent_batches
from uaeval.llm.ledger import Ledger, write_usage
from uaeval.llm.prices import open_prices
from uaeval.llm.replies import YesNoJudgement
from uaeval.llm.store import Request, ResponseStore, make_request
from uaeval.llm.stored_model import BatchModel
from uaeval.llm.usage import Usage
from uaeval.prompts import PromptLibrary

REPLIES, REQUESTS = 60, 20


def reply_to(number: int) -> YesNoJudgement:
    return YesNoJudgement(rationale=f"reason {number} " * (1 + number % 40), label="yes")


def request_of(number: int, prompts: PromptLibrary) -> Request:
    fields = {"question": str(number)}
    return make_request("m", prompts.get("test/judge"), YesNoJudgement, fields)


async def write_store(path: Path, prompts: PromptLibrary) -> None:
    with ResponseStore(path) as store:
        for number in range(REPLIES):
            store.put(request_of(number, prompts), reply_to(number))
            write_usage(store, f"m{number % 7}", "test/judge", Usage(calls=1, prompt_tokens=9))
        model = BatchModel("openai:small", store, prompts)
        for number in range(REQUESTS):
            with pytest.raises(Exception, match="waits for a batch"):
                await model.ask("test/judge", YesNoJudgement, identity, question=str(number))
        store.execute(
            "UPDATE requests SET state = 'failed', kind = 'ReplyError', problem = 'p', raw = 'r' "
            "WHERE position % 4 = 0"
        )
        store.execute(
            "INSERT INTO sent_batches (model, url, file_id, requests, id) VALUES (?, ?, ?, ?, ?)",
            *("openai:small", "http://h/v1", "file-1", 3, "batch-1"),
        )
        store.execute("INSERT INTO sent_requests SELECT key, 1 FROM requests LIMIT 3")


async def read_store(path: Path, prompts: PromptLibrary) -> None:
    """Read all of a store, and write to it; a reply that differs from what was stored fails."""
    with ResponseStore(path) as store:
        for number in range(REPLIES):
            stored = store.get(request_of(number, prompts).key, YesNoJudgement)
            assert stored == reply_to(number), f"reply {number}"
        assert len(store) == REPLIES
        model = BatchModel("openai:small", store, prompts)
        for number in range(REQUESTS):
            with pytest.raises(Exception) as raised:
                await model.ask("test/judge", YesNoJudgement, identity, question=str(number))
            if isinstance(raised.value, StorageError):
                raise raised.value
            assert isinstance(raised.value, RecordError) or "waits" in str(raised.value)
        assert waiting(store) + failures(store) == REQUESTS
        assert sum(len(part.lines) for part in parts(store)) <= REQUESTS
        assert len(store.run_id) == 12
        assert Ledger(store, open_prices(None)).entries()
        assert sent_batches(store)


def mutate(content: bytes, seed: int) -> bytes:
    """Flip, overwrite, move or cut off bytes."""
    draw = random.Random(seed)
    place = draw.randrange(len(content))
    length = draw.choice((1, 1, 4, 64, 1_000))
    changed = bytearray(content)
    match seed % 5:
        case 0:
            for _ in range(draw.choice((1, 8))):
                changed[draw.randrange(len(content))] ^= 1 << draw.randrange(8)
        case 1:
            changed[place : place + length] = draw.randbytes(length)
        case 2:
            changed[place : place + length] = bytes(length)
        case 3:
            source = draw.randrange(len(content))
            changed[place : place + length] = content[source : source + length]
        case _:
            del changed[draw.choice((place, 0, 4096 * (place // 4096))) :]
    return bytes(changed)


async def try_mutations(folder: Path, prompts: PromptLibrary, seeds: range) -> int:
    """Return in how many cases the damage was reported."""
    path = folder / "responses.sqlite"
    await write_store(path, prompts)
    content, reported = path.read_bytes(), 0
    for seed in seeds:
        for left in folder.glob("responses.sqlite*"):
            left.unlink()
        path.write_bytes(mutate(content, seed))
        try:
            await read_store(path, prompts)
        except StorageError as error:
            reported += 1
            assert str(error).startswith(f"{path} ")
            assert ";" in str(error), "it says what to do"
        except Exception as error:
            raise AssertionError(f"seed {seed}") from error
    return reported


async def test_random_damage_is_reported_or_harmless(
    tmp_path: Path, prompts: PromptLibrary
) -> None:
    assert await try_mutations(tmp_path, prompts, range(40)) > 15


@pytest.mark.slow
async def test_300_kinds_of_random_damage_are_reported_or_harmless(
    tmp_path: Path, prompts: PromptLibrary
) -> None:
    assert await try_mutations(tmp_path, prompts, range(1_000, 1_300)) > 150


async def test_a_changed_reply_is_never_returned(tmp_path: Path, prompts: PromptLibrary) -> None:
    path = tmp_path / "responses.sqlite"
    await write_store(path, prompts)
    content = path.read_bytes()
    assert b"reason 7 reason" in content
    path.write_bytes(content.replace(b"reason 7 reason", b"season 7 reason"))
    with ResponseStore(path) as store:
        assert store.get(request_of(8, prompts).key, YesNoJudgement) == reply_to(8)
        with pytest.raises(StorageError, match=r"responses\.sqlite is damaged; restore it"):
            store.get(request_of(7, prompts).key, YesNoJudgement)


async def test_a_changed_request_is_never_sent(tmp_path: Path, prompts: PromptLibrary) -> None:
    path = tmp_path / "responses.sqlite"
    await write_store(path, prompts)
    with ResponseStore(path) as store:
        store.execute("UPDATE requests SET body = replace(body, 'Judge', 'Fudge')")
        with pytest.raises(StorageError, match="is damaged; restore"):
            list(parts(store))


def test_an_empty_file_is_damage_and_not_a_new_store(tmp_path: Path) -> None:
    path = tmp_path / "responses.sqlite"
    path.touch()
    with pytest.raises(StorageError, match=r"is damaged; restore it .*file is empty"):
        ResponseStore(path)


async def test_a_store_of_another_format_is_refused_and_not_changed(
    tmp_path: Path, prompts: PromptLibrary
) -> None:
    path = tmp_path / "responses.sqlite"
    await write_store(path, prompts)
    with sqlite3.connect(path) as old:
        old.execute("PRAGMA user_version = 2")
    old.close()
    before = path.read_bytes()
    with pytest.raises(StorageError, match=r"has format 2, this version of uaeval reads 3;"):
        ResponseStore(path)
    assert path.read_bytes() == before
