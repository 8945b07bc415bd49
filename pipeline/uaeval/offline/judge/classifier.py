"""A linear classifier: the probability that a response declines, warns or rejects the premise.

`weights.md` describes the weights in `weights.json` and the data of their training.
"""

import json
import math
import re
from collections.abc import Iterator, Sequence
from functools import cache
from importlib.resources import files

from uaeval.offline.judge.reading import Sentence

_WORD = re.compile(r"[a-z0-9']+|[?!]")
_OTHER = frozenset({"beyond", "caveat", "corrects", "refer", "summary", "tells"})  # no features
_OPENING, _CLOSING = 2, 1  # sentences at the start and the end whose words are features


def features(sentences: Sequence[Sentence]) -> dict[str, float]:
    """Return the features: kinds of sentences by place, their shares, and words at both ends."""
    found: dict[str, float] = {}
    count = len(sentences)
    for number, sentence in enumerate(sentences):
        for kind in sentence.kinds - _OTHER:
            found[f"{kind}@{_place(number, count)}"] = 1.0
            found[f"{kind}@all"] = found.get(f"{kind}@all", 0.0) + 1 / count
    found[f"sentences@{min(count, 6)}"] = 1.0
    found["length"] = math.log1p(count) / 4
    for place, ends in (("first", sentences[:_OPENING]), ("last", sentences[-_CLOSING:])):
        words = set(_ngrams(ends))
        found |= {f"{word}@{place}": len(words) ** -0.5 for word in words}
    return found


def score(sentences: Sequence[Sentence]) -> float:
    """Return the probability that a response declines or rejects its question."""
    weights = _weights()
    values = features(sentences)
    total = weights[""] + sum(weights.get(name, 0.0) * value for name, value in values.items())
    return 1 / (1 + math.exp(-total))


@cache
def _weights() -> dict[str, float]:
    source = files("uaeval.offline.judge") / "weights.json"
    weights: dict[str, float] = json.loads(source.read_text(encoding="utf-8"))
    return weights


def _place(number: int, count: int) -> str:
    if number < 2:
        return str(number)
    return "end" if number >= count - 2 else "middle"


def _ngrams(sentences: Sequence[Sentence]) -> Iterator[str]:
    for sentence in sentences:
        words = ["^", *_WORD.findall(sentence.plain)]
        for size in (1, 2, 3):
            yield from (" ".join(words[at : at + size]) for at in range(len(words) - size + 1))
