"""What an entry of `--news` names; light, so that a run can ask without loading what fetches."""

from collections.abc import Mapping
from typing import Final

from uaeval.errors import KnowledgeBaseError
from uaeval.knowledge.reading import INDEXES

READY: Final[Mapping[str, str]] = {
    "bing": "https://www.bing.com/news/search?q={query}&format=rss",
    "gdelt": "https://api.gdeltproject.org/api/v2/doc/doc?query={query}&mode=artlist&format=json"
    "&sort=datedesc&maxrecords=75",
    "google": "https://news.google.com/rss/search?q={query}&hl=en-US&gl=US&ceid=US:en",
}
"""Searches for news by their short names. All three were tested on recorded shapes only."""
QUERY: Final = "{query}"


def is_web(entry: str) -> bool:
    """Return whether an entry leads to the web: a named search, a feed, or a search's template."""
    return entry in READY or is_site(entry)


def is_site(address: str) -> bool:
    """Return whether a knowledge base is a site of the web."""
    return address.lower().startswith(("http://", "https://"))


def is_search(entry: str) -> bool:
    """Return whether an entry is searched by topics."""
    return is_web(entry) and QUERY in READY.get(entry, entry)


def refuse_other_schemes(entry: str) -> None:
    """Raise `KnowledgeBaseError` for an address that is neither of the web nor a place or hub."""
    if (
        "://" in entry
        and not is_web(entry)
        and not entry.startswith(("hf:", *(f"{kind}:" for kind in INDEXES)))
    ):
        raise KnowledgeBaseError(
            f"{entry}: outside articles come over http and https, from a folder, a file or hf:…"
        )
