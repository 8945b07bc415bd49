"""Split documents into passages that keep sentences and sections whole."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, partial
from itertools import accumulate, count, pairwise
from typing import TYPE_CHECKING, Final, TypeAlias

from uaeval.errors import ConfigError
from uaeval.knowledge.blocks import Section, sections_of
from uaeval.knowledge.boilerplate import MIN_WORDS, unfit
from uaeval.records import Chunk, Document
from uaeval.run.ray_cluster import map_parts
from uaeval.text.words import count_words

if TYPE_CHECKING:
    from langchain_text_splitters import RecursiveCharacterTextSplitter

Span: TypeAlias = tuple[int, int]

_NOT_AFTER: Final = (
    r"(?<!\b[^\W\d_])(?<!\b(?:Mr|Ms|Dr|St|vs|No|cf|pp|Jr|Sr))(?<!\b(?:Mrs|Inc|Ltd|etc|Fig|Art))"
    r"(?<!\b(?:Corp|Prof|Dept))"
)
SENTENCE_END: Final = rf"(?<=[.!?؟।]){_NOT_AFTER}(?:[\"'”’)\]»]*)\s+(?=[^\sa-z])"
_SEPARATORS: Final = (
    r"\n\n+(?=\S)",
    r"\n\n+",
    r"\n(?=\S)",
    r"\n",
    SENTENCE_END,
    r"(?<=[。！？])[」』”’）]*",
    r"(?<=[;:；：])\s*",
    r"(?<=[,،，、])\s*",
    r"\s+",
    r"",
)
_SLACK: Final = 1.25
"""Factor by which a passage may exceed the size to include a short end, a lead-in line or the
header of its table."""
_HEADER: Final = re.compile(r"(?! {4}|\s*(?:[-*+]|\d+[.)]) )([^\n]* \| [^\n]*\n)[^\n]* \| ")
"""The first row of a table, above a second one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExcludedChunk:
    """A passage that no query is written from, and why; it is indexed nevertheless."""

    chunk: Chunk
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ChunkingResult:
    """The passages of all documents, in order; those unfit for queries are set aside."""

    chunks: tuple[Chunk, ...]
    set_aside: tuple[ExcludedChunk, ...]


def chunk(
    documents: Sequence[Document], *, size: int = 900, engine: str = "local"
) -> ChunkingResult:
    """Split documents into passages of about `size` characters, and at most a quarter more.

    `engine` is where documents are split: `local`, or `ray[:address]`.

    Raises:
        ConfigError: the size is less than 100.
    """
    if size < 100:
        raise ConfigError(f"chunk size {size}: the size must be at least 100")
    chunks: list[Chunk] = []
    set_aside: list[ExcludedChunk] = []
    split = map_parts(partial(_split, size), documents, engine)
    titles = (document.title.casefold() for document in documents)
    names = frozenset(titles).union(*(headings for headings, _ in split))
    for headings, passages in split:
        for passage in passages:
            if reason := unfit(passage, headings, names):
                set_aside.append(ExcludedChunk(chunk=passage, reason=reason))
            else:
                chunks.append(passage)
    return ChunkingResult(chunks=tuple(chunks), set_aside=tuple(set_aside))


def _split(size: int, documents: Sequence[Document]) -> list[tuple[frozenset[str], list[Chunk]]]:
    """Return the headings of each document, case-folded, and its passages."""
    parts = []
    for document in documents:
        sections = sections_of(document.text)
        headings = {section.path[-1].casefold() for section in sections if section.path}
        parts.append((frozenset(headings), [*_chunks_of(document, sections, size)]))
    return parts


