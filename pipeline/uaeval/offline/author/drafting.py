"""What the template authors share: the fact and the phrase to write about, the template, a pick."""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from hashlib import sha256
from typing import Final, TypeVar

from uaeval.llm.replies import TwinDraft
from uaeval.offline.english import base
from uaeval.offline.facts import Fact, facts
from uaeval.offline.phrases import Phrase, phrases
from uaeval.offline.tables import table
from uaeval.types import Passage

T = TypeVar("T")
CONSIDERED: Final = 6
"""Phrases of a passage that a query may be about."""
WEAKEST: Final = 2.0
"""Score that the phrase of a query has at least."""
DECLINED: Final = "no fact and phrase of the passage stand on their own"
WORSE: Final = 2.0
"""A phrase that a fact is about may score this much less than the best one."""


class Setting(StrEnum):
    """Who reads the page: decides what can be done with, and over, what it is about."""

    WORK = "work"
    SOFTWARE = "software"
    GENERAL = "general"


def matter(passage: Passage) -> tuple[Fact, Phrase] | None:
    """Return what to write about: the best fact that is about one of the best phrases.

    Where no phrase stands in a fact, the best of both; `None` if the passage lacks either.
    """
    found = facts(passage)
    best = [phrase for phrase in phrases(passage) if phrase.score >= WEAKEST][:CONSIDERED]
    if not found or not best:
        return None
    near = [phrase for phrase in best if phrase.score >= best[0].score - WORSE]
    pairs = ((fact, phrase) for fact in found for phrase in near if _is_about(fact, phrase))
    return next(pairs, (found[0], best[0]))


def _is_about(fact: Fact, phrase: Phrase) -> bool:
    """Return whether the subject of a fact holds the head of a phrase."""
    head = base(phrase.topic.split()[-1], "NOUN")
    return head in {base(word, "NOUN") for word in fact.subject.split()}


def setting(passage: Passage) -> Setting:
    """Return the setting that the words of a passage speak for."""
    words = f"{passage.title} {passage.heading} {passage.text}".lower().split()
    bare = [word.strip(".,;:()*#`'\"?!") for word in words]
    work, software = (
        sum(word in cues or base(word, "NOUN") in cues for word in bare)
        for cues in (_cues("work"), _cues("software"))
    )
    if max(work, software) < 2 + len(bare) // 50:
        return Setting.GENERAL
    return Setting.SOFTWARE if software > work else Setting.WORK


def _cues(name: str) -> frozenset[str]:
    return frozenset(str(table("phrases")[name]).split())


def groups(passage: Passage, phrase: Phrase) -> tuple[str, ...]:
    """Return the groups of templates that hold for a phrase of a passage."""
    found = setting(passage)
    head = phrase.topic.split()[-1].lower()
    is_document = found is not Setting.SOFTWARE and head in _cues("documents")
    return (*(["document"] if is_document else []), found.value, "any")


def templates(name: str, kind: str, wanted: Sequence[str]) -> list[str]:
    """Return the templates of one kind in a table, those of the groups that are wanted."""
    section = table(name)[kind]
    assert isinstance(section, Mapping)
    return [template for group in wanted for template in section.get(group, ())]


def pick(options: Sequence[T], passage: Passage, *salt: str) -> T:
    """Return one of the options, always the same for a passage and a salt."""
    text = "\0".join([passage.text, *salt])
    return options[int.from_bytes(sha256(text.encode()).digest()[:8]) % len(options)]


def fill(template: str, phrase: Phrase) -> str:
    """Return a template with a phrase in it, and the words that agree with the phrase."""
    plural = phrase.plural
    agreeing = {
        "is": "are" if plural else "is",
        "has": "have" if plural else "has",
        "does": "do" if plural else "does",
    }
    return template.format(x=phrase.text, topic=phrase.topic, **agreeing)


def twin(fact: Fact) -> TwinDraft:
    """Return a fact as the answerable half of a pair."""
    return TwinDraft(question=fact.question, answer=fact.answer, quote=fact.quote)


def kind_of(wanted: str, kinds: Sequence[str], passage: Passage) -> str:
    """Return the kind wanted, or one of the kinds where any would do."""
    return wanted if wanted in kinds else pick(kinds, passage, "kind")



def reason(name: str, kind: str) -> str:
    """Return why a request of one kind in a table should not be answered."""
    section = table(name)[kind]
    assert isinstance(section, Mapping)
    return str(section["reason"])
