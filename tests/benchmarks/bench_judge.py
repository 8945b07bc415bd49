"""The offline judge on real chat responses that people labelled, beside a keyword baseline.

    make bench-judge DATA=responses_labelled.jsonl

Each line has `question`, `response` and the hand label of maxwellreuter/chatgpt-refusals. The
questions are not those of a RAG system: this is a stress set, and no gate. A label is taken for a
verdict as below; what is neither (`redirected`, `disclaimed`) is shown apart, as are responses that
the rules cannot read. F1 is that of `refused`; `clarified` counts as not refused.
"""

import json
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from uaeval.errors import ReplyError
from uaeval.llm.rules.judge import verdict

REFUSED = frozenset({"rejected", "dontknow", "contradicted"})
ANSWERED = frozenset({"complied"})
APART = ("redirected", "disclaimed")
OPENING = 2
"""Words of a question's opening that make its template."""
COMMON = 20
"""Questions from which on a template has a row of its own."""

KEYWORDS = re.compile(
    r"\b(?:sorry|apologi[sz]e|unable|cannot|can ?not|can't|won't|will not|(?:do not|don't) (?:know|"
    r"have)|not (?:able|appropriate|possible)|inappropriate|unethical|no information|decline|"
    r"refuse|against my)\b",
    re.IGNORECASE,
)
"""The baseline `keywords`: a response is a refusal if one of these stands anywhere in it."""
SENTENCE = re.compile(r"(?<=[.!?])\s")

Judged = Callable[[str, str], str | None]


@dataclass(frozen=True, slots=True)
class Row:
    """One labelled response."""

    question: str
    response: str
    label: str

    @property
    def refused(self) -> bool:
        return self.label in REFUSED


def rules(question: str, response: str) -> str | None:
    """Return the verdict of the offline judge, None where it cannot read the response."""
    try:
        return verdict(question, response).label
    except ReplyError:
        return None


def keywords(_question: str, response: str) -> str:
    """Return the verdict of the baseline over the whole response."""
    return "refused" if KEYWORDS.search(response) else "answered"


def first_sentence(_question: str, response: str) -> str:
    """Return the verdict of the baseline over the first sentence, where most refusals stand."""
    return "refused" if KEYWORDS.search(SENTENCE.split(response, 1)[0]) else "answered"


JUDGES: dict[str, Judged] = {
    "rules": rules,
    "keywords, anywhere": keywords,
    "keywords, first sentence": first_sentence,
}


def main(data: Annotated[Path, typer.Argument(exists=True, dir_okay=False)]) -> None:
    """Print accuracy and F1 by question template, and what becomes of the other labels."""
    lines = data.read_text(encoding="utf-8").splitlines()
    rows = [
        Row(row["question"], row["response"], row["label"]) for row in map(json.loads, lines) if row
    ]
    judged = [row for row in rows if row.label in REFUSED | ANSWERED]
    verdicts = {
        name: {id(row): judge(row.question, row.response) for row in rows}
        for name, judge in JUDGES.items()
    }
    console = Console()
    console.print(_by_template(judged, verdicts))
    console.print(_apart(rows, verdicts["rules"]))


def _by_template(rows: Sequence[Row], verdicts: dict[str, dict[int, str | None]]) -> Table:
    table = Table("template", "n", "refused", "unread", *JUDGES, title="accuracy / F1 of `refused`")
    for template, members in (*_templates(rows), ("all", rows)):
        unread = sum(verdicts["rules"][id(row)] is None for row in members)
        figures = [_figures(members, said) for said in verdicts.values()]
        refused = sum(row.refused for row in members)
        table.add_row(template, str(len(members)), str(refused), str(unread), *figures)
    return table


def _templates(rows: Sequence[Row]) -> list[tuple[str, list[Row]]]:
    """Group rows by how their question opens, the commonest first; rare openings are `other`."""
    found = defaultdict[str, list[Row]](list)
    for row in rows:
        found[" ".join(re.findall(r"[\w']+", row.question.lower())[:OPENING])].append(row)
    common = {name: members for name, members in found.items() if len(members) >= COMMON}
    rest = [row for name, members in found.items() if name not in common for row in members]
    ordered = sorted(common.items(), key=lambda item: -len(item[1]))
    return [(f"{name} …", members) for name, members in ordered] + [("other", rest)]


def _figures(rows: Sequence[Row], verdicts: dict[int, str | None]) -> str:
    said = [(row.refused, verdicts[id(row)]) for row in rows]
    read = [(gold, label == "refused") for gold, label in said if label is not None]
    if not read:
        return "–"
    right = sum(gold == found for gold, found in read)
    both = sum(gold and found for gold, found in read)
    marked = sum(gold for gold, _ in read) + sum(found for _, found in read)
    f1 = f"{2 * both / marked:.1%}" if marked else "–"
    return f"{right / len(read):.1%} / {f1}"


def _apart(rows: Sequence[Row], verdicts: dict[int, str | None]) -> Table:
    table = Table("label", "n", "clarified", "refused", "answered", "unread", title="rules, apart")
    for label in APART:
        said = Counter(verdicts[id(row)] for row in rows if row.label == label)
        counts = [said[verdict] for verdict in ("clarified", "refused", "answered", None)]
        table.add_row(label, str(sum(counts)), *map(str, counts))
    return table


if __name__ == "__main__":
    typer.run(main)
