"""The Batch API of an OpenAI-compatible endpoint: files up, batches made, answers down."""

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Annotated, Final

import httpx
import openai
from openai.types import Batch
from pydantic import BaseModel, BeforeValidator, ConfigDict

from uaeval.errors import ConfigError, ModelError, RunAborted
from uaeval.llm.endpoint.addresses import address_of, key_of
from uaeval.llm.endpoint.errors import as_own_error
from uaeval.llm.parameters import public_url
from uaeval.redaction import redact
from uaeval.storage import write_pieces

ENDED: Final = frozenset({"completed", "failed", "expired", "cancelled"})
"""States that a batch does not leave any more."""
PAUSES: Final = (10.0, 30.0, 60.0)
"""Seconds before a batch that may have been made is looked for, and asked for again."""

_MISSING: Final = {404, 405, 501}
_PASSING: Final = {408, 409, 425, 429}
_SHOWN: Final = 5
"""How many reasons of a failed batch are shown."""
_REASONS: Final = {
    "failed": "the endpoint does not say why",
    "expired": "its 24 hours ended before all requests were answered",
    "cancelled": "it was cancelled",
}


class BatchState(BaseModel):
    """What the endpoint says of a batch."""

    model_config = ConfigDict(frozen=True)

    id: Annotated[str, BeforeValidator(lambda name: name or "")]
    """The endpoint's name for it; empty while it is not known whether there is one."""
    status: str
    completed: int
    failed: int
    reason: str
    """Why it failed, with the numbers of the lines; empty if nothing went wrong."""


class RemoteBatch(BatchState):
    """A batch as the endpoint reports it now."""

    files: Mapping[str, str]
    """Ids of the files of `answers` and of `errors`, as far as they exist."""

    @property
    def ended(self) -> bool:
        """Whether its state is final."""
        return self.status in ENDED


class BatchNotCreated(RunAborted):
    """The endpoint refused to make a batch: surely there is none."""


class _NotFoundError(ConfigError):
    """The endpoint does not know the address or the thing that was asked for."""


class BatchApi(AbstractContextManager["BatchApi"]):
    """The files and batches of one endpoint, with the key of the environment.

    Every call raises `RunAborted` or `ConfigError` where trying again is no use, and `ModelError`
    where the endpoint may only be out of reach for now.
    """

    def __init__(self, base_url: str | None = None, *, pauses: Sequence[float] = PAUSES) -> None:
        address = address_of("openai", base_url)
        assert address
        self.url = public_url(address)
        self._pauses = pauses
        self._client = openai.OpenAI(base_url=address, api_key=key_of("openai", address))

    def __exit__(self, *raised: object) -> None:
        self._client.close()

    def upload(self, name: str, content: bytes) -> str:
        """Put up a file of requests and return its id. A file alone costs nothing."""
        with self._errors():
            return self._id(self._client.files.create(file=(name, content), purpose="batch"))

    def create(self, file_id: str, about: dict[str, str], *, doubtful: bool) -> RemoteBatch:
        """Make the batch of an uploaded file, unless there is one already.

        A call that ends in doubt is never simply repeated: the batch is first looked for.

        It is `doubtful` if one may have been made before. `about` is for people who list batches.

        Raises:
            BatchNotCreated: the endpoint refused.
        """
        for pause in self._pauses:
            try:
                return (self.find(file_id) if doubtful else None) or self._make(file_id, about)
            except ModelError:
                doubtful = True
            time.sleep(pause)
        return self.find(file_id) or self._make(file_id, about)

    def find(self, file_id: str) -> RemoteBatch | None:
        """Look for the batch that was made of an uploaded file."""
        seen: set[str] = set()
        with self._errors():
            for listed in self._client.batches.list(limit=100):
                batch = self._remote(listed)
                if getattr(listed, "input_file_id", None) == file_id:
                    return batch
                if batch.id in seen:  # an endpoint without pages gives the same one again
                    return None
                seen.add(batch.id)
        return None

    def get(self, batch_id: str) -> RemoteBatch | None:
        """Return the state of a batch; `None` if the endpoint knows no such batch."""
        try:
            with self._errors():
                return self._remote(self._client.batches.retrieve(batch_id))
        except _NotFoundError:
            return None

    def cancel(self, batch_id: str) -> RemoteBatch:
        """Stop a batch; what it answered until then can be fetched once it is `cancelled`."""
        with self._errors():
            return self._remote(self._client.batches.cancel(batch_id))

    def download(self, file_id: str, path: Path) -> bool:
        """Write a file of answers to `path`, whole; `False` if the endpoint keeps it no longer."""
        try:
            with (
                self._errors(),
                self._client.files.with_streaming_response.content(file_id) as answer,
            ):
                write_pieces(path, answer.iter_bytes())
        except _NotFoundError:
            return False
        return True

    def _make(self, file_id: str, about: dict[str, str]) -> RemoteBatch:
        once = self._client.with_options(max_retries=0)
        try:
            with self._errors():
                created = once.batches.create(
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
        """Turn the client's errors into this package's; the words hold no key."""
        try:
            yield
        except (openai.OpenAIError, httpx.HTTPError) as error:
            status = getattr(error, "status_code", None)
            if status in _MISSING:
                raise self._no_batch_api(f"HTTP {status}") from None
            own = as_own_error(error, self.url)
            if isinstance(own, RunAborted):
                raise own from None
            passing = status is None or status in _PASSING or status >= 500
            raise (ModelError if passing else RunAborted)(str(own)) from None
        except ValueError:
            raise self._no_batch_api("no JSON") from None

    def _no_batch_api(self, said: str) -> _NotFoundError:
        return _NotFoundError(
            f"{self.url} has no Batch API (it answers {said}); write the requests to a file with "
            "`uaeval batch export`, have them answered (`vllm run-batch` reads such a file), and "
            "take the answers in with `uaeval batch import`"
        )


def _reason(batch: Batch) -> str:
    errors = (batch.errors.data if batch.errors else None) or []
    words = [
        f"line {each.line}: {each.message}" if each.line else str(each.message or each.code)
        for each in errors[:_SHOWN]
    ]
    if len(errors) > _SHOWN:
        words.append(f"and {len(errors) - _SHOWN} more")
    return redact("; ".join(words)) or _REASONS.get(batch.status, "")
