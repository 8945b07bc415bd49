"""Open a run: its folder, response store, ledger, prices, models, manifest and progress."""

import sys
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path

from uaeval.config import RunConfig
from uaeval.errors import LimitReached, StorageError
from uaeval.llm.ledger import Ledger
from uaeval.llm.prices import open_prices
from uaeval.llm.roles import Models, ModelSettings, Role, role_usage
from uaeval.llm.store import ResponseStore
from uaeval.prompts import open_prompts
from uaeval.run.progress import ProgressListener
from uaeval.run_folder import BaseManifest, RunFolder
from uaeval.storage import make_folder, write_json


@dataclass(slots=True)
class Run:
    """An open run: its folder, store, models and progress."""

    folder: Path
    store: ResponseStore
    models: Models
    progress: ProgressListener = field(default_factory=ProgressListener)
    shares_store: bool = False
    """Whether the store belongs to another run, whose manifest then records the usage."""
    manifest: BaseManifest | None = None
    """The manifest that `save` writes; none before `start`."""

    def start(self, manifest: BaseManifest) -> None:
        """Write the manifest for the first time, with the prices of the models built so far."""
        self.manifest = manifest
        manifest.prices = self.models.prices()
        self.save()

    def save(self) -> None:
        """Write the manifest, if there is one, with the usage so far."""
        if self.manifest is not None:
            self.manifest.usage = [] if self.shares_store else role_usage(self.models.ledger)
            write_json(self.folder / "manifest.json", self.manifest.model_dump(mode="json"))


@asynccontextmanager
async def open_run(
    folder: Path,
    config: RunConfig,
    roles: Mapping[Role, ModelSettings],
    progress: ProgressListener,
    *,
    earlier: BaseManifest | None = None,
    store: ResponseStore | None = None,
) -> AsyncIterator[Run]:
    """Open the run in `folder`; its manifest is saved at the end, also after an error.

    A resumed run keeps the prices of its `earlier` manifest. `store` is given if it is shared with
    another run. After any error, calls in flight end first, so that their replies are kept; at a
    limit of calls or cost, waiting calls within the limit are sent as well. Raise `UsageError` if a
    setting or the folder cannot be used.
    """
    prompts = open_prompts(config.prompts)
    prices = open_prices(config.prices, earlier.prices if earlier else None)
    make_folder(folder)
    path = RunFolder(folder).store_path
    with nullcontext(store) if store is not None else ResponseStore(path) as opened:
        models = Models(roles, prompts, Ledger(opened, prices, config), config.concurrency)
        run = Run(folder, opened, models, progress, shares_store=store is not None)
        try:
            yield run
        finally:
            try:
                if isinstance(error := sys.exception(), Exception):  # not for an interrupted run
                    if not isinstance(error, LimitReached):
                        models.close()
                    await models.settle()
            finally:
                run.save()


@contextmanager
def reopen_run(folder: Path, manifest: BaseManifest | None) -> Iterator[Run]:
    """Open the store of an existing run, without models; `save` writes `manifest`.

    Raise `StorageError` if `folder` has no response store, or it cannot be used.
    """
    if not (path := RunFolder(folder).store_path).exists():
        raise StorageError(f"{folder} is not the folder of a run: it has no {path.name}")
    with ResponseStore(path) as store:
        ledger = Ledger(store, open_prices(None, manifest.prices if manifest else None))
        yield Run(folder, store, Models({}, open_prompts(None), ledger), manifest=manifest)
