"""Turn a clause into the questions that it answers, by kind."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from uaeval.offline.phrases import word_table
from uaeval.offline.tables import table
from uaeval.text.amounts import Kind, amounts
from uaeval.text.clauses import Clause, as_asker
from uaeval.text.english import MODALS, tag
from uaeval.text.parsing import joined
from uaeval.text.words import wordlist

QuestionAnswer = tuple[str, str]
_PRESENT = frozenset({"is", "are", "do", "does"})
_BE = frozenset({"is", "are", "was", "were"})
_RELATIVE = re.compile(r"\b(?:that|which|who|whose|where)\b|'ve\b")
_STARTS_OBJECT = frozenset({"DT", "NN", "NNS", "NNP", "NNPS", "JJ", "CD", "PRP$"})


def questions_of(clause: Clause) -> dict[str, QuestionAnswer]:
    """Return every question that a clause answers, by kind."""
    pairs = {kind: pair for kind, ask in _KINDS.items() if (pair := ask(clause)) is not None}
    return pairs | dict(_by_pattern(clause))


def has_content(text: str, least: int = 4) -> bool:
    """Return whether a text has enough nouns, adjectives and figures; one less if it has a name."""
    tokens = tag(text)
    names = any(token.word[:1].isupper() and token.word != "I" for token in tokens[1:])
    content = [token for token in tokens if token.tag[:2] in {"NN", "JJ", "CD"}]
    return len(content) >= least - names


def _inverted(clause: Clause, rest: str) -> str:
    return f"{clause.auxiliary} {clause.subject_inside} {as_asker(rest)}".strip(" ,")


def _by_pattern(clause: Clause) -> Iterator[tuple[str, QuestionAnswer]]:
    for kind, form in table("questions")["patterns"].items():
        match = re.fullmatch(form["rest"], clause.rest)
        if not match or clause.negated or not _suits(clause, form):
            continue
        groups = match.groupdict(default="")
        kept, act = groups.get("kept", "") + groups.get("tail", ""), groups.pop("act", "")
        brief = clause.second_person and not has_content(act or kept, least=2)
        cut = brief or _RELATIVE.search(kept)
        if cut or ("figure" in form and not amounts(groups[form["figure"]])):
            continue
        groups |= {"be": clause.auxiliary, "subject": clause.subject_inside}
        question = form["question"].format(
            asked=_inverted(clause, kept), act=as_asker(act), **groups
        )
        yield kind, (question, form.get("answer", "{answer}").format(**groups))


def _suits(clause: Clause, form: Mapping[str, Any]) -> bool:
    ability = clause.second_person and clause.auxiliary == "can"
    lasts = not form.get("lasting") or clause.auxiliary in MODALS | _PRESENT
    finite = form.get("finite", bool(clause.verb)) is bool(clause.verb)
    return lasts and finite and form.get("reader", "no") != ("no" if ability else "only")


def _date(clause: Clause) -> QuestionAnswer | None:
    """Ask when something happened, if the rest of a clause ends in `on` or `in` a date."""
    last = next(reversed(amounts(clause.rest)), None) if clause.rest[-1:].isdigit() else None
    if clause.negated or not last or last.kind is not Kind.DATE or last.end < len(clause.rest):
        return None
    event, _, preposition = clause.rest[: last.start].strip().rpartition(" ")
    if preposition not in {"in", "on"} or not event or amounts(event) or _RELATIVE.search(event):
        return None
    first = next((token.tag for token in tag(event) if token.tag != "RB"), "")
    if not (clause.verb or first.startswith("VB")):
        return None
    return f"When {_inverted(clause, event)}?", last.text


def _definition(clause: Clause) -> QuestionAnswer | None:
    match = re.match(r"(?:an?|the) ", clause.rest)
    if not match or clause.negated or clause.verb or clause.auxiliary not in _BE:
        return None
    if len(clause.subject.split()) > 5 or clause.second_person:
        return None
    head = re.split(r" (?:of|in|on|at|for|from|who|that|which|to|by|with|and)\b", clause.rest)[0]
    if tag(clause.rest)[-1].tag not in {"NN", "NNS", "NNP", "NNPS", "CD"}:
        return None
    person = clause.named and head.split()[-1].lower() in wordlist("persons")
    return f"{'Who' if person else 'What'} {clause.auxiliary} {clause.subject_inside}?", clause.rest


def _whether(clause: Clause) -> QuestionAnswer | None:
    unchanged = f"{clause.subject} {clause.predicate}."
    statement = unchanged if clause.verb else clause.state(negate=clause.negated)
    if clause.second_person or not clause.named:
        statement = statement[:1].lower() + statement[1:]
    return clause.ask(), f"{'No' if clause.negated else 'Yes'}, {statement.rstrip('.')}"


def _end(clause: Clause) -> QuestionAnswer | None:
    """Ask for what follows the preposition of a participle: `What is it based on?`."""
    tokens = tag(clause.rest)
    stranded = word_table("stranded")
    place = next((n for n, token in enumerate(tokens) if token.word in stranded), 0)
    kept, end = tokens[:place], joined([token.word for token in tokens[place + 1 :]])
    if clause.negated or not kept or clause.auxiliary not in _BE | MODALS or not end:
        return None
    preposition, last = tokens[place].word, kept[-1]
    kinds = {token.tag[:2] for token in kept if token.word != "up"}
    quality = kinds <= {"JJ", "RB"} and preposition in {"for", "from", "of", "to"}
    if not (quality or (kinds <= {"VB", "RB"} and last.tag in {"VBN", "VBD", "IN", "RP"})):
        return None
    if any(each.kind in {Kind.DATE, Kind.DURATION, Kind.TIME} for each in amounts(end)):
        return None
    asked = _inverted(clause, joined([token.word for token in kept]))
    if preposition in {"in", "at"}:
        located = last.word in word_table("placed")
        return (f"Where {asked}?", f"{preposition} {end}") if located else None
    if last.word == "used" and preposition in {"to", "for"}:
        return f"What {asked} for?", f"{preposition} {end}"
    following = tokens[place + 1].tag
    named = following in _STARTS_OBJECT or (following == "VBG" and preposition != "by")
    if not named or end in word_table("idioms") or (preposition == "to" and not quality):
        return None
    return f"What {asked} {preposition}?", end


_KINDS = {"date": _date, "definition": _definition, "end": _end, "whether": _whether}
ORDER = (
    "how",
    *(kind for kind in _KINDS if kind != "whether"),
    *table("questions")["patterns"],
    "entry",
    "whether",
)
"""The kinds of questions; those with the plainest answers first."""
