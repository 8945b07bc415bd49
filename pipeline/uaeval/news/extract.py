"""Extract the article of a page with trafilatura: text, title, day and address."""

import re
from typing import Final
from urllib.parse import urlsplit

from uaeval.errors import FetchError
from uaeval.knowledge.markdown import plain
from uaeval.knowledge.markup import lines_of
from uaeval.knowledge.reading import Content, day_of

_MOST_TAGS: Final = 50_000
"""Most tags of a page. News pages have a few thousand; trafilatura takes quadratic time."""
_DATES: Final = {"original_date": True, "extensive_search": False, "outputformat": "%Y-%m-%d"}
_INVISIBLE: Final = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f"
    "\ufe00-\ufe0f\ufeff\ufff9-\uffff\ud800-\udfff\U000e0000-\U000e0fff]"
)
"""Control characters, marks of writing direction, and invisible characters."""
_LONGEST_TITLE: Final = 300
_ROUNDS: Final = 4


def extract(html: str, url: str) -> Content:
    """Return the article of a page, with its canonical address if that is on the same host.

    Comments are excluded and precision is preferred, because text about other articles would look
    like facts of this one.

    Raises:
        FetchError: the page has no article, or too many tags.
    """
    import trafilatura

    if html.count("<") > _MOST_TAGS:
        raise FetchError("extract", f"{url}: the page has more than {_MOST_TAGS:,} tags")
    markdown = trafilatura.extract(
        html, url=url, output_format="markdown", include_comments=False, favor_precision=True
    )
    text = clean_text(plain(markdown)).strip() if markdown else ""
    if not text:
        raise FetchError("extract", f"{url}: no article was found on the page")
    meta = trafilatura.extract_metadata(html, default_url=url, date_config=_DATES)
    return Content(
        title=clean_title(meta.title or "") or None if meta else None,
        text=text,
        date=day_of(meta.date) if meta else None,
        url=_canonical(meta.url if meta else None, url) or None,
    )


def _canonical(stated: str | None, url: str) -> str:
    """Return the address that a page states, if it has the same host; otherwise `url`."""
    if not stated or not url:
        return stated or url
    try:
        claimed, fetched = urlsplit(stated), urlsplit(url)
        same_host = _host(claimed.hostname) == _host(fetched.hostname)
    except ValueError:
        return url
    return stated if same_host and claimed.scheme in ("http", "https") else url


def _host(name: str | None) -> str:
    return (name or "").lower().removeprefix("www.")


def clean_title(text: str) -> str:
    """Return a title in one line of limited length, without markup, even if it was escaped."""
    text = text[: 10 * _LONGEST_TITLE]
    for _ in range(_ROUNDS):
        plain = " ".join(" ".join(lines_of(text)).split())
        if plain == text:
            break
        text = plain
    return clean_text(text).strip()[:_LONGEST_TITLE]


def clean_text(text: str) -> str:
    """Return a text without invisible characters, except for line breaks and tabs."""
    return _INVISIBLE.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))
