"""An open run saves its manifest with the usage so far, whatever ends it."""

import asyncio
import json
from pathlib import Path

import pytest

from uaeval.config import EvaluationConfig
from uaeval.errors import RunAborted, StorageError
from uaeval.evaluation.manifest import EvaluationManifest
from uaeval.llm.ledger import write_usage
from uaeval.llm.store import ResponseStore
from uaeval.llm.usage import Usage
from uaeval.run.progress import ProgressListener
from uaeval.run.run import open_run


def _manifest() -> EvaluationManifest:
    return EvaluationManifest(
        status="running",
        settings={},
        dataset="",
        versions={},
        prompts={},
        models={"judge": "openai:small"},
        queries=1,
    )


def _calls(folder: Path) -> list[int]:
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    return [usage["calls"] for usage in manifest["usage"]]


async def _work(
    folder: Path, ending: BaseException | None = None, store: ResponseStore | None = None
) -> None:
    config = EvaluationConfig(dataset=folder)
    async with open_run(folder, config, {}, ProgressListener(), store=store) as run:
        run.start(_manifest())
        write_usage(run.store, "openai:small", "judge/verdict", Usage(calls=3))
        if ending:
            raise ending


@pytest.mark.parametrize(
    "ending",
    [
        None,
        RunAborted("no quota"),
        StorageError("disk"),
        asyncio.CancelledError(),
        AssertionError("a bug"),
    ],
    ids=lambda ending: type(ending).__name__,
)
async def test_the_manifest_holds_the_usage_however_the_run_ends(
    tmp_path: Path, ending: BaseException | None
) -> None:
    if ending is None:
        await _work(tmp_path)
    else:
        with pytest.raises(type(ending)):
            await _work(tmp_path, ending)
    assert _calls(tmp_path) == [3]
    with ResponseStore(tmp_path / "responses.sqlite") as store:
        assert len(store) == 0


async def test_the_usage_of_a_shared_store_is_not_counted_twice(tmp_path: Path) -> None:
    with ResponseStore(tmp_path / "shared.sqlite") as store:
        await _work(tmp_path / "cell", store=store)
        assert len(store.execute("SELECT * FROM usage")) == 1
    assert _calls(tmp_path / "cell") == []
    assert not (tmp_path / "cell" / "responses.sqlite").exists()


async def test_a_run_that_is_refused_before_its_start_keeps_the_earlier_manifest(
    tmp_path: Path,
) -> None:
    (tmp_path / "manifest.json").write_text("{}", encoding="utf-8")
    with pytest.raises(StorageError, match="another run"):
        async with open_run(tmp_path, EvaluationConfig(dataset=tmp_path), {}, ProgressListener()):
            raise StorageError("another run")
    assert (tmp_path / "manifest.json").read_text(encoding="utf-8") == "{}"
