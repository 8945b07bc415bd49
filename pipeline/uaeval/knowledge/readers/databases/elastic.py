"""Read Elasticsearch and OpenSearch indexes, with their common scroll API."""

import os
from collections.abc import Iterator
from typing import Any, Final
from urllib.parse import quote

import httpx

from uaeval.errors import KnowledgeBaseError
from uaeval.knowledge.readers.databases.collection import PAGE, TIMEOUT_S, Collection, counted
from uaeval.knowledge.readers.rows import Row

_SCROLL_KEPT: Final = "5m"


def scan(collection: Collection) -> Iterator[Row]:
    """Yield the source of each document, with its id as `_id`.

    An API key, or a user name and password, are read from the environment.
    """
    kind = collection.kind.upper()
    key, user = os.environ.get(f"{kind}_API_KEY"), os.environ.get(f"{kind}_USERNAME")
    login = (user, os.environ.get(f"{kind}_PASSWORD", "")) if user else None
    headers = {"authorization": f"ApiKey {key}"} if key else {}
    place = collection.place
    with httpx.Client(base_url=place, headers=headers, auth=login, timeout=TIMEOUT_S) as client:
        page = _ask(
            client,
            f"/{quote(collection.name)}/_search?scroll={_SCROLL_KEPT}",
            {"size": PAGE, "sort": ["_doc"], "track_total_hits": True},
        )
        try:
            yield from counted(_hits(client, page), page["hits"]["total"]["value"])
        finally:
            client.request("DELETE", "/_search/scroll", json={"scroll_id": page["_scroll_id"]})


def _hits(client: httpx.Client, page: dict[str, Any]) -> Iterator[Row]:
    while hits := page["hits"]["hits"]:
        for hit in hits:
            yield {**hit.get("_source", {}), "_id": hit["_id"]}
        body = {"scroll": _SCROLL_KEPT, "scroll_id": page["_scroll_id"]}
        page = _ask(client, "/_search/scroll", body)


def _ask(client: httpx.Client, path: str, body: dict[str, Any]) -> dict[str, Any]:
    response = client.post(path, json=body)
    if not response.is_success:
        raise KnowledgeBaseError(
            f"{response.url}: HTTP {response.status_code} ({response.text[:300]})"
        )
    page: dict[str, Any] = response.json()
    if page["timed_out"] or page["_shards"]["failed"]:
        failed = page["_shards"]["failed"]
        raise KnowledgeBaseError(f"{response.url}: {failed} shards failed, or it timed out")
    return page
