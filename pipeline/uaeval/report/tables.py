"""Tables as data, and the formatting of figures in their cells."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from typing import TYPE_CHECKING, cast

from uaeval.evaluation.metrics.spec import CONTROLS, OVERALL, MetricSpec
from uaeval.evaluation.statistics.intervals import RELIABLE_CLUSTERS
from uaeval.records import Score
from uaeval.report.text import environment
from uaeval.resources import shipped_table

if TYPE_CHECKING:
    from jinja2 import Environment, Template

NOTHING = "–"
UNKNOWN = "unknown"
UNRELIABLE = "*"
UNRELIABLE_NOTE = (
    f"{UNRELIABLE} unreliable interval: fewer than {RELIABLE_CLUSTERS} source documents, or "
    "resampling them shows no spread (behind one part, where a figure has several)."
)

NO_PRICE = "A cost is unknown without a price, or where the endpoint told no tokens: see --prices."


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportTable:
    """A table of unescaped texts, which is rendered for the terminal, Markdown or HTML."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str = ""
    numbers: frozenset[str] = frozenset()
    """Columns that are aligned right."""
    descriptions: Mapping[str, str] = field(default_factory=dict)
    """What the columns hold, for HTML; empty where the head says it."""
    totals: int = 0
    """Number of rows at the end that are totals."""


@cache
def _environment() -> "Environment":
    """Return the environment of declared texts: functions of this module are filters in it."""
    made, known = environment("uaeval.report").overlay(), globals()
    made.filters = made.filters | {name: each for name, each in known.items() if callable(each)}
    texts = {name: each for name, each in known.items() if isinstance(each, str)}
    made.globals = made.globals | texts | {"find": find}
    return made


@cache
def _expression(source: str) -> Callable[..., object]:
    return _environment().compile_expression(source, undefined_to_none=False)


def holds(condition: str, values: Mapping[str, object]) -> bool:
    """Return whether an expression of Jinja over `values` is true."""
    return bool(_expression(condition)(values))


@cache
def _template(source: str) -> "Template":
    return _environment().from_string(source)


def declared_table(name: str, rows: Iterable[object], **values: object) -> ReportTable:
    """Return the table `name` of `tables.yaml` with `rows`; its templates can use `values`."""
    declared, members = shipped_table("report/tables.yaml")[name], list(rows)
    values |= {"rows": members, "words": declared.get("words", {})}
    title, note = (_template(declared.get(part, "")).render(values) for part in ("title", "note"))
    text = declared.get("text") or [next(iter(declared["columns"]))]
    keys, heads, descriptions, cells = zip(*_columns(declared["columns"], values), strict=True)
    rows_of_cells = ([cell(row=row) for cell in cells] for row in members)
    return ReportTable(
        title=title,
        columns=heads,
        rows=tuple(tuple(NOTHING if c is None else str(c) for c in row) for row in rows_of_cells),
        note=" ".join(note.split()),
        numbers=frozenset(head for key, head in zip(keys, heads, strict=True) if key not in text),
        totals=sum(holds(declared.get("total", "false"), {"row": row}) for row in members),
        descriptions=dict(zip(heads, descriptions, strict=True)),
    )


def declared_texts(declared: Mapping[str, str], **values: object) -> dict[str, str]:
    """Return the texts of templates by their heads, which are templates as well; none is empty."""
    return {
        _template(head).render(values): text
        for head, template in declared.items()
        if (text := _template(template).render(values).strip())
    }


def _columns(
    declared: Mapping[str, str | Mapping[str, str]], values: Mapping[str, object]
) -> Iterator[tuple[str, str, str, Callable[..., object]]]:
    """Yield key, head and description of each column, and the function of a row's cell."""
    for head, column in declared.items():
        column = {"cell": column} if isinstance(column, str) else column
        if not holds(column.get("only_if", "true"), values):
            continue
        for each in cast(Iterable[object], _expression(column.get("each", "[none]"))(values)):
            column_values = {**values, "each": each}
            texts = (head, column.get("description", ""))
            shown, description = (_template(text).render(column_values) for text in texts)
            yield head, shown, description, partial(_expression(column["cell"]), column_values)


