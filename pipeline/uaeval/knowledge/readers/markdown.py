"""Markdown files, with their front matter."""

from uaeval.knowledge.decoding import text_of
from uaeval.knowledge.markdown import read_markdown, split_front_matter
from uaeval.knowledge.reading import Content, FileReader, address_in, day_in

VERBATIM = "verbatim"
"""Value of `text:` in the front matter of files whose body is not Markdown to be cleaned."""


def read_file(data: bytes) -> Content:
    """Return the text of a page; a date and an address are those of its front matter."""
    text = text_of(data)
    meta, body = split_front_matter(text)
    if meta.get("text") == VERBATIM:
        text = body.removesuffix("\n")
        return Content(meta.get("title"), text, meta, day_in(meta), address_in(meta))
    page = read_markdown(text)
    return Content(page.title, page.text, {}, day_in(page.meta), address_in(page.meta))


READER = FileReader(suffixes=(".md", ".markdown", ".mdx"), convert=read_file)
