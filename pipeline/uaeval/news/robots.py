"""What a site's robots.txt says (RFC 9309), read by Protego: its matching uses no backtracking."""

from typing import Final

from protego import Protego

PRODUCT: Final = "uaeval"
"""The name under which sites may set rules for this program."""
MAX_BYTES: Final = 512_000
"""More of the file is not read; RFC 9309 asks for at least 500 kibibytes."""


class RobotsRules:
    """What one site allows; all of it, if its robots.txt is empty."""

    def __init__(self, text: str = "") -> None:
        self._parsed = Protego.parse(text)
        delay = self._parsed.crawl_delay(PRODUCT) or 0.0
        rate = self._parsed.request_rate(PRODUCT)
        pause = rate.seconds / rate.requests if rate and rate.requests else 0.0
        self.delay_s = max(0.0, float(delay), float(pause))
        """Seconds between two requests that the site asks for; 0 if it asks for none."""

    def allow(self, url: str) -> bool:
        """Return whether a page may be requested."""
        return bool(self._parsed.can_fetch(url, PRODUCT))
