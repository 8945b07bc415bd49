"""Signs that a message was torn while it was typed, dictated or filled in."""

import re

_DAY = r"\b(?:\d{1,2}(?:st|nd|rd|th)|monday|tuesday|friday|last year|next week|next month|march)\b"
_FIELD = (
    r"\b(?:due date|approver|start date|end date|manager|department|amount|reason|phone number"
    r"|number|hours|surname|room|address|cost centre|names?|date|person|deadline)\b"
)
_TORN = (
    re.compile(  # began anew
        r"\b(?:no,? wait|wait,? no|(?:no,? )?hang on|hold on|no,? start over|no,? scratch that"
        r"|hmm no|sorry|no,? (?:so|it's|it was|that's|the other)|well not the)\b",
        re.IGNORECASE,
    ),
    re.compile(  # broken off
        r"\b(?:the|an?|or|and|if|when|with|for|to|of|so|but|then|because|which|who|i|they|now i|i'm"
        r"|does|is it|is that|or is it|wouldn't|that|you|we|should)\s*[?.]?$",
        re.IGNORECASE,
    ),
    re.compile(  # days that shut each other out
        rf"{_DAY}[^?]*?\b(?:before|after)\b[^?]*?(?:{_DAY}|on the)[^?]*"
        r"\b(?:is|was|are|were|am|do|so)\b[^?]*\b(?:before|after|then|still|when|or|first|one|the|us)\s*$",
        re.IGNORECASE,
    ),
    re.compile(  # fields of a form, one in place of another
        rf"{_FIELD}[^?]*?\bor\b[^?]*?{_FIELD}[^?]*{_FIELD}"
        rf"|{_FIELD}[^?]*?{_FIELD}[^?]*?\bor\b[^?]*?(?:{_FIELD}|\bwho\b)",
        re.IGNORECASE,
    ),
)
_WHOLE = _TORN[2:]
"""Signs that are enough alone."""


def torn(question: str) -> tuple[str, ...]:
    """Return where a message begins anew or breaks off; what is enough alone comes twice."""
    signs = (*_TORN, *_WHOLE)
    return tuple(match[0] for sign in signs for match in sign.finditer(question))
