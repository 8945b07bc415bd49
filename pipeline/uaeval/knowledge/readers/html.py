"""Read HTML pages with trafilatura, after markup has been changed that it would read wrongly."""

import re
from itertools import groupby
from textwrap import dedent
from typing import Any, Final

from lxml import etree
from lxml.html import HtmlElement

from uaeval.knowledge.decoding import decode_page, with_newlines
from uaeval.knowledge.directives import untemplated
from uaeval.knowledge.markdown import plain, split_front_matter, top_heading
from uaeval.knowledge.markup import BREAKS, HIDDEN, INLINE, page_of, text_of_page
from uaeval.knowledge.plain_text import NO_SPACES, is_code, structured
from uaeval.knowledge.reading import Content, UnusableFile
from uaeval.resources import shipped_table
from uaeval.text.sentences import WRAPPED
from uaeval.text.words import count_words

_TITLE: Final = re.compile(r"<title[^>]*>(.*?)</title>", re.DOTALL | re.IGNORECASE)
_MAIN: Final = "//main | //article | //*[self::div or self::section][{}]".format(
    " or ".join(f"starts-with(@{name}, 'main')" for name in ("role", "id", "class"))
)
"""What trafilatura takes for the main part of a page; without it, headings are lost."""
_TABLE: Final = shipped_table("knowledge/readers/html.yaml")
_BLOCKS: Final = frozenset(_TABLE["blocks"].split())
_TAGS: Final = {name: tags.split() for name, tags in _TABLE["tags"].items()}
_UNSPACED: Final = re.compile(rf"(?<={NO_SPACES})\s*\n\s*(?={NO_SPACES})")
_KNOWN: Final = HIDDEN | BREAKS | INLINE
_HEADINGS: Final = " or ".join(f"self::h{level}" for level in range(1, 7))
_IN_HEADING: Final = _HEADINGS.replace("self", "ancestor")
_EMPTY: Final = (
    "//table[not(normalize-space())] | //*[@class='toc' or @id='toc' or @id='TOC']"
    "[self::div or self::nav or self::ul or self::ol][.//a]"
    " | //span[contains(@class, 'editsection')] | //sup[@class='reference'] | //template"
    " | //body//*[contains(concat(' ', normalize-space(@class), ' '), ' noprint ')]"
)
"""Layout, tables of contents, of which trafilatura keeps the title or a bar, and links to edit."""
_HAS_TEXT: Final = "[.//p or .//pre or .//table or .//li]"
_TEXTS: Final = (
    "//p | //div[@class='sidebar']"
    " | //*[self::li or self::dd or self::td][not(.//p or .//li or .//div or .//table)]"
)
_MENUS: Final = "//*[self::ul or self::ol or self::div][.//a[2] or li[2]//a]{}".format(
    "[not(.//p or .//div or .//ul or .//ol or .//table)]"
)
"""Boxes that may have nothing but links. They make trafilatura remove the text around them."""
_TEXT: Final = 3
"""Fewest words that a text has beside its links."""


def read_html(data: bytes) -> Content:
    """Return the main text of a page, without navigation and comments, as trafilatura finds it."""
    from trafilatura.settings import use_config
    from trafilatura.utils import repair_faulty_html

    config = use_config()
    config.set("DEFAULT", "MIN_EXTRACTED_SIZE", "1")  # short pages are read in the same way
    meta, html = split_front_matter(with_newlines(decode_page(data)))
    html = untemplated(html) if meta else html
    page = page_of(repair_faulty_html(html, html[:50].lower()))
    if page is not None:
        _prepare(page)
    if page is None or not (text := main_text(page, favor_recall=True, config=config)):
        raise UnusableFile("no main text was found on the page")
    title = _TITLE.search(html)
    named = plain(title[1]).strip() if title else ""
    return Content(meta.get("title") or top_heading(text) or named or None, text)


def main_text(page: str | HtmlElement, **options: Any) -> str:
    """Return the main text of a page, as trafilatura finds it; empty if it finds none."""
    import trafilatura

    found = trafilatura.bare_extraction(
        page, output_format="markdown", include_comments=False, **options
    )
    body = getattr(found, "body", None)
    if body is None:
        return ""
    for node in body.iter(*_TAGS):
        tags, tag = _TAGS[node.tag], node.get("rend", "").partition("-")[0].strip("#")
        node.tag = tag if tag in tags else tags[0]
    for code in body.iter("code"):
        if "\n" in (code.text or "") or code.getparent().tag in ("body", "blockquote", "code"):
            code.tag = "pre"
    return text_of_page(body)


