"""What a passage says about a claim, told from shared words, amounts, negation and modals."""

import re
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache
from itertools import pairwise

from uaeval.llm.rules.english import contrast, grammar, meaning
from uaeval.llm.rules.english.openings import without_story
from uaeval.llm.rules.english.quantities import Quantity, quantities
from uaeval.llm.rules.english.scope import names_and_years, words_in
from uaeval.llm.rules.mining.sentences import plain, split
from uaeval.llm.rules.stance import Stance
from uaeval.types import Passage

_ENOUGH = 0.75
"""Share of a claim's words that a statement must hold, to speak to the claim at all."""
_SURE = 0.85
"""Share that a statement and its headings must hold, to support a claim."""
_LEAST = 0.66
"""Share of a question's words that a statement and its headings must hold, to answer it."""
_NEARLY = 0.45
"""Share that they and the statement before must hold, to deny a claim with `no` or `not`."""
_OWN = 0.5
"""Share that must stand in the statement itself and not only in the headings above it."""


class Force(StrEnum):
    """What a statement does with its content."""

    STATED = "stated"
    ALLOWED = "allowed"
    REQUIRED = "required"
    FREED = "freed"
    FORBIDDEN = "forbidden"


_FORCES = (
    (
        Force.FREED,
        r"(?:do|does|did|will)(?:n't| not) (?:have|need) to|\bnot (?:required|necessary|mandatory|"
        r"needed|obliged)|\boptional\b|\bno need\b|needn't|need not|\bwithout having to\b|"
        r"voluntary",
    ),
    (
        Force.FORBIDDEN,
        r"\b(?:can|could|must|may|should|shall|will|would|do|does|did|is|are|was|were|has|have)"
        r"(?: not|n't)\b|\bcannot\b|\bnever\b|\bprohibit|\bforbid|\bunable to\b|\bineligible\b|"
        r"\bno longer\b|\bnot (?:be|allowed|permitted|eligible|available|reimbursable)\b|"
        r"\bavoid\b|\bbanned\b|\bexcluded\b|^no\b|\bnot\b",
    ),
    (
        Force.REQUIRED,
        r"\bmust\b|\b(?:have|has|had|need|needs) to\b|\brequire[sd]?\b|\bmandatory\b|\bshall\b|"
        r"\bobligat|\bcompulsory\b",
    ),
    (Force.ALLOWED, r"\bcan\b|\bmay\b|\ballow|\bpermit|\beligible\b|\bable to\b|\bentitled\b"),
)
_CONFLICTS = {
    frozenset((Force.ALLOWED, Force.FORBIDDEN)),
    frozenset((Force.STATED, Force.FORBIDDEN)),
    frozenset((Force.REQUIRED, Force.FORBIDDEN)),
    frozenset((Force.REQUIRED, Force.FREED)),
}
_WEAK = {
    frozenset((Force.ALLOWED, Force.REQUIRED)),
    frozenset((Force.ALLOWED, Force.FREED)),
    frozenset((Force.STATED, Force.FREED)),
    frozenset((Force.FORBIDDEN, Force.FREED)),
}
_HEDGE = re.compile(r"(?i)\b(?:unless|except|until|usually|generally|typically|sometimes|often)\b")
_CLAUSE = re.compile(r"[;:]|,? \b(?:but|unless|except|although|though|whereas|while|because)\b")


@dataclass(frozen=True, slots=True)
class Statement:
    """One sentence, list entry or table row, prepared for comparison."""

    text: str
    stems: frozenset[str]
    quantities: tuple[Quantity, ...]
    before: frozenset[str] = frozenset()
    """The concepts of the statement before it."""
    around: frozenset[str] = frozenset()
    """Every word of the passage that it stands in."""


def stance(claim: str, passage: Passage) -> Stance:
    """Say whether a passage supports or contradicts a declarative claim, or is silent on it.

    One statement that supports outweighs one that contradicts: then the passage is no disproof.
    """
    context = meaning.concepts(f"{passage.title} {passage.heading}")
    leaf = meaning.concepts((passage.heading or passage.title).split(" › ")[-1])
    found = {_compare(claim, statement, context, leaf) for statement in statements(passage.text)}
    if Stance.SUPPORTS in found:
        return Stance.SUPPORTS
    return Stance.CONTRADICTS if Stance.CONTRADICTS in found else Stance.SILENT


def answers(question: str, answer: str, passage: Passage) -> Stance:
    """Say whether a passage gives this answer to the question, gives another, or none.

    Two statements are read together only where no single one speaks to the question.
    """
    verdict = re.match(r"(?i)(yes|no)(?:[,.:;]\s*|$)", answer)
    told = answer[verdict.end() :] if verdict else answer
    if verdict and len(meaning.concepts(told)) >= 2:
        return stance(told, passage)
    wanted = asked(question)
    above = f"{passage.title} {passage.heading}"
    context = meaning.concepts(above) | words_in(above)
    leaf = meaning.concepts(passage.heading.rpartition(" › ")[2])
    for texts in (statements(passage.text), _pairs(passage.text)):
        found = {_answered(wanted, question, told, text, context, leaf) for text in texts}
        if found - {Stance.SILENT}:
            return Stance.SUPPORTS if Stance.SUPPORTS in found else Stance.CONTRADICTS
    return Stance.SILENT


