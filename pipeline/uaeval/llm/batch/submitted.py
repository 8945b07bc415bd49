"""The batches that were sent, and their requests, so that no request is paid for twice.

A row is written after the upload of its file of requests, and before the batch is created. If the
program ends between the two, the row is `unconfirmed`: the batch is looked for at the endpoint by
its file, and created only if it is missing. If the endpoint's list of batches is out of date, the
batch may be created twice. An uploaded file without a row is never answered and costs nothing.
"""

from collections.abc import Callable
from typing import Final

from uaeval.errors import ConfigError, RunAborted
from uaeval.llm.batch.answers import ImportCounts, import_answers
from uaeval.llm.batch.api import BatchApi, BatchNotCreated, BatchState, RemoteBatch
from uaeval.llm.batch.requests import BatchFile, parts
from uaeval.llm.endpoint.addresses import split_name
from uaeval.llm.store import ResponseStore
from uaeval.storage import make_folder

UNCONFIRMED: Final = "unconfirmed"
"""Status of a batch that may or may not have been created."""


class SentBatch(BatchState, frozen=True):
    """Requests to one model that were sent together, in their last known state."""

    number: int
    """From 1, in the order sent."""
    model: str
    """`provider:model`."""
    url: str
    """The endpoint of the batch."""
    file_id: str
    requests: int
    settled: bool
    """Whether its answers were imported; its unanswered requests can then be sent again."""


def sent_batches(store: ResponseStore) -> tuple[SentBatch, ...]:
    """Return every batch of the run, in the order sent."""
    return store.select(SentBatch, "sent_batches ORDER BY number")


def open_batches(store: ResponseStore) -> tuple[SentBatch, ...]:
    """Return the batches whose answers have not been imported."""
    return tuple(batch for batch in sent_batches(store) if not batch.settled)


def submit(store: ResponseStore, api: BatchApi, sent: Callable[[SentBatch], None]) -> None:
    """Send every unsent request in batches; `sent` is called with each batch.

    After an interruption, call it again: no request is sent twice. Raise `ConfigError` if there is
    no Batch API for a model, `ModelError` if it cannot be reached, `RunAborted` if it refuses.
    """
    for batch in open_batches(store):
        if not batch.id:
            check_address(batch, api)
            sent(_create_batch(store, api, batch, doubtful=True))
    for part in parts(store):
        if split_name(part.model)[0] != "openai":
            raise ConfigError(
                f"{part.model} cannot be sent from here, only openai:… models can; write the "
                "requests to a file with `uaeval batch export`, or name the model openai:… with a "
                "base_url"
            )
        name = f"uaeval-{store.run_id}.jsonl"
        file_id = api.upload(name, "".join(part.lines.values()).encode())
        sent(_create_batch(store, api, _record_batch(store, api, part, file_id), doubtful=False))


def _record_batch(store: ResponseStore, api: BatchApi, part: BatchFile, file_id: str) -> SentBatch:
    with store.transaction():
        insert = "INSERT INTO sent_batches (model, url, file_id, requests) VALUES (?, ?, ?, ?)"
        store.execute(insert, part.model, api.url, file_id, len(part.lines))
        batch = sent_batches(store)[-1]
        for key in part.lines:
            store.execute("INSERT INTO sent_requests VALUES (?, ?)", key, batch.number)
    return batch


def _create_batch(
    store: ResponseStore, api: BatchApi, batch: SentBatch, *, doubtful: bool
) -> SentBatch:
    metadata = {"program": "uaeval", "run": store.run_id, "number": str(batch.number)}
    try:
        remote = api.create(batch.file_id, metadata, doubtful=doubtful)
    except BatchNotCreated:
        forget(store, batch)
        raise
    return store_state(store, batch, remote)


def batch_state(api: BatchApi, batch: SentBatch) -> RemoteBatch | None:
    """Return the state of a batch at the endpoint; `None` if the batch is still unconfirmed."""
    check_address(batch, api)
    if not batch.id:
        return api.find(batch.file_id)
    remote = api.get(batch.id)
    if remote is None:
        raise RunAborted(
            f"{api.url} does not have the batch {batch.id}. Set the key that it was sent with, or "
            "drop the batch with `uaeval batch cancel RUN --forget`"
        )
    return remote


def check_address(batch: SentBatch, api: BatchApi) -> None:
    """Raise `ConfigError` if a batch was sent to another endpoint."""
    if batch.url != api.url:
        raise ConfigError(
            f"batch {batch.id or batch.number} was sent to {batch.url}, not to {api.url}; set "
            "OPENAI_BASE_URL to that, or drop the batch with `uaeval batch cancel RUN --forget`"
        )


def store_state(
    store: ResponseStore, batch: SentBatch, remote: RemoteBatch, *, settled: bool = False
) -> SentBatch:
    """Store the state of a batch; it is settled if `settled`, or if it ended without answers."""
    settled = settled or (remote.ended and not remote.files)
    state = {name: getattr(remote, name) for name in BatchState.model_fields}
    state["settled"] = settled
    columns = ", ".join(f"{name} = ?" for name in state)
    with store.transaction():
        update = f"UPDATE sent_batches SET {columns} WHERE number = ?"
        store.execute(update, *state.values(), batch.number)
        if settled:
            store.execute("DELETE FROM sent_requests WHERE batch = ?", batch.number)
    return batch.model_copy(update=state)


def forget(store: ResponseStore, batch: SentBatch) -> None:
    """Drop a batch; its requests can be sent again."""
    with store.transaction():
        store.execute("DELETE FROM sent_requests WHERE batch = ?", batch.number)
        store.execute("DELETE FROM sent_batches WHERE number = ?", batch.number)


def import_batch(
    store: ResponseStore, api: BatchApi, batch: SentBatch, remote: RemoteBatch
) -> tuple[SentBatch, ImportCounts]:
    """Import the answers of an ended batch; its unanswered requests can be sent again.

    The files stay in `batches/` beside the response store. Raise `StorageError` if one belongs to
    another run, `RunAborted` if one is damaged: the batch stays open, and no request is paid twice.
    """
    folder = store.path.with_name("batches")
    make_folder(folder)
    files = {folder / f"{batch.number}.{name}.jsonl": id_ for name, id_ in remote.files.items()}
    fetched = [path for path, file_id in files.items() if api.download(file_id, path)]
    counts = import_answers(fetched, store)
    if counts.unreadable:
        raise RunAborted(
            f"{counts.unreadable[0]} is damaged: fetch the answers again, or drop the batch with "
            "`uaeval batch cancel RUN --forget`"
        )
    if len(fetched) < len(files):
        lost = f"{remote.reason}; a file of its answers is no longer there".removeprefix("; ")
        remote = remote.model_copy(update={"reason": lost})
    return store_state(store, batch, remote, settled=True), counts
