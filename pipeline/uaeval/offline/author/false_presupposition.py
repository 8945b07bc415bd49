"""Write queries that presuppose what a passage denies: a polarity or a figure is changed."""

import re
from dataclasses import replace

from uaeval.categories.false_presupposition import FalsePresuppositionDraft
from uaeval.llm.replies import Written
from uaeval.offline.facts import facts, standalone_clauses
from uaeval.offline.phrases import cached
from uaeval.offline.tables import pick, sign, table
from uaeval.records import Passage
from uaeval.text.amounts import Kind, amounts
from uaeval.text.clauses import Clause, as_asker
from uaeval.text.english import MODALS, base, tag
from uaeval.text.words import wordlist

_LONGEST = 9  # words of a clause after its verb
_DECLINED = "no plain statement of the passage can be turned into its opposite"
_YEAR = re.compile(r"\b(?:1[5-9]|20)\d\d\b")
_LEAST_PLAIN = 3


def write(*, language: str, passage: Passage) -> Written[FalsePresuppositionDraft]:
    """Return a query that presupposes the opposite of the plainest statement; else decline."""
    _, draft = min(_drafts(passage), key=lambda ranked: ranked[0], default=(0, None))
    return Written[FalsePresuppositionDraft](declined=None if draft else _DECLINED, draft=draft)


def rank(passage: Passage) -> int:
    """Return how plain the passage's plainest premise is: 0 is best; more than any if none."""
    return min((plain for (plain, _), _ in _drafts(passage)), default=_LEAST_PLAIN + 1)


@cached
def _drafts(passage: Passage) -> tuple[tuple[tuple[int, int], FalsePresuppositionDraft], ...]:
    """Return a draft for each usable clause, after its rank: the lowest is the best."""
    fact_of = {fact.quote: fact for fact in reversed(facts(passage))}  # the plainest of each
    found = []
    for clause in standalone_clauses(passage):
        changed = _with_other_figure(clause)
        fact, figure = fact_of.get(clause.sentence), changed is not None
        if fact is None or not _is_categorical(clause, figure=figure):
            continue
        question, premise = _presupposing(changed or clause, figure=figure)
        length = len(f"{clause.subject} {clause.rest}".split())
        draft = FalsePresuppositionDraft(
            need="",
            twin=fact.twin,
            question=question,
            reason=f"Takes for granted: {premise} The passage says: {clause.sentence}",
            premise=premise,
            fact=clause.sentence,
        )
        found.append(((_plainness(clause, figure=figure), length), draft))
    return tuple(found)


def _plainness(clause: Clause, *, figure: bool) -> int:
    """Return how plain the opposite of a clause is: figures and denials are best.

    What the reader can do and what a thing does follow; last are passives and what will be.
    """
    if figure or clause.negated:
        return 0
    if clause.verb or clause.auxiliary == "can":
        return 1
    return 2 if clause.auxiliary in {"must", "should"} else _LEAST_PLAIN


def _is_categorical(clause: Clause, *, figure: bool) -> bool:
    """Return whether a statement holds without condition or degree, and can be doubted."""
    words = set(re.findall(r"[a-z]+", f"{clause.subject} {clause.rest}".lower()))
    judged = words & (wordlist("opinions") | wordlist("degrees"))
    conditional = sign("limit").search(clause.sentence)
    bare = clause.subject_inside.removeprefix("the ").lower()
    circular = f" {bare} " in f" {clause.rest.lower()} "
    brief = len(clause.rest.split()) <= _LONGEST
    return not (judged or conditional or circular) and (figure or (brief and _is_doubtable(clause)))


def _is_doubtable(clause: Clause) -> bool:
    """Return whether somebody may believe the opposite: of what is done, allowed or offered."""
    first = tag(clause.rest)[0]
    if not clause.negated and sign("scope").search(clause.sentence):
        return False
    if clause.verb:
        return clause.negated or base(clause.verb) in wordlist("doubtable")
    denied = clause.negated and clause.auxiliary in MODALS | {"do", "does", "did"}
    done = first.tag in {"VBN", "VBD"} and first.word not in wordlist("definitional")
    judged = re.match(r"be \w+ly\b|(?:be )?avoid", clause.rest)
    return (clause.auxiliary in {"can", "must", "should", "will"} and not judged) or denied or done


def _with_other_figure(clause: Clause) -> Clause | None:
    """Return the clause with its only figure changed; `None` if it has none or several."""
    if clause.negated or len(amounts(f"{clause.subject} {clause.rest}")) != 1:
        return None
    if other := _other_figure(clause.subject):
        return replace(clause, subject=other)
    other = _other_figure(clause.rest)
    return replace(clause, rest=other) if other else None


def _other_figure(text: str) -> str | None:
    """Return a text with its only figure doubled or halved, or with an earlier year."""
    found = amounts(text)
    restricts = found and sign("restricts").search(text[: found[0].start])
    if len(found) != 1 or restricts or found[0].kind in {Kind.TIME, Kind.MEASURE}:
        return None
    amount = found[0]
    if amount.kind is Kind.DATE:
        return _YEAR.sub(lambda year: str(int(year[0]) - 10), text)
    digits = re.search(r"(?<![\d.,])[1-9]\d{0,3}(?![\d,]|\.\d)", amount.text)
    doubles = table("false_presupposition")["doubles"]
    word = next((word for word in amount.text.split() if word.lower() in doubles), "")
    counted = re.match(r" (?:[a-z]+ ){0,2}[a-z]+s\b", text[amount.end :])
    if (not digits and not word) or (amount.kind is Kind.NUMBER and not counted):
        return None
    if word or digits is None:
        other = amount.text.replace(word, doubles[word.lower()])
    else:
        value = int(digits[0])
        if value == 1:
            return None
        changed = value // 2 if amount.kind is Kind.PERCENT and value > 50 else value * 2
        other = f"{amount.text[: digits.start()]}{changed}{amount.text[digits.end() :]}"
    return f"{text[: amount.start]}{other}{text[amount.end :]}"


def _presupposing(clause: Clause, *, figure: bool) -> tuple[str, str]:
    """Return a query and its premise: a clause with another figure, or the opposite of a clause."""
    negate = not figure and not clause.negated
    premise = clause.state(negate=negate)
    predicate = f" {clause.predicate}" if figure else premise.removeprefix(clause.subject)
    why = clause.ask_why(negate=negate)
    act = clause.negated and clause.second_person
    lack = not (figure or clause.negated) and (clause.verb or clause.auxiliary == "can")
    forms = table("false_presupposition")["act" if act else "lack" if lack else "reason"]
    form = pick(forms, clause.sentence)
    question = form.format(
        why=why,
        statement=as_asker(f"{clause.subject_inside}{predicate}".rstrip(".")),
        act=as_asker(clause.rest),
    )
    return question, premise