def _chunks_of(document: Document, sections: Sequence[Section], size: int) -> Iterator[Chunk]:
    numbers, most = count(), size * _SLACK
    for group in _grouped(document.text, sections, size):
        path = group[0].path
        repeats_title = path[:1] and path[0].casefold() == document.title.casefold()
        heading = " › ".join(path[1:] if repeats_title else path)
        spans = _spans(document.text, group[0].start, group[-1].end, size)
        block = spans[0][0] if spans else 0
        for (before, _), (start, end) in zip(spans[:1] + spans, spans, strict=False):
            gap = document.text.rfind("\n\n", before, start)
            block = gap + 2 if gap >= 0 else block
            header = _HEADER.match(document.text, block, block + 4 * size)
            limit = most - max(size, end - start)
            fits = header and header.end(1) <= start and len(header[1]) <= limit
            row = header[1] if header and fits else ""
            yield Chunk(
                id=f"{document.id}#{next(numbers)}",
                document_id=document.id,
                title=document.title,
                heading=heading,
                text=row + document.text[start:end],
                start=start,
                end=end,
            )


def _grouped(text: str, sections: Sequence[Section], size: int) -> list[list[Section]]:
    """Return groups of sections; a tiny section joins its subsection or its tiny siblings."""
    groups: list[list[Section]] = []
    for section in sections:
        if groups and _joins(text, groups[-1], section, size):
            groups[-1].append(section)
        else:
            groups.append([section])
    return groups


def _joins(text: str, group: Sequence[Section], section: Section, size: int) -> bool:
    first = group[0]
    if not text[first.start : group[-1].end].strip() or section.end - first.start > size:
        return False
    is_below = section.path[: len(first.path)] == first.path and section.level > first.level
    is_sibling = section.level == first.level and section.path[:-1] == first.path[:-1]
    if is_below:
        return _is_tiny(text, first.start, group[-1].end)
    return is_sibling and all(_is_tiny(text, part.start, part.end) for part in (*group, section))


def _is_tiny(text: str, start: int, end: int) -> bool:
    return count_words(text[start:end]) < MIN_WORDS


def _spans(text: str, start: int, end: int, size: int) -> list[Span]:
    cuts = accumulate(map(len, _splitter(size).split_text(text[start:end])), initial=start)
    trimmed = [span for span in (_trimmed(text, *pair) for pair in pairwise(cuts)) if span]
    return _with_lead_in(text, _filled(text, trimmed, size), size)


def _filled(text: str, spans: Sequence[Span], size: int) -> list[Span]:
    """Join neighbours that fit in one passage; a tiny last one may exceed the size."""
    filled: list[Span] = []
    for start, end in spans:
        limit = size * _SLACK if end == spans[-1][1] and _is_tiny(text, start, end) else size
        if filled and end - filled[-1][0] <= limit:
            filled[-1] = (filled[-1][0], end)
        else:
            filled.append((start, end))
    return filled


def _with_lead_in(text: str, spans: list[Span], size: int) -> list[Span]:
    """Move a last line such as "You need:" from its passage to the next one."""
    for number, (start, end) in enumerate(spans[:-1]):
        line = text.rfind("\n", start, end) + 1
        if not text[start:end].endswith((":", "：")) or line <= start:
            continue
        rest, moved = _trimmed(text, start, line), spans[number + 1][1] - line
        if rest and moved <= size * _SLACK and text[line:end].strip():
            spans[number] = rest
            lead_in = _trimmed(text, line, end) or (line, end)
            spans[number + 1] = lead_in[0], spans[number + 1][1]
    return spans


def _trimmed(text: str, start: int, end: int) -> Span | None:
    """Return the span without white space at its ends, but with its first line indented."""
    piece = text[start:end]
    if not piece.strip():
        return None
    lead = len(piece) - len(piece.lstrip())
    line = text.rfind("\n", 0, start + lead) + 1
    indented = line >= start and text[line : start + lead].startswith("  ")
    return line if indented else start + lead, end - len(piece) + len(piece.rstrip())


@cache
def _splitter(size: int) -> "RecursiveCharacterTextSplitter":
    from langchain_text_splitters import RecursiveCharacterTextSplitter

    return RecursiveCharacterTextSplitter(
        separators=list(_SEPARATORS),
        is_separator_regex=True,
        keep_separator="end",
        strip_whitespace=False,
        chunk_size=size,
        chunk_overlap=0,
    )