def spaced(name: str) -> str:
    """Return a key as text: `false presupposition`, and `twins` for the group of controls."""
    return "twins" if name == CONTROLS else name.replace("_", " ")


def figure_name(metric: str) -> str:
    """Return the name of a metric in reports."""
    from uaeval.evaluation.metrics.registry import metric_named  # loads every metric

    return metric_named(metric).shown_name


def percent(value: float | None) -> str:
    """Return a ratio in percent; a dash if it is undefined."""
    return NOTHING if value is None else f"{100 * value:.1f}"


def whole(value: float | None) -> str:
    """Return a ratio in whole percents, 0 and 100 only if exact; a dash if it is undefined."""
    if value is None:
        return NOTHING
    if 0 < value < 0.005:
        return "<1"
    return ">99" if 0.995 <= value < 1 else f"{100 * value:.0f}"


def decimal(value: float | None) -> str:
    """Return a figure with two decimals; a dash if it is undefined."""
    return NOTHING if value is None else f"{value:.2f}"


def ends(
    interval: Sequence[float | None] | None, mark: str = "", write: Callable[[float], str] = percent
) -> str:
    """Return both ends of an interval in percent, then `mark`; a dash without an interval."""
    known = [end for end in interval or () if end is not None]
    return "–".join(map(write, known)) + mark if len(known) == 2 else NOTHING


def interval(score: Score) -> str:
    """Return the 95 % interval in percent, with a mark if it is unreliable."""
    return ends(score.interval, "" if score.reliable else f" {UNRELIABLE}")


def with_interval(
    score: Score | None,
    write: Callable[[float | None], str] = percent,
    write_end: Callable[[float], str] = percent,
) -> str:
    """Return a value in percent, with its interval if there is one."""
    if score is None or score.interval is None:
        return write(score.value if score else None)
    mark = "" if score.reliable else UNRELIABLE
    return f"{write(score.value)} ({ends(score.interval, mark, write_end)})"


def coverage(score: Score) -> str:
    """Return the share of items that were judged, in percent."""
    return percent(score.judged / score.n if score.n else None)


def bounds(score: Score) -> str:
    """Return the bounds of the value in percent; a dash if all items were judged."""
    if score.judged == score.n or score.worst is None or score.best is None:
        return NOTHING
    return f"{percent(score.worst)} to {percent(score.best)}"


def unreliable_note(scores: Iterable[Score]) -> str:
    """Return the explanation of the mark of unreliable intervals; empty if no score has it."""
    marked = any(score.low is not None and not score.reliable for score in scores)
    return UNRELIABLE_NOTE if marked else ""


def stopped_text(parts: Mapping[str, int]) -> str:
    """Return the number of responses by skipped part of the RAG, as text."""
    return ", ".join(f"{part}: {count} responses" for part, count in parts.items())


def undecided_text(counts: Mapping[str, int]) -> str:
    """Return the number of undecided judgements by name, as text; empty if there are none."""
    return ", ".join(f"{spaced(name)} {count}" for name, count in counts.items() if count)


def undecided_note(counts: Mapping[str, int]) -> str:
    """Return the number of undecided judgements as a note below a table."""
    text = undecided_text(counts)
    return f"Undecided (the judge could not tell): {text}." if text else ""


def of_group(name: str, group: str) -> str:
    """Return the first cell of a figure's row: its name, or for a group the group's name."""
    return name if group == OVERALL else f"- {spaced(group)}"


def money(dollars: float | None) -> str:
    """Return an amount in US dollars with two decimals, or four below one dollar."""
    if dollars is None:
        return UNKNOWN
    return f"{dollars:.2f}" if dollars >= 1 else f"{dollars:.4f}"


def find(scores: Iterable[Score], metric: MetricSpec, group: str | None = None) -> Score | None:
    """Return the score of a metric in `group`, by default its main group; `None` if missing."""
    key = (metric.name, group or metric.group)
    return next((score for score in scores if (score.metric, score.group) == key), None)


def value_of(scores: Iterable[Score], metric: MetricSpec, group: str | None = None) -> float | None:
    """Return the value of the score that `find` returns; `None` if nothing was judged."""
    score = find(scores, metric, group)
    return score.value if score else None
