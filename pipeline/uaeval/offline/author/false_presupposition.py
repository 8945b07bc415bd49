"""Write queries that take for granted what the passage denies: a polarity or a value is changed."""

import re
from collections.abc import Iterator
from dataclasses import replace

from uaeval.categories.false_presupposition import FalsePresuppositionDraft
from uaeval.llm.replies import Written
from uaeval.offline.facts import facts, standing
from uaeval.offline.tables import pick, templates
from uaeval.records import Passage
from uaeval.text.clauses import Clause, as_asker
from uaeval.text.english import MODALS, base, tag
from uaeval.text.wordlists import wordlist

LONGEST = 11
"""Words of a statement after its subject."""
DECLINED = "no plain statement of the passage can be turned into its opposite"
_CONDITION = re.compile(
    r"\b(?:if|unless|except|however|only|when|until|for (?:example|instance))\b|\d\.\d", re.I
)
"""Words that limit a statement or make it an instance; versions, of which there are several."""
_CONTRAST = re.compile(r"\b(?:but|while|though)\b", re.I)
_FIGURE = re.compile(
    r"(?<![\w.,$-])(\d{1,3})(?= [a-z]+s\b)|(?<=\bin )((?:1[5-9]|20)\d\d)\b(?![-–/])"
)


def write(*, language: str, passage: Passage) -> Written[FalsePresuppositionDraft]:
    """Return the query that turns the passage's plainest statement round, or why there is none."""
    drafts = sorted(_drafts(passage), key=lambda ranked: ranked[0])
    draft = drafts[0][1] if drafts else None
    return Written[FalsePresuppositionDraft](declined=None if draft else DECLINED, draft=draft)


def _drafts(passage: Passage) -> Iterator[tuple[int, FalsePresuppositionDraft]]:
    twins = {fact.quote: fact for fact in reversed(facts(passage))}  # the plainest of each
    for clause in standing(passage):
        changed, twin = _other_value(clause), twins.get(clause.sentence)
        if twin is None or not _is_categorical(clause, figure=changed is not None):
            continue
        asked, premise = _turned(changed or clause, value=changed is not None)
        yield (
            _rank(clause, changed),
            FalsePresuppositionDraft(
                twin=twin.twin,
                question=asked,
                reason=f"Takes for granted: {premise} The passage says: {clause.sentence}",
                premise=premise,
                fact=clause.sentence,
            ),
        )


def _is_categorical(clause: Clause, *, figure: bool) -> bool:
    """Return whether a statement holds without condition or degree and has a doubtable matter."""
    said = set(re.findall(r"[a-z]+", f"{clause.subject} {clause.rest}".lower()))
    judged = said & (wordlist("opinions") | wordlist("degrees"))
    conditional = _CONDITION.search(clause.sentence) or _CONTRAST.search(clause.rest)
    brief = len(clause.rest.split()) <= LONGEST
    return not (judged or conditional) and (figure or (brief and _is_doubtable(clause)))


def _is_doubtable(clause: Clause) -> bool:
    """Return whether somebody may believe the opposite: of what is done, allowed or offered."""
    first = tag(clause.rest)[0]
    if clause.verb:
        return clause.negated or base(clause.verb) in wordlist("doubtable")
    denied = clause.negated and clause.auxiliary in MODALS | {"do", "does", "did"}
    done = first.tag in {"VBN", "VBD"} and first.word not in wordlist("definitional")
    judged = clause.auxiliary == "can" and re.match(r"be \w+ly\b", clause.rest)
    return (clause.auxiliary in {"can", "will"} and not judged) or denied or done


def _other_value(clause: Clause) -> Clause | None:
    """Return the clause with its one figure changed, `None` if it states none."""
    figures = list(_FIGURE.finditer(clause.rest))
    if len(figures) != 1 or clause.negated or len(re.findall(r"\d+", clause.rest)) != 1:
        return None
    (figure,) = figures
    year, value = bool(figure[2]), int(figure[0])
    other = value - 6 if year else value * 2
    rest = clause.rest[: figure.start()] + str(other) + clause.rest[figure.end() :]
    return replace(clause, rest=rest) if value > 1 else None


def _turned(clause: Clause, *, value: bool) -> tuple[str, str]:
    """Return a question that takes the opposite for granted, and the opposite as a statement."""
    negate = not value and not clause.negated
    premise = clause.state(negate=negate)
    impossible = negate and clause.second_person and clause.auxiliary == "can"
    forms = templates("false_presupposition", "impossible" if impossible else "why")
    if clause.auxiliary in {"do", "does", "did"} and not negate:
        forms = [form for form in forms if "{said}" not in form]
    said = as_asker(f"{clause.subject_inside}{premise.removeprefix(clause.subject)}".rstrip("."))
    form = pick(forms, clause.sentence)
    why, asked = clause.ask_why(negate=negate), clause.asked_rest
    return form.format(why=why, said=said, rest=clause.rest, asked=asked), premise


def _rank(clause: Clause, changed: Clause | None) -> int:
    """Prefer figures, then duties and prohibitions, then the rest; short before long."""
    plain = 0 if changed else 1 if clause.negated or clause.auxiliary == "can" else 2
    return 100 * plain + len(clause.rest)
