"""A fetched page, its text, and the settings of fetching."""

import re
from dataclasses import dataclass
from typing import Final

from uaeval.errors import FetchError
from uaeval.knowledge.decoding import decode_page
from uaeval.knowledge.reading import UnusableFile

PAGES: Final = ("text/html", "application/xhtml+xml", "text/plain", "")
"""Content types of articles."""
FEEDS: Final = (
    "application/rss+xml", "application/atom+xml", "application/rdf+xml", "application/xml",
    "text/xml", "application/json", *PAGES,
)  # fmt: skip
"""Content types of feeds; some are sent as pages."""
_CHARSET: Final = re.compile(r"charset\s*=\s*[\"']?\s*([\w.:-]{1,40})", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class FetchSettings:
    """Limits and pauses of a crawl."""

    user_agent: str
    concurrency: int = 16
    """Concurrent requests over all hosts; one at a time to each host."""
    delay_s: float = 1.0
    """Least pause between the starts of two requests to one host; robots.txt may ask for more."""
    timeout_s: float = 30.0
    """For one page in all, with its redirects, without the pauses before its requests."""
    max_bytes: int = 5_000_000
    """Of a body, decompressed."""
    max_redirects: int = 8
    attempts: int = 2
    """Attempts of a request whose failure may be temporary."""
    longest_delay_s: float = 60.0
    """A site that asks for longer pauses, or sends a longer `Retry-After`, is left out."""
    allow_hosts: frozenset[str] = frozenset()
    """Hosts that need not be public."""
    proxy: str | None = None
    """An HTTP proxy, which then resolves the names."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """What one URL gave: a body, a redirect, or a status without either."""

    url: str
    status: int = 200
    content_type: str = ""
    """The header, with its parameters."""
    location: str = ""
    """The target of a redirect, as sent."""
    etag: str = ""
    last_modified: str = ""
    checked_at: float = 0.0
    """Seconds since 1970."""
    problem: str = ""
    """Why the body was not read (`size: …`); empty if it was."""
    body: bytes = b""

    @property
    def media_type(self) -> str:
        """The content type without its parameters, lower case; `""` if it has none."""
        return self.content_type.partition(";")[0].strip().lower()

    def text(self) -> str:
        """Return its text; `FetchError` if it is not text."""
        charset = _CHARSET.search(self.content_type)
        try:
            return decode_page(self.body, charset[1] if charset else None)
        except UnusableFile as error:
            raise FetchError("charset", str(error)) from error
