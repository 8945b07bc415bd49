"""Write queries from templates: nonsensical, harmful, or for another form than text."""

from collections.abc import Callable
from typing import Any, Final

from uaeval.categories.modality_limited import ModalityLimitedDraft
from uaeval.categories.nonsensical import NonsensicalDraft
from uaeval.categories.safety_concerned import SafetyConcernedDraft
from uaeval.llm.replies import Written
from uaeval.offline.facts import COMMON, Fact, facts, mentions
from uaeval.offline.phrases import Phrase, cached, is_thing, phrases, word_table
from uaeval.offline.tables import pick, table
from uaeval.records import Category, Passage
from uaeval.text.english import base, frequency, listed_tag, runs, singular

_LEAST_SCORE: Final = 2.0  # of a phrase that no heading contains
_DECLINED: Final = "no fact and phrase of the passage stand on their own"
_ACRONYM, _SHORTEST = 5, 4  # letters from which capitals are no acronym; of a one-word subject
_KNOWN, _IN_USE = 3.0, 1.0  # Zipf frequencies from which it is known, or a word at all
_LONG, _SHORT = 12, 30  # words of a long question; of a passage that may show its setting
_ADDRESSED: Final = frozenset("you your we our us i my click please".split())


def topic(passage: Passage, seed: str, *, broad: bool) -> tuple[Fact, Phrase] | None:
    """Return a phrase to write about, and a fact about it; `None` if there is none.

    Short questions for a value are best, and those that begin with the phrase. If `broad`, names
    and single words come first. The `seed` chooses among pairs that are equally good.
    """
    rated = {
        pair: (broad and (_is_broad(pair[1]), pair[1].central), _quality(pair))
        for pair in _about(passage)
    }
    best = max(rated.values(), default=None)
    equal = [pair for pair, rating in rated.items() if rating == best]
    return pick(equal, f"{passage.text} {seed}") if equal else None


@cached
def _about(passage: Passage) -> tuple[tuple[Fact, Phrase], ...]:
    """Return the phrases to write about, with the facts about them; else what is said of them."""
    things = [phrase for phrase in phrases(passage) if _is_topic(phrase)]
    pairs = ((fact, phrase) for phrase in things for fact in facts(passage))
    said = {fact.subject: fact for fact in mentions(passage)}
    about = tuple(pair for pair in pairs if _nearness(pair) > 1)
    return about or tuple((said[each.text], each) for each in things if each.text in said)


def rank(passage: Passage) -> int:
    """Return how well the passage's best fact suits its phrase: the lowest is best."""
    about = _about(passage)
    best = max((_quality(pair)[0] for pair in about), default=-9)
    return 4 * any(fact.kind == "mention" for fact, _ in about) - best


def _quality(pair: tuple[Fact, Phrase]) -> tuple[int, bool, bool]:
    fact, phrase = pair
    weak = (fact.kind == "whether") + (len(fact.question.split()) > _LONG)
    return _nearness(pair) - weak, " " in phrase.topic.removeprefix("the "), phrase.central


def _is_broad(phrase: Phrase) -> bool:
    """Return whether a phrase is a name, or a single word that is known or that a heading has."""
    bare = phrase.topic.removeprefix("the ")
    if " " in bare:
        return phrase.named
    acronym = bare.isupper() and len(bare) < _ACRONYM
    common = frequency(bare) >= (_IN_USE if phrase.central else _KNOWN)
    return common and not acronym and len(bare) >= _SHORTEST


def _nearness(pair: tuple[Fact, Phrase]) -> int:
    """Return how surely a fact is about a phrase, from 0 (not at all) to 3."""
    fact, phrase = pair
    wanted = f" {phrase.topic.removeprefix('the ')}".lower()
    if any(f" {singular(run.text)}".lower().endswith(wanted) for run in runs(fact.question)[:1]):
        return 3
    return 2 if wanted in fact.question.lower() else int(wanted in f" {fact.answer}".lower())


def _is_topic(phrase: Phrase) -> bool:
    """Return whether a phrase names a specific thing that is no person."""
    *front, head = phrase.topic.removeprefix("the ").split()
    quality = (listed_tag(head) or "NN")[:2] in {"JJ", "RB", "VB"}
    rare = (phrase.central or phrase.named) and frequency(head) < COMMON and not quality
    good = phrase.central or (phrase.score >= _LEAST_SCORE and is_thing(phrase))
    person = base(head.lower(), "NOUN") in word_table("persons")
    return good and bool(front or rare) and not person


def setting(passage: Passage) -> str:
    """Return the group of templates that suits the words of a passage.

    `work`, `software` and `code` (software for programmers) have words of their own; `general` is
    prose that addresses nobody. `any` means that the words decide nothing.
    """
    words = f"{passage.title} {passage.heading} {passage.text}".lower().split()
    bare = [word.strip(".,;:()*#`'\"?!") for word in words]
    bases = {base(word, "NOUN") for word in bare} | set(bare)
    work, software = (len(bases & word_table(name)) for name in ("work", "software"))
    least = 2 + len(bare) // 80
    if max(work, software) >= least:
        code = len(bases & word_table("code")) >= least
        return "work" if software <= work else "code" if code else "software"
    unclear = max(work, software) > 1 or _ADDRESSED & set(bare) or len(bare) < _SHORT
    return "any" if unclear else "general"


def _writer(
    name: Category,
    draft: type[ModalityLimitedDraft | NonsensicalDraft | SafetyConcernedDraft],
    *,
    broad: bool = False,
) -> Callable[..., Written[Any]]:
    """Return the author of a category: a template of its table with a phrase, and a twin."""

    def write(*, language: str, subtype: str, passage: Passage) -> Written[Any]:
        written = Written[draft]  # type: ignore[valid-type] # a class at run time
        group = setting(passage)
        wide = broad and group in {"any", "general"}
        found = topic(passage, f"{name} {subtype}", broad=wide)
        narrow = wide and found is not None and not _is_broad(found[1])
        if not found or (narrow and (group == "any" or not found[1].central)):
            return written(declined=_DECLINED, draft=None)
        fact, phrase = found
        kinds = [kind for kind, section in table(name).items() for _ in section["any"]]
        kind = subtype if subtype in kinds else pick(kinds, f"{passage.text} kind")
        section = table(name)[kind]
        own = ("code", "software") if group == "code" else (group,)
        groups = (group,) if narrow or (broad and not wide) else dict.fromkeys((*own, "any"))
        options = [text for each in groups for text in section.get(each, ())]
        question = pick(options, f"{passage.text} {kind}").format(x=phrase.text)
        fields = {"question": question, "reason": section["reason"], "subtype": kind}
        return written.model_validate({"declined": None, "draft": {"twin": fact.twin, **fields}})

    return write


modality_limited = _writer("modality_limited", ModalityLimitedDraft)
nonsensical = _writer("nonsensical", NonsensicalDraft)
safety_concerned = _writer("safety_concerned", SafetyConcernedDraft, broad=True)
