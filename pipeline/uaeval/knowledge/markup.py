"""Write HTML as clean text: headings, lists, tables and code; of all else, only the words."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from html import escape
from itertools import count
from typing import Final

from lxml import etree
from lxml.html import HtmlElement, HTMLParser

from uaeval.knowledge.blocks import Blocks
from uaeval.knowledge.plain_text import NO_SPACES
from uaeval.knowledge.reading import UnusableFile
from uaeval.text.words import wordlist

HIDDEN, BREAKS, INLINE = (wordlist(name, "html") for name in ("hidden", "breaking", "inline"))
_LISTS: Final = ("ul", "ol", "dl")
_WHOLE: Final = ("pre", "sup", "sub")
"""Elements of which the text is written at once."""
_TAG: Final = re.compile(
    r"</?([a-zA-Z][^\s/<>\"']*)(?:\"[^\"]*\"|'[^']*'|[^>\"'])*>|<!--.*?-->|<[!?][^>]*>",
    re.DOTALL,
)
_COMPONENT: Final = re.compile(r"</[A-Z]\w|<[\w-]+\s(?:[^<>]*\s)?[\w-]+=[\"'{]")
"""A tag that is markup, although it is not HTML: it has attributes, or closes an MDX component."""
_CDATA: Final = re.compile(r"<!\[CDATA\[(.*?)\]\]>", re.DOTALL)
_LEVELS: Final = {f"h{level}": level for level in range(1, 7)}
_BREAK = "\x00"
"""Stands for a line break until the line is written; other ends of lines are spaces."""
_ORDINALS: Final = frozenset("st nd rd th er re e o a TM SM".split())
_SIMPLE: Final = re.compile(r"[-−+]?[\w.]+")
_JOINED: Final = re.compile(rf"(?<={NO_SPACES})\n(?={NO_SPACES})")


def with_placeholders(html: str) -> str:
    """Return HTML in which tags that are text, such as `<project-name>`, are escaped."""
    closed, end, rest = html.rpartition("-->")
    ends = {name.lower() for name in re.findall(r"</(\w+)", html)}
    return _TAG.sub(partial(_escaped, ends), closed + end + rest.replace("<!--", ""))


def _escaped(ends: set[str], match: re.Match[str]) -> str:
    tag, name = match[0], (match[1] or "").lower()
    if name in HIDDEN - ends:  # it would hide all that follows
        return ""
    is_markup = not name or name in HIDDEN | BREAKS | INLINE or _COMPONENT.match(tag)
    return tag if is_markup else tag.replace("<", "&lt;")


def page_of(html: str) -> HtmlElement | None:
    """Return the parsed page, with the text of CDATA sections, which are XHTML, as usual text.

    It is `None` if there is no element. Raises `UnusableFile` if elements are nested too deeply.
    """
    text = _CDATA.sub(lambda section: escape(section[1]), html)
    parser = HTMLParser(encoding="utf-8", huge_tree=True, remove_comments=True, remove_pis=True)
    page = etree.fromstring(text.encode("utf-8", "replace"), parser)
    if any(error.type_name == "ERR_RESOURCE_LIMIT" for error in parser.error_log):
        raise UnusableFile("its elements are nested too deeply")
    return page


def text_of_html(html: str | bytes, clean: Callable[[str], str] = str) -> str:
    """Return the text of a page or a part of it; bytes are UTF-8. `clean` changes each line."""
    page = page_of(html if isinstance(html, str) else html.decode("utf-8", "replace"))
    return "" if page is None else text_of_page(page, clean)


def text_of_page(page: HtmlElement, clean: Callable[[str], str] = str) -> str:
    """Return the text of a parsed page or a part of it, as `text_of_html`."""
    writer = _Writer(clean)
    walk = etree.iterwalk(page, ("start", "end"))
    for event, node in walk:
        if event == "start":
            if node.tag in HIDDEN or node.tag in _WHOLE:
                walk.skip_subtree()
            if node.tag not in HIDDEN:
                writer.start(node)
        else:
            if node.tag not in HIDDEN:
                writer.end(node)
            writer.line.append(node.tail or "")
    writer.close_line()
    return writer.blocks.text()


def _opens_list(node: HtmlElement) -> bool:
    """Return whether an element is a list, or an item that is in no list."""
    is_stray = node.tag in ("li", "dt") and next(node.iterancestors(*_LISTS), None) is None
    return node.tag in _LISTS or is_stray


@dataclass
class _List:
    numbers: Iterator[int] | None
    """The numbers of the further items, if they have numbers."""
    marker: str = "-"
    """The marker of the current item; blank after the item's first line."""


