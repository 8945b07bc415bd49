"""Formats with one record per query, most for other tools, with files to run the tool.

They are declared in `tools.yaml`, with a comment on its format, and by the files in `templates`.
"""

import csv
import io
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Final

from pydantic import BaseModel, ConfigDict, JsonValue

from uaeval.formats.dataset import Dataset, row
from uaeval.formats.format import Format
from uaeval.formats.parquet import write_parquet
from uaeval.formats.query_fields import facts, kind, scale, side
from uaeval.formats.reading import json_lines, list_of, object_of, part_of, query_of, read_json
from uaeval.records import Chunk, Query
from uaeval.report.text import environment
from uaeval.resources import shipped_table
from uaeval.storage import text_file, write_array, write_lines

ENVIRONMENT: Final = environment("uaeval.formats")
_TAG: Final = re.compile(r"\{(?=[{%#])|#(?=\})")
"""The beginning of a template tag, or the end of a template comment."""
_NAMES_A_FILE: Final = re.compile(r"(?:file|package):")
_WORDY: Final = re.compile(r"(?!(?:nan|inf|infinity)$)[^\W\d]", re.I)
"""The beginning of an id that pandas does not read as a number, unlike `0007` (for Giskard)."""
_KIND: Final = "KIND"
"""Part of the name of a template that is rendered once per category, and for `answerable`."""


class Records(BaseModel):
    """A file of records of one kind, and what is written of each."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    record: JsonValue
    data: str = ""
    columns: Mapping[str, JsonValue] = {}

    def write(self, path: Path, values: Iterable[Mapping[str, object]]) -> None:
        """Write the file, given the variables for the expressions of each record."""
        records = map(_compile(self.record), values)
        if path.suffix == ".parquet":
            write_parquet(path, records, self.columns)
        elif path.suffix == ".json":
            write_array(path, records)
        else:
            write_lines(path, records)


class Tool(Records):
    """An entry of `tools.yaml`, where its keys are explained."""

    purpose: str
    loses: str
    passages: Records | None = None
    passes: int = 1
    shared: tuple[str, ...] = ()
    reads: tuple[str, ...] | None = None
    aliases: Mapping[str, str] = {}
    lossless: bool = False
    keys: frozenset[str] = frozenset()


def tools() -> Iterator[Format]:
    """Yield the formats of `tools.yaml`."""
    for name, entry in shipped_table("formats/tools.yaml").items():
        tool = Tool.model_validate(entry)
        yield Format(
            name=name,
            write=partial(_write, name, tool),
            folder=bool(tool.data),
            needs_passages=tool.passages is not None,
            read=None if tool.reads is None else partial(_read, tool),
            suffixes=(Path(tool.data).suffix or ".jsonl",),
            contains="" if tool.reads is None else tool.data,
            **tool.model_dump(include={"purpose", "loses", "passes", "lossless", "keys"}),
        )


def _write(name: str, tool: Tool, dataset: Dataset, place: Path) -> None:
    """Write the file of records, or the folder with it and the tool's files."""
    kinds = set[str]()

    def queries() -> Iterator[Mapping[str, object]]:
        for query in dataset:
            kinds.add(kind(query))
            yield _values(query, dataset)

    if not tool.data:
        tool.write(place, queries())
        return
    place.mkdir(parents=True)
    tool.write(place / tool.data, queries())
    if tool.passages:
        tool.passages.write(place / tool.passages.data, map(_passage_values, dataset.corpus()))
    _write_templates(name, tool, dataset, place, kinds)


def _read(tool: Tool, place: Path) -> Iterator[Query]:
    """Yield the queries of the folder, or of its file of records."""
    aliases = tool.aliases.items()
    for where, record in _objects(place / tool.data if place.is_dir() else place):
        values = {**{field: record[name] for name, field in aliases if name in record}, **record}
        for part in tool.reads or ():
            values |= part_of(record, part, where)
        yield query_of(values, where)


def _write_templates(
    name: str, tool: Tool, dataset: Dataset, place: Path, kinds: Iterable[str]
) -> None:
    """Write the files of a tool, and those it shares with others; see `_KIND` for `kinds`."""
    of_tool = ENVIRONMENT.list_templates(filter_func=lambda path: path.startswith(f"{name}/"))
    fields = {"name": dataset.name, "data": tool.data, "dataset": dataset}
    for template in (*(f"{file}.j2" for file in tool.shared), *of_tool):
        title = template.removeprefix(f"{name}/").removesuffix(".j2")
        for kind_name in sorted(kinds) if _KIND in title else [""]:
            path = place / title.replace(_KIND, kind_name)
            path.parent.mkdir(parents=True, exist_ok=True)
            with text_file(path) as file:
                file.writelines(ENVIRONMENT.get_template(template).generate(fields, kind=kind_name))


def _compile(template: JsonValue) -> Callable[[Mapping[str, object]], object]:
    """Return a function that fills the template of a record with the values of a query."""
    if isinstance(template, dict):
        parts = {name: _compile(part) for name, part in template.items()}
        return lambda values: {name: part(values) for name, part in parts.items()}
    if isinstance(template, list):
        elements = [_compile(part) for part in template]
        return lambda values: [part(values) for part in elements]
    return ENVIRONMENT.compile_expression(str(template), undefined_to_none=False)


def _values(query: Query, dataset: Dataset) -> dict[str, object]:
    """Return the variables for the expressions of a record."""
    flat_facts = facts(query)

    def passages() -> list[str]:
        return [text for source in dataset.sources(query) if (text := source["text"]) is not None]

    def title() -> str | None:
        return next(filter(None, (source["title"] for source in dataset.sources(query))), None)

    return {
        **flat_facts,
        "facts": flat_facts,
        "question": query.question,
        "kind": kind(query),
        "side": side(query),
        "passages": passages,
        "passage_ids": lambda: dataset.source_ids(query),
        "title": title,
        "scale": partial(scale, query),
        "row": partial(row, query, dataset),
    }


def _passage_values(chunk: Chunk) -> dict[str, object]:
    title = " › ".join(part for part in (chunk.title, chunk.heading) if part)
    return {"id": chunk.id, "title": title, "text": chunk.text}


def _objects(path: Path) -> Iterator[tuple[str, dict[str, object]]]:
    if path.suffix != ".json":
        yield from json_lines(path)
        return
    for number, value in enumerate(list_of(read_json(path), str(path)), 1):
        where = f"{path}:{number}"
        yield where, object_of(value, where)


def promptfoo_text(text: str) -> str:
    """Return a template that promptfoo renders to exactly `text`.

    The beginning of a tag and the end of a comment are written as expressions. So are a final line
    feed, which would be dropped, and a prefix that would make promptfoo load a file.
    """
    template = _TAG.sub(lambda match: f"{{{{ '{match[0]}' }}}}", text)
    if template.endswith("\n"):
        template = template[:-1] + "{{ '\\n' }}"
    if _NAMES_A_FILE.match(template):
        template = f"{{{{ '{template[0]}' }}}}{template[1:]}"
    return template


def tsv_row(cells: Sequence[object]) -> str:
    """Return a row of a table with tabs between the cells."""
    text = io.StringIO()
    csv.writer(text, delimiter="\t", lineterminator="").writerow(cells)
    return text.getvalue()


ENVIRONMENT.filters |= {
    "tsv": tsv_row,
    "promptfoo": promptfoo_text,
    "wordy": lambda name: name if _WORDY.match(name) else f"id-{name}",
}
