"""What counts as a word, in any script."""

import re
import unicodedata
from typing import Final

_UNSPACED: Final = (
    r"\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
)
_RUN: Final = re.compile(rf"[{_UNSPACED}]+|[^\W_{_UNSPACED}]+(?:['’][^\W_{_UNSPACED}]+)*")
_UNSPACED_RUN: Final = re.compile(rf"[{_UNSPACED}]")
_LETTERS_PER_WORD: Final = 2


def tokens(text: str) -> list[str]:
    """Split into lower-case words; scripts without spaces are split into pairs of letters."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    found: list[str] = []
    for run in _RUN.findall(folded):
        if _UNSPACED_RUN.match(run):
            found.extend(run[i : i + 2] for i in range(max(1, len(run) - 1)))
        else:
            found.append(run.replace("’", "'").removesuffix("'s"))
    return found


def count_words(text: str) -> int:
    """Count words; in scripts without spaces two letters pass for one."""
    total = 0
    for run in _RUN.findall(text):
        total += -(-len(run) // _LETTERS_PER_WORD) if _UNSPACED_RUN.match(run) else 1
    return total


def light_stem(word: str) -> str:
    """Take off an English plural (`policies`, `hours`); other words stay as they are."""
    if len(word) < 4 or not word.isascii() or word.endswith(("ss", "us", "is")):
        return word
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("sses", "shes", "ches", "xes")):
        return word[:-2]
    return word.removesuffix("s")
