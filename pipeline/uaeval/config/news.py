"""Settings of outside articles: which are used, and how they are fetched."""

from datetime import date
from typing import Annotated
from urllib.parse import parse_qsl, urlsplit

from pydantic import AfterValidator, Field

from uaeval.config.settings import Option, Settings, Several
from uaeval.redaction import is_secret_name

HOLDOUT = "holdout"


def _without_secrets(entries: tuple[str, ...]) -> tuple[str, ...]:
    """Refuse credentials in an address: settings are written into the manifest."""
    for entry in entries:
        _, scheme, rest = entry.partition("://")
        if scheme and "@" in urlsplit(f"//{rest}").netloc:
            raise ValueError("leave name and password out of an address")
        for name, value in parse_qsl(rest.partition("?")[2]):
            if is_secret_name(name, value):
                raise ValueError(
                    f"set the value of {name} in the environment and write $ITS_NAME in the "
                    "address, for the settings are written down"
                )
    return entries


class NewsSettings(Settings):
    """The outside articles of a run."""

    news: Annotated[Several, Field(min_length=1), AfterValidator(_without_secrets)] = (HOLDOUT,)
    """Outside articles for out_of_database: a folder or file of html, text or rows, `hf:<dataset>`,
    a feed's address, a search's address with {query}, `bing`, `gdelt`, `google`, or `holdout`: set
    documents of the knowledge base aside. $NAME in an address is read from the environment. May be
    given several times."""
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
