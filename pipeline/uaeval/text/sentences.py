"""Split texts into sentences, either unchanged or without markup and code."""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Final

from uaeval.text.english import listed_tag
from uaeval.text.words import wordlist

_FENCE: Final = re.compile(r"\s*(?:```|~~~)")
_MARKER: Final = re.compile(r"\A\s*(?:[-*+•>]|#{1,6}|\d{1,3}[.)])\s+")
_SINGLE_LINE: Final = re.compile(r"\s*(?:\||#{1,6}\s|(?:[-=*_]\s*){3,}$)")
"""Starts of lines that are blocks of their own."""
_RULE: Final = re.compile(r"[\s|:=*_-]*")
_END: Final = re.compile(
    r"(?<=[.!?])[\"”')\]]*\s+(?=[\"“'(\[*_]*[^\W_a-z])|(?<=[。！？])\s*|<br\s*/?>"
)
_ABBREVIATION: Final = re.compile(
    r"(?:^|[\s(\"“'])(?:(?-i:[A-Z])|(?:[A-Z]\.)+[A-Z]|e\.g|i\.e|cf|vs|viz|approx|ca|dept|est|fig|"
    r"figs|eq|sec|ch|vol|pp|ed|eds|al|inc|ltd|corp|co|llc|bros|mr|mrs|ms|dr|prof|rev|hon|sr|jr|st|"
    r"mt|ft|gen|col|sgt|capt|gov|sen|rep|jan|feb|mar|apr|jun|jul|aug|sep|sept|oct|nov|dec)\.$",
    re.IGNORECASE,
)
_NUMBER_SIGN: Final = re.compile(r"\b(?:nos?|art|para|p)\.$", re.IGNORECASE)
"""Words that are abbreviations only before a digit; otherwise `No.` is a sentence."""
_LONGEST: Final = 16
_HALF_DAY: Final = re.compile(r"\b[ap]\.m\.$", re.IGNORECASE)
LONGEST_ACRONYM: Final = 4
_FENCED: Final = re.compile(r"^\s*(```|~~~).*?(?:^\s*\1|\Z)", re.M | re.S)
_MARKUP: Final = re.compile(
    r"!\[[^\]]*\]\([^)]*\)|<!--.*?-->|</?[A-Za-z][^<>]{0,400}>|\{[{%#].*?[}%#]\}|`+[^`\n]*`+"
    r"|https?://\S+|www\.\S+|\S+@\S+\.\w+|\[\^?\w{1,3}\]|:[a-z]+:`[^`]*`",
    re.S,
)
_LINK: Final = re.compile(r"\[([^\]]*)\]\([^)]*\)")
_CITATION: Final = re.compile(
    r"\s?(?:【[^】\n]{0,80}】|(?<!\\)\[\^?\d{1,2}(?:\s?[,;–-]\s?\^?\d{1,2})*\](?!\()"
    r"|[\[(](?:sources?|docs?|documents?|chunks?|passages?|refs?|pages?)\s*(?:[:#=][^\])\n]{1,80}"
    r"|\d{1,4}(?:\s?[,–-]\s?\d{1,4})*)[\])])",
    re.IGNORECASE,
)
_LINE_MARK: Final = re.compile(r"^\s*(?:#{1,6}|[-*+•>|]|\(?(?:\d{1,3}|[a-z])[.)]|\.\.)\s+")
_PIECE_ENDS: Final = re.compile(
    r"(?<=[.!?;:])[\"')]*\s+|\s+[—–|•-]\s+|\s*[()\[\]|]\s*|(?<=\w)\s*/\s*(?=\w)"
)
_CODE_SIGN: Final = re.compile(r"[{}<>=;$\\^~]|::|\w\(\)|->|\w_\w")
_PLAIN = str.maketrans({"’": "'", "“": '"', "”": '"', "®": None, "™": None})
_SPACE = re.compile(r" (?=[,.;:)%](?:\s|$)|'s\b|n't\b)|(?<=[($]) ")
"""Spaces that only tokenized texts have."""
_SPACED_HYPHEN = re.compile(r"(?<=[a-z\d]) ?- ?(?=[a-z])")
_POINTER: Final = re.compile(
    r"\b(?:note|see|visit|refer|read|page|link|guide|below|follow|let's|we)\b", re.I
)
"""Words of sentences that refer to an answer, but do not give one."""
FEWEST_WORDS, MOST_WORDS = 5, 40
"""Fewest and most words of a sentence that can be an answer."""
WRAPPED: Final = 55
"""A paragraph may continue on the next line if it has more characters than this."""


def without_citations(text: str) -> str:
    """Return a text without marks of citations, such as `[3]`, `(source: faq.md)` or `【1†a】`."""
    kept = _CITATION.sub("", text)
    return kept if re.search(r"\w", kept) else text


