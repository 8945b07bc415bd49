"""The Batch API of an OpenAI-compatible endpoint: upload, create, look up, cancel, download."""

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from functools import cached_property
from pathlib import Path
from typing import Annotated, Final

import httpx
import openai
from openai.types import Batch
from pydantic import BaseModel, BeforeValidator

from uaeval.errors import ConfigError, ModelError, RunAborted
from uaeval.http_replies import is_transient_status
from uaeval.llm.endpoint.addresses import address_of, key_of, public_url
from uaeval.llm.endpoint.errors import as_own_error
from uaeval.redaction import redact
from uaeval.storage import write_pieces

ENDED: Final = frozenset({"completed", "failed", "expired", "cancelled"})
"""Final states of a batch."""
PAUSES: Final = (10.0, 30.0, 60.0)
"""Seconds to wait before each further attempt to find or create a batch."""

_SHOWN: Final = 5
"""Most errors of a failed batch that its reason names."""
_REASONS: Final = {
    "failed": "the endpoint does not say why",
    "expired": "its 24 hours ended before all requests were answered",
    "cancelled": "it was cancelled",
}


class BatchState(BaseModel, frozen=True):
    """The state of a batch as its endpoint reports it."""

    id: Annotated[str, BeforeValidator(lambda name: name or "")]
    """The endpoint's id of the batch; empty while it is unknown whether the batch exists."""
    status: str
    completed: int
    failed: int
    reason: str
    """Why the batch failed, with line numbers; empty if it did not."""


class RemoteBatch(BatchState, frozen=True):
    """A batch in its current state at the endpoint."""

    files: Mapping[str, str]
    """Ids of the files `answers` and `errors`, if they exist."""

    @property
    def ended(self) -> bool:
        """Whether its state is final."""
        return self.status in ENDED


class BatchNotCreated(RunAborted):
    """The endpoint refused to create a batch, so there is certainly none."""


class _NotFoundError(ConfigError):
    """The endpoint does not have this address, file or batch."""


class BatchApi(AbstractContextManager["BatchApi"]):
    """The files and batches of one endpoint, with the key from the environment.

    Every call raises `RunAborted` or `ConfigError` if a retry cannot help, and `ModelError` if a
    later retry may succeed.
    """

    def __init__(self, base_url: str | None = None, *, pauses: Sequence[float] = PAUSES) -> None:
        self._address = address_of("openai", base_url) or ""
        self.url = public_url(self._address)
        self._pauses = pauses

    @cached_property
    def _client(self) -> openai.OpenAI:
        """The client, opened by the first call, so that what calls nothing needs no key."""
        return openai.OpenAI(base_url=self._address, api_key=key_of("openai", self._address))

    def __exit__(self, *raised: object) -> None:
        if "_client" in vars(self):
            self._client.close()

    def upload(self, name: str, content: bytes) -> str:
        """Upload a file of requests and return its id. A file alone costs nothing."""
        with self._errors():
            return self._id(self._client.files.create(file=(name, content), purpose="batch"))

    def create(self, file_id: str, about: dict[str, str], *, doubtful: bool) -> RemoteBatch:
        """Create the batch of an uploaded file, unless it exists already.

        If it is unclear whether a call created the batch, the batch is looked for before a retry.
        `doubtful` says that an earlier session may have created it. `about` is the metadata that
        the endpoint shows. Raise `BatchNotCreated` if the endpoint refuses the request.
        """
        for pause in self._pauses:
            try:
                return (self.find(file_id) if doubtful else None) or self._create(file_id, about)
            except ModelError:
                doubtful = True
            time.sleep(pause)
        return self.find(file_id) or self._create(file_id, about)

    def find(self, file_id: str) -> RemoteBatch | None:
        """Return the batch that was created from an uploaded file; `None` if there is none."""
        seen: set[str] = set()
        with self._errors():
            for listed in self._client.batches.list(limit=100):
                batch = self._remote(listed)
                if getattr(listed, "input_file_id", None) == file_id:
                    return batch
                if batch.id in seen:  # an endpoint without pagination repeats its only page
                    return None
                seen.add(batch.id)
        return None

    def get(self, batch_id: str) -> RemoteBatch | None:
        """Return the state of a batch; `None` if the endpoint does not have it."""
        with suppress(_NotFoundError), self._errors():
            return self._remote(self._client.batches.retrieve(batch_id))
        return None

    def cancel(self, batch_id: str) -> RemoteBatch:
        """Cancel a batch; its answers so far can be downloaded once its state is `cancelled`."""
        with self._errors():
            return self._remote(self._client.batches.cancel(batch_id))

    def download(self, file_id: str, path: Path) -> bool:
        """Download a file of answers to `path`; return `False` if the endpoint no longer has it."""
        with (
            suppress(_NotFoundError),
            self._errors(),
            self._client.files.with_streaming_response.content(file_id) as answer,
        ):
            write_pieces(path, answer.iter_bytes())
            return True
        return False

    def _create(self, file_id: str, about: dict[str, str]) -> RemoteBatch:
        without_retries = self._client.with_options(max_retries=0)
        try:
            with self._errors():
                created = without_retries.batches.create(
                    input_file_id=file_id,
                    endpoint="/v1/chat/completions",
                    completion_window="24h",
                    metadata=about,
                )
                return self._remote(created)
        except (RunAborted, _NotFoundError) as error:
            raise BatchNotCreated(str(error)) from None

    def _remote(self, answer: Batch) -> RemoteBatch:
        batch_id = self._id(answer)
        counts = answer.request_counts
        files = {"answers": answer.output_file_id, "errors": answer.error_file_id}
        return RemoteBatch(
            id=batch_id,
            status=str(getattr(answer, "status", "")),
            completed=getattr(counts, "completed", 0) or 0,
            failed=getattr(counts, "failed", 0) or 0,
            reason=_reason(answer),
            files={name: file_id for name, file_id in files.items() if file_id},
        )

    def _id(self, answer: object) -> str:
        name = getattr(answer, "id", None)
        if not isinstance(name, str) or not name:
            raise self._no_batch_api(f"{type(answer).__name__} instead of a file or batch")
        return name

    @contextmanager
    def _errors(self) -> Iterator[None]:
        """Raise the client's errors as this package's; their messages never contain the key."""
        try:
            yield
        except (openai.OpenAIError, httpx.HTTPError) as error:
            status = getattr(error, "status_code", None)
            if status in {404, 405, 501}:
                raise self._no_batch_api(f"HTTP {status}") from None
            meaning = as_own_error(error, self.url)
            if isinstance(meaning, RunAborted):
                raise meaning from None
            may_pass = status is None or is_transient_status(status)
            raise (ModelError if may_pass else RunAborted)(str(meaning)) from None
        except ValueError:
            raise self._no_batch_api("no JSON") from None

    def _no_batch_api(self, problem: str) -> _NotFoundError:
        return _NotFoundError(
            f"{self.url} has no Batch API (it answers {problem}); write the requests to a file "
            "with `uaeval batch export`, have them answered (`vllm run-batch` reads such a file), "
            "and import the answers with `uaeval batch import`"
        )


def _reason(batch: Batch) -> str:
    errors = (batch.errors.data if batch.errors else None) or []
    messages = [
        f"line {error.line}: {error.message}" if error.line else str(error.message or error.code)
        for error in errors[:_SHOWN]
    ]
    if len(errors) > _SHOWN:
        messages.append(f"and {len(errors) - _SHOWN} more")
    return redact("; ".join(messages)) or _REASONS.get(batch.status, "")
