"""The HTML page: one file with its data, styles and scripts."""

import base64
import hashlib
import json
from collections.abc import Sequence
from functools import cache
from importlib.metadata import version
from pathlib import Path

from jinja2 import Environment
from markupsafe import Markup

from uaeval.categories.registry import categories
from uaeval.evaluation.compare import compare, flips
from uaeval.evaluation.evaluation import Evaluation
from uaeval.evaluation.metrics.registry import HEADLINE, JOINT
from uaeval.report import all_scores, comparison, context, costs, dataset, overview, tables
from uaeval.report.html import charts
from uaeval.report.html.charts import Chart
from uaeval.report.html.rows import listed, query_rows, shown
from uaeval.report.text import environment
from uaeval.run_folder import RunFolder

_ASSETS = Path(__file__).with_name("assets")
_LIBRARIES = ("vendor/d3.min.js", "vendor/plot.umd.min.js")
_SCRIPTS = ("charts.js", "tables.js", "passages.js", "queries.js")


def report_page(
    runs: Sequence[Evaluation],
    dataset: RunFolder | None = None,
    *,
    home: str = "",
    review: str = "",
) -> str:
    """Return the page about one evaluation, about several, or about the `dataset` alone.

    It links to `home`, the list of runs, and to `review`, the dataset's review, if they are given.

    Raises:
        StorageError: the runs cannot be compared, or a file cannot be read.
    """
    dataset = dataset or runs[0].dataset
    queries = runs[0].queries if runs else dataset.queries()
    several = len(runs) > 1
    comparisons = compare(runs) if several else ()
    flipped = flips(runs) if several else ()
    in_tables = (members[: comparison.FLIPS] for members in comparison.flips_by_runs(flipped))
    kept = listed(queries, {flip.query_id for members in in_tables for flip in members})
    drawn = list[Chart]()
    scripts = [_asset(name) for name in _LIBRARIES]
    scripts.append("\n".join(_asset(name) for name in _SCRIPTS))
    return (
        _environment()
        .get_template("page.html.jinja")
        .render(
            title=_title(runs) or dataset.path.resolve().name,
            dataset=dataset.path.resolve().name,
            synthesis=dataset.existing_manifest(),
            home=home,
            review=review,
            runs=runs,
            queries=len(queries),
            listed=len(kept),
            comparisons=comparisons,
            flipped=flipped,
            joint_metric=JOINT,
            headline_metrics=HEADLINE[1:],
            categories=categories(),
            links=[],
            drawn=drawn,
            data=lambda: shown(
                {
                    "review": review,
                    "runs": [run.name for run in runs],
                    "judges": [run.manifest.models["judge"] for run in runs],
                    "categories": {
                        spec.name: {
                            "title": spec.title,
                            "definition": spec.definition,
                            "rule": spec.acceptance,
                        }
                        for spec in categories()
                    },
                    "charts": [chart["drawn"] for chart in drawn],
                    **query_rows(dataset, kept, runs, flipped),
                }
            ),
            style=Markup(_asset("page.css")),
            scripts=[Markup(script) for script in scripts],
            policy=_policy(scripts),
            version=version("uaeval"),
        )
    )


def _title(runs: Sequence[Evaluation]) -> str:
    names = [run.name for run in runs]
    if len(runs) == 1 and runs[0].system not in names:
        names.append(f"({runs[0].system})")
    return (" vs " if len(runs) > 1 else " ").join(names)


@cache
def _asset(name: str) -> str:
    return (_ASSETS / name).read_text(encoding="utf-8")


def _policy(scripts: Sequence[str]) -> str:
    """Return a content security policy that allows the page's own scripts and no connection."""
    hashes = (base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in scripts)
    allowed = " ".join(f"'sha256-{digest}'" for digest in hashes)
    return (
        f"default-src 'none'; script-src {allowed}; style-src 'unsafe-inline'; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )


@cache
def _environment() -> Environment:
    """Return the environment of the page's templates, with the functions of the report modules."""
    created = environment("uaeval.report.html", "assets", html=True)
    created.policies["json.dumps_kwargs"] = {
        "ensure_ascii": False,
        "separators": (",", ":"),
        "allow_nan": False,
    }
    created.policies["json.dumps_function"] = json.dumps
    for module in (all_scores, charts, comparison, context, costs, dataset, overview, tables):
        created.globals |= vars(module)
    return created