@lru_cache(maxsize=8192)
def sentences(text: str) -> tuple[str, ...]:
    """Return the sentences of a text, each on one line and without its list marker.

    Headings, list entries, table rows and fenced lines are separate; wrapped lines are joined.
    """
    return tuple(piece for block in _blocks(text) for piece in block)


def _blocks(text: str) -> Iterator[list[str]]:
    """Yield the sentences of each paragraph, entry, row or line of code."""
    paragraph: list[str] = []
    fenced = False
    for line in [*text.split("\n"), ""]:
        fence = _FENCE.match(line) is not None
        if fenced or fence or not line.strip() or _MARKER.match(line) or _SINGLE_LINE.match(line):
            yield _split(" ".join(paragraph))
            paragraph = []
        if fence:
            fenced = not fenced
        elif fenced or _SINGLE_LINE.match(line):
            yield [] if _RULE.fullmatch(line) else [" ".join(_MARKER.sub("", line, 1).split())]
        else:
            paragraph.append(line if paragraph else _MARKER.sub("", line, 1))
    yield _split(" ".join(paragraph))


def _split(block: str) -> list[str]:
    text, parts, start = " ".join(block.split()), [], 0
    for match in _END.finditer(text):
        context = text[max(start, match.start() - _LONGEST) : match.start()]
        if not _is_abbreviation(context, text[match.end() : match.end() + 1]):
            parts.append(text[start : match.end()].strip())
            start = match.end()
    return [part for part in [*parts, text[start:].strip()] if part]


def _is_abbreviation(before: str, after: str) -> bool:
    if _HALF_DAY.search(before):
        return False
    if _NUMBER_SIGN.search(before):
        return after.isdigit()
    return _ABBREVIATION.search(before) is not None


def named_title(title: str) -> str:
    """Return a title without the words of a file name, and without the name of the site."""
    words = re.split(r" [|–-] ", title)[0].replace("_", " ").split()
    kept = [word for word in words if not any(sign.isdigit() for sign in word)]
    return " ".join(kept) if len(words) - len(kept) < max(1, len(kept)) else ""


def plain_lines(text: str) -> Iterator[str]:
    """Yield the sentences and headings of a text, without markup and code."""
    text = _MARKUP.sub(" , ", _LINK.sub(r"\1", _FENCED.sub("\n\n", text)))
    text = re.sub(r"^(?:    |\t)(?!\s*(?:[-*+]|\d+[.)])\s).*$", "", text, flags=re.M)
    text = re.sub(r"\*\*|__|(?<!\w)[*_]|[*_](?!\w)|``|''|&\w+;", "", text)
    for block in _paragraphs(text.split("\n")):
        for sentence in _PIECE_ENDS.split(_LINE_MARK.sub("", block)):
            if sentence and not _CODE_SIGN.search(sentence):
                yield sentence


def _paragraphs(lines: Iterable[str]) -> Iterator[str]:
    block = ""
    for line in (" ".join(line.split()) for line in lines):
        continues = line[:1].islower() or (len(block) > WRAPPED and line[:1].isalpha())
        if block and line and continues and block[-1] not in ".!?:;|":
            block += f" {line}"
        else:
            yield block
            block = line
    yield block


def cased(heading: str, body: str) -> str:
    """Return a heading with its words in the case that they have inside sentences of `body`."""
    names = re.findall(r"(?=\b([A-Z][\w'-]* [A-Z][\w'-]*))", heading)
    kept = {word for name in names if name in body for word in name.split()}
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
    lower = len(re.findall(rf"\b{re.escape(lowered.removesuffix('s'))}s?\b", body))
    upper = len(re.findall(rf"[a-z,] {re.escape(word)}\b", body))
    is_name = upper >= max(lower, 1) or not (lower or listed_tag(lowered))
    return word if is_name else lowered


def tidy(sentence: str) -> str:
    """Return a sentence without markup, and without spaces before punctuation."""
    text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", sentence)
    text = re.sub(r"[*_`]{1,3}(\S[^*`]*?)[*_`]{1,3}(?=\W|$)", r"\1", text)
    text = re.sub(r"``\s?|\s?''", '"', text.translate(_PLAIN))
    closed = _SPACE.sub("", text)
    return " ".join((_SPACED_HYPHEN.sub("-", closed) if closed != text else text).split())


def is_plain(sentence: str) -> bool:
    """Return whether a sentence is complete, and can be understood without its context."""
    plain = tidy(sentence)
    complete = plain.endswith(".") and FEWEST_WORDS <= len(plain.split()) <= MOST_WORDS
    refers = set(re.findall(r"[a-z]+", plain.lower())) & wordlist("anaphora")
    dependent = refers or _POINTER.search(plain) or "`" in sentence
    return complete and plain[:1].isupper() and not dependent
