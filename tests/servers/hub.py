"""A local server that speaks as much of the Hugging Face Hub's HTTP API as push and reading take.

Files travel as git-LFS objects: the client is to be told so by `HF_HUB_DISABLE_XET=1`.
"""

import base64
import hashlib
import json
import re
import threading
from collections import defaultdict
from collections.abc import Iterator, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self
from urllib.parse import unquote

from tests.servers.hub_files import Reply, answer_of_files, as_json

TOKEN = "hf_writer"


class Hub:
    """`with Hub() as hub:` serves `hub.url`; `hub.files[name]` is what the last commit left."""

    def __init__(self) -> None:
        self.repositories: dict[str, bool] = {}
        """Whether it is private, by name."""
        self.files: defaultdict[str, dict[str, bytes]] = defaultdict(dict)
        self.objects: dict[str, bytes] = {}
        """LFS objects by their SHA-256."""
        self.commits = 0
        self.uploads = 0
        self.broken_uploads = 0
        """How many of the next uploads are refused."""
        self.requests: list[str] = []
        self.lock = threading.Lock()
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.01,))

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._http.server_port}"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()

    def answer(
        self, method: str, path: str, body: bytes, headers: Mapping[str, str], *, known: bool
    ) -> Reply:
        """Answer a request; `known` says whether it came with the token."""
        with self.lock:
            self.requests.append(f"{method} {path}")
            if method == "PUT":
                return self._store(path, body)
            if known and path.endswith(".git/info/lfs/objects/batch"):
                return as_json(200, {"transfer": "basic", "objects": list(self._wanted(body))})
            reading = re.fullmatch(r"(?:/api)?/datasets/([^/]+/[^/]+)(?:/(.*))?", path)
            if reading is not None and (known or self._shows(method, *reading.groups(""))):
                return self._of_repository(method, reading[1], reading[2] or "", body, headers)
            if not known:
                return as_json(401, {"error": "Invalid username or password."})
            if path == "/api/repos/create":
                return self._create(json.loads(body))
            if path == "/api/validate-yaml":
                return as_json(200, {"errors": [], "warnings": []})
            return as_json(404, {"error": "not spoken here"})

    def _shows(self, method: str, name: str, below: str) -> bool:
        """Return whether a request needs no token: reading what is public."""
        reads = method in {"GET", "HEAD"} or below.startswith("paths-info/")
        return reads and self.repositories.get(name) is False

    def _of_repository(
        self, method: str, name: str, below: str, body: bytes, headers: Mapping[str, str]
    ) -> Reply:
        if name not in self.repositories:
            missing = {"X-Error-Code": "RepoNotFound"}
            return as_json(404, {"error": "Repository not found"}, missing)
        revision = f"{self.commits:040d}"
        match below.split("/"):
            case ["preupload", _]:
                return as_json(200, {"files": [_mode(file) for file in json.loads(body)["files"]]})
            case ["commit", _]:
                self._commit(self.files[name], body)
                revision = f"{self.commits:040d}"
                url = f"{self.url}/datasets/{name}/commit/{revision}"
                return as_json(200, {"commitUrl": url, "commitOid": revision, "success": True})
            case ["" | "revision", *_]:
                info = {"id": name, "private": self.repositories[name], "sha": revision}
                siblings = [{"rfilename": path} for path in self.files[name]]
                return as_json(
                    200, {**info, "siblings": siblings, "tags": [], "downloads": 0, "likes": 0}
                )
            case parts:
                return answer_of_files(self.files[name], revision, method, parts, body, headers)

    def _create(self, wanted: dict[str, Any]) -> Reply:
        name = f"{wanted['organization']}/{wanted['name']}"
        self.repositories[name] = wanted.get("private") or wanted.get("visibility") == "private"
        return as_json(200, {"url": f"{self.url}/datasets/{name}", "name": name})

    def _wanted(self, body: bytes) -> Iterator[dict[str, object]]:
        for one in json.loads(body)["objects"]:
            upload = {"upload": {"href": f"{self.url}/lfs/{one['oid']}", "header": {}}}
            known = one["oid"] in self.objects
            yield {**one, **({} if known else {"actions": upload})}

    def _store(self, path: str, body: bytes) -> Reply:
        if self.broken_uploads:
            self.broken_uploads -= 1
            return as_json(400, {"error": "the storage is out of order"})
        digest = hashlib.sha256(body).hexdigest()
        assert path == f"/lfs/{digest}"
        self.objects[digest] = body
        self.uploads += 1
        return as_json(200, {})

    def _commit(self, files: dict[str, bytes], body: bytes) -> None:
        for line in body.splitlines():
            step = json.loads(line)
            value = step["value"]
            match step["key"]:
                case "file":
                    files[value["path"]] = base64.b64decode(value["content"])
                case "lfsFile":
                    files[value["path"]] = self.objects[value["oid"]]
                case "deletedFile":
                    del files[value["path"]]
                case _:
                    pass
        self.commits += 1


def _mode(file: dict[str, Any]) -> dict[str, object]:
    mode = "lfs" if file["path"].endswith(".parquet") else "regular"
    return {"path": file["path"], "uploadMode": mode, "shouldIgnore": False, "oid": None}


def _handler(hub: Hub) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def _handle(self) -> None:
            body = self._body()
            path = unquote(self.path.partition("?")[0])
            known = self.headers.get("authorization") == f"Bearer {TOKEN}"
            status, sent, headers = hub.answer(
                self.command, path, body, dict(self.headers), known=known
            )
            self.send_response(status)
            for name, text in {"content-length": str(len(sent)), **headers}.items():
                self.send_header(name, text)
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(sent)

        def _body(self) -> bytes:
            if self.headers.get("transfer-encoding") != "chunked":
                return self.rfile.read(int(self.headers.get("content-length", 0)))
            parts = []
            while size := int(self.rfile.readline(), 16):
                parts.append(self.rfile.read(size))
                self.rfile.readline()
            self.rfile.readline()
            return b"".join(parts)

        do_GET = do_HEAD = do_POST = do_PUT = _handle  # noqa: N815

        def log_message(self, format: str, *arguments: object) -> None:
            """Say nothing."""

    return Handler
