"""English number words as digits: `two hundred and forty`, `a couple of`, `two and a half`."""

import re

_ONES = """zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen
fifteen sixteen seventeen eighteen nineteen""".split()
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_VALUES = {word: value for value, word in enumerate(_ONES)} | {
    word: 10 * value for value, word in enumerate(_TENS, 2)
}
_SCALES = {"hundred": 100, "thousand": 1_000, "million": 1_000_000, "billion": 1_000_000_000}
_ORDINALS = {
    word: value
    for value, word in enumerate(
        """first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth
        thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth
        twentieth""".split(),
        1,
    )
}
_WORD = "|".join([*_VALUES, *_SCALES])
_CARDINAL = re.compile(
    rf"\b(?:an? (?=hundred|thousand|million|billion))?(?:{_WORD})\b"
    rf"(?:(?:[\s-]+|(?<=hundred) and |(?<=thousand) and )(?:{_WORD})\b)*",
    re.IGNORECASE,
)
_ORDINAL = re.compile(rf"\b(?:{'|'.join(_ORDINALS)})\b", re.IGNORECASE)
_SCALED = re.compile(r"\b(\d[\d,]*(?:\.\d+)?) (hundred|thousand|million|billion)\b", re.IGNORECASE)
_FRACTIONS = {"½": "5", "¼": "25", "¾": "75"}
_IDIOMS = (
    (re.compile(r"\ba couple(?: of)?\b|\ba pair(?: of)?\b", re.IGNORECASE), "2"),
    (re.compile(r"\ba dozen\b", re.IGNORECASE), "12"),
    (re.compile(r"\ba single\b|\bonly one\b", re.IGNORECASE), "1"),
    (re.compile(r"\b(\d+) and a half\b", re.IGNORECASE), r"\1.5"),
    (re.compile(r"\b(?:an?|1) ([a-z]+) and a half\b", re.IGNORECASE), r"1.5 \1"),
    (re.compile(r"\bhalf an? ([a-z]+)\b", re.IGNORECASE), r"0.5 \1"),
)


def in_digits(text: str) -> str:
    """Return a text with its number words as digits; ordinals as `4th`."""
    for sign, part in _FRACTIONS.items():
        text = re.sub(rf"(?<=\d)\s?{sign}", f".{part}", text).replace(sign, f"0.{part}")
    text = _SCALED.sub(lambda match: f"{_scaled(match[1], match[2]):,.15g}", text)
    text = _CARDINAL.sub(lambda match: f"{_value(match[0].lower()):,}", text)
    text = _ORDINAL.sub(lambda match: f"{_ORDINALS[match[0].lower()]}th", text)
    for pattern, digits in _IDIOMS:
        text = pattern.sub(digits, text)
    return text


def _value(words: str) -> int:
    whole, part = 0, 0
    for word in re.findall(r"[a-z]+", words):
        if word in _VALUES:
            part += _VALUES[word]
        elif word == "hundred":
            part = max(1, part) * 100
        elif word in _SCALES:
            whole, part = whole + max(1, part) * _SCALES[word], 0
    return whole + part


def _scaled(number: str, scale: str) -> float:
    return float(number.replace(",", "")) * _SCALES[scale.lower()]
