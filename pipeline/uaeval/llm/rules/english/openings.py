"""What an asker says before the question itself: its topic, or how things stand."""

import re

LEADS = (
    "About {topic}: {question}",
    "Question about {topic}: {question}",
    "On {topic}: {question}",
)
LEAD = re.compile(r"^(?:About|Question about|On) [^:?]+: ")
"""How a question opens that says first what it is about."""
_STORY = re.compile(
    r"(?i)^(?:couldn't find|nobody has answered|i tried|i'm (?:stuck|new here|not sure)|"
    r"my (?:manager|team|usual|buddy)|this is (?:my first|rather)|there's a problem|"
    r"something went wrong|nothing has happened|i only have|i got (?:no|two)|i'd rather|"
    r"i've (?:read|looked|tried)|i keep getting|i don't want|the person i usually|"
    r"we're stuck|we've been waiting|i started|before i do anything|i have a question|"
    r"i need help)\b[^,]*, "
    r"(?=who|where|which)"
)
"""What an asker tells before asking whom to turn to; no passage need hold it."""


def without_story(question: str) -> str:
    """Return a question without its topic and the story in front of it."""
    return _STORY.sub("", LEAD.sub("", question))