def _prepare(page: HtmlElement) -> None:
    """Change markup from which trafilatura loses headings, text, lines of code, or terms."""
    _remove_links(page)
    _remove_menus(page)
    _show_parts(page)
    _show_words(page)
    _unname(page)
    for body in page.xpath(f"/html/*[not(self::head or {_MAIN})]"):
        body.tag = "main"
    for inline in page.xpath("//code[not(ancestor::pre)]"):
        _join_lines(inline)
    for preformatted in page.xpath("//pre[not(code)]"):
        _split_blocks(preformatted)
    for definitions in page.xpath("//dl"):
        _split_definitions(definitions)
    for parts in page.xpath(f"//*[self::ul or self::ol][li//*[{_HEADINGS}]]"):
        for part in (parts, *parts.xpath("./li")):
            part.tag = "div"
    for box in page.xpath("//main | //article | //section | //div"):
        _wrap_text(box)


def _unname(page: HtmlElement) -> None:
    """Remove the names of boxes that trafilatura takes for the main part, or for no part of a page.

    The first answer in a forum is not the main part, and a section is text, whatever its anchor is.
    """
    from trafilatura.xpaths import BODY_XPATH

    for section in page.xpath(f"//section[@id][*[{_HEADINGS}]]"):
        del section.attrib["id"]
    whole = _count_text(page)
    for boxes in (etree.XPath(_MAIN), etree.XPath("//article"), *BODY_XPATH):
        found = boxes(page)
        sizes = [_count_text(box) for box in found]
        if found and sizes[0] < max(whole / 3, sum(sizes) * 3 / 4):
            alike = page.xpath("//*[@class=$name]", name=found[0].get("class", ""))
            for box in (*found, *alike):
                box.attrib.clear()
                box.tag = "div"


def _count_text(box: HtmlElement, where: str = "not(ancestor::a)") -> int:
    """Return the number of characters outside of links, or where else a condition holds."""
    return sum(len(text.strip()) for text in box.xpath(f".//text()[{where}]", smart_strings=False))


def _remove_links(page: HtmlElement) -> None:
    """Remove contents, links within a text, links that are a sign, and notes.

    What has many links, or is in a box at the side, is navigation for trafilatura, although it may
    be text.
    """
    for empty in page.xpath(_EMPTY):
        empty.drop_tree()
    for link in page.xpath("//a[@href][not(.//img)] | //sup[a]"):
        if not re.search(r"[^\W\d_]" if link.tag == "sup" else r"\w", link.text_content()):
            link.drop_tree()
    for box in page.xpath(_TEXTS):
        linked = sum(count_words(link.text_content()) for link in box.xpath(".//a"))
        is_text = count_words(box.text_content()) - linked >= max(_TEXT, linked)
        if is_text or "," in "".join(box.xpath("./text()", smart_strings=False)):
            box.attrib.pop("class", None)
            etree.strip_tags(box, "a")
    for table in page.xpath("//table[not(.//table)]"):
        if _count_text(table) > _count_text(table, "ancestor::a") / 4:
            etree.strip_tags(table, "a")


def _remove_menus(page: HtmlElement) -> None:
    """Remove boxes that have nothing but links."""
    for box in page.xpath(_MENUS):
        outside = box.xpath(".//text()[not(ancestor::a)]", smart_strings=False)
        if not count_words(" ".join(outside)):
            box.drop_tree()