CONTACT = re.compile(r"(?<![#\w])#[a-z][\w-]*\w|[\w.+-]+@[\w-]+(?:\.[\w-]+)+|\bextension \d{3,5}\b")
_TURNING = meaning.concepts(
    "contact ask email reach call talk write message help stuck question answer channel turn go"
)
"""Words for turning to somebody: an address answers them without saying so."""


def coverage(text: str, passage: Passage) -> float:
    """Return the best share of the words of `text` that one statement with its headings holds."""
    wanted = asked(text)
    context = meaning.concepts(f"{passage.title} {passage.heading}")
    texts = (*statements(passage.text), *_pairs(passage.text))
    shares = (meaning.share(wanted, found.stems | context) for found in texts)
    return max(shares, default=0.0)


def force(text: str) -> Force:
    """Tell what a clause does with its content: states, allows, requires, frees or forbids."""
    lower = text.lower()
    return next((kind for kind, pattern in _FORCES if re.search(pattern, lower)), Force.STATED)


@lru_cache(maxsize=4096)
def statements(text: str) -> tuple[Statement, ...]:
    """Return every sentence, list entry and row of `text`, headings left out."""
    lines: list[str] = [""]
    for line in text.splitlines():
        bare = line.strip()
        if not bare or bare.startswith("#"):
            lines.append("")
        elif re.match(r"[-*+•|>]\s|\d+[.)]\s|\|", bare):
            lines.append(re.sub(r"^(?:[-*+•>|]|\d+[.)])\s*", "", bare))
        else:
            lines[-1] = f"{lines[-1]} {bare}".strip()
    pieces = [piece for line in lines if line for piece in _pieces(line)]
    around = words_in(text)
    return tuple(
        replace(
            _statement(piece),
            before=meaning.concepts(previous) if previous else frozenset(),
            around=around,
        )
        for previous, piece in zip(["", *pieces], pieces, strict=False)
    )


def _pieces(line: str) -> list[str]:
    found = split(line)
    rest = line[len(" ".join(found)) :].strip() if found else line
    return [plain(piece) for piece in (*found, rest) if len(piece.split()) > 1]


@lru_cache(maxsize=65536)
def _statement(text: str) -> Statement:
    return Statement(text=text, stems=meaning.concepts(text), quantities=quantities(text))


@lru_cache(maxsize=4096)
def _pairs(text: str) -> tuple[Statement, ...]:
    """Return each statement joined to the next one."""
    return tuple(
        replace(_statement(f"{first.text} {second.text}"), around=first.around)
        for first, second in pairwise(statements(text))
    )


_ASKING = re.compile(
    r"(?i)\b(?:how many|how much|how long|how often|how far|how|what time|what amount|what share|"
    r"what|which|who|whom|whose|where|when|why|stands? for|in advance|need|get|find)\b"
)


def asked(question: str) -> frozenset[str]:
    """Return the content of a question without its question words and amounts."""
    return meaning.words_only(_ASKING.sub(" ", without_story(question)))


def _compare(
    claim: str, statement: Statement, context: frozenset[str], leaf: frozenset[str]
) -> Stance:
    wanted = meaning.words_only(claim)
    own = meaning.share(wanted, statement.stems)
    whole = meaning.share(wanted, statement.stems | context)
    if not wanted & statement.stems or not _same_scope(claim, statement, context):
        return Stance.SILENT
    if _denies(claim, statement, wanted, context):
        return Stance.CONTRADICTS
    if own < _OWN or len(wanted & statement.stems) < min(2, len(wanted)):
        return Stance.SILENT
    if contrast.opposed(claim, statement.text) or (
        own < 1 and contrast.swapped(claim, statement.text)
    ):
        return Stance.CONTRADICTS
    if whole < _ENOUGH:
        return Stance.SILENT
    amounts = _amounts(quantities(claim), _bounded(statement))
    if amounts is not Stance.SUPPORTS:
        return amounts
    found = _forces(claim, statement.text, wanted)
    sure = meaning.share(wanted, statement.stems | leaf) >= _SURE
    return Stance.SILENT if found is Stance.SUPPORTS and not sure else found


