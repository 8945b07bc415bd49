"""Write queries from templates: for another form than text, for harm, or without sense."""

from collections.abc import Callable
from typing import Any, Final

from uaeval.categories.modality_limited import ModalityLimitedDraft
from uaeval.categories.nonsensical import NonsensicalDraft
from uaeval.categories.safety_concerned import SafetyConcernedDraft
from uaeval.llm.replies import Written
from uaeval.offline.facts import COMMON, Fact, facts
from uaeval.offline.phrases import Phrase, is_thing, phrases, word_table
from uaeval.offline.tables import pick, table
from uaeval.records import Category, Passage
from uaeval.text.english import base, frequency, runs, singular

ASKED: Final = 2.0
"""Score of a phrase that only the text has, at least."""
DECLINED: Final = "no fact and phrase of the passage stand on their own"
FEWEST: Final = 30
"""Words from which a passage shows whom it is for."""
_ADDRESSED: Final = frozenset("you your we our us i my click please".split())


def matter(passage: Passage) -> tuple[Fact, Phrase] | None:
    """Return what to write about: a phrase, and the best fact that has it.

    A phrase that leads the question is best, and one of its headings before others.
    """
    things = [phrase for phrase in phrases(passage) if _is_a_thing(phrase)]
    things.sort(key=lambda each: (" " not in each.topic.removeprefix("the "), not each.central))
    pairs = [(fact, phrase) for phrase in things for fact in facts(passage)]
    nearest = max(pairs, key=_nearness, default=None)
    return nearest if nearest and _nearness(nearest) else None


def _nearness(pair: tuple[Fact, Phrase]) -> int:
    """Return how surely a fact is about a phrase; zero: it is not."""
    fact, phrase = pair
    wanted = f" {phrase.topic.removeprefix('the ')}".lower()
    if any(f" {singular(run.text)}".lower().endswith(wanted) for run in runs(fact.question)[:1]):
        return 3
    return 2 if wanted in fact.question.lower() else int(wanted in f" {fact.answer}".lower())


def _is_a_thing(phrase: Phrase) -> bool:
    """Return whether a phrase names something that is no person and not any common thing."""
    *front, head = phrase.topic.removeprefix("the ").split()
    rare = (phrase.central or phrase.named) and frequency(head) < COMMON
    telling = phrase.central or (phrase.score >= ASKED and is_thing(phrase))
    person = base(head.lower(), "NOUN") in word_table("persons")
    return telling and bool(front or rare) and not person


def setting(passage: Passage) -> str:
    """Return the group of templates that the words of a passage speak for.

    `general` tells of the world, `code` is for people who write software; `any`: nothing is clear.
    """
    words = f"{passage.title} {passage.heading} {passage.text}".lower().split()
    bare = [word.strip(".,;:()*#`'\"?!") for word in words]
    bases = {base(word, "NOUN") for word in bare} | set(bare)
    work, software = (len(bases & word_table(name)) for name in ("work", "software"))
    least = 2 + len(bare) // 80
    if max(work, software) >= least:
        written = len(bases & word_table("code")) >= least
        return "work" if software <= work else "code" if written else "software"
    told = max(work, software) > 1 or _ADDRESSED & set(bare) or len(bare) < FEWEST
    return "any" if told else "general"


def _writer(
    name: Category, draft: type[ModalityLimitedDraft | NonsensicalDraft | SafetyConcernedDraft]
) -> Callable[..., Written[Any]]:
    """Return the author of a category: a request from its table, with a twin."""

    def write(*, language: str, subtype: str, passage: Passage) -> Written[Any]:
        written = Written[draft]  # type: ignore[valid-type] # a class at run time
        if not (about := matter(passage)):
            return written(declined=DECLINED, draft=None)
        fact, phrase = about
        kinds = [kind for kind, section in table(name).items() for _ in section["any"]]
        kind = subtype if subtype in kinds else pick(kinds, f"{passage.text} kind")
        section, group = table(name)[kind], setting(passage)
        groups = dict.fromkeys((group, "software" if group == "code" else group, "any"))
        options = [text for group in groups for text in section.get(group, ())]
        question = pick(options, f"{passage.text} {kind}").format(x=phrase.text)
        fields = {"question": question, "reason": section["reason"], "subtype": kind}
        return written.model_validate({"declined": None, "draft": {"twin": fact.twin, **fields}})

    return write


modality_limited = _writer("modality_limited", ModalityLimitedDraft)
nonsensical = _writer("nonsensical", NonsensicalDraft)
safety_concerned = _writer("safety_concerned", SafetyConcernedDraft)
