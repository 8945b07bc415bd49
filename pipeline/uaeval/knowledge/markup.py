"""Turn HTML inside Markdown into plain lines."""

import re
from html.parser import HTMLParser

from uaeval.text.wordlists import wordlist

_TAG = re.compile(
    r"</?([a-zA-Z][a-zA-Z0-9-]*)\b(?:\"[^\"]*\"|'[^']*'|[^>\"'])*>|<!--.*?-->|<[!?][^>]*>",
    re.DOTALL,
)
_COMPONENT = re.compile(r"</[A-Z]\w|<[\w-]+\s(?:[^<>]*\s)?[\w-]+=[\"'{]")
"""A tag that is markup, although it is not HTML: it has attributes, or closes an MDX component."""
_RAISED = re.compile(r"\x01([_^])([^\x01\x02]*)\x02")
_ORDINAL = re.compile(r"(?<=\d)\x01\^\s*(st|nd|rd|th|er|re|e|o|a|TM|SM)\s*\x02")
_HIDDEN, _BREAKS, _INLINE = (wordlist(name, "html") for name in ("hidden", "breaking", "inline"))
KNOWN = _HIDDEN | _BREAKS | _INLINE


def is_markup(tag: str) -> bool:
    """Return whether a tag is markup; `<project-name>` is a placeholder, and therefore text."""
    match = _TAG.fullmatch(tag)
    if match is None:
        return False
    return match[1] is None or match[1].lower() in KNOWN or bool(_COMPONENT.match(tag))


def raising(tag: str) -> str:
    """Return the control characters that mark `<sup>` or `<sub>` for `raised`; else ''."""
    name = tag_name(tag)
    if name not in ("sup", "sub"):
        return ""
    return "\x02" if tag.startswith("</") else "\x01" + ("^" if name == "sup" else "_")


def raised(text: str) -> str:
    """Return a text with the marks of `raising` as in `2^7`, `H_2O`, `2^(n - 1)` and `1st`."""
    text = _RAISED.sub(_written, _ORDINAL.sub(r"\1", text))
    return re.sub(r"\x01[_^]|\x02", "", text)


def _written(match: re.Match[str]) -> str:
    body = match[2].strip()
    if re.fullmatch(r"\W*", body):
        return body
    return match[1] + (body if re.fullmatch(r"[-−+]?[\w.]+", body) else f"({body})")


def tag_name(tag: str) -> str:
    """Return the name of an HTML tag in lower case; empty for a comment."""
    match = _TAG.fullmatch(tag)
    return (match[1] or "").lower() if match else ""


def lines_of(html: str) -> list[str]:
    """Return the lines of text in a piece of HTML, which may be incomplete."""
    closed, end, rest = html.rpartition("-->")
    reader = _Lines()
    reader.feed(closed + end + rest.replace("<!--", ""))  # open comments take quadratic time
    reader.close()
    return reader.lines


class _Lines(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.lines: list[str] = []
        self._line: list[str] = []
        self._prefix = ""
        self._hidden = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _HIDDEN:
            self._hidden += 1
        elif tag in ("td", "th"):
            self._line.append(" | " if any(part.strip() for part in self._line) else "")
        elif tag in _BREAKS:
            self._break()
            self._prefix = _prefix(tag) or self._prefix
        elif tag in ("sup", "sub"):
            self._line.append(raising(f"<{tag}>"))
        elif tag not in KNOWN and not is_markup(self.get_starttag_text() or ""):
            self.handle_data(self.get_starttag_text() or "")

    def handle_endtag(self, tag: str) -> None:
        if tag in _HIDDEN:
            self._hidden = max(0, self._hidden - 1)
        elif tag in _BREAKS:
            self._break()
            self._prefix = ""
        elif tag in ("sup", "sub"):
            self._line.append(raising(f"</{tag}>"))

    def handle_data(self, data: str) -> None:
        if not self._hidden:
            self._line.append(data)

    def close(self) -> None:
        super().close()
        self._break()

    def _break(self) -> None:
        text = " ".join(raised("".join(self._line)).split()).removesuffix(" |")
        self._line = []
        if text:
            self.lines.append(self._prefix + text)
            self._prefix = ""


def _prefix(tag: str) -> str:
    if tag == "li":
        return "- "
    return "#" * int(tag[1]) + " " if re.fullmatch(r"h[1-6]", tag) else ""
