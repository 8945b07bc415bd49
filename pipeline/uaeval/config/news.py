"""Settings of outside articles: which are used, and how they are fetched."""

from datetime import date
from typing import Annotated

from pydantic import Field

from uaeval.config.settings import Option, Settings, Several

HOLDOUT = "holdout"


class NewsSettings(Settings):
    """The outside articles of a run."""

    news: Annotated[Several, Field(min_length=1)] = (HOLDOUT,)
    """Outside articles for out_of_database: a folder or file of html, text or rows, `hf:<dataset>`,
    a feed's address, a search's address with {query}, `bing`, `gdelt`, `google`, or `holdout`: set
    documents of the knowledge base aside. May be given several times."""
    since: date | None = None
    """Use articles from this day on, 2026-03-14. [day of the newest document, if known]"""
    per_source: int = Field(default=200, ge=1)
    """Most articles looked at from each --news."""
    topics: int = Field(default=12, ge=1)
    """Topics of the knowledge base to search for, beside --add-topic."""
    add_topics: Annotated[Several, Option("--add-topic")] = ()
    """Also search for this; may be given several times."""
    pin_topics: Annotated[Several, Option("--pin-topic")] = ()
    """Search for this first, in place of the lowest-ranked topic; may be given several times."""
    forbid_topics: Annotated[Several, Option("--forbid-topic")] = ()
    """Never search for this; may be given several times."""
    allow_hosts: Annotated[Several, Option("--allow-host")] = ()
    """A host of your own network that may be fetched from, `intranet.example` or `127.0.0.1:8000`;
    may be given several times."""


class WebSettings(Settings):
    """How pages are fetched; this does not change the result."""

    contact: str | None = Field(default=None, pattern=r"^[\x21-\x7e]{3,200}$")
    """Your e-mail or web address, sent to sites as part of the user agent."""
    web_proxy: str | None = None
    """HTTP proxy for pages, such as http://host:3128, which then resolves their names; the
    environment's is not used."""
    host_delay: float = Field(default=1.0, ge=0)
    """Least seconds between two requests to a host."""
    fetch_concurrency: int = Field(default=16, ge=1)
    """Most pages in flight, one from each host."""
    page_timeout: float = Field(default=30.0, gt=0)
    """Seconds for a page."""
