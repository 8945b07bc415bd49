"""PowerPoint files: a section per slide, with its lists, tables and notes."""

import io
from collections.abc import Iterable
from typing import Any

from uaeval.knowledge.blocks import Blocks
from uaeval.knowledge.readers.archives import open_archive
from uaeval.knowledge.reading import Content, FileReader, missing_extra


def read_pptx(data: bytes) -> Content:
    """Return the text of a presentation's slides."""
    open_archive(data, "a PowerPoint file").close()
    try:
        from pptx import Presentation
    except ImportError as error:
        raise missing_extra(".pptx") from error
    blocks = Blocks()
    deck = Presentation(io.BytesIO(data))
    for number, slide in enumerate(deck.slides, start=1):
        title = slide.shapes.title
        if slide.shapes:
            blocks.heading(1, title.text_frame.text if title else f"Slide {number}")
        _add(blocks, (shape for shape in slide.shapes if shape != title))
        if slide.has_notes_slide and (notes := slide.notes_slide.notes_text_frame):
            for line in notes.text.splitlines():
                blocks.paragraph(line)
    return Content(deck.core_properties.title or None, blocks.text())


def _add(blocks: Blocks, shapes: Iterable[Any]) -> None:
    for shape in shapes:
        if hasattr(shape, "shapes"):
            _add(blocks, shape.shapes)
        elif shape.has_table:
            for row in shape.table.rows:
                blocks.row([cell.text for cell in row.cells], group=shape.shape_id)
        elif shape.has_text_frame:
            lines = [(line.text, line.level) for line in shape.text_frame.paragraphs if line.text]
            for text, level in lines:
                if len(lines) == 1:
                    blocks.paragraph(text)
                else:
                    words = " ".join(text.split())
                    blocks.item(words, depth=level, group=f"list {shape.shape_id}")


READER = FileReader(suffixes=(".pptx",), convert=read_pptx)
