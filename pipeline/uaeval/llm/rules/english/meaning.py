"""Words that mean nearly the same, and what a text denies."""

import re
from functools import lru_cache

from uaeval.llm.rules.english import grammar

_ALIKE = (
    "pay payment fee charge cost price paid",
    "buy purchase",
    "borrow lend loan",
    "post postage mail send ship",
    "begin start commence",
    "end finish close stop",
    "allow permit",
    "forbid prohibit ban",
    "error mistake",
    "punish penalty punishment sanction",
    "take handle accept",
    "employee staff worker colleague",
    "car vehicle",
    "telephone phone",
    "smoke smoking",
    "refund reimburse reimbursement repay",
    "carry bring",
    "leave holiday vacation",
    "child kid",
    "lift elevator",
    "hold seat accommodate",
    "last run",
    "require need must",
    "visitor guest",
    "reserve book reservation booking",
    "apply application request",
    "hand submit",
    "item thing object",
    "sick ill illness",
    "get receive obtain",
)
_CONCEPT = {word: group.split()[0] for group in _ALIKE for word in group.split()}
_NEGATOR = re.compile(
    r"\b(?P<whole>nobody|nothing|none|no one|no longer)\b|\b(?P<near>not|never|no|without|neither|"
    r"nor|cannot)\b|(?P<fused>\w+)n't\b",
    re.IGNORECASE,
)
_BREAK = re.compile(r"[,;:.]| but | and | so that | because | unless | except ")
_BARRED = re.compile(r"\b(?:forbidden|prohibited|banned|excluded|ineligible)\b", re.IGNORECASE)
_FREE = re.compile(r"\bfree\b(?! time| to\b)|\bwithout charge\b|\bno charge\b", re.IGNORECASE)
_REACH = 4
CALENDAR = frozenset(
    """monday tuesday wednesday thursday friday saturday sunday january february march april may
    june july august september october november december""".split()
)
_OF_RULES = frozenset(
    "allow forbid require able possible eligible optional mandatory people".split()
)
"""Words of permission and duty; what they do to a statement is its force."""


@lru_cache(maxsize=65536)
def concepts(text: str) -> frozenset[str]:
    """Return the content of a text with near synonyms made one."""
    return frozenset(_CONCEPT.get(word, word) for word in grammar.content(text))


@lru_cache(maxsize=65536)
def denied(text: str) -> frozenset[str]:
    """Return the concepts that a text denies: those after `not` and `no`, `un-`, `free of`."""
    found: set[str] = set()
    for match in _NEGATOR.finditer(text):
        after = _BREAK.split(text[match.end() :], maxsplit=1)[0]
        reach = after if match["whole"] else " ".join(_content_words(after)[:_REACH])
        found |= concepts(reach)
    if _BARRED.search(text):
        found |= concepts(text)
    if _FREE.search(text):
        found.add("pay")
    for word in grammar.words(text.lower()):
        bare = re.sub(r"^(?:un|non-?|in)(?=[a-z]{4})", "", word)
        if bare != word and _is_negated(word, bare):
            found |= concepts(bare)
    return frozenset(found)


def _content_words(text: str) -> list[str]:
    return [word for word in grammar.words(text) if word.lower() not in grammar.STOP]


def _is_negated(word: str, bare: str) -> bool:
    """Say whether `word` is `bare` with a negating prefix: `unpaid`, not `under` or `include`."""
    known = {"ADJ"} & set(grammar.lemmas(word)) or word.startswith("non")
    return bool(known and set(grammar.lemmas(bare)) & {"ADJ", "VERB"}) or bare == "paid"


def conflict(claim: str, text: str) -> frozenset[str]:
    """Return the concepts that one of two texts denies and the other one affirms."""
    ours, theirs = denied(claim), denied(text)
    found = (theirs & concepts(claim)) - ours | (ours & concepts(text)) - theirs
    return found - _OF_RULES


def share(wanted: frozenset[str], held: frozenset[str]) -> float:
    """Return the share of `wanted` that `held` holds; 0 when nothing is wanted."""
    return len(wanted & held) / len(wanted) if wanted else 0.0


def words_only(text: str) -> frozenset[str]:
    """Return the content of `text` without its amounts."""
    numbers = {"hundred", "thousand", *re.findall(r"\d(?:[\d,.:]*\d)?", text)} | CALENDAR
    numbers = {number for number in numbers if not re.fullmatch(r"(?:1[89]|20)\d\d", number)}
    return frozenset(word for word in concepts(text) if word not in numbers)
