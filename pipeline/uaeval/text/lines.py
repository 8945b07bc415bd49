"""The plain sentences and headings of a passage, without its markup and code."""

import re
from collections.abc import Iterable, Iterator
from typing import Final

from uaeval.text.english import listed_tag

LONGEST_ACRONYM: Final = 4
_FENCED: Final = re.compile(r"^\s*(```|~~~).*?(?:^\s*\1|\Z)", re.M | re.S)
_MARKUP: Final = re.compile(
    r"!\[[^\]]*\]\([^)]*\)|<!--.*?-->|</?[A-Za-z][^<>]{0,400}>|\{[{%#].*?[}%#]\}|`+[^`\n]*`+"
    r"|https?://\S+|www\.\S+|\S+@\S+\.\w+|\[\^?\w{1,3}\]|:[a-z]+:`[^`]*`",
    re.S,
)
_LINK: Final = re.compile(r"\[([^\]]*)\]\([^)]*\)")
_MARK: Final = re.compile(r"^\s*(?:#{1,6}|[-*+•>|]|\(?(?:\d{1,3}|[a-z])[.)]|\.\.)\s+")
_ENDS: Final = re.compile(
    r"(?<=[.!?;:])[\"')]*\s+|\s+[—–|•-]\s+|\s*[()\[\]|]\s*|(?<=\w)\s*/\s*(?=\w)"
)
_CODE: Final = re.compile(r"[{}<>=;$\\^~]|::|\w\(\)|->|\w_\w")
_PLAIN = str.maketrans({"’": "'", "“": '"', "”": '"', "®": None, "™": None})
_SPACE = re.compile(
    r" (?=[,.;:)%](?:\s|$)|'s\b|n't\b)|(?<=[($]) "
    r"|(?<=[a-z\d]) (?=- [a-z])|(?<=[a-z\d] -) (?=[a-z])|(?<=[a-z\d]-) (?=[a-z])"
)
"""A space that tokenized text has and written text has not."""
WRAPPED: Final = 55
"""Characters of a line from which the next one may go on with its sentence."""


def named_title(title: str) -> str:
    """Return a title without what comes of a file's name."""
    words = title.replace("_", " ").split()
    kept = [word for word in words if not any(sign.isdigit() for sign in word)]
    return " ".join(kept) if len(words) - len(kept) < max(1, len(kept)) else ""


def plain_lines(text: str) -> Iterator[str]:
    """Yield the sentences and headings of a text, without markup and code."""
    text = _MARKUP.sub(" , ", _LINK.sub(r"\1", _FENCED.sub("\n\n", text)))
    text = re.sub(r"^(?:    |\t)(?!\s*(?:[-*+]|\d+[.)])\s).*$", "", text, flags=re.M)
    text = re.sub(r"\*\*|__|(?<!\w)[*_]|[*_](?!\w)|``|''|&\w+;", "", text)
    for block in _blocks(text.split("\n")):
        for sentence in _ENDS.split(_MARK.sub("", block)):
            if sentence and not _CODE.search(sentence):
                yield sentence


def _blocks(lines: Iterable[str]) -> Iterator[str]:
    """Yield lines, those that are wrapped joined to one."""
    block = ""
    for line in (" ".join(line.split()) for line in lines):
        goes_on = line[:1].islower() or (len(block) > WRAPPED and line[:1].isalpha())
        if block and line and goes_on and block[-1] not in ".!?:;|":
            block += f" {line}"
            continue
        if block:
            yield block
        block = line
    if block:
        yield block


def cased(heading: str, body: str) -> str:
    """Return a heading in the case that its words have inside of sentences."""
    names = [
        match[1]
        for match in re.finditer(r"(?=\b([A-Z][\w'-]* [A-Z][\w'-]*))", heading)
        if match[1] in body
    ]
    kept = {word for name in names for word in name.split()}
    return re.sub(
        r"[A-Za-z][\w']*",
        lambda match: match[0] if match[0] in kept else _in_sentence(match[0], body),
        heading,
    )


def _in_sentence(word: str, body: str) -> str:
    lowered = word.lower()
    if len(word) > LONGEST_ACRONYM and word.isupper() and listed_tag(lowered) is not None:
        return lowered
    if word == lowered or word[1:] != lowered[1:]:
        return word
    stem = re.escape(lowered.removesuffix("s"))
    lower = len(re.findall(rf"\b{stem}s?\b", body))
    upper = len(re.findall(rf"[a-z,] {re.escape(word)}\b", body))
    return (
        word
        if upper >= max(lower, 1) or not (lower or listed_tag(lowered) is not None)
        else lowered
    )


def tidy(sentence: str) -> str:
    """Return a sentence without mark-up and without spaces before its punctuation."""
    text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", sentence)
    text = re.sub(r"[*_`]{1,3}(\S[^*`]*?)[*_`]{1,3}(?=\W|$)", r"\1", text)
    text = re.sub(r"``\s?|\s?''", '"', text.translate(_PLAIN))
    return " ".join(_SPACE.sub("", text).split())
