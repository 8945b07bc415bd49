"""Fetched pages and their text."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from uaeval.errors import FetchError
from uaeval.knowledge.decoding import decode_page
from uaeval.knowledge.reading import UnusableFile
from uaeval.resources import shipped_table

_MEDIA_TYPES: Final = shipped_table("news/media_types.yaml")
PAGES: Final[tuple[str, ...]] = tuple(_MEDIA_TYPES["pages"])
"""Content types of articles."""
FEEDS: Final[tuple[str, ...]] = tuple(_MEDIA_TYPES["feeds"])
"""Content types of feeds."""
SUFFIXES: Final[Mapping[str, str]] = _MEDIA_TYPES["suffixes"]
"""The suffix of a file by its media type; other media types are not read."""
_CHARSET: Final = re.compile(r"charset\s*=\s*[\"']?\s*([\w.:-]{1,40})", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """The response of one URL: a body, a redirect, or only a status."""

    url: str
    status: int = 200
    content_type: str = ""
    """The header `Content-Type`, with its parameters."""
    location: str = ""
    """The header `Location`, the target of a redirect."""
    etag: str = ""
    last_modified: str = ""
    checked_at: float = 0.0
    """Time of the response, in seconds since 1970."""
    problem: str = ""
    """Why the body was not read, such as `size: …`; empty if it was read."""
    body: bytes = b""

    @property
    def media_type(self) -> str:
        """The content type in lower case, without its parameters; `""` if there is none."""
        return self.content_type.partition(";")[0].strip().lower()

    def text(self) -> str:
        """Return the text of the page; raise `FetchError` if it is not text."""
        charset = _CHARSET.search(self.content_type)
        try:
            return decode_page(self.body, charset[1] if charset else None)
        except UnusableFile as error:
            raise FetchError("charset", str(error)) from error
