"""Sentences of a passage that can be used alone: whole, plain and independent of their context."""

import html
import re
from dataclasses import dataclass

from uaeval.types import Passage

_FENCE = re.compile(r"^\s*(```|~~~)")
_BLOCK = re.compile(r"^\s*([-*+•|<{>`~]|#{1,6}\s|\d+[.)]\s|\[[^\]]*\]:|[a-z]\)\s)")
_ENTRY = re.compile(r"^ ?[-*+•] +([A-Z\[*_].*)$")
_LINK = re.compile(
    r"\[([^\][]+)\](?:\([^()\s]*(?:\([^()]*\)[^()\s]*)*\s*(?:\"[^\"]*\")?\)|\[[^\]]*\])"
)
_EMPHASIS = re.compile(r"(?<!\w)(\*\*\*|\*\*|__|\*|_)(?=\S)(.+?)(?<=\S)\1(?!\w)")
_ABBREVIATION = re.compile(
    r"\b(?:e\.g|i\.e|etc|vs|Mr|Ms|Mrs|Dr|St|No|Inc|Ltd|Co|Corp|U\.S|U\.K|a\.m|p\.m|approx|dept|est|[A-Z])\.$"
)
_END = re.compile(r"[.!?][)\"'”’*_]*(?=\s+[\"'“‘(\[*_]*[A-Z0-9$£€])|[.!?][)\"'”’*_]*$")
_RUBBISH = re.compile(
    r"\b(?:e\.g|i\.e)\b|\.(?:pdf|docx?|xlsx?|md|html|ya?ml|js)\b|https?:|www\.|[{}<>|\\`=^]|#(?![a-z])|!\[|\]\(|\[|\]|\.\.\.|…|—|[a-z]\.[A-Z]|\*|;"
)
_OPENERS = re.compile(
    r"""^(?:this|these|those|that|it|its|it's|they|their|them|he|she|his|her|such|there(?!\sare)|here|
    however|also|but|and|or|so|then|therefore|thus|otherwise|instead|additionally|furthermore|
    moreover|likewise|similarly|meanwhile|for\sexample|for\sinstance|in\saddition|as\sa\sresult|
    in\sthis|in\sthat|in\sthese|in\sthose|at\sthis|at\sthat|on\sthis|for\sthis|for\sthese|to\sthis|
    with\sthis|with\sthese|by\sthis|from\sthis|after\sthis|after\sthat|before\sthis|if\sthis|if\sthat|if\sthese|if\sit|
    if\sso|if\snot|if\sthey|when\sthis|when\sit|once\sthis|once\sthat|once\sit|once\sthey|
    both|neither|either|another|others|other|some|one|again|next|finally|first|second|third|lastly|
    note|please\snote|yes|no|ok|okay|well|still|yet|because|since|while|although|though|whereas|
    while|even|same|the\ssame|see|read|check\sout|click|who|what|why|how|where|which|whose|
    the\sfollowing|the\sabove|the\sformer|the\slatter|not|nor|rather|similar|likewise|again|later)\b""",
    re.IGNORECASE | re.VERBOSE,
)
_POINTING = re.compile(
    r"""\b(?:below|above|following|aforementioned|respectively|earlier|in\sthe\smeantime|at\stimes|
    at\sthat\s(?:time|point)|this|these|those|there(?!\sare)|here|
    (?:for|of|in|to|on|at|with|from)\sthat|that\s(?:page|document|section|form|process|
    case|type|is\swhy)|as\swell|too|instead|see|such\scases|in\sturn|etc)\b""",
    re.IGNORECASE | re.VERBOSE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sentence:
    """A sentence as it stands in the passage, and without its markup."""

    raw: str
    """Verbatim but for line breaks, which are single spaces."""
    plain: str


def prose(text: str) -> list[str]:
    """Return the running prose of `text`: paragraphs and free entries of lists, one line each.

    Entries below a line that ends with a colon belong to that line, numbered ones to each other;
    neither can be read alone.
    """
    paragraphs: list[list[str]] = [[]]
    fenced = skipping = led = False
    for line in text.splitlines():
        entry = _ENTRY.match(line)
        if _FENCE.match(line):
            fenced, skipping = not fenced, True
        elif not line.strip():
            skipping = False
            paragraphs.append([])
        elif entry and not led and not fenced:
            skipping = False
            paragraphs.append([entry[1].strip()])
        elif fenced or skipping or (_BLOCK.match(line) and not _emphasised(line)):
            skipping = not line.lstrip().startswith("#")
            led = led and skipping
            paragraphs.append([])
        elif not (line.startswith(("    ", "\t")) and not paragraphs[-1]):
            paragraphs[-1].append(line.strip())
            led = line.rstrip(" *_").endswith(":")
    return [" ".join(" ".join(lines).split()) for lines in paragraphs if lines]


def blocks(text: str) -> list[str]:
    """Return the paragraphs, list entries and table rows of `text`, without headings and bullets.

    Each is one line; unlike `prose` none is left out.
    """
    lines: list[str] = [""]
    for line in text.splitlines():
        bare = line.strip()
        if not bare or re.match(r"#{1,6} |\||>", bare):
            lines.append("" if not bare or bare[0] == "#" else bare)
        elif re.match(r"(?:[-*+•]|\d+[.)])\s", bare):
            lines.append(re.sub(r"^(?:[-*+•]|\d+[.)])\s+", "", bare))
        else:
            lines[-1] = f"{lines[-1]} {bare}".strip()
    return [line for line in lines if line]


def plain(text: str) -> str:
    """Drop links' targets and emphasis, straighten quotes."""
    text = _LINK.sub(r"\1", html.unescape(text))
    text = _EMPHASIS.sub(r"\2", _EMPHASIS.sub(r"\2", text))
    text = re.sub(r"(?<![`\w])`([\w@#][\w .@-]*)`", r"\1", text)
    for curly, straight in (("’", "'"), ("‘", "'"), ("“", '"'), ("”", '"'), ("\u00a0", " ")):
        text = text.replace(curly, straight)
    return " ".join(text.split())


def split(paragraph: str) -> list[str]:
    """Cut a paragraph into sentences; a tail without a full stop is left out."""
    found, start = [], 0
    for match in _END.finditer(paragraph):
        piece = paragraph[start : match.end()]
        if _ABBREVIATION.search(piece):
            continue
        found.append(piece.strip())
        start = match.end()
    return found


def sentences(passage: Passage) -> tuple[Sentence, ...]:
    """Return every sentence of running prose, plain or not, in order."""
    return tuple(
        Sentence(raw=raw, plain=plain(raw))
        for paragraph in prose(passage.text)
        for raw in split(paragraph)
        if raw[:1].isupper() or raw[:1] in "\"'“‘*_["
    )


def readings(sentence: Sentence) -> tuple[Sentence, ...]:
    """Return the ways to read a sentence that can be understood without the ones around it.

    First as it stands, then without what stands in brackets, without a label in front of it, and
    up to its first dash or semicolon.
    """
    bare = _BRACKETS.sub("", sentence.plain)
    unlabelled = _LABEL.sub("", bare)
    head = _DASH.split(unlabelled, maxsplit=1)[0]
    if head != unlabelled and head[-1:].isalnum():
        head = f"{head}."
    texts = dict.fromkeys((sentence.plain, bare, unlabelled, head))
    return tuple(
        Sentence(raw=sentence.raw, plain=text)
        for text in texts
        if text[:1].isupper() and stands_alone(text)
    )


_BRACKETS = re.compile(r" ?\((?![A-Z][A-Za-z&-]*\))[^()]*\)")
_LABEL = re.compile(r"^[A-Z][^:.,]{2,40}(?<!\bto)(?<!\bfor): (?=[A-Z])")
_DASH = re.compile(r" ?— ?| [–-]{1,3} |; ")


def usable(passage: Passage) -> tuple[Sentence, ...]:
    """Return the sentences that can be understood without the ones around them."""
    return tuple(sentence for sentence in sentences(passage) if stands_alone(sentence.plain))


def stands_alone(text: str) -> bool:
    """Say whether a plain sentence is whole, clean and points at nothing outside itself."""
    return (
        text.endswith(".")
        and 5 <= len(text.split()) <= 32
        and text.count("(") == text.count(")")
        and text.count('"') % 2 == 0
        and not _RUBBISH.search(text)
        and not _OPENERS.match(text)
        and not _POINTING.search(text)
    )


def _emphasised(line: str) -> bool:
    return bool(re.match(r"^\s*(\*\*|\*|_|__)\w", line)) or bool(_LINK.match(line.strip()))
