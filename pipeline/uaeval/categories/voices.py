"""Voices: who asks a query, and in which style. The default mix of voices."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

Style = Literal["terse", "chatty", "formal", "keywords", "typos"]
STYLES: Final[Mapping[Style, str]] = {
    "terse": "a few plain words as texted to a colleague, lower case, 3 to 10 words, no greeting",
    "chatty": "short, informal and lower case, as in a chat with somebody they talk to all day, "
    "so no greeting, and not why they ask",
    "formal": "one plain, correct sentence as in an e-mail to a colleague; no greeting, no thanks, "
    "no account of the situation",
    "keywords": "3 to 8 words as first typed into a search box, mostly names and nouns; no full "
    "question without its small words; `how to …` where an act is asked for, terse where such "
    "words cannot ask it",
    "typos": "in a hurry, lower case, one or two slips of the keys (letters swapped, doubled or "
    "left out) in plain words, none in names; no word about the hurry",
}
"""The description of each style in an author's prompt."""
MIX: Final = (
    *("chatty", "typos", "terse", "chatty", "typos"),
    *("chatty", "formal", "typos", "chatty", "keywords"),
)
"""The styles in order of assignment, those that readers found most natural more often."""
ASKERS: Final = (
    "somebody who is new to this and needs it now",
    "somebody who works with this every day and needs one detail",
    "somebody who has to decide about it",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Voice:
    """The person and the style in which an author writes a query and its twin."""

    style: Style
    asker: str

    def fields(self) -> dict[str, str]:
        """Return the fields of an author's prompt."""
        return {"style": f"{self.style}: {STYLES[self.style]}", "asker": self.asker}


ANY: Final = {"style": "any", "asker": "somebody"}
"""The fields of an assignment without a voice."""
