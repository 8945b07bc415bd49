"""The HTML page: one file with its data, styles and scripts."""

import base64
import hashlib
import json
import random
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence, Set
from functools import cache, partial
from importlib.metadata import version
from itertools import chain
from pathlib import Path
from typing import Final, TypeAlias

from jinja2 import Environment
from markupsafe import Markup, escape

from uaeval.categories.registry import categories
from uaeval.evaluation.compare import ChangedOutcome, compare, flips
from uaeval.evaluation.evaluation import Evaluation
from uaeval.evaluation.judging.judge import UNDECIDED_LABEL, Undecided
from uaeval.evaluation.metrics import registry
from uaeval.evaluation.metrics.attribution import METRIC as ATTRIBUTION
from uaeval.records import Blocked, Chunk, Failure, Judgement, Query
from uaeval.report import comparison, context, costs, dataset, overview, tables
from uaeval.report.context import outcome
from uaeval.report.html import charts
from uaeval.report.html.charts import Chart
from uaeval.report.text import environment, legible
from uaeval.run_folder import RunFolder
from uaeval.storage import stream_journal

_LIBRARIES = ("vendor/d3.min.js", "vendor/plot.umd.min.js")
_SCRIPTS = ("charts.js", "tables.js", "scroll.js", "passages.js", "queries.js")
Row: TypeAlias = dict[str, object]
LISTED: Final = 2_000
"""Most queries that a page lists; from a larger dataset, pairs are drawn at random."""


def report_page(
    runs: Sequence[Evaluation],
    dataset: RunFolder | None = None,
    *,
    home: str = "",
    review: str = "",
) -> str:
    """Return the page about one evaluation, about several, or about the `dataset` alone.

    It links to `home`, the list of runs, and to `review`, the dataset's review, if they are given.
    Raise `StorageError` if the runs cannot be compared, or a file cannot be read.
    """
    dataset = dataset or runs[0].dataset
    asked = [{query.id for query in run.queries} for run in runs]
    known = runs[0].queries if runs else dataset.queries()
    queries = [query for query in known if all(query.id in ids for ids in asked)]
    comparisons, flipped = (compare(runs), flips(runs)) if len(runs) > 1 else ((), ())
    in_tables = (members[: comparison.FLIPS] for members in comparison.flips_by_runs(flipped))
    kept = listed(queries, {flip.query_id for members in in_tables for flip in members})
    drawn = list[Chart]()
    scripts = [*map(_asset, _LIBRARIES), "\n".join(map(_asset, _SCRIPTS))]
    data = {
        "review": review,
        "runs": [run.name for run in runs],
        "judges": [run.manifest.models["judge"] for run in runs],
        "categories": {
            spec.name: {"title": spec.title, "definition": spec.definition, "rule": spec.acceptance}
            for spec in categories()
        },
        **query_rows(dataset, kept, runs, flipped),
    }
    name, title = dataset.path.resolve().name, " vs ".join(run.name for run in runs)
    if len(runs) == 1 and runs[0].system != title:
        title += f" ({runs[0].system})"
    template = _environment().get_template("page.html.jinja")
    return template.render(
        title=title or name,
        dataset=name,
        synthesis=dataset.existing_manifest(),
        home=home,
        review=review,
        runs=runs,
        queries=len(queries),
        listed=len(kept),
        comparisons=comparisons,
        flipped=flipped,
        categories=categories(),
        links=[],
        drawn=drawn,
        data=lambda: shown(data | {"charts": [chart["drawn"] for chart in drawn]}),
        style=Markup(_asset("page.css")),
        scripts=[Markup(script) for script in scripts],
        policy=_policy(scripts),
        version=version("uaeval"),
    )


@cache
def _asset(name: str) -> str:
    return Path(__file__).with_name("assets").joinpath(name).read_text(encoding="utf-8")


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
    options = {"ensure_ascii": False, "separators": (",", ":"), "allow_nan": False}
    created.policies |= {"json.dumps_kwargs": options, "json.dumps_function": json.dumps}
    created.filters["breakable"] = lambda name: escape(name).replace("_", Markup("_<wbr>"))
    created.filters["unbroken"] = partial(re.sub, r"(?<=\d) %", "\N{NO-BREAK SPACE}%")
    for module in (registry, charts, comparison, context, costs, dataset, overview, tables):
        created.globals |= vars(module)
    return created


class Passages:
    """Collects passages by their text, and numbers them from 0."""

    def __init__(self, chunks: Iterable[Chunk]) -> None:
        self._chunks = {chunk.id: chunk for chunk in chunks}
        self._numbers: dict[str, int] = {}
        self.rows: list[Row] = []
        """Rows with `text`, and with `id` and `title` if they are known."""

    def of_chunks(self, chunk_ids: Iterable[str]) -> list[int]:
        """Return the numbers of the chunks, without those that the dataset no longer has."""
        chunks = (self._chunks.get(chunk_id) for chunk_id in chunk_ids)
        return [self.number(chunk.text, chunk.id) for chunk in chunks if chunk]

    def number(self, text: str, name: str | None) -> int:
        """Return the number of a passage, given its id if it is known."""
        if text not in self._numbers:
            self._numbers[text] = len(self.rows)
            chunk = self._chunks.get(name or "")
            above = (chunk.title, chunk.heading) if chunk and chunk.text == text else ()
            self.rows.append({"text": text, "id": name, "title": " › ".join(filter(None, above))})
        return self._numbers[text]


