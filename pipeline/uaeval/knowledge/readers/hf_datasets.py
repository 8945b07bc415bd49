"""Read Hugging Face datasets as documents: saved to disk, or streamed from the Hub.

`HF_ENDPOINT` replaces the Hub by another server with its API. The token for private datasets is
that of the Hub's own tools (`HF_TOKEN`, `hf auth login`).
"""

import hashlib
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from uaeval.errors import KnowledgeBaseError
from uaeval.knowledge.readers.rows import documents_of
from uaeval.knowledge.reading import LoadedDocuments, ReadSettings, SourceReader

_ADDRESS: Final = re.compile(r"hf:([^/:]+/[^/:]+)(?:/([^/:]+))?(?::(.*))?")
_NO_ACCESS: Final = frozenset({401, 403, 404})
"""HTTP statuses of missing and of private datasets, which the Hub does not distinguish."""


def is_saved_dataset(folder: Path) -> bool:
    """Return whether `save_to_disk` wrote this folder."""
    return (folder / "dataset_dict.json").is_file() or (
        (folder / "dataset_info.json").is_file() and (folder / "state.json").is_file()
    )


def read_saved_dataset(folder: Path, settings: ReadSettings) -> LoadedDocuments:
    """Read all splits of a saved dataset; raise `KnowledgeBaseError` if it cannot be used."""
    from datasets import DatasetDict, load_from_disk

    try:
        saved = load_from_disk(str(folder))
    except (OSError, ValueError, KeyError) as error:
        raise KnowledgeBaseError(f"{folder}: this saved dataset is damaged ({error})") from error
    splits = dict(saved) if isinstance(saved, DatasetDict) else {"": saved}
    rows = (
        (f"{folder.name}/{split}:{number}" if split else f"{folder.name}:{number}", row)
        for split, dataset in sorted(splits.items())
        for number, row in enumerate(dataset, start=1)
    )
    with _reported(str(folder)):
        return documents_of(folder.name, rows, settings)


def _read(address: str, settings: ReadSettings) -> LoadedDocuments:
    import datasets

    name, config, split = _parts(address)
    if Path(name).exists():
        raise KnowledgeBaseError(
            f"{address}: {name} is also a folder here, which would be read instead; run in another "
            f"folder, or write ./{name} if you mean the folder"
        )
    with _reported(address):
        config = config or datasets.get_dataset_default_config_name(name)
        if config is None:
            configs = datasets.get_dataset_config_names(name)
            example = f"hf:{name}/{configs[0]}{address.removeprefix(f'hf:{name}')}"
            raise _several(address, "configs", configs, example)
        splits = [split] if split else datasets.get_dataset_split_names(name, config)
        if len(splits) != 1:
            raise _several(address, "splits", splits, f"{address}:{splits[0]}")
        dataset = datasets.load_dataset(name, config, split=splits[0], streaming=True)
        rows = ((f"{address}:{number}", row) for number, row in enumerate(dataset, start=1))
        return documents_of(address, rows, settings)


def _fingerprint(address: str) -> str:
    from huggingface_hub import HfApi

    name, _, _ = _parts(address)
    with _reported(address):
        revision = HfApi().dataset_info(name, timeout=20).sha or ""
    return hashlib.sha256(f"{address}\n{revision}\n".encode("utf-8", "surrogateescape")).hexdigest()


@contextmanager
def _reported(address: str) -> Iterator[None]:
    """Raise failures of the datasets library, the Hub and the network as `KnowledgeBaseError`."""
    from datasets.exceptions import DatasetNotFoundError, DatasetsError
    from huggingface_hub import errors

    # This is the error of the HTTP client that the installed version of the hub library uses.
    http_error = errors.HTTPError  # type: ignore[attr-defined]
    try:
        yield
    except (OSError, ValueError, RuntimeError, DatasetsError, http_error) as error:
        response = error.response if isinstance(error, errors.HfHubHTTPError) else None
        status = response.status_code if response is not None else None
        reason = " ".join(str(error).split())
        if isinstance(error, errors.OfflineModeIsEnabled):
            problem = "the Hub is disabled; unset HF_HUB_OFFLINE, or give a folder or file"
        elif isinstance(error, DatasetNotFoundError) or status in _NO_ACCESS:
            problem = (
                "the Hub has no such dataset, or does not show it to you; check the name, and for "
                "a private or gated one set HF_TOKEN or run `hf auth login`"
            )
        elif isinstance(error, http_error | ConnectionError) and status is None:
            problem = f"the Hub cannot be reached ({reason}); check network and HF_ENDPOINT"
        else:
            problem = f"cannot be read ({reason}); check its name, its files and the network"
        raise KnowledgeBaseError(f"{address}: {problem}") from error


def _parts(address: str) -> tuple[str, str | None, str | None]:
    match = _ADDRESS.fullmatch(address)
    if match is None:
        raise KnowledgeBaseError(f"{address}: write hf:namespace/name[/config][:split]")
    return match[1], match[2], match[3] or None


def _several(address: str, kind: str, names: Sequence[str], example: str) -> KnowledgeBaseError:
    return KnowledgeBaseError(
        f"{address} has several {kind} ({', '.join(names)}); choose one of them, as in {example}"
    )


HUB_READER: Final = SourceReader(prefix="hf:", read=_read, fingerprint=_fingerprint)
"""Reads `hf:namespace/name[/config][:split]`."""
