"""The form of a graded answer: `Final answer:`, then only the answer."""

import re
from enum import StrEnum
from typing import Final

PREFIX: Final = "Final answer:"


class Violation(StrEnum):
    """A way in which an output breaks the contract."""

    EMPTY_OUTPUT = "empty_output"
    MISSING_PREFIX = "missing_final_answer_prefix"
    STARTS_WITH_REASONING = "starts_with_reasoning"
    THINK_TAGS = "contains_think_tags"
    BANNED_HEADER = "contains_banned_section_header"
    MENTIONS_SOURCES = "mentions_citations_or_sources"
    BRACKET_CITATION = "contains_bracket_citation"


CORRECTIONS: Final = {
    Violation.EMPTY_OUTPUT: "there is no answer",
    Violation.MISSING_PREFIX: f"it does not begin with `{PREFIX}`",
    Violation.STARTS_WITH_REASONING: "it begins with reasoning",
    Violation.THINK_TAGS: "it has think tags",
    Violation.BANNED_HEADER: "it has section headings",
    Violation.MENTIONS_SOURCES: "it mentions citations, sources, documents or passages",
    Violation.BRACKET_CITATION: "it has citations in brackets",
}
_NEARLY = re.compile(r"\A[\s*_#>]*final answer[\s*_]*:[\s*_]*", re.IGNORECASE)
_MARKUP = re.compile(r"[*_#>`]+")
_PATTERNS = {
    Violation.STARTS_WITH_REASONING: re.compile(
        r"\A\W*(?:let'?s (?:think|see|work|go|break)|let me (?:think|see|work|check)|step 1\b|"
        r"first(?:ly)?,? (?:i|we|let)\b|to (?:answer|determine|find)\b.{0,80}\b(?:i|we)\b|"
        r"(?:i|we) (?:need|have) to (?:find|determine|figure|consider|think|check|look)\b|"
        r"okay,|ok,|so,? the (?:question|user)\b|the (?:question|user) (?:asks|wants|is asking)|"
        r"thinking\b|reasoning\b|analysis\b|based on my (?:analysis|reasoning)\b)",
        re.IGNORECASE,
    ),
    Violation.THINK_TAGS: re.compile(
        r"</?\s*(?:think|thinking|thought|reasoning|analysis|scratchpad)\s*/?>", re.IGNORECASE
    ),
    Violation.BANNED_HEADER: re.compile(
        r"^\s*(?:[#>*_\-\s\d.)]*)(?:analysis|reasoning|rationale|explanation|thoughts?|"
        r"thought process|chain of thought|sources?|references?|citations?|evidence|context)"
        r"\s*[*_]*\s*(?::|$)",
        re.IGNORECASE | re.MULTILINE,
    ),
    Violation.MENTIONS_SOURCES: re.compile(
        r"\b(?:according to|based on|as (?:stated|mentioned|described|given|noted) in)"
        r" (?:the |this |that |these |my |your |our |all )?(?:\w+ )?(?:sources?|documents?|"
        r"passages?|contexts?|excerpts?|references?|citations?|files?|articles?|knowledge base|"
        r"texts?)\b|\bthe (?:provided |retrieved |given |supplied )?(?:sources?|documents?|"
        r"passages?|contexts?|excerpts?) (?:\w+ )?(?:states?|says?|mentions?|provides?|notes?|"
        r"shows?|indicates?|contains?|does|do)\b|"
        r"\b(?:sources?|citations?|references?):|"
        r"\bpassages? (?:\d|[A-E]\b)|\b[\w-]+\.(?:md|pdf|docx?|txt|html?|csv|jsonl?)\b",
        re.IGNORECASE,
    ),
    Violation.BRACKET_CITATION: re.compile(
        r"\[\s*\^?\d+(?:\s*[,;–-]\s*\d+)*\s*\]|【[^】]*】|"
        r"\[(?:source|doc|document|passage|ref|citation)s?\b[^\]]*\]|"
        r"\((?:source|doc|document|passage|ref|see)s?\b[^)]*\)",
        re.IGNORECASE,
    ),
}
"""Patterns in an answer, with or without the prefix."""


def violations(output: str) -> tuple[Violation, ...]:
    """Return all violations of an output, in the order of `Violation`."""
    answer = answer_of(output)
    if not answer:
        return (Violation.EMPTY_OUTPUT,)
    prefix = [] if output.lstrip().startswith(PREFIX) else [Violation.MISSING_PREFIX]
    return (*prefix, *(kind for kind, pattern in _PATTERNS.items() if pattern.search(answer)))


def answer_of(output: str) -> str:
    """Return the text after the prefix, or a near miss of it; else the whole output."""
    plain = _NEARLY.sub("", output, count=1).strip()
    return plain if _MARKUP.sub("", plain).strip() else ""


def joined(broken: tuple[Violation, ...]) -> str | None:
    """Return violations as one text; `None` if there are none."""
    return ";".join(broken) or None


def correction(broken: tuple[Violation, ...]) -> str:
    """Return the violations in words, for the retry."""
    return "; ".join(CORRECTIONS[each] for each in broken)
