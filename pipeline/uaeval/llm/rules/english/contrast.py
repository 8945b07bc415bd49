"""Whether two sentences say the same of two different things, or opposite things of one."""

import re

from uaeval.llm.rules.english import meaning

OPPOSITES = (
    ("before", "after"), ("free", "paid"), ("paid", "unpaid"), ("online", "in person"),
    ("internal", "external"), ("increase", "decrease"), ("minimum", "maximum"),
    ("mandatory", "optional"), ("public", "private"), ("open", "closed"), ("first", "last"),
    ("morning", "afternoon"), ("full-time", "part-time"), ("refundable", "nonrefundable"),
    ("domestic", "international"), ("accept", "reject"), ("include", "exclude"),
    ("taxable", "tax-free"), ("permanent", "temporary"), ("allowed", "prohibited"),
)  # fmt: skip


def opposed(claim: str, text: str) -> bool:
    """Say whether the two differ in one word of a pair of opposites and in nothing else."""
    said, told = f" {claim.lower().rstrip('.')} ", f" {text.lower().rstrip('.')} "
    for pair in OPPOSITES:
        for ours, theirs in (pair, pair[::-1]):
            inside = re.search(rf"\b{ours}\b", said) and re.search(rf"\b{theirs}\b", told)
            if inside and not re.search(rf"\b{theirs}\b", said):
                rest = meaning.words_only(re.sub(rf"\b{ours}\b", " ", said))
                return len(rest) > 1 and meaning.share(rest, meaning.concepts(told)) >= 0.9
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


def swapped(claim: str, text: str) -> bool:
    """Say whether both say the same of two different persons or places."""
    ours, theirs = _SLOT.match(claim), _SLOT.match(text)
    if ours and theirs:
        does, done = meaning.words_only(ours["does"]), meaning.words_only(theirs["does"])
        who, whom = meaning.concepts(ours["who"]), meaning.concepts(theirs["who"])
        return len(does) > 1 and meaning.share(does, done) >= 0.99 and bool(who) and not who & whom
    ours, theirs = _TARGET.match(claim), _TARGET.match(text)
    if ours and theirs and ours["to"].lower() == theirs["to"].lower():
        head, heads = meaning.words_only(ours["head"]), meaning.words_only(theirs["head"])
        where, there = meaning.concepts(ours["where"]), meaning.concepts(theirs["where"])
        return (
            len(head) > 1
            and meaning.share(head, heads) >= 0.99
            and bool(where)
            and not where & there
        )
    return False
