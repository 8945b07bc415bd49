"""What a passage says about a claim, told from shared words, amounts, negation and modals."""

import re
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from uaeval.llm.rules import grammar
from uaeval.llm.rules.quantities import Quantity, quantities
from uaeval.llm.rules.sentences import plain, split
from uaeval.types import Passage, Stance

_ENOUGH = 0.75
"""Share of a claim's words that a statement must hold, to speak to the claim at all."""
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
        r"needed|obliged)|\boptional\b|\bno need\b|needn't|need not|\bwithout having to\b|voluntary",
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
_HEDGE = re.compile(r"\b(?:unless|except|until|usually|generally|typically|sometimes|often)\b", re.I)
_CLAUSE = re.compile(r"[;:]|,? \b(?:but|unless|except|although|though|whereas|while|because)\b")
OPPOSITES = (
    ("before", "after"), ("free", "paid"), ("paid", "unpaid"), ("online", "in person"),
    ("internal", "external"), ("increase", "decrease"), ("minimum", "maximum"),
    ("mandatory", "optional"), ("public", "private"), ("open", "closed"), ("first", "last"),
    ("morning", "afternoon"), ("full-time", "part-time"), ("refundable", "nonrefundable"),
    ("domestic", "international"), ("accept", "reject"), ("include", "exclude"),
    ("taxable", "tax-free"), ("permanent", "temporary"), ("allowed", "prohibited"),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Statement:
    """One sentence, list entry or table row, prepared for comparison."""

    text: str
    stems: frozenset[str]
    quantities: tuple[Quantity, ...]


def stance(claim: str, passage: Passage) -> Stance:
    """Say whether a passage supports or contradicts a declarative claim, or is silent on it.

    One statement that supports outweighs one that contradicts: then the passage is no disproof.
    """
    context = grammar.content(f"{passage.title} {passage.heading}")
    found = {_compare(claim, statement, context) for statement in statements(passage.text)}
    if Stance.SUPPORTS in found:
        return Stance.SUPPORTS
    return Stance.CONTRADICTS if Stance.CONTRADICTS in found else Stance.SILENT


def answers(question: str, answer: str, passage: Passage) -> Stance:
    """Say whether a passage gives this answer to the question, gives another, or none."""
    wanted = asked(question)
    verdict = re.match(r"(?i)(yes|no)\b[,.:]?\s*", answer)
    told = answer[verdict.end() :] if verdict else answer
    if verdict and len(grammar.content(told)) >= 2:
        return stance(told, passage)
    context = grammar.content(f"{passage.title} {passage.heading}")
    found = {
        _answered(wanted, question, told, pair, context) for pair in _windows(passage.text)
    }
    if Stance.SUPPORTS in found:
        return Stance.SUPPORTS
    return Stance.CONTRADICTS if Stance.CONTRADICTS in found else Stance.SILENT


def coverage(text: str, passage: Passage) -> float:
    """Return the best share of the words of `text` that one statement with its headings holds."""
    wanted = asked(text)
    context = grammar.content(f"{passage.title} {passage.heading}")
    shares = (share(wanted, found.stems | context) for found in _windows(passage.text))
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
    return tuple(_statement(piece) for line in lines if line for piece in _pieces(line))


def _pieces(line: str) -> list[str]:
    found = split(line)
    rest = line[len(" ".join(found)) :].strip() if found else line
    return [plain(piece) for piece in (*found, rest) if len(piece.split()) > 1]


@lru_cache(maxsize=65536)
def _statement(text: str) -> Statement:
    return Statement(text=text, stems=grammar.content(text), quantities=quantities(text))


@lru_cache(maxsize=4096)
def _windows(text: str) -> tuple[Statement, ...]:
    """Return each statement alone and joined to the next one."""
    alone = statements(text)
    joined = (
        _statement(f"{first.text} {second.text}")
        for first, second in zip(alone, alone[1:], strict=False)
    )
    return (*alone, *joined)


def share(wanted: frozenset[str], held: frozenset[str]) -> float:
    """Return the share of `wanted` that `held` holds; 0 when nothing is wanted."""
    return len(wanted & held) / len(wanted) if wanted else 0.0


def _words_only(text: str) -> frozenset[str]:
    """Return the content of `text` without its amounts."""
    numbers = {"hundred", "thousand", *re.findall(r"\d[\d,.:]*", text)}
    numbers = {number for number in numbers if not re.fullmatch(r"(?:1[89]|20)\d\d", number)}
    return frozenset(word for word in grammar.content(text) if word not in numbers)


_ASKING = re.compile(
    r"(?i)\b(?:how many|how much|how long|how often|how far|how|what|which|who|whom|whose|where|"
    r"when|why|in advance|need|get|find)\b"
)


def asked(question: str) -> frozenset[str]:
    """Return the content of a question without its question words and amounts."""
    return _words_only(_ASKING.sub(" ", question))


def _compare(claim: str, statement: Statement, context: frozenset[str]) -> Stance:
    wanted = _words_only(claim)
    shared = share(wanted, statement.stems)
    if shared < _OWN or len(wanted & statement.stems) < 2:
        return Stance.SILENT
    if not _same_scope(claim, statement.text, context):
        return Stance.SILENT
    if _opposed(claim, statement.text):
        return Stance.CONTRADICTS
    if share(wanted, statement.stems | context) < _ENOUGH:
        return Stance.CONTRADICTS if _swapped(claim, statement.text) else Stance.SILENT
    amounts = _amounts(quantities(claim), statement.quantities)
    if amounts is not Stance.SUPPORTS:
        return amounts
    if shared < 1 and _swapped(claim, statement.text):
        return Stance.CONTRADICTS
    return _forces(claim, statement.text, wanted)


_NAME = re.compile(r"(?<=[a-z,;:'’] )[A-Z][\w-]+|\b[A-Z]{2,}\w*\b|\b(?:1[89]|20)\d\d\b")


def scope(text: str) -> frozenset[str]:
    """Return the names and years in `text`, which bind what it says to one thing or time."""
    return frozenset(grammar.stem(name) for name in _NAME.findall(text) if name != "I")


def _same_scope(claim: str, text: str, context: frozenset[str]) -> bool:
    """Say whether the names and years of a claim stand in a statement or in its headings."""
    here = {grammar.stem(word) for word in grammar.words(text)} | context
    return scope(claim) <= here | _CALENDAR


_CALENDAR = frozenset(
    """monday tuesday wednesday thursday friday saturday sunday january february march april may
    june july august september october november december""".split()
)


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
    clause = max(clauses, key=lambda piece: len(wanted & grammar.content(piece)))
    pair = frozenset((force(claim), force(clause)))
    if pair in _CONFLICTS:
        murky = _HEDGE.search(text) and not _HEDGE.search(claim)
        return Stance.SILENT if murky else Stance.CONTRADICTS
    return Stance.SILENT if pair in _WEAK else Stance.SUPPORTS


def _opposed(claim: str, text: str) -> bool:
    """Say whether the two differ in one word of a pair of opposites and in nothing else."""
    said, told = f" {claim.lower().rstrip('.')} ", f" {text.lower().rstrip('.')} "
    for pair in OPPOSITES:
        for ours, theirs in (pair, pair[::-1]):
            inside = re.search(rf"\b{ours}\b", said) and re.search(rf"\b{theirs}\b", told)
            if inside and not re.search(rf"\b{theirs}\b", said):
                rest = _words_only(re.sub(rf"\b{ours}\b", " ", said))
                return len(rest) > 1 and share(rest, grammar.content(told)) >= 0.9
    return False


_SLOT = re.compile(
    r"^(?P<who>.+?) (?P<does>(?:must|can|may|should|will|has to|have to|need to|needs to)? ?"
    r"(?:be |is |are )?(?:responsible|approve|approves|sign|signs|review|reviews|own|owns|pay|pays|"
    r"decide|decides|manage|manages|handle|handles|lead|leads|run|runs|located|held|open|due|"
    r"maintain|maintains|provide|provides|process|processes|issue|issues|assign|assigns)\b.*)$",
    re.IGNORECASE,
)
_TARGET = re.compile(
    r"^(?P<head>.*\b(?:send|submit|report|email|give|return|forward|hand|located|held|contact|call|"
    r"ask|reach|notify|kept|stored|found|posted)\b.*?)\b(?P<to>to|in|at|on|from|with|by|contact|call|"
    r"ask|email|notify) (?P<where>[^,]+?)\.?$",
    re.IGNORECASE,
)


def _swapped(claim: str, text: str) -> bool:
    """Say whether both say the same of two different persons or places."""
    ours, theirs = _SLOT.match(claim), _SLOT.match(text)
    if ours and theirs:
        does, done = _words_only(ours["does"]), _words_only(theirs["does"])
        who, whom = grammar.content(ours["who"]), grammar.content(theirs["who"])
        return len(does) > 1 and share(does, done) >= 0.99 and bool(who) and not who & whom
    ours, theirs = _TARGET.match(claim), _TARGET.match(text)
    if ours and theirs and ours["to"].lower() == theirs["to"].lower():
        head, heads = _words_only(ours["head"]), _words_only(theirs["head"])
        where, there = grammar.content(ours["where"]), grammar.content(theirs["where"])
        return len(head) > 1 and share(head, heads) >= 0.99 and bool(where) and not where & there
    return False


def _answered(
    sought: frozenset[str],
    question: str,
    answer: str,
    statement: Statement,
    context: frozenset[str],
) -> Stance:
    if share(sought, statement.stems) < _OWN:
        return Stance.SILENT
    if share(sought, statement.stems | context) < _ENOUGH:
        return Stance.SILENT
    if not _same_scope(question, statement.text, context):
        return Stance.SILENT
    told, wanted = quantities(answer), _words_only(answer)
    amounts = _amounts(told, statement.quantities)
    if amounts is Stance.CONTRADICTS:
        whole = share(sought, statement.stems) >= 0.9
        return Stance.CONTRADICTS if whole else Stance.SILENT
    if amounts is Stance.SUPPORTS and share(wanted, statement.stems) >= (0.8 if wanted else 0):
        return Stance.SUPPORTS if told or wanted else Stance.SILENT
    return Stance.SILENT
