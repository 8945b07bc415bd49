"""JSONL: whole records with their passages, for the user's own programs."""

from uaeval.formats.facts import row
from uaeval.formats.format import Format
from uaeval.formats.output import lines_of
from uaeval.formats.reading import from_lines

FORMAT = Format(
    name="jsonl",
    purpose="the records, with expected behaviour, rubric and passages; for your own programs",
    loses="nothing",
    write=lines_of(row),
    read=from_lines(lambda record, _where: record),
    lossless=True,
)
