"""Read files of remote stores with fsspec: `s3://bucket/docs`.

Each store needs a package, such as s3fs or gcsfs, which also finds the credentials.
"""

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from uaeval.errors import KnowledgeBaseError
from uaeval.knowledge.readers.rows import reported

_VERSIONS: Final = ("ETag", "etag", "md5Hash", "mtime", "LastModified", "last_modified", "created")
"""Facts of a store that change with a file; the first one that a store reports is used."""


def is_remote(address: str) -> bool:
    """Return whether fsspec knows a file system for the address; sites are read otherwise."""
    scheme, mark, _ = address.partition("://")
    if not mark or scheme in ("http", "https"):
        return False
    from fsspec import available_protocols

    return scheme.partition("::")[0] in available_protocols()


def remote_fingerprint(address: str) -> str:
    """Return a hash of the names, sizes and versions of the files, without downloading them."""
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
    """Yield a temporary copy of the folder or file; raise `KnowledgeBaseError` if there is none."""
    with TemporaryDirectory(prefix="uaeval-", ignore_cleanup_errors=True) as folder:
        with reported(address):
            store, path = _opened(address)
            name = path.rstrip("/").rpartition("/")[2] or "files"
            local = Path(folder, name)
            store.get(path, str(local), recursive=store.isdir(path))
        yield local


def _opened(address: str) -> tuple[Any, str]:
    from fsspec.core import url_to_fs

    store, path = url_to_fs(address)
    if not store.exists(path):
        raise KnowledgeBaseError(f"{address}: there is no such file or folder")
    return store, path
