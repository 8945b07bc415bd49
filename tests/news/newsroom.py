"""Local news sites: feeds of every kind, and articles written for the tests."""

from collections.abc import Sequence
from xml.sax.saxutils import escape

from tests.servers.web import Answer, Asked, Replies

PAGE = """<!DOCTYPE html><html lang="{language}"><head><title>{title} | The Harbour Post</title>
<meta property="og:title" content="{title}"><meta property="article:published_time"
content="{day}T08:00:00Z">{head}</head><body><nav><a href="/">Home</a> <a href="/sport">Sport</a>
</nav><article><h1>{title}</h1>{paragraphs}</article>
<footer>All rights reserved. Subscribe to our newsletter.</footer></body></html>"""

TOWNS = (
    "Ashmere", "Birchay", "Coldwick", "Dunmarsh", "Elverton", "Fenholm", "Gorsley", "Hallowby",
    "Ingleford", "Kelderby", "Larkhaven", "Marrowdale", "Netherby", "Oakshaw", "Penmoor",
    "Quarnley", "Ravensea", "Stonewell", "Thistleby", "Underhill",
)  # fmt: skip
THINGS = (
    "ferry", "library", "bridge", "lighthouse", "market", "museum", "tramway", "reservoir",
    "orchard", "observatory",
)  # fmt: skip


def story(number: int) -> tuple[str, list[str]]:
    """Return title and paragraphs of a story that shares no five words in a row with others."""
    town, thing = TOWNS[number % len(TOWNS)], THINGS[number // len(TOWNS) % len(THINGS)]
    year, cost = 1800 + number, 17 * number + 3
    title = f"{town} {thing} number {number} opens again"
    return title, [
        f"{town} has its {thing} back after {cost} weeks, said warden {thing.title()}-{number}.",
        f"Repairs to {thing}-{number} cost {cost},000 pounds, paid by {town} council {number}.",
        f"Engineer {number} of {town} found {cost} faults in walls built during {year} alone.",
        f"Visitors pay {number} pence; {town} residents enter freely until {year + 300} or so."
        f" Guides of {thing} {number} speak {number % 7 + 2} languages, {town} officials added.",
        f"A {cost}-metre path links {thing}-{number} with {town} station, lit by {number} lamps.",
    ]


def page(
    title: str,
    paragraphs: Sequence[str],
    day: str = "2026-03-14",
    *,
    head: str = "",
    language: str = "en",
) -> bytes:
    body = "".join(f"<p>{escape(text)}</p>" for text in paragraphs)
    filled = PAGE.format(
        title=escape(title), day=day, paragraphs=body, head=head, language=language
    )
    return filled.encode()


def rss(items: Sequence[tuple[str, str, str]]) -> bytes:
    """Return an RSS 2.0 feed of `(link, title, RFC 822 date)`."""
    body = "".join(
        f"<item><title>{escape(title)}</title><link>{escape(link)}</link>"
        f"<pubDate>{day}</pubDate></item>"
        for link, title, day in items
    )
    return f'<?xml version="1.0"?><rss version="2.0"><channel>{body}</channel></rss>'.encode()


def newsroom(numbers: Sequence[int], *, wait_s: float = 0.0) -> Replies:
    """Return a site with `/feed` and an article `/story/N` for each number."""

    def reply(asked: Asked) -> Answer | None:
        if asked.path == "/feed":
            links = [(f"/story/{n}", story(n)[0], "Sat, 14 Mar 2026 08:00:00 GMT") for n in numbers]
            return Answer(body=rss(links), kind="application/rss+xml", wait_s=wait_s)
        head, _, number = asked.path.rpartition("/")
        if head == "/story" and number.isdigit() and int(number) in numbers:
            return Answer(body=page(*story(int(number))), wait_s=wait_s)
        return Answer(status=404, wait_s=wait_s)

    return reply
