"""Plain statements turned into the question that each answers: who, when, how much, how long."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from uaeval.llm.rules.mining.sentences import plain, prose, split
from uaeval.llm.rules.readings import askers
from uaeval.llm.rules.readings.asked_frames import FRAMES
from uaeval.types import Passage


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A statement, the question that it answers, and the words that answer it."""

    question: str
    answer: str
    quote: str
    """The statement, verbatim."""
    frame: str
    """What kind of statement it is: `cost`, `duration`, `count`, `person` …"""


_FINITE = (
    r"(?:is|are|was|were|has|have|holds?|costs?|lasts?|takes?|carr(?:y|ies)|can|must|may|contains?|"
    r"starts?|begins?|opens?|closes?|ends?|belongs?|receives?|gets?|goes|stands?|lies|will|"
    r"should|does)"
)
_DOUBLE = re.compile(
    rf"^(?P<s>(?!(?:There|If|When|This|These|It|They)\b)[A-Z][\w'’& -]{{2,60}}?) "
    rf"(?P<first>{_FINITE} [^;]+?),? and (?P<second>(?:is|are|was|were|has|have|"
    rf"costs?|lasts?|takes?|carries|can|must|may|contains|receives?|gets?) .+)$"
)
_VERBAL = re.compile(
    r"\b(?:is|are|was|were|has|have|had|must|can|may|should|will|costs?|goes|lasts|takes|holds|"
    r"that|"
    r"which|who|if|when|because|and the|it|they|you|we)\b"
)
_YEAR = re.compile(
    r"^(?P<lead>(?:In|During|For|On|At) [\w'’ -]{2,30}?),? (?P<rest>(?:a|an|the|full|hotel|"
    r"breakfast|lunch|dinner|employees|members|volunteers|seasonal|part-time|full-time|"
    r"visitors|staff|your)\b.*)$"
)


def asked(passage: Passage) -> tuple[Asked, ...]:
    """Return every statement of a passage that a plain question asks for."""
    inside = re.findall(r"(?<=[a-z,] )[A-Z][a-z]+", f"{passage.text} {passage.heading}")
    token = askers.NAMES.set(frozenset(inside))
    try:
        return tuple(found for raw in _statements(passage.text) for found in _read(raw))
    finally:
        askers.NAMES.reset(token)


def _statements(text: str) -> Iterator[str]:
    for paragraph in prose(text):
        yield from split(paragraph)
    for line in text.splitlines():
        item = re.match(r"^\s*[-*+]\s+(?P<item>[A-Z].*)$", line)
        if item:
            yield from split(item["item"])


def _read(raw: str) -> Iterator[Asked]:
    text, lead = plain(raw), ""
    if not 4 <= len(text.split()) <= 40:
        return
    moved = _YEAR.match(text)
    if moved:
        rest = moved["rest"]
        text, lead = (
            f"{rest[0].upper()}{rest[1:]}",
            f" {moved['lead'][0].lower()}{moved['lead'][1:]}",
        )
    for clause in _clauses(text):
        for name, pattern, make in FRAMES:
            match = pattern.fullmatch(clause)
            made = make(match) if match and _subject(match) else None
            if made and _clean(made[0]):
                question = _tidy(f"{made[0].strip()}{lead}")
                yield Asked(question=question, answer=made[1].strip(" ,"), quote=raw, frame=name)
                break


def _clauses(text: str) -> Iterator[str]:
    """Yield the sentence, or each of its two predicates with the subject that they share."""
    double = _DOUBLE.match(text)
    if double is None:
        yield text
        return
    yield f"{double['s']} {double['first']}."
    yield f"{double['s']} {double['second']}"


def _subject(match: re.Match[str]) -> bool:
    """Say whether the subject is a noun phrase and no clause."""
    text = match.groupdict().get("s") or ""
    return not _VERBAL.search(text)


def _clean(question: str) -> bool:
    """Say whether a question points at nothing outside itself."""
    return 4 <= len(question.split()) <= 22 and not re.search(
        r"\b(?:it|its|they|their|them|this|that|these|those|he|she|his|her|such|same|here|above|"
        r"below|following|each other|other|others|which|who)\b(?! (?:month|year|week))",
        question.removeprefix("Who ").removeprefix("Which "),
    )


def _tidy(question: str) -> str:
    text = re.sub(r"\b[Yy]our\b", "my", question)
    text = re.sub(r"\b[Oo]ur\b", "the", text)
    return f"{' '.join(text.split())}?"
