"""A run whose every text tries to break the page that shows it."""

import os
from dataclasses import replace
from pathlib import Path

from tests.evaluation.records import both, scores
from tests.report.written_run import write_judged, write_run

from uaeval.config import RESPONSES
from uaeval.evaluation.evaluation import write_scores
from uaeval.evaluation.run import JUDGEMENTS
from uaeval.records import Context, Judgement, Query, Response
from uaeval.run_folder import RunFolder
from uaeval.storage import read_journal, write_journal

HOSTILE = (
    "<script>window.hacked = 1</script>",
    "</script><img src=x onerror='window.hacked = 1'>",
    "</style><style>body { display: none }</style>",
    "[click](javascript:window.hacked=1) javascript:alert(1)",
    "<!--<script>",
    "abc\u202egnp.exe\u2066",
    f"{70 * 'Donaudampfschifffahrt'} in one word",
    "\u05de\u05ea\u05d9 abc (1) \u05e0\u05e4\u05ea\u05d7?",
    "```html\n<b onclick='window.hacked = 1'>\n```\n# head\n| a | b |",
    "&lt;b&gt; &amp; {{ 7 * 7 }} ${7 * 7}",
)


def write_hostile(dataset: Path) -> Path:
    """Write a run whose every text is hostile, one answer of which has 100,000 characters."""
    queries = [
        replace(query, question=f"{bad} {query.id}", reason=query.reason and bad)
        for number, query in enumerate(write_run(dataset, 12))
        for bad in [HOSTILE[number % len(HOSTILE)]]
    ]
    write_journal(RunFolder(dataset).queries_path, Query, queries)
    folder = write_judged(dataset, os.fsdecode(b"<i>\xff\xe2\x80\xae"), queries)
    responses = [
        replace(
            one,
            text=bad if number else f"{bad} {100_000 * 'x'}",
            retrieved_contexts=(Context(id=bad, text=f"context {bad}"),),
        )
        for number, one in enumerate(read_journal(folder / RESPONSES, Response))
        for bad in [HOSTILE[number % len(HOSTILE)]]
    ]
    judgements = [
        replace(one, rationale=HOSTILE[number % len(HOSTILE)])
        for number, query in enumerate(queries[:-1])
        for one in both(query, "refused", "no")
    ]
    write_journal(folder / RESPONSES, Response, responses)
    write_journal(folder / JUDGEMENTS, Judgement, judgements)
    write_scores(folder / "scores.json", scores(queries, responses, judgements))
    return folder
