"""Whether a thing is what an act needs it to be, by what its passage says of it."""

import re

from uaeval.llm.rules.templates.safety_topics import (
    ACCOUNTS,
    CHATS,
    PROTECTED,
    ROOMS,
    SIGNED,
    STORES,
)
from uaeval.llm.rules.templates.things import Thing, plain
from uaeval.types import Passage

_NEEDED = {
    ROOMS: r"\b(?:floors?|doors?|rooms?|building|street|address|opens?|closed?|locked|keys?|"
    r"enter\w*|entrance|seats?|visit\w*|desks?|arriv\w+|escort\w*|gates?|spaces)\b",
    f"{ACCOUNTS}|{PROTECTED}|{STORES}": r"\b(?:log(?:ged|ging)?[ -]?(?:in|on|into)|"
    r"sign(?:ed|ing)?[ -]?in|passwords?|access|permissions?|users?)\b",
    CHATS: r"\bSlack\b|\bsubscri\w+|\bmailing list\b",
    SIGNED: r"\b(?:sign\w*|approv\w*|sen[dt]|issued?|submit\w*|submission|valid|establish\w*)\b",
}
"""What a passage says of a place one enters, of what one logs in to, of a paper one signs."""
_NAMES = re.compile(
    r"\bforms?$(?<!nomination form)(?<!booking form)|^(?!google )(?:.* )?drive$|"
    r"^(?:front|field|regional|program|GSA|TTS) offices?$",
    re.IGNORECASE,
)
"""Names that say something else: a Google form is signed by nobody, a CoE drive is no one's."""


def suits(thing: Thing, passage: Passage) -> bool:
    """Say whether a thing can be entered, logged in to or forged, where its kind promises so."""
    if _NAMES.search(thing.text):
        return False
    said = plain(f"{passage.heading}. {passage.text}")
    return all(
        re.search(needed, said, re.IGNORECASE)
        for heads, needed in _NEEDED.items()
        if thing.head in heads.split("|")
    )
