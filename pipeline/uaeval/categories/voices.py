"""Who types queries, and in which style: the default mix."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

Style = Literal["terse", "chatty", "formal", "keywords", "typos"]
STYLES: Final[Mapping[Style, str]] = {
    "terse": "as few words as make it plain, 4 to 12, no greeting",
    "chatty": "lower case, first a few words of what they are doing or why, then the question",
    "formal": "one or two whole, polite sentences with capitals and full stops",
    "keywords": "what one types into a search box: no sentence, no question mark",
    "typos": "in a hurry, lower case, two or three slips of the keys in plain words, none in names",
}
"""What an author is told of each style."""
ASKERS: Final = (
    "somebody who is new to this",
    "somebody who works with this every day",
    "somebody who asks for somebody else",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Voice:
    """Who a model was told types a query and its twin, and in which style."""

    style: Style
    asker: str

    def fields(self) -> dict[str, str]:
        """Return the fields of an author's prompt."""
        return {"style": f"{self.style}: {STYLES[self.style]}", "asker": self.asker}


ANY: Final = {"style": "any", "asker": "somebody"}
"""The fields where no voice is assigned."""
