"""Part-of-speech tags."""

import re
from functools import lru_cache
from typing import NamedTuple

from textblob.en import parser


class Token(NamedTuple):
    """A word and its Penn tag."""

    word: str
    tag: str


_TOKEN = re.compile(r"\d[\d,.]*\d|\w+(?:[-'&/.+]\w+)*|[^\w\s]")


@lru_cache(maxsize=65536)
def _tagged(sentence: str) -> tuple[Token, ...]:
    text = re.sub(r"\b(\w+)(n't)\b", r"\1 \2", sentence).replace("can not", "cannot")
    text = re.sub(r"(?<=\w)('s|')(?=\s|$)", r" \1", text)
    out = []
    for piece in text.split():
        out += [piece] if piece in {"n't", "'s"} else _TOKEN.findall(piece)
    tagged = parser.find_tags(out)
    return tuple(Token(w, t) for w, t, *_ in tagged)


def tag(sentence: str) -> list[Token]:
    return list(_tagged(sentence))
