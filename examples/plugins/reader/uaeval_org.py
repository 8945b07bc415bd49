"""A reader of Org files (`.org`): headings, paragraphs and lists, without drawers and comments."""

import re

from uaeval.knowledge.readers import FileReader
from uaeval.knowledge.reading import Content, UnusableFile


def convert(data: bytes) -> Content:
    """Return the title and the text of an Org file."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise UnusableFile("it is not UTF-8 text; save it as UTF-8") from error
    title = re.search(r"^#\+title:\s*(.+)$", text, re.IGNORECASE | re.MULTILINE)
    text = re.sub(r"^\s*:\w+:\s*\n(?:.*\n)*?\s*:END:\s*\n", "", text, flags=re.MULTILINE)
    text = re.sub(r"^\s*#(?:\+.*| .*)?\n", "", text, flags=re.MULTILINE)
    text = re.sub(r"^(\*+) ", lambda stars: f"\n{'#' * len(stars[1])} ", text, flags=re.MULTILINE)
    text = re.sub(r"\[\[[^\]]*\]\[([^\]]*)\]\]", r"\1", text)
    return Content(title=title[1].strip() if title else None, text=text.strip())


READER = FileReader(suffixes=(".org",), convert=convert)
