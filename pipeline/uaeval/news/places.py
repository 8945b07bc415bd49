"""Classify entries of `--news`. This module imports little, so it loads fast."""

from collections.abc import Mapping
from typing import Final

from uaeval.errors import KnowledgeBaseError
from uaeval.knowledge.reading import INDEXES
from uaeval.resources import shipped_table

NAMED_SEARCHES: Final[Mapping[str, str]] = shipped_table("news/searches.yaml")
"""Addresses of news searches by short name."""
QUERY: Final = "{query}"


def is_web(entry: str) -> bool:
    """Return whether an entry is on the web: a named search, a feed, or a search template."""
    return entry in NAMED_SEARCHES or is_site(entry)


def is_site(address: str) -> bool:
    """Return whether an address is that of a web site."""
    return address.lower().startswith(("http://", "https://"))


def is_search(entry: str) -> bool:
    """Return whether an entry is a search for topics."""
    return is_web(entry) and QUERY in NAMED_SEARCHES.get(entry, entry)


def refuse_other_schemes(entry: str) -> None:
    """Raise `KnowledgeBaseError` for an address with an unsupported scheme."""
    readable = is_web(entry) or entry.startswith(("hf:", *(f"{kind}:" for kind in INDEXES)))
    if "://" in entry and not readable:
        raise KnowledgeBaseError(
            f"{entry}: outside articles come over http and https, from a folder, a file or hf:…"
        )
