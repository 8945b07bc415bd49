"""Write queries from templates: for another form than text, for harm, or without sense."""

import re
from collections.abc import Callable, Sequence
from typing import Any, Final

from uaeval.categories.modality_limited import ModalityLimitedDraft
from uaeval.categories.nonsensical import NonsensicalDraft
from uaeval.categories.safety_concerned import SafetyConcernedDraft
from uaeval.llm.replies import Written
from uaeval.offline.facts import Fact, facts
from uaeval.offline.phrases import Phrase, is_thing, phrases, word_table
from uaeval.offline.tables import pick, table
from uaeval.records import Category, Passage
from uaeval.text.english import base, frequency
from uaeval.text.words import stems

CONSIDERED: Final = 4
"""Phrases of a passage that a query may be about."""
COMMON: Final = 4.0
"""Zipf frequency from which a word that no heading has is no topic."""
WEAKEST: Final = 4.5
"""Score that the phrase of a query has at least."""
ASKED: Final = 2.0
"""The same for one of several words that the twin asks about."""
DECLINED: Final = "no fact and phrase of the passage stand on their own"
_DOUBLED: Final = re.compile(r"\b(\w{3,})s? \1s?\b", re.I)
FEWEST: Final = 30
"""Words from which a passage shows whom it is for."""
_ADDRESSED: Final = frozenset("you your we our us i my click please".split())


def matter(passage: Passage) -> tuple[Fact, Phrase] | None:
    """Return what to write about: one of the best phrases, and the best fact that is about it."""
    topics = [phrase for phrase in phrases(passage) if _is_a_topic(phrase)]
    about = [
        (fact, phrase)
        for considered in (topics[:CONSIDERED], topics)
        for fact in facts(passage)
        for phrase in considered
        if stems(phrase.topic) <= stems(f"{fact.question} {fact.answer}")
    ]
    asked = (
        (fact, phrase)
        for fact in facts(passage)
        for phrase in phrases(passage)
        if phrase.score >= ASKED and " " in phrase.topic.removeprefix("the ") and is_thing(phrase)
        if stems(phrase.topic) <= stems(fact.question)
    )
    return about[0] if about else next(asked, None)


def _is_a_topic(phrase: Phrase) -> bool:
    """Return whether people would talk about what a phrase names; a common word alone is none."""
    special = " " in phrase.topic or phrase.named or phrase.central
    return phrase.score >= WEAKEST and (special or frequency(phrase.topic) < COMMON)


def setting(passage: Passage) -> str:
    """Return the group of templates that the words of a passage speak for.

    `general` tells of the world and addresses nobody; `any` is where nothing is clear.
    """
    words = f"{passage.title} {passage.heading} {passage.text}".lower().split()
    bare = [word.strip(".,;:()*#`'\"?!") for word in words]
    bases = {base(word, "NOUN") for word in bare} | set(bare)
    work, software = (len(bases & word_table(name)) for name in ("work", "software"))
    if max(work, software) >= 2 + len(bare) // 80:
        return "software" if software > work else "work"
    told = max(work, software) > 1 or _ADDRESSED & set(bare) or len(bare) < FEWEST
    return "any" if told else "general"


def filled(options: Sequence[str], phrase: Phrase) -> list[str]:
    """Return templates with a phrase in them, but those that double a word."""
    texts = [option.format(x=phrase.text, topic=phrase.topic) for option in options]
    return [text for text in texts if not _DOUBLED.search(text)] or texts


def _writer(
    name: Category, draft: type[ModalityLimitedDraft | NonsensicalDraft | SafetyConcernedDraft]
) -> Callable[..., Written[Any]]:
    """Return the author of a category: a request from its table, with a twin."""

    def write(*, language: str, subtype: str, passage: Passage) -> Written[Any]:
        written = Written[draft]  # type: ignore[valid-type] # a class at run time
        if not (about := matter(passage)):
            return written(declined=DECLINED, draft=None)
        fact, phrase = about
        kinds = [*table(name)]
        kind = subtype if subtype in kinds else pick(kinds, f"{passage.text} kind")
        section = table(name)[kind]
        groups = dict.fromkeys((setting(passage), "any"))
        options = [text for group in groups for text in section.get(group, ())]
        question = pick(filled(options, phrase), f"{passage.text} {kind}")
        fields = {"question": question, "reason": section["reason"], "subtype": kind}
        return written.model_validate({"declined": None, "draft": {"twin": fact.twin, **fields}})

    return write


modality_limited = _writer("modality_limited", ModalityLimitedDraft)
nonsensical = _writer("nonsensical", NonsensicalDraft)
safety_concerned = _writer("safety_concerned", SafetyConcernedDraft)
