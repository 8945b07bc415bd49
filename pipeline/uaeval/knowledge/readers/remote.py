"""Files of other machines and stores, by the file systems of fsspec: `s3://bucket/docs`.

Each store has a package of its own, such as s3fs or gcsfs; credentials are those that it looks for.
"""

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from uaeval.errors import KnowledgeBaseError
from uaeval.knowledge.readers.source_errors import reported

_WEB: Final = frozenset({"http", "https"})
"""Read as sites, by their own rules."""
_VERSIONS: Final = ("ETag", "etag", "md5Hash", "mtime", "LastModified", "last_modified", "created")
"""What a store says of a file that changes with it; the first that it says counts."""


def is_remote(address: str) -> bool:
    """Return whether fsspec knows a file system for the address."""
    scheme, mark, _ = address.partition("://")
    if not mark or scheme in _WEB:
        return False
    from fsspec import available_protocols

    return scheme.partition("::")[0] in available_protocols()


def remote_fingerprint(address: str) -> str:
    """Hash the names, sizes and versions of the files at an address; nothing is downloaded.

    Raises:
        KnowledgeBaseError: there are none, or the store cannot be asked.
    """
    with reported(address):
        store, path = _opened(address)
        files = store.find(path, detail=True)
    digest = hashlib.sha256(address.encode())
    for name, facts in sorted(files.items()):
        version = next((facts[key] for key in _VERSIONS if facts.get(key) is not None), "")
        digest.update(f"\n{name}\0{facts.get('size')}\0{version}".encode())
    return digest.hexdigest()


@contextmanager
def downloaded(address: str) -> Iterator[Path]:
    """Yield a folder, or a file, with what is at an address; it is removed afterwards.

    Raises:
        KnowledgeBaseError: there is nothing, or it cannot be downloaded.
    """
    with TemporaryDirectory(prefix="uaeval-", ignore_cleanup_errors=True) as place:
        with reported(address):
            store, path = _opened(address)
            name = path.rstrip("/").rpartition("/")[2] or "files"
            local = Path(place, name)
            store.get(path, str(local), recursive=store.isdir(path))
        yield local


def _opened(address: str) -> tuple[Any, str]:
    from fsspec.core import url_to_fs

    store, path = url_to_fs(address)
    if not store.exists(path):
        raise KnowledgeBaseError(f"{address}: there is no such file or folder")
    return store, path
