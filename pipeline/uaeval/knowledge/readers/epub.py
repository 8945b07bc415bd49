"""E-books (EPUB): their chapters in order of reading, without the table of contents."""

import posixpath
import zipfile
from typing import Final
from urllib.parse import unquote
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from uaeval.knowledge.decoding import text_of
from uaeval.knowledge.markdown import plain, top_heading
from uaeval.knowledge.readers.archives import open_archive
from uaeval.knowledge.readers.converted import markdown_of
from uaeval.knowledge.reading import Content, FileReader, UnusableFile

_PAGES: Final = ("application/xhtml+xml", "text/html")


def read_epub(data: bytes) -> Content:
    """Return the chapters of an e-book."""
    with open_archive(data, "an EPUB book") as archive:
        names = set(archive.namelist())
        if "META-INF/encryption.xml" in names and "META-INF/rights.xml" in names:
            raise UnusableFile("it is encrypted (DRM); give a copy without protection")
        container = ElementTree.fromstring(archive.read("META-INF/container.xml"))
        package = next((str(item.get("full-path")) for item in _all(container, "rootfile")), "")
        book = ElementTree.fromstring(archive.read(package))
        chapters = [plain(_page(archive, name)) for name in _spine(book, package) if name in names]
    title = next((item.text for item in _all(book, "title") if item.text), None)
    text = "\n\n".join(chapter for chapter in chapters if chapter)
    return Content(title.strip() if title else top_heading(text), text)


def _page(archive: zipfile.ZipFile, name: str) -> str:
    return markdown_of(text_of(archive.read(name)).encode("utf-8", "replace"))


def _spine(book: Element, package: str) -> list[str]:
    """Return the names of the pages in order of reading."""
    pages = {
        item.get("id"): posixpath.normpath(
            posixpath.join(posixpath.dirname(package), unquote(item.get("href") or ""))
        )
        for item in _all(book, "item")
        if item.get("media-type") in _PAGES and "nav" not in (item.get("properties") or "").split()
    }
    order = (item.get("idref") for item in _all(book, "itemref"))
    return list(dict.fromkeys(pages[name] for name in order if name in pages))


def _all(parent: Element, name: str) -> list[Element]:
    return list(parent.iterfind(f".//{{*}}{name}"))


READER = FileReader(suffixes=(".epub",), convert=read_epub)
