"""What a site's robots.txt says (RFC 9309), read by Protego: its matching uses no backtracking."""

from dataclasses import dataclass
from typing import Final, Self

from protego import Protego

PRODUCT: Final = "uaeval"
"""The name under which sites may set rules for this program."""
MAX_BYTES: Final = 512_000
"""More of the file is not read; RFC 9309 asks for at least 500 kibibytes."""


@dataclass(frozen=True, slots=True)
class Rules:
    """What one site allows."""

    parsed: Protego

    @classmethod
    def read(cls, text: str) -> Self:
        """Read a robots.txt."""
        return cls(Protego.parse(text))

    @classmethod
    def everything(cls) -> Self:
        """Return the rules of a site without a robots.txt."""
        return cls(Protego.parse(""))

    def allow(self, url: str) -> bool:
        """Say whether a page may be asked for."""
        return bool(self.parsed.can_fetch(url, PRODUCT))

    @property
    def delay_s(self) -> float:
        """Return the seconds between two requests that the site asks for; 0 if it asks for none."""
        delay = self.parsed.crawl_delay(PRODUCT) or 0.0
        rate = self.parsed.request_rate(PRODUCT)
        pause = rate.seconds / rate.requests if rate and rate.requests else 0.0
        return max(0.0, float(delay), float(pause))
