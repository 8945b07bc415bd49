"""A local server that speaks as much of the Hugging Face Hub's HTTP API as an upload takes.

Files travel as git-LFS objects: the client is to be told so by `HF_HUB_DISABLE_XET=1`.
"""

import base64
import hashlib
import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self, cast

TOKEN = "hf_writer"


class Hub:
    """`with Hub() as hub:` serves `hub.url`; `hub.files` is what the last commit left."""

    def __init__(self) -> None:
        self.repositories: dict[str, bool] = {}
        """Whether it is private, by name."""
        self.files: dict[str, bytes] = {}
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

    def answer(self, method: str, path: str, body: bytes) -> tuple[int, object, dict[str, str]]:
        """Return status, JSON body and headers."""
        with self.lock:
            self.requests.append(f"{method} {path}")
            if method == "PUT":
                return self._store(path, body)
            if path == "/api/repos/create":
                return self._create(json.loads(body))
            if path == "/api/validate-yaml":
                return 200, {"errors": [], "warnings": []}, {}
            if path.endswith(".git/info/lfs/objects/batch"):
                return 200, {"transfer": "basic", "objects": list(self._wanted(body))}, {}
            return self._of_repository(path, body)

    def _of_repository(self, path: str, body: bytes) -> tuple[int, object, dict[str, str]]:
        name = "/".join(path.removeprefix("/api/datasets/").split("/")[:2])
        if name not in self.repositories:
            missing = {"X-Error-Code": "RepoNotFound"}
            return 404, {"error": "Repository not found"}, missing
        match path.removeprefix(f"/api/datasets/{name}").split("/"):
            case ["", "preupload", _]:
                return 200, {"files": [_mode(file) for file in json.loads(body)["files"]]}, {}
            case ["", "tree", *_]:
                sizes = {path: len(content) for path, content in self.files.items()}
                rows = [_entry(path, size) for path, size in sizes.items()]
                return 200, rows, {}
            case ["", "commit", _]:
                self._commit(body)
                commit = f"{self.commits:040d}"
                url = f"{self.url}/datasets/{name}/commit/{commit}"
                return 200, {"commitUrl": url, "commitOid": commit, "success": True}, {}
            case _:
                info = {
                    "id": name,
                    "private": self.repositories[name],
                    "sha": f"{self.commits:040d}",
                }
                return 200, {**info, "siblings": [], "tags": [], "downloads": 0, "likes": 0}, {}

    def _create(self, wanted: dict[str, Any]) -> tuple[int, object, dict[str, str]]:
        name = f"{wanted['organization']}/{wanted['name']}"
        self.repositories[name] = wanted.get("private") or wanted.get("visibility") == "private"
        return 200, {"url": f"{self.url}/datasets/{name}", "name": name}, {}

    def _wanted(self, body: bytes) -> Iterator[dict[str, object]]:
        for one in json.loads(body)["objects"]:
            upload = {"upload": {"href": f"{self.url}/lfs/{one['oid']}", "header": {}}}
            known = one["oid"] in self.objects
            yield {**one, **({} if known else {"actions": upload})}

    def _store(self, path: str, body: bytes) -> tuple[int, object, dict[str, str]]:
        if self.broken_uploads:
            self.broken_uploads -= 1
            return 400, {"error": "the storage is out of order"}, {}
        digest = hashlib.sha256(body).hexdigest()
        assert path == f"/lfs/{digest}"
        self.objects[digest] = body
        self.uploads += 1
        return 200, {}, {}

    def _commit(self, body: bytes) -> None:
        for line in body.splitlines():
            step = json.loads(line)
            value = step["value"]
            match step["key"]:
                case "file":
                    self.files[value["path"]] = base64.b64decode(value["content"])
                case "lfsFile":
                    self.files[value["path"]] = self.objects[value["oid"]]
                case "deletedFile":
                    del self.files[value["path"]]
                case _:
                    pass
        self.commits += 1


def _mode(file: dict[str, Any]) -> dict[str, object]:
    mode = "lfs" if file["path"].endswith(".parquet") else "regular"
    return {"path": file["path"], "uploadMode": mode, "shouldIgnore": False, "oid": None}


def _entry(path: str, size: int) -> dict[str, object]:
    return {
        "type": "file",
        "path": path,
        "size": size,
        "oid": hashlib.sha1(path.encode()).hexdigest(),
    }


def _handler(hub: Hub) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def _handle(self) -> None:
            body = self._body()
            path = self.path.partition("?")[0]
            uploads = path.startswith("/lfs/")
            if not uploads and self.headers.get("authorization") != f"Bearer {TOKEN}":
                told = {"error": "Invalid username or password."}
                status, value, headers = 401, cast("object", told), dict[str, str]()
            else:
                status, value, headers = hub.answer(self.command, path, body)
            sent = json.dumps(value).encode()
            self.send_response(status)
            for name, text in {"content-type": "application/json", **headers}.items():
                self.send_header(name, text)
            self.send_header("content-length", str(len(sent)))
            self.end_headers()
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

        do_GET = do_POST = do_PUT = _handle  # noqa: N815

        def log_message(self, format: str, *arguments: object) -> None:
            """Say nothing."""

    return Handler
