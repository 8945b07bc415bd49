"""A run in batch mode, and what a batch endpoint would make of its requests."""

import asyncio
import json
from collections.abc import Iterable
from pathlib import Path

from tests.scripted import identity
from tests.servers.openai_server import Body, Said, completion

from uaeval.llm.batch.answers import ImportCounts, import_answers
from uaeval.llm.batch.requests import export
from uaeval.llm.ledger import Ledger
from uaeval.llm.prices import open_prices
from uaeval.llm.replies import YesNoJudgement
from uaeval.llm.store import ResponseStore
from uaeval.llm.stored_model import BatchModel
from uaeval.llm.usage import Usage
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
            self.model.ask("test/judge", YesNoJudgement, identity, question=question)
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
        return import_answers([self.answers], self.store)


def used(store: ResponseStore) -> Usage:
    """Return what the store's ledger holds of batches."""
    entries = Ledger(store, open_prices(None)).entries()
    assert all(entry.batch for entry in entries)
    return sum(entries, Usage())


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


def kinds(outcomes: Iterable[object]) -> list[str]:
    return [
        each.label if isinstance(each, YesNoJudgement) else type(each).__name__ for each in outcomes
    ]
