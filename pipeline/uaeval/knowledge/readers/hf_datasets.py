"""Hugging Face datasets as documents: saved to disk, or by name from the Hub.

A name is asked for at the Hub, or at a server that speaks its API (`HF_ENDPOINT`); the token of a
private dataset is looked for where the Hub's own tools look (`HF_TOKEN`, `hf auth login`).
"""

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from uaeval.errors import KnowledgeBaseError
from uaeval.knowledge.readers.rows import documents_of
from uaeval.knowledge.reading import LoadedDocuments, ReadSettings

_ADDRESS: Final = re.compile(r"hf:([^/:]+/[^/:]+)(?:/([^/:]+))?(?::(.*))?")
_NOT_TO_BE_READ: Final = frozenset({401, 403, 404})
"""HTTP statuses: not there, or not for this reader; the Hub does not tell which."""


def is_saved_dataset(folder: Path) -> bool:
    """Return whether `save_to_disk` wrote this folder."""
    return (folder / "dataset_dict.json").is_file() or (
        (folder / "dataset_info.json").is_file() and (folder / "state.json").is_file()
    )


def read_saved_dataset(folder: Path, settings: ReadSettings) -> LoadedDocuments:
    """Read a dataset that `save_to_disk` wrote; every split of it.

    Raises:
        KnowledgeBaseError: it is damaged, or its rows are no documents.
    """
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
        return documents_of(rows, settings)


def read_hub_dataset(address: str, settings: ReadSettings) -> LoadedDocuments:
    """Read `hf:namespace/name[/config][:split]`, streamed from the Hub.

    Raises:
        KnowledgeBaseError: it is not there or may not be read, it has several configs or splits
            and none is named, the Hub cannot be reached, or its rows are no documents.
    """
    from datasets import (
        get_dataset_config_names,
        get_dataset_default_config_name,
        get_dataset_split_names,
        load_dataset,
    )

    name, config, split = _parts(address)
    if Path(name).exists():
        raise KnowledgeBaseError(
            f"{address}: {name} is also a folder here, and would be read in its place; work in "
            f"another folder, or write ./{name} if you mean the folder"
        )
    with _reported(address):
        config = config or get_dataset_default_config_name(name)
        if config is None:
            configs = get_dataset_config_names(name)
            example = f"hf:{name}/{configs[0]}{address.removeprefix(f'hf:{name}')}"
            raise _several(address, "configs", configs, example)
        splits = [split] if split else get_dataset_split_names(name, config)
        if len(splits) != 1:
            raise _several(address, "splits", splits, f"{address}:{splits[0]}")
        dataset = load_dataset(name, config, split=splits[0], streaming=True)
        rows = ((f"{address}:{number}", row) for number, row in enumerate(dataset, start=1))
        return documents_of(rows, settings)


def hub_revision(address: str) -> str:
    """Look up the revision that `hf:namespace/name[/config][:split]` has now.

    Raises:
        KnowledgeBaseError: it is not there or may not be read, or the Hub cannot be reached.
    """
    from huggingface_hub import HfApi

    name, _, _ = _parts(address)
    with _reported(address):
        return HfApi().dataset_info(name, timeout=20).sha or ""


@contextmanager
def _reported(address: str) -> Iterator[None]:
    """Raise the failures of datasets, the Hub and the network as one error in one sentence."""
    from datasets.exceptions import DatasetNotFoundError, DatasetsError

    # The hub's HTTP client differs between its versions; this is the error of the one in use.
    from huggingface_hub.errors import (  # type: ignore[attr-defined]
        HfHubHTTPError,
        HTTPError,
        OfflineModeIsEnabled,
    )

    try:
        yield
    except OfflineModeIsEnabled as error:
        raise KnowledgeBaseError(
            f"{address}: the Hub may not be asked; unset HF_HUB_OFFLINE, or name a folder or file"
        ) from error
    except (OSError, ValueError, RuntimeError, DatasetsError, HTTPError) as error:
        response = error.response if isinstance(error, HfHubHTTPError) else None
        status = response.status_code if response is not None else None
        if isinstance(error, DatasetNotFoundError) or status in _NOT_TO_BE_READ:
            raise KnowledgeBaseError(
                f"{address}: the Hub has no such dataset, or does not show it to you; check the "
                "name, and for a private or gated one set HF_TOKEN or run `hf auth login`"
            ) from error
        reason = " ".join(str(error).split())
        if isinstance(error, HTTPError | ConnectionError) and status is None:
            told = f"the Hub cannot be reached ({reason}); check network and HF_ENDPOINT"
        else:
            told = f"cannot be read ({reason}); check its name, its files and the network"
        raise KnowledgeBaseError(f"{address}: {told}") from error


def _parts(address: str) -> tuple[str, str | None, str | None]:
    match = _ADDRESS.fullmatch(address)
    if match is None:
        raise KnowledgeBaseError(f"{address}: write hf:namespace/name[/config][:split]")
    return match[1], match[2], match[3] or None


def _several(address: str, kind: str, names: Sequence[str], example: str) -> KnowledgeBaseError:
    """Return the error of an address that leaves open which of several parts is meant."""
    return KnowledgeBaseError(
        f"{address} has several {kind} ({', '.join(names)}); choose one of them, as in {example}"
    )
