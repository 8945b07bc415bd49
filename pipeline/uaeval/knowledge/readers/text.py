"""Plain text."""

from uaeval.knowledge.decoding import text_of
from uaeval.knowledge.plain_text import structured
from uaeval.knowledge.reading import Content, FileReader

READER = FileReader(
    suffixes=(".txt", ".text"), convert=lambda data: Content(None, structured(text_of(data)))
)
