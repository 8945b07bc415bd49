"""What an underspecified query may mean: one reading, with the passage that answers it."""

import re
from dataclasses import dataclass

from uaeval.llm.rules.english import grammar
from uaeval.types import Passage


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """One reading of a query that several passages answer."""

    base: str
    """The query, without what singles this reading out."""
    question: str
    """The completed question."""
    value: str
    """The words that single it out."""
    answer: str
    quote: str
    """The words of the passage that hold the answer, verbatim."""
    passage: int
    contact: bool = False
    """Whether the answer is somebody to turn to."""


READ = 8192
"""Passages whose statements are remembered, so that each is read once."""

_NUMBERING = re.compile(
    r"^(?:(?:chapter|section|part|appendix|play|step|annex)\s+)?(?:[\dA-Z]{1,2}|"
    r"[ivx]+)\s*[-–—.:)]\s+",
    re.IGNORECASE,
)
_LIST = re.compile(r"\w, \w.*\band\b")
_SIDE = re.compile(r"\s+[-–—|]\s+|:\s+|\s*\(|,\s")
_NOT_NOUN = re.compile(
    r"^(?:how|what|why|when|where|who|which|do|does|is|are|can|should|if|about|our|we|you|your|i|"
    r"getting started|introduction|overview|welcome|home|index|readme|contributing|faq|glossary|"
    r"general|other|more|additional|frequently|resources|tips|misc\w*|appendix|request|updating|"
    r"use|using|working|the)\b",
    re.IGNORECASE,
)


def topic(passage: Passage) -> str | None:
    """Name what a passage's document is about, as a noun phrase; `None` if its title is none."""
    if _LIST.search(passage.title):
        return None
    title = _SIDE.split(_NUMBERING.sub("", passage.title.strip()))[0].strip(" .?!")
    phrase = noun_phrase(title)
    if phrase is None or _GUIDE.search(phrase):
        return None
    return title if title in passage.text and phrase not in passage.text else phrase


_GUIDE = re.compile(
    r"\b(?:handbook|guide|guidelines|playbook|overview|introduction|101|basics|tips|faqs?|"
    r"resources|"
    r"page|policy|policies|document\w*|notes|history|glossary|contents|lifecycle|welcome|classes|details)\b",
    re.IGNORECASE,
)


def noun_phrase(text: str) -> str | None:
    """Return a title as it stands inside a question; `None` if it is no noun phrase."""
    title = re.sub(r"\s*&\s*", " and ", text).strip(" .?!")
    words = title.split()
    if not 1 <= len(words) <= 6 or _NOT_NOUN.match(title) or re.search(r"[^\w '’.-]", title):
        return None
    if grammar.is_base_verb(words[0]) and not grammar.is_noun(words[0]):
        return None
    if words[0].lower() in {"get", "share", "book", "find", "set", "access"} and len(words) > 1:
        return None
    if words[0].endswith("ing") and not title.isupper() and len(words) > 1:
        return None
    return in_sentence(title)


def doing(title: str) -> str | None:
    """Return a title such as `Updating the Handbook` as it stands after `about`."""
    first, _, rest = title.strip(" .?!").partition(" ")
    gerund = first.lower().endswith("ing") and not grammar.is_base_verb(first)
    sayable = rest[:1].islower() and len(title.split()) <= 6 and not re.search(r"[^\w '’.-]", title)
    return f"{first.lower()} {rest}" if gerund and sayable else None


def in_sentence(title: str) -> str:
    """Write a heading as it stands in running text: plain words small, names as they are."""
    words = title.split()
    if words[-1] in {
        "Act",
        "Program",
        "Office",
        "Division",
        "Service",
        "System",
        "Council",
        "Fund",
    }:
        return title
    if all(word[0].isupper() or not word[0].isalpha() for word in words) and len(words) > 1:
        return title if any(not grammar.lemmas(w.lower()) for w in words) else title.lower()
    first = words[0]
    if len(words) == 1:
        plain = bool(grammar.lemmas(first.lower())) and first.istitle() and first.endswith("s")
        return first.lower() if plain else first
    small = bool(grammar.lemmas(first.lower())) and first.istitle()
    return " ".join([first.lower() if small else first, *words[1:]])


MASS = frozenset(
    """leave training travel overtime media software security access equipment time management
    onboarding offboarding research accessibility design engineering product hardware work pay
    insurance housing transit mail email telework safety privacy hiring brand testing data
    infrastructure conduct support property photography information planning coaching leadership
    benefits recruitment notice catering acquisition awareness procurement accounting
    content writing""".split()
)


def with_article(subject: str) -> str:
    """Put `the` before a singular noun phrase that cannot stand bare."""
    words = subject.split()
    last = words[-1].lower()
    named = any(word[0].isupper() and not word.isupper() for word in words)
    single = len(words) == 1 and (words[0][0].isupper() or not grammar.is_noun(last))
    bare = grammar.is_plural(last) or last in MASS or " and " in subject or last.endswith("ing")
    if single or bare or (named and not grammar.is_noun(last)):
        return subject
    return f"the {subject}"


def distinct(options: list[Option]) -> list[Option]:
    """Keep one reading for each passage, value and answer."""
    kept: list[Option] = []
    for option in options:
        if not any(_same(option, other) for other in kept):
            kept.append(option)
    return kept


def _same(one: Option, other: Option) -> bool:
    return (
        one.passage == other.passage
        or normal(one.value) == normal(other.value)
        or alike(one.answer, other.answer)
    )


def alike(one: str, other: str) -> bool:
    """Say whether two answers say the same: few words that only one of them has."""
    ours, others = grammar.content(one), grammar.content(other)
    if len(ours) < 4 and len(others) < 4:
        return normal(one) == normal(other)
    shared = ours & others
    named = any(not grammar.lemmas(word) and not word[0].isdigit() for word in shared)
    return named or len(shared) >= 0.5 * min(len(ours), len(others))


def normal(text: str) -> str:
    """Return a text's words in small letters, for comparison."""
    return " ".join(re.findall(r"[^\W_]+", text.lower()))