class _Writer:
    def __init__(self, clean: Callable[[str], str]) -> None:
        self._clean = clean
        self.blocks = Blocks()
        self.line: list[str] = []
        """The parts of the current line."""
        self._term = ""
        """A term of a list of definitions, which its meaning follows in the same line."""
        self._lists: list[_List] = []
        """The open lists, outermost first."""
        self._group = ""
        """Tag of the current or last outermost list; neighbours with the same tag are one list."""
        self._heading = 0
        self._rows: list[list[str]] = []
        """The cells of the current row of each open table."""

    def start(self, node: HtmlElement) -> None:
        tag = node.tag
        if tag in BREAKS:
            self.close_line()
        if tag in BREAKS and tag not in ("dt", "dd", "p", "div"):
            self._close_term()
        if _opens_list(node):
            first = node.get("start", "1")
            numbers = count(int(first) if re.fullmatch(r"\d{1,9}", first) else 1)
            self._group = self._group if self._lists else tag
            self._lists.append(_List(numbers if tag == "ol" else None))
        if tag in ("li", "dt"):
            self._start_item(tag)
        elif tag == "tr":
            self._rows.append([])
        elif tag in ("td", "th") and self._rows:
            self._rows[-1].append("")
        self._heading = _LEVELS.get(tag, self._heading)
        if tag in _WHOLE:
            self._add_whole(node)
        else:
            self.line.append(_BREAK if tag == "br" else node.text or "")

    def end(self, node: HtmlElement) -> None:
        tag = node.tag
        if tag == "dt":
            term = self._take_line().removesuffix(":")
            self._term = ", ".join(filter(None, [self._term, term]))
        elif tag in BREAKS:
            self.close_line()
        if _opens_list(node):
            self._close_term()
            self._lists.pop()
        elif tag == "tr":
            cells = self._rows.pop()
            if self._rows and self._rows[-1]:
                self._rows[-1][-1] += " ".join(cells)
            else:
                self.blocks.row(cells, next(node.iterancestors("table"), None))
        self._heading = 0 if tag in _LEVELS else self._heading

    def close_line(self) -> None:
        """Write the current line as what it is in: a heading, an item, a cell, or a paragraph."""
        text = self._take_line()
        if text and self._term:
            text, self._term = f"{self._term}: {text}", ""
        if not text:
            return
        if self._rows and self._rows[-1]:
            self._rows[-1][-1] = f"{self._rows[-1][-1]} {text}".lstrip()
        elif self._heading:
            self.blocks.heading(self._heading, text)
        elif self._lists:
            item = self._lists[-1]
            depth = len(self._lists) - 1
            self.blocks.item(text, marker=item.marker, depth=depth, group=self._group)
            item.marker = " " * len(item.marker)
        elif re.match(r"#{1,6} ", text):
            self.blocks.code(text)
        else:
            self.blocks.add(text)

    def _take_line(self) -> str:
        text, self.line = _JOINED.sub("", "".join(self.line)), []
        text = self._clean(text.replace("\n", " ").replace(_BREAK, "\n"))
        lines = (" ".join(line.split()) for line in text.split("\n"))
        return "\n".join(line for line in lines if line)

    def _close_term(self) -> None:
        self.line, self._term = [self._term], ""
        self.close_line()

    def _start_item(self, tag: str) -> None:
        item, outer = self._lists[-1], self._lists[-2] if len(self._lists) > 1 else None
        if tag == "li":
            item.marker = f"{next(item.numbers)}." if item.numbers else "-"
        elif outer and outer.marker.strip():  # the first term in an item has the item's marker
            item.marker, outer.marker = outer.marker, " " * len(outer.marker)
        else:
            item.marker = "-"

    def _add_whole(self, node: HtmlElement) -> None:
        """Add code, or a raised or lowered text as in `2^7`, `H_2O`, `2^(n - 1)` and `1st`."""
        for line_break in node.iter("br"):
            line_break.text = "\n"
        text = "".join(node.itertext())
        if node.tag == "pre" and not (self._rows and self._rows[-1]):
            group = self._group if self._lists else None
            self.blocks.code(text, depth=len(self._lists), group=group)
            return
        body, before = text.strip(), "".join(self.line)[-1:]
        is_plain = node.tag == "pre" or (before.isdecimal() and body in _ORDINALS)
        if is_plain or not re.search(r"\w", body):
            self.line.append(body)
        else:
            sign = "^" if node.tag == "sup" else "_"
            self.line.append(sign + (body if _SIMPLE.fullmatch(body) else f"({body})"))
