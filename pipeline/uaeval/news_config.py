"""Settings of outside articles: which are taken, and how the web is asked for them."""

from datetime import date
from typing import Annotated

from pydantic import BaseModel, BeforeValidator, Field

HOLDOUT = "holdout"


def _several(given: object) -> object:
    """Take one for several."""
    return (given,) if isinstance(given, str) else given


class NewsSettings(BaseModel):
    """Which outside articles a run works from."""

    news: Annotated[tuple[str, ...], BeforeValidator(_several), Field(min_length=1)] = (HOLDOUT,)
    """`holdout`, folders, files, `hf:<dataset>`, feeds, searches with `{query}`, `bing`, `gdelt`,
    `google`; one or several."""
    since: date | None = None
    """Day from which on articles are taken; the newest document's when not set, if it is known."""
    per_source: int = Field(default=200, ge=1)
    """Articles looked at from each entry of `news`, at the most."""
    topics: int = Field(default=12, ge=1)
    """How many topics of the knowledge base are searched for, those added apart."""
    add_topics: Annotated[tuple[str, ...], BeforeValidator(_several)] = ()
    pin_topics: Annotated[tuple[str, ...], BeforeValidator(_several)] = ()
    """Searched first, in place of the least of those found."""
    forbid_topics: Annotated[tuple[str, ...], BeforeValidator(_several)] = ()
    allow_hosts: Annotated[tuple[str, ...], BeforeValidator(_several)] = ()
    """Hosts of one's own network that may be asked: `intranet.example`, `127.0.0.1:8000`."""


class WebSettings(BaseModel):
    """How the web is asked; none of it decides the result."""

    contact: str | None = Field(default=None, pattern=r"^[\x21-\x7e]{3,200}$")
    """An e-mail or web address under which sites can reach you; part of the user agent."""
    web_proxy: str | None = None
    """An HTTP proxy for pages, which then resolves their names; the environment's is not used."""
    host_delay: float = Field(default=1.0, ge=0)
    """Least seconds between two requests to one host."""
    fetch_concurrency: int = Field(default=16, ge=1)
    """Pages under way at once, one at a time from each host."""
    page_timeout: float = Field(default=30.0, gt=0)
    """Seconds for one page."""
