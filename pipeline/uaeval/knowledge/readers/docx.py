"""Word files."""

from typing import Final

from uaeval.knowledge.markdown import read_markdown
from uaeval.knowledge.readers.archives import open_archive
from uaeval.knowledge.readers.converted import POWERS, converted
from uaeval.knowledge.reading import Content, FileReader

_CODE_STYLES: Final = (
    "Code", "Source Code", "HTML Preformatted", "Preformatted Text", "Listing"
)  # fmt: skip
_STYLES: Final = "\n".join(
    f"p[style-name='{style}'] => pre:separator('\\n')" for style in _CODE_STYLES
)


def read_docx(data: bytes) -> Content:
    """Return the text of a Word file; paragraphs in a style of code are code."""
    open_archive(data, "a Word file").close()
    page = read_markdown(converted(data, ".docx", style_map=_STYLES, **POWERS))
    return Content(page.title, page.text)


READER = FileReader(suffixes=(".docx",), convert=read_docx)
