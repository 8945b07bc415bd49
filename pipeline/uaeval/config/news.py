"""Settings of outside articles: which are taken, and how the web is asked for them."""

from datetime import date
from typing import Annotated

from pydantic import Field

from uaeval.config.settings import Option, Settings, Several

HOLDOUT = "holdout"


class NewsSettings(Settings):
    """Which outside articles a run works from."""

    news: Annotated[Several, Field(min_length=1)] = (HOLDOUT,)
    """Outside articles for out_of_database: a folder or file of html, text or rows, `hf:<dataset>`,
    a feed's address, a search's address with {query}, `bing`, `gdelt`, `google`, or `holdout`: set
    documents of the knowledge base aside. May be given several times."""
    since: date | None = None
    """Take articles from this day on, 2026-03-14. [day of the newest document, if known]"""
    per_source: int = Field(default=200, ge=1)
    """Most articles looked at from each --news."""
    topics: int = Field(default=12, ge=1)
    """How many topics of the knowledge base are searched for, those added apart."""
    add_topics: Annotated[Several, Option("--add-topic")] = ()
    """Search for this too; may be given several times."""
    pin_topics: Annotated[Several, Option("--pin-topic")] = ()
    """Search for this first, in place of the least of those found; may be given several times."""
    forbid_topics: Annotated[Several, Option("--forbid-topic")] = ()
    """Never search for this; may be given several times."""
    allow_hosts: Annotated[Several, Option("--allow-host")] = ()
    """A host of your own network that may be asked, `intranet.example` or `127.0.0.1:8000`;
    may be given several times."""


class WebSettings(Settings):
    """How the web is asked; none of it decides the result."""

    contact: str | None = Field(default=None, pattern=r"^[\x21-\x7e]{3,200}$")
    """Your e-mail or web address, for the sites that are asked; part of the user agent."""
    web_proxy: str | None = None
    """HTTP proxy for pages, such as http://host:3128, which then resolves their names; the
    environment's is not used."""
    host_delay: float = Field(default=1.0, ge=0)
    """Least seconds between two requests to one host."""
    fetch_concurrency: int = Field(default=16, ge=1)
    """Pages under way at once, one at a time from each host."""
    page_timeout: float = Field(default=30.0, gt=0)
    """Seconds for one page."""
