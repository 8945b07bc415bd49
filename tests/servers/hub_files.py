"""What the Hub's HTTP API tells of the files of a repository, to those who read them."""

import hashlib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias
from urllib.parse import parse_qs

Reply: TypeAlias = tuple[int, bytes, dict[str, str]]
"""Status, body, headers."""


def as_json(status: int, value: object, headers: Mapping[str, str] | None = None) -> Reply:
    return (
        status,
        json.dumps(value).encode(),
        {"content-type": "application/json", **(headers or {})},
    )


def answer_of_files(
    files: Mapping[str, bytes],
    revision: str,
    method: str,
    below: Sequence[str],
    body: bytes,
    headers: Mapping[str, str],
) -> Reply:
    """Answer what is asked for below `/datasets/NAME/` or `/api/datasets/NAME/`."""
    kind, asked, *path = below
    if asked not in {"main", revision}:
        return as_json(404, {"error": "no such revision"}, {"X-Error-Code": "RevisionNotFound"})
    match kind:
        case "tree":
            found = list(_tree(files, "/".join(path)))
            return as_json(200, found) if found or not path else _no_entry(revision)
        case "paths-info":
            wanted = parse_qs(body.decode())["paths"]
            every = {str(entry["path"]): entry for entry in _tree(files, "")}
            return as_json(200, [every[name] for name in wanted if name in every])
        case "resolve":
            return _content(files, "/".join(path), revision, headers)
        case _:
            raise AssertionError(f"{method} {'/'.join(below)} is not spoken here")


def _tree(files: Mapping[str, bytes], folder: str) -> Iterator[dict[str, object]]:
    """Yield folders and files below `folder`, at any depth."""
    inside = {
        path: content for path, content in files.items() if f"/{path}".startswith(f"/{folder}")
    }
    folders = {path[: slash.start()] for path in inside for slash in re.finditer("/", path)}
    for name in sorted(folders):
        yield {"type": "directory", "path": name, "size": 0, "oid": _digest(name.encode())}
    for path, content in inside.items():
        yield {"type": "file", "path": path, "size": len(content), "oid": _digest(content)}


def _content(
    files: Mapping[str, bytes], path: str, revision: str, headers: Mapping[str, str]
) -> Reply:
    told = {"X-Repo-Commit": revision}
    if path not in files:
        return _no_entry(revision)
    content = files[path]
    told |= {"ETag": f'"{_digest(content)}"', "Accept-Ranges": "bytes"}
    part = re.fullmatch(
        r"bytes=(\d+)-(\d*)", {k.lower(): v for k, v in headers.items()}.get("range", "")
    )
    if part is None:
        return 200, content, told
    first, last = int(part[1]), min(int(part[2] or len(content)), len(content) - 1)
    told["Content-Range"] = f"bytes {first}-{last}/{len(content)}"
    return 206, content[first : last + 1], told


def _no_entry(revision: str) -> Reply:
    told = {"X-Repo-Commit": revision, "X-Error-Code": "EntryNotFound"}
    return as_json(404, {"error": "Entry not found"}, told)


def _digest(content: bytes) -> str:
    return hashlib.sha1(content).hexdigest()
