"""A page under test: what it logs, what it asks for, what axe-core says of it."""

from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

from playwright.sync_api import Locator, Page, Request
from pypdfium2 import PdfDocument

AXE = Path(__file__).parent / "node_modules" / "axe-core" / "axe.min.js"
_LOCAL_SCHEMES = frozenset({"about", "blob", "data", "file"})
_GRAVE = frozenset({"serious", "critical"})


@dataclass
class Watch:
    """Errors of a page; empty if there were none."""

    hosts: frozenset[str]
    """Hosts, with port, that it may ask; none for a page that is a file."""
    problems: list[str] = field(default_factory=list)

    def over(self, page: Page) -> None:
        """Watch `page` from now on."""
        page.on("console", lambda message: self._note(message.type, message.text))
        page.on("pageerror", lambda error: self.problems.append(f"uncaught: {error}"))
        page.on("request", self._requested)

    def _note(self, kind: str, text: str) -> None:
        if kind in {"error", "warning"}:
            self.problems.append(f"console {kind}: {text}")

    def _requested(self, request: Request) -> None:
        address = urlsplit(request.url)
        if address.scheme not in _LOCAL_SCHEMES and address.netloc not in self.hosts:
            self.problems.append(f"asked another host: {request.url}")


def grave_violations(page: Page) -> list[str]:
    """Run axe-core on the page as it is; return serious and critical violations."""
    page.evaluate(AXE.read_text(encoding="utf-8"))
    found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    return [
        f"{one['id']} ({one['impact']}): {node['html']}"
        for one in found["violations"]
        if one["impact"] in _GRAVE
        for node in one["nodes"]
    ]


def covered(names: Locator, others: Locator) -> list[str]:
    """Return the texts in `names` whose box meets the box of one of `others`."""
    found: list[str] = names.evaluate_all(
        """(names, others) => names.filter((name) => others.some((other) => {
            const a = name.getBoundingClientRect(), b = other.getBoundingClientRect();
            return name !== other && a.left < b.right && b.left < a.right
                && a.top < b.bottom && b.top < a.bottom;
        })).map((name) => name.textContent)""",
        others.element_handles(),
    )
    return found


def overflow(page: Page) -> int:
    """Return by how many pixels the page is wider than its window."""
    width: int = page.evaluate(
        "document.scrollingElement.scrollWidth - document.documentElement.clientWidth"
    )
    return width


def printed(page: Page) -> str:
    """Return the text of the printed page, as one line."""
    paper = PdfDocument(page.pdf(format="A4"))
    return " ".join(" ".join(sheet.get_textpage().get_text_range() for sheet in paper).split())
