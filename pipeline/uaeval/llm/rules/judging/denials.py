"""Whether a sentence denies what its question takes for granted."""

import re

from uaeval.llm.rules.english.grammar import content

POLAR = re.compile(
    r"^(?:is|are|was|were|do|does|did|can|could|may|will|would|has|have|had|must|am)\b"
    r"(?!.*\b(?:because|why|how)\b)",
    re.IGNORECASE,
)
"""A question whether something is so: `no` answers it."""
_PIECES = re.compile(r"[:.,;]\s+")


def is_polar(question: str) -> bool:
    """Say whether it is asked whether something is so, whatever comes first: `About X: can …`."""
    return any(map(POLAR.match, _PIECES.split(question.strip())))


_PRESUMES = re.compile(r"^why\b|\b(?:since|because|given that|now that|how come)\b", re.IGNORECASE)
_CONTRAST = re.compile(
    r"(?:\bnot\b|n't\b)[^.]{0,120}(?:[;,—–-]\s*(?:it|they|that|instead|rather|but)\b|\bbut\b)",
    re.IGNORECASE,
)
_NEGATION = re.compile(
    r"(?<!may )(?<!might )(?<!could )(?<!would )(?<!should )(?:\b(?:not|never|no|nothing|cannot|"
    r"neither)|(?<!wouldn't)(?<!shouldn't)n't)\b(?! (?:all|always|every\w*|necessarily|only|"
    r"entirely|really|just|specifically|particularly|typically|generally|usually|exactly)\b)",
    re.IGNORECASE,
)
"""A flat denial, not one of a part, a habit or a possibility."""
_LEAD = re.compile(
    r"^(?:hm+|well|actually|please|note that|it(?:'s| is) (?:worth|important to) "
    r"(?:noting|mentioning|note|mention|remember) that|\W)+",
    re.IGNORECASE,
)
_TURNED = re.compile(r"(?:no|yes|however|but)\b", re.IGNORECASE)
_ANY_NEGATION = re.compile(r"\b(?:not|never|no|cannot)\b|n't\b", re.IGNORECASE)
_MISSING = re.compile(
    r"\b(?:there (?:is|are|was|were)|has|have|had|needs?|takes?) (?:also )?no\b", re.IGNORECASE
)
_CLAUSES = re.compile(
    r"[,;:]\s+|\s[-–—]\s|\s(?:so|but|and|since|because|while|whereas|nor)\s(?:that\s)?",
    re.IGNORECASE,
)
_REACH = 5
"""Words after a negation that it denies."""


def denies(question: str, sentence: str) -> bool:
    """Say whether a sentence negates what the question takes for granted.

    A question whether something is so takes nothing for granted, and of one that negates itself it
    cannot be told.
    """
    question = question.replace("’", "'")
    if is_polar(question) or _ANY_NEGATION.search(question) or _TURNED.match(sentence):
        return False
    sentence = _LEAD.sub("", sentence)
    asked = content(question)
    return _denies_most(question, asked, sentence) or any(
        _denies_a_part(asked, clause) for clause in _CLAUSES.split(sentence)
    )


_AFFIRMS = re.compile(
    r"(?P<flatly>^(?:yes|in fact|actually|but|though|\W)*(?:it|that|this)(?:'s| is)"
    r"(?: in fact| actually| indeed| still)? (?:allowed|permitted|possible|fine|ok(?:ay)?|"
    r"mandatory|required|compulsory|necessary|obligatory|needed)\b)|"
    r"\b(?:can|may|must|do have to|does have to|has to|have to|are allowed to|is allowed to|"
    r"are required to|is required to)\b",
    re.IGNORECASE,
)
_AFFIRMED = 0.6
"""Share of what is asked that a sentence must hold to be about the same thing."""


def affirms(question: str, told: str) -> bool:
    """Say whether a sentence affirms what the question takes to be forbidden or not required."""
    question = question.replace("’", "'")
    if not _ANY_NEGATION.search(question) or _ANY_NEGATION.search(told):
        return False
    asked = content(question)
    about = len(asked & content(told)) >= _AFFIRMED * len(asked)
    found = _AFFIRMS.search(told)
    return found is not None and (about or found["flatly"] is not None)


def _denies_most(question: str, asked: frozenset[str], sentence: str) -> bool:
    covered = len(asked & content(sentence)) >= 0.6 * len(asked)
    presumes = _PRESUMES.search(question) or _CONTRAST.search(sentence)
    return bool(asked and covered and presumes and _NEGATION.search(sentence))


def _denies_a_part(asked: frozenset[str], clause: str) -> bool:
    """Say whether what the clause negates was asked about, and little else stands in it."""
    negation = _NEGATION.search(clause)
    if negation is None:
        return False
    after = " ".join(clause[negation.end() :].split()[:_REACH])
    if not content(after) & asked:
        return False
    before = content(clause[: negation.start()])
    said = before | content(after)
    shared = said & asked
    return bool(_MISSING.search(clause)) or (len(shared) >= 2 and len(shared) >= 0.5 * len(said))