def _denies(
    claim: str, statement: Statement, wanted: frozenset[str], context: frozenset[str]
) -> bool:
    """Say whether a statement denies what a claim affirms, or the other way round.

    The words of the statement before it may fill in what the statement leaves out.
    """
    clashing = meaning.conflict(claim, statement.text) - _named_in(claim, statement.text)
    clashing &= statement.stems | wanted
    if not clashing or (_HEDGE.search(statement.text) and not _HEDGE.search(claim)):
        return False
    if names_and_years(statement.text) - names_and_years(claim) - context - meaning.CALENDAR:
        return meaning.share(wanted, statement.stems) >= _ENOUGH
    near = meaning.share(wanted, statement.stems | context | statement.before)
    return near >= (_NEARLY if len(wanted & statement.stems) > 1 else _ENOUGH)


def _named_in(*texts: str) -> frozenset[str]:
    """Return the names in texts; unlike `names_and_years` also those that open a sentence."""
    words = {word for text in texts for word in grammar.words(text) if word[:1].isupper()}
    opening = {text.split()[0] for text in texts if text.split()}
    return meaning.concepts(
        " ".join(word for word in words if word not in opening or not grammar.lemmas(word))
    )


_CAPACITY = re.compile(
    r"\b(?:holds?|seats?|carry|carries|takes?|accommodates?|fits?|room for|space for|up to)\b"
)


def _bounded(statement: Statement) -> tuple[Quantity, ...]:
    """Return a statement's amounts; what a room holds is an upper bound."""
    if not _CAPACITY.search(statement.text):
        return statement.quantities
    return tuple(
        replace(item, bound=-1) if item.unit in {"people", "person"} and not item.bound else item
        for item in statement.quantities
    )


def _same_scope(claim: str, statement: Statement, context: frozenset[str]) -> bool:
    """Say whether the names and years of a claim stand in a statement or in its headings.

    A statement that names nothing itself takes the names of the passage around it.
    """
    missing = names_and_years(claim) - words_in(statement.text) - context - meaning.CALENDAR
    if not missing:
        return True
    if names_and_years(statement.text) - names_and_years(claim) - meaning.CALENDAR:
        return False
    return missing <= statement.around


def _amounts(claimed: tuple[Quantity, ...], stated: tuple[Quantity, ...]) -> Stance:
    for quantity in claimed:
        if quantity.unit == "calendar year":
            continue
        same = [other for other in stated if other.unit == quantity.unit]
        if not same:
            return Stance.SILENT
        if not any(quantity.agrees(other) for other in same):
            return Stance.CONTRADICTS
    return Stance.SUPPORTS


def _forces(claim: str, text: str, wanted: frozenset[str]) -> Stance:
    clauses = [piece for piece in _CLAUSE.split(text) if piece]
    clause = max(clauses, key=lambda piece: len(wanted & meaning.concepts(piece)))
    pair = frozenset((force(claim), force(clause)))
    if pair in _CONFLICTS:
        murky = _HEDGE.search(text) and not _HEDGE.search(claim)
        return Stance.SILENT if murky else Stance.CONTRADICTS
    return Stance.SILENT if pair in _WEAK else Stance.SUPPORTS


def _answered(
    sought: frozenset[str],
    question: str,
    answer: str,
    statement: Statement,
    context: frozenset[str],
    leaf: frozenset[str],
) -> Stance:
    held = statement.stems | _TURNING if CONTACT.search(answer) else statement.stems
    own, whole = meaning.share(sought, held), meaning.share(sought, held | context)
    if own < _OWN and not (sought & leaf and _is_told(statement, answer)):
        return Stance.SILENT
    if whole < _LEAST or not _same_scope(question, statement, context):
        return Stance.SILENT
    told, wanted = quantities(answer), meaning.words_only(answer)
    amounts = _answer_amounts(told, statement, sought)
    if amounts is Stance.CONTRADICTS:
        return Stance.CONTRADICTS if own >= 0.9 else Stance.SILENT
    if amounts is Stance.SUPPORTS and meaning.share(wanted, statement.stems) >= (
        0.8 if wanted else 0
    ):
        return Stance.SUPPORTS if told or wanted else Stance.SILENT
    return Stance.SILENT


def _is_told(statement: Statement, answer: str) -> bool:
    """Say whether an answer is the whole statement, which its heading makes one to the question."""
    return meaning.share(statement.stems, meaning.concepts(answer)) >= _SURE


def _answer_amounts(
    told: tuple[Quantity, ...], statement: Statement, sought: frozenset[str]
) -> Stance:
    """Compare an answer's amounts; a bare number takes the unit that the question names."""
    plain_units = {"number", "calendar year"}
    bare = [item for item in told if item.unit in plain_units]
    if not bare:
        return _amounts(told, statement.quantities)
    named = [item for item in statement.quantities if meaning.concepts(item.unit) & sought]
    asked_for = named or list(statement.quantities)
    values = {item.value for item in asked_for}
    if all(item.value in values for item in bare):
        return Stance.SUPPORTS
    same_kind = [item for item in asked_for if item.unit in plain_units or item in named]
    return Stance.CONTRADICTS if same_kind else Stance.SILENT