def shown(value: object) -> object:
    """Return `value` without empty fields, with legible texts and rounded ratios."""
    if isinstance(value, str):
        return legible(value)
    if isinstance(value, float):
        return round(value, 4)
    if isinstance(value, Mapping):
        return {key: shown(part) for key, part in value.items() if part not in (None, [], "")}
    return [shown(part) for part in value] if isinstance(value, list | tuple) else value


def listed(queries: Sequence[Query], always: Set[str]) -> Sequence[Query]:
    """Return the queries that a page lists: all, or a sample of pairs and the ids in `always`."""
    if len(queries) <= LISTED:
        return queries
    drawn = set(random.Random(0).sample(list(dict.fromkeys(map(_pair, queries))), LISTED // 2))
    return [query for query in queries if _pair(query) in drawn or query.id in always]


def _pair(query: Query) -> str:
    return min(query.id, query.pair_id or query.id)


def query_rows(
    dataset: RunFolder,
    queries: Sequence[Query],
    runs: Sequence[Evaluation],
    flips: Iterable[ChangedOutcome],
) -> dict[str, list[Row]]:
    """Return one row per query with its outcome in each of `runs`, and the passages.

    The field `flips` names the runs in which the query flipped, as `<right>-<wrong>` by index.
    """
    path = dataset.chunks_path
    passages = Passages(stream_journal(path, Chunk) if path.exists() else ())
    place = {run.name: number for number, run in enumerate(runs)}
    flipped = defaultdict[str, list[str]](list)
    for flip in flips:
        flipped[flip.query_id].append(f"{place[flip.good]}-{place[flip.bad]}")
    ids = {query.id for query in queries}
    results = [_outcomes(run, ids, passages) for run in runs]
    rows = [
        {
            **_query_row(query, passages),
            "flips": flipped.get(query.id),
            "runs": [outcomes[query.id] for outcomes in results],
        }
        for query in queries
    ]
    return {"queries": rows, "passages": passages.rows}


def _query_row(query: Query, passages: Passages) -> Row:
    rationales = [check.rationale for check in query.checks if check.name == "verifier"]
    kind = "twin" if query.pair_category else "control"
    return {
        "id": query.id,
        "pair": query.pair_id,
        "category": query.pair_category,
        "subtype": query.subtype,
        "kind": kind if query.answerable else "query",
        "question": query.conversation,
        "reason": query.reason,
        "reference": query.reference_answer,
        "outside": query.outside_answer,
        "verifier": " ".join(rationales),
        "document": query.provenance.document_id,
        "evidence": [
            {
                "claim": evidence.claim,
                "outcome": evidence.outcome.value,
                "supports": passages.of_chunks(evidence.supports),
                "contradicts": passages.of_chunks(evidence.contradicts),
                "silent": len(evidence.silent),
            }
            for evidence in query.evidence
        ],
        "readings": [
            {
                "question": reading.question,
                "answer": reading.answer,
                "passage": next(iter(passages.of_chunks([reading.chunk_id])), None),
            }
            for reading in query.readings
        ],
    }


def _outcomes(run: Evaluation, ids: Set[str], passages: Passages) -> dict[str, Row]:
    responses = {reply.query_id: reply for reply in run.stream_responses() if reply.query_id in ids}
    judged = defaultdict[str, list[Row]](list)
    for judgement in chain[Judgement | Undecided](run.stream_judgements(), run.undecided):
        if judgement.query_id in ids:
            row: Row = {
                "metric": judgement.metric.value,
                "rationale": judgement.rationale,
                "label": getattr(judgement, "label", UNDECIDED_LABEL),
                "votes": getattr(judgement, "votes", None),
            }
            judged[judgement.query_id].append(row)
    faults = {record.query_id: record for record in run.records(ATTRIBUTION)}
    troubles = _troubles(run)
    rows = dict[str, Row]()
    for item in (item for item in run.items if item.query_id in ids):
        response, fault = responses.get(item.query_id), faults.get(item.query_id)
        contexts = response.retrieved_contexts if response else ()
        rows[item.query_id] = {
            "outcome": outcome(item),
            "verdict": item.verdict and item.verdict.value,
            "text": response and response.text,
            "contexts": [passages.number(context.text, context.id) for context in contexts],
            "latency": response and response.latency_s,
            "judged": judged[item.query_id],
            "fault": fault and fault.fault.value,
            "why": fault and fault.rationale,
            "troubles": troubles.get(item.query_id),
        }
    return rows


def _troubles(run: Evaluation) -> Mapping[str, list[str]]:
    """Return descriptions of failed and blocked calls, by query id."""
    troubles = defaultdict[str, list[str]](list)
    for call in chain[Failure | Blocked](run.failures, run.blocked):
        failed = f"failed: {call.kind}" if isinstance(call, Failure) else None
        problem = failed or "was blocked by a content filter"
        query_id = call.id if call.stage == "respond" else call.id.rpartition("/")[0]
        troubles[query_id].append(f"{call.stage} {problem}: {call.message}")
    return troubles
