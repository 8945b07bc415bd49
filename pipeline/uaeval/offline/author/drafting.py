"""What the template authors share: the fact and the phrase to write about, the template, a pick."""

import re
from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Final

from uaeval.offline.facts import Fact, facts
from uaeval.offline.phrases import Phrase, phrases
from uaeval.offline.tables import pick, table
from uaeval.text.english import base
from uaeval.text.words import stems
from uaeval.types import Passage

CONSIDERED: Final = 6
"""Phrases of a passage that a query may be about."""
WEAKEST: Final = 5.0
"""Score that the phrase of a query has at least."""
DECLINED: Final = "no fact and phrase of the passage stand on their own"
_DOUBLED: Final = re.compile(r"\b(\w{3,})s? \1s?\b", re.I)
FEWEST: Final = 30
"""Words from which a passage shows whom it is for."""
_ADDRESSED: Final = frozenset("you your we our us i my click please".split())
WORSE: Final = 2.0
"""A phrase that a fact is about may score this much less than the best one."""


class Setting(StrEnum):
    """Who reads the page: decides what can be done with, and over, what it is about."""

    WORK = "work"
    SOFTWARE = "software"
    GENERAL = "general"
    """Tells of the world and addresses nobody."""
    UNCLEAR = "any"


def matter(passage: Passage) -> tuple[Fact, Phrase] | None:
    """Return what to write about: one of the best phrases, and the best fact that is about it."""
    best = [phrase for phrase in phrases(passage) if phrase.score >= WEAKEST][:CONSIDERED]
    near = [phrase for phrase in best if phrase.score >= best[0].score - WORSE]
    pairs = ((fact, phrase) for fact in facts(passage) for phrase in near if _is_about(fact, phrase))
    return next(pairs, None)


def _is_about(fact: Fact, phrase: Phrase) -> bool:
    """Return whether a question and its answer have the words of a phrase."""
    return stems(phrase.topic) <= stems(f"{fact.question} {fact.answer}")


def setting(passage: Passage) -> Setting:
    """Return the setting that the words of a passage speak for."""
    words = f"{passage.title} {passage.heading} {passage.text}".lower().split()
    bare = [word.strip(".,;:()*#`'\"?!") for word in words]
    bases = {base(word, "NOUN") for word in bare} | set(bare)
    work, software = (len(bases & _cues(name)) for name in ("work", "software"))
    if max(work, software) >= 2 + len(bare) // 80:
        return Setting.SOFTWARE if software > work else Setting.WORK
    told = max(work, software) > 1 or _ADDRESSED & set(bare) or len(bare) < FEWEST
    return Setting.UNCLEAR if told else Setting.GENERAL


def _cues(name: str) -> frozenset[str]:
    return frozenset(str(table("phrases")[name]).split())


def groups(passage: Passage, phrase: Phrase) -> tuple[str, ...]:
    """Return the groups of templates that hold for a phrase of a passage."""
    found = setting(passage)
    head = phrase.topic.split()[-1].lower()
    is_document = found is not Setting.SOFTWARE and head in _cues("documents")
    named = dict.fromkeys((*(["document"] if is_document else []), found.value, "any"))
    return tuple(named)


def filled(options: Sequence[str], phrase: Phrase) -> list[str]:
    """Return templates with a phrase in them, but those that double a word."""
    agreeing = {
        "has": "have" if phrase.plural else "has",
        "does": "do" if phrase.plural else "does",
        "its": "their" if phrase.plural else "its",
    }
    texts = [option.format(x=phrase.text, topic=phrase.topic, **agreeing) for option in options]
    return [text for text in texts if not _DOUBLED.search(text)] or texts


def request(name: str, kinds: Sequence[str], wanted: str, passage: Passage) -> dict[str, object]:
    """Return the fields of a draft from a table of templates; none if the passage cannot serve.

    Written is the kind wanted; any of the kinds where it is not one of them.
    """
    found = matter(passage)
    if found is None:
        return {}
    fact, phrase = found
    kind = wanted if wanted in kinds else pick(kinds, f"{passage.text} kind")
    section = table(name)[kind]
    assert isinstance(section, Mapping)
    options = [text for group in groups(passage, phrase) for text in section.get(group, ())]
    return {
        "twin": fact.twin,
        "question": pick(filled(options, phrase), f"{passage.text} {kind}"),
        "reason": section["reason"],
        "subtype": kind,
    }
