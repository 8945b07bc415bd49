"""Whether a response agrees with a reference answer: numbers strictly, words freely."""

import re

from uaeval.llm.rules.english.grammar import content, stem

_WORDS = {
    word: str(number)
    for number, word in enumerate(
        """zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen
        fifteen sixteen seventeen eighteen nineteen twenty""".split()
    )
} | {"thirty": "30", "forty": "40", "fifty": "50", "sixty": "60", "ninety": "90", "hundred": "100"}
_FIGURE = re.compile(
    r"(?P<sign>[$€£])?\s?(?P<figure>\d[\d,]*(?:\.\d+)?)(?P<scale>\s?(?:k|m|million|billion|"
    r"thousand)"
    r"\b)?(?:st|nd|rd|th)?[\s-]*(?P<unit>%|percent|per cent|[a-z]+)?",
    re.IGNORECASE,
)
_SCALE = {"k": 1e3, "thousand": 1e3, "m": 1e6, "million": 1e6, "billion": 1e9}
_UNITS = frozenset(
    """hour day week month year minute second dollar percent mile km kilometer meter inch foot pound
    kg kilobyte megabyte gigabyte terabyte calendar business working workday""".split()
)
_ABBREVIATED = {"hr": "hour", "hrs": "hour", "min": "minute", "mins": "minute", "%": "percent"} | {
    "kb": "kilobyte",
    "mb": "megabyte",
    "gb": "gigabyte",
    "tb": "terabyte",
}
_IN_SMALLER = {"hour": (60, "minute"), "week": (7, "day"), "year": (12, "month")}
"""Units of which people write the same quantity in a smaller one."""
_HALF = re.compile(r"\b(\d+) and a half\b", re.IGNORECASE)
_HALF_HOUR = re.compile(r"\bhalf an hour\b", re.IGNORECASE)
_NO = re.compile(r"\b(?:not|no|never|cannot|without|neither|nor|none)\b|n't\b", re.IGNORECASE)
_YES_NO = re.compile(r"^\W*(yes|no)\b", re.IGNORECASE)
_WHEN = re.compile(
    r"\b(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|"
    r"sep(?:tember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?|monday|tuesday|wednesday|thursday|"
    r"friday|saturday|sunday|annual(?:ly)?|monthly|weekly|daily|quarterly)\b",
    re.IGNORECASE,
)
_STATEMENT = 4
"""Content words from which on a reference is a statement that can be denied."""
_RECALL = 0.6
"""Share of the reference's own content words that a response must have."""


def agrees(question: str, reference: str, response: str) -> tuple[bool, str]:
    """Return whether the response gives the reference answer, and why."""
    reference, response = _in_figures(reference), _in_figures(response)
    missing = _missing_figures(reference, response)
    if missing:
        return False, f"The reference says {', '.join(missing)}; the response does not."
    if _polarity(reference, response):
        return False, "The response denies what the reference affirms, or the reverse."
    wanted = content(reference) - content(question) or content(reference)
    plain = frozenset(word for word in wanted - _UNITS if not word[0].isdigit())
    if not plain:
        return True, "The response gives the figures of the reference."
    share = len(plain & content(response)) / len(plain)
    rationale = f"The response has {share:.0%} of the content words of the reference."
    return share >= (_RECALL if not figures(reference) else _RECALL / 2), rationale


def figures(text: str) -> frozenset[tuple[float, str]]:
    """Return each number in a text with its unit (empty when it has none that matters).

    Hours are told in minutes, weeks in days and years in months.
    """
    found = set()
    for match in _FIGURE.finditer(_in_figures(text)):
        value = float(match["figure"].replace(",", ""))
        value *= _SCALE.get((match["scale"] or "").strip().lower(), 1)
        unit = _unit(match["sign"], match["unit"])
        times, smaller = _IN_SMALLER.get(unit, (1, unit))
        found.add((value * times, smaller))
    return frozenset(found)


def _unit(sign: str | None, unit: str | None) -> str:
    if sign:
        return "dollar" if sign == "$" else sign
    word = (unit or "").lower().replace("per cent", "percent")
    word = _ABBREVIATED.get(word, stem(word) if word else "")
    return word if word in _UNITS else ""


def _missing_figures(reference: str, response: str) -> list[str]:
    """Return what the reference has and the response lacks: numbers with units, months, days."""
    said = figures(response)
    values = {value for value, _ in said}
    missing = [
        f"{value:g} {unit}".strip()
        for value, unit in sorted(figures(reference))
        if (value, unit) not in said and (value not in values or _clash(value, unit, said))
    ]
    dates = {date.lower()[:3] for date in _WHEN.findall(response)}
    return missing + sorted(d for d in set(_WHEN.findall(reference)) if d.lower()[:3] not in dates)


def _clash(value: float, unit: str, said: frozenset[tuple[float, str]]) -> bool:
    """Say whether the number stands in the response with another unit only."""
    return bool(unit) and all(other for number, other in said if number == value)


def _polarity(reference: str, response: str) -> bool:
    """Say whether one affirms what the other denies."""
    wanted, given = _YES_NO.match(reference), _YES_NO.match(response)
    if wanted and given:
        return wanted[1].lower() != given[1].lower()
    if wanted and wanted[1].lower() == "yes":
        return bool(_NO.search(_closest(reference, response)))
    if not _NO.search(reference) and len(content(reference)) < _STATEMENT:
        return False
    denied = next((piece for piece in _clauses(reference) if _NO.search(piece)), None)
    return bool(denied) != bool(_NO.search(_closest(denied or reference, response)))


def _closest(reference: str, response: str) -> str:
    """Return the clause of the response that shares most words with the reference."""
    wanted = content(reference)
    return max(_clauses(response), key=lambda piece: len(wanted & content(piece)), default="")


def _clauses(text: str) -> list[str]:
    cuts = r"(?<=[.!?;,])\s+|\n+|\s+(?=(?:and|but|while|because|so|although)\s)"
    return [piece for piece in re.split(cuts, text) if piece.strip()]


def _in_figures(text: str) -> str:
    """Write number words as figures."""
    figures = re.sub(r"[A-Za-z]+", lambda match: _WORDS.get(match[0].lower(), match[0]), text)
    return _HALF_HOUR.sub("30 minutes", _HALF.sub(r"\1.5", figures))
