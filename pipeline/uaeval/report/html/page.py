"""The page: one file that holds its data, its styles and its scripts, and asks for nothing else."""

import base64
import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from uaeval.categories.registry import categories
from uaeval.evaluation.compare import compare
from uaeval.evaluation.flips import ChangedOutcome, flips
from uaeval.evaluation.metrics.standard import JOINT, STANDARD
from uaeval.report.context import CAUTION, cautions, facts
from uaeval.report.html.contrast import contrast_sections
from uaeval.report.html.kinds import Chart
from uaeval.report.html.rows import Passages, query_rows
from uaeval.report.html.sections import Section, evaluation_sections, synthesis_sections
from uaeval.report.overview import NO_JOINT_REASON, NO_JOINT_SCORE, error_count
from uaeval.report.reading import ReportData
from uaeval.report.tables import bounds, coverage, find, interval, percent
from uaeval.report.text import legible, visible
from uaeval.storage import stream_journal
from uaeval.types import Chunk, Score

_ASSETS = Path(__file__).with_name("assets")
_LIBRARIES = ("vendor/d3.min.js", "vendor/plot.umd.min.js")
_SCRIPTS = ("charts.js", "tables.js", "passages.js", "queries.js")
_DRAWN = ("kind", "rows", "series", "axes", "options")
"""What of a chart the script draws; what the page says of it stands in the HTML."""
_TILES = tuple(metric for metric in STANDARD if metric.headline and metric is not JOINT)


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """What stands at the head of a run."""

    name: str
    joint: Score | None
    tiles: tuple[tuple[str, Score], ...]
    weights: tuple[float, float]
    facts: dict[str, str]
    cautions: tuple[str, ...]
    sections: tuple[Section, ...]


def report_page(runs: Sequence[ReportData]) -> str:
    """Write the page about one evaluation, or about several of one dataset.

    Raises:
        StorageError: several runs cannot be compared.
    """
    recorded = [run.recorded for run in runs]
    flipped: tuple[ChangedOutcome, ...] = ()
    together: tuple[Section, ...] = ()
    if len(runs) > 1:
        compared = compare(recorded)
        flipped = flips(recorded)
        together = tuple(contrast_sections(runs, compared, flipped))
    synthesis = tuple(synthesis_sections(runs[0]))
    summaries = tuple(_summary(run) for run in runs)
    sections = (*together, *(one for run in summaries for one in run.sections), *synthesis)
    charts = [chart for section in sections for chart in section.charts]
    scripts = [_asset(name) for name in _LIBRARIES]
    scripts.append("\n".join(_asset(name) for name in _SCRIPTS))
    return (
        _environment()
        .get_template("page.html.jinja")
        .render(
            title=" vs ".join(run.name for run in runs) if together else _titled(runs[0]),
            dataset=runs[0].about.dataset,
            runs=summaries,
            together=together,
            synthesis=synthesis,
            place_of=charts.index,
            data=_data(runs, flipped, charts),
            style=Markup(_asset("page.css")),
            scripts=[Markup(script) for script in scripts],
            policy=_policy(scripts),
            version=version("uaeval"),
            caution=CAUTION,
            no_joint=f"{NO_JOINT_SCORE}: {NO_JOINT_REASON}",
        )
    )


def _titled(run: ReportData) -> str:
    system = run.about.system
    return run.name if run.name == system else f"{run.name} ({system})"


def _summary(run: ReportData) -> Summary:
    scores = run.evaluation.scores
    tiles = ((metric.shown_name, find(scores, metric)) for metric in _TILES)
    return Summary(
        name=run.name,
        joint=find(scores, JOINT),
        tiles=tuple((name, score) for name, score in tiles if score is not None),
        weights=run.about.weights,
        facts=facts(run.evaluation, run.about),
        cautions=cautions(run.evaluation, run.about),
        sections=tuple(evaluation_sections(run)),
    )


def _data(
    runs: Sequence[ReportData], flipped: Sequence[ChangedOutcome], charts: Sequence[Chart]
) -> dict[str, object]:
    """Return what the page's script works on."""
    dataset = runs[0].dataset
    chunks = stream_journal(dataset.chunks_path, Chunk) if dataset.chunks_path.exists() else ()
    passages = Passages(chunks)
    return {
        "runs": [legible(run.name) for run in runs],
        "judges": [legible(run.about.judge) for run in runs],
        "categories": {
            spec.name: {
                "title": spec.title,
                "definition": spec.definition,
                "rule": spec.acceptance,
            }
            for spec in categories()
        },
        "charts": [{name: _legible(getattr(chart, name)) for name in _DRAWN} for chart in charts],
        "queries": query_rows(runs, flipped, passages),
        "passages": passages.rows,
    }


def _legible(value: object) -> object:
    """Spell out what would hide or reorder in every text of a value."""
    if isinstance(value, str):
        return legible(value)
    if isinstance(value, Mapping):
        return {key: _legible(one) for key, one in value.items()}
    return [_legible(one) for one in value] if isinstance(value, list | tuple) else value


@cache
def _asset(name: str) -> str:
    return (_ASSETS / name).read_text(encoding="utf-8")


def _policy(scripts: Sequence[str]) -> str:
    """Allow the page's own scripts, and no connection at all."""
    hashes = (base64.b64encode(hashlib.sha256(one.encode()).digest()).decode() for one in scripts)
    allowed = " ".join(f"'sha256-{digest}'" for digest in hashes)
    return (
        f"default-src 'none'; script-src {allowed}; style-src 'unsafe-inline'; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )


@cache
def _environment() -> Environment:
    """Return the templates' environment: all that is put in is escaped, what is missing raises."""
    environment = Environment(
        loader=FileSystemLoader(_ASSETS),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.policies["json.dumps_kwargs"] = {
        "ensure_ascii": False,
        "separators": (",", ":"),
        "allow_nan": False,
    }
    environment.filters |= {
        "visible": visible,
        "percent": percent,
        "interval": interval,
        "coverage": coverage,
        "bounds": bounds,
        "errors": error_count,
    }
    environment.policies["json.dumps_function"] = json.dumps
    return environment