def _show_parts(page: HtmlElement) -> None:
    """Make parts that trafilatura drops text: titles that are links, panels, forms, figures."""
    for inline in page.xpath(
        f"//a[not(@href)] | //dl/div[dt] | //h1//a | //button[{_IN_HEADING} or ancestor::p]"
    ):
        inline.drop_tag()
    for quotation in page.xpath("//q"):
        quotation.tag = "span"
    for panel in page.xpath(f"//*[@style]{_HAS_TEXT}"):
        del panel.attrib["style"]
    for form in page.xpath(f"//*[self::form or self::fieldset]{_HAS_TEXT}"):
        form.tag = "div"
        for label in form.xpath(".//legend | .//label"):
            label.tag = "p" if label.tag == "legend" else "span"
    for figure in page.xpath("//figure[figcaption or .//pre] | //figcaption"):
        figure.tag = "p" if figure.tag == "figcaption" and not _blocks(figure) else "div"
    for part in page.xpath("//span[@class]"):  # such as `guimenu`, which is navigation for it
        del part.attrib["class"]


def _show_words(page: HtmlElement) -> None:
    """Make elements that trafilatura removes or does not know text; join lines of Japanese."""
    from trafilatura.settings import MANUALLY_CLEANED

    known = {*_KNOWN, "html", "body", *MANUALLY_CLEANED} - {"output", "time"}
    for part in page.xpath("//*[not(ancestor::svg or ancestor::math)]"):
        if part.tag not in known:
            part.tag = "div" if _blocks(part) else "span"
    for part in page.xpath("//*[not(ancestor-or-self::pre or ancestor-or-self::code)]"):
        part.text = part.text and _UNSPACED.sub("", part.text)
        for child in part:
            child.tail = child.tail and _UNSPACED.sub("", child.tail)


def _join_lines(inline: HtmlElement) -> None:
    """Make code within a text plain text on one line, and a paragraph of lines preformatted."""
    line_breaks, around = inline.xpath(".//br | .//div | .//p"), inline.getparent()
    for line_break in line_breaks:
        line_break.tail = f"\n{line_break.tail or ''}"
    text, tail = inline.text_content(), inline.tail
    inline.clear()
    if line_breaks and around.tag == "p" and around.text_content().strip() == (tail or "").strip():
        around.tag, inline.tag, inline.text = "div", "pre", text
    else:
        inline.text, inline.tail = " ".join(text.split()), tail


def _blocks(box: HtmlElement) -> list[HtmlElement]:
    """Return the elements of a box that are no part of a line of text."""
    return [child for child in box if child.tag in _BLOCKS]


def _wrap_text(box: HtmlElement) -> None:
    """Make text of a box that is in no element for paragraphs a paragraph."""
    parts, line = list[HtmlElement](), box.makeelement("p")
    line.text, box.text = box.text, None
    for child in [*box, None]:
        if child is not None and child.tag not in _BLOCKS:
            line.append(child)
            continue
        parts += [line] if line.text_content().strip() else list(line)
        if child is not None:
            parts.append(child)
            line = box.makeelement("p")
            line.text, child.tail = child.tail, None
    box[:] = parts


def _split_blocks(preformatted: HtmlElement) -> None:
    """Make the paragraphs of preformatted text elements of their own, and all else code."""
    blocks = re.split(r"\n\s*\n", dedent(preformatted.text_content()).strip("\n"))
    tail = preformatted.tail
    preformatted.clear()
    preformatted.tag, preformatted.tail = "div", tail
    is_line = len(blocks) == 1 and "\n" not in blocks[0] and blocks[0][:1] != "#"
    for is_text, group in groupby(blocks, lambda block: is_line or _is_paragraph(block)):
        for text in map(structured, group) if is_text else ["\n\n".join(group)]:
            part = etree.SubElement(preformatted, "p" if is_text else "pre")
            inner = part if is_text else etree.SubElement(part, "code")
            inner.text = text if is_text else f"{dedent(text)}\n"


def _is_paragraph(block: str) -> bool:
    """Return whether a block is text: on one line, or with lines of about the same length."""
    lines = block.split("\n")
    is_wrapped = all(len(line) > WRAPPED for line in lines[:-1])
    is_text = is_wrapped and len(block) > WRAPPED and not block.startswith("  ")
    return is_text and not is_code(lines)


def _split_definitions(definitions: HtmlElement) -> None:
    """Make terms, and what is said of them, paragraphs of the page if there are longer ones."""
    if any(_blocks(each) != each.xpath("./p[last() = 1]") for each in definitions):
        definitions.tag = "div"
        for part in definitions.xpath("./dt | ./dd"):
            part.tag = "div" if _blocks(part) else "p"
