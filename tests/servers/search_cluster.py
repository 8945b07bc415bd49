"""A local server that speaks as much of Elasticsearch's and OpenSearch's HTTP API as reading takes.

Written after the documented scroll API: `POST /<index>/_search?scroll=`, `POST /_search/scroll`,
`DELETE /_search/scroll`, and the error bodies of a missing index and of an expired scroll.
"""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self
from urllib.parse import urlsplit


class SearchCluster:
    """`with SearchCluster({"docs": {"1": {"text": "…"}}}) as cluster:` serves `cluster.url`."""

    def __init__(self, indexes: dict[str, dict[str, dict[str, object]]]) -> None:
        self.indexes = indexes
        self.scrolls: dict[str, list[dict[str, object]]] = {}
        self.page = 3
        """Most hits of a page, whatever is asked."""
        self.authorization: str | None = None
        """What requests have to be authorised by."""
        self.failing_after: int | None = None
        """Pages after which every scroll has expired."""
        self.failed_shards = 0
        self.extra_total = 0
        """Documents that are counted, and never sent."""
        self.pages = 0
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.01,))
        self.url = f"http://127.0.0.1:{self._http.server_port}"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._http.shutdown()
        self._thread.join()
        self._http.server_close()

    def answer(self, method: str, path: str, query: str, body: Any) -> tuple[int, object]:
        """Return the status and the body of a reply."""
        if (method, path) == ("DELETE", "/_search/scroll"):
            self.scrolls.pop(body["scroll_id"], None)
            return 200, {"succeeded": True, "num_freed": 1}
        if (method, path) == ("POST", "/_search/scroll"):
            left = self.scrolls.get(body["scroll_id"])
            if left is None or self.pages == self.failing_after:
                return 404, _error("search_context_missing_exception", "No search context found")
            return 200, self._page(body["scroll_id"], left, len(left))
        index = path.removesuffix("/_search").strip("/")
        if method != "POST" or not path.endswith("/_search") or "scroll=" not in query:
            return 405, _error("invalid", f"{method} {path}?{query}")
        if index not in self.indexes:
            return 404, _error("index_not_found_exception", f"no such index [{index}]")
        hits: list[dict[str, object]] = [
            {"_index": index, "_id": identity, "_score": None, "_source": source, "sort": [place]}
            for place, (identity, source) in enumerate(self.indexes[index].items())
        ]
        name = f"scroll-{len(self.scrolls)}"
        self.scrolls[name] = hits
        return 200, self._page(name, hits, len(hits))

    def _page(self, name: str, left: list[dict[str, object]], total: int) -> object:
        self.pages += 1
        hits, self.scrolls[name] = left[: self.page], left[self.page :]
        return {
            "_scroll_id": name,
            "took": 1,
            "timed_out": False,
            "_shards": {
                "total": 5,
                "successful": 5 - self.failed_shards,
                "skipped": 0,
                "failed": self.failed_shards,
            },
            "hits": {
                "total": {"value": total + self.extra_total, "relation": "eq"},
                "max_score": None,
                "hits": hits,
            },
        }


def _error(kind: str, reason: str) -> object:
    cause = {"type": kind, "reason": reason}
    return {"error": {"root_cause": [cause], **cause}, "status": 404}


def _handler(cluster: SearchCluster) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def _serve(self) -> None:
            length = int(self.headers.get("content-length", 0))
            body = json.loads(self.rfile.read(length) or b"null")
            parts = urlsplit(self.path)
            wanted = cluster.authorization
            if wanted and self.headers.get("authorization") != wanted:
                status, reply = 401, _error("security_exception", "missing credentials")
            else:
                status, reply = cluster.answer(self.command, parts.path, parts.query, body)
            data = json.dumps(reply).encode()
            self.send_response(status)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        do_POST = do_DELETE = _serve  # noqa: N815 - the names that the library looks for

        def log_message(self, *_: object) -> None:
            pass

    return Handler
