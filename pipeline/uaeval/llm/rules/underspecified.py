"""Questions that leave out which one is meant, and a reader who looks for the answers."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, islice
from typing import Literal, TypeAlias
from zlib import crc32

from uaeval.llm.replies import (
    ReadingDraft,
    TwinDraft,
    UnderspecifiedDraft,
    UnderspecifiedVerification,
    Written,
)
from uaeval.llm.rules import twin
from uaeval.llm.rules.choice import shuffled
from uaeval.llm.rules.english import grammar
from uaeval.llm.rules.english.openings import without_story
from uaeval.llm.rules.readings import ambiguity
from uaeval.llm.rules.readings.contacts import contact_groups
from uaeval.llm.rules.readings.dues import due_groups
from uaeval.llm.rules.readings.option_twins import as_twin
from uaeval.llm.rules.readings.options import Option
from uaeval.llm.rules.readings.places import place_groups
from uaeval.llm.rules.readings.purposes import DEEDS, PURPOSES, purpose_groups
from uaeval.llm.rules.readings.siblings import sibling_groups
from uaeval.types import Passage

Label: TypeAlias = Literal[
    "several_readings", "one_answer", "general_rule", "dominant_reading", "no_reading",
    "modality_limited",
]  # fmt: skip

_FEWEST = 2
_PASSES = "several_readings"


def generate(
    *, passage: Passage, related: Sequence[Passage], turn: str, language: str
) -> Written[UnderspecifiedDraft]:
    """Answer the prompt `underspecified/generate`."""
    numbers = {_identity(one): one.number for one in (passage, *related)}
    own, *others = (replace(one, number=_identity(one)) for one in (passage, *related))
    wanted = next(_of_turn(int(turn) - 1, own, others), None)
    if wanted:
        return Written[UnderspecifiedDraft](declined=None, draft=_draft(wanted, numbers))
    return Written[UnderspecifiedDraft](
        declined="no other passage answers the same question differently", draft=None
    )


def _of_turn(place: int, own: Passage, others: Sequence[Passage]) -> Iterator[list[Option]]:
    """Yield the groups in the order in which they are wanted on this turn, counted from 0."""
    if place:
        yield from islice(_proven(_contacts(own, others), own, others), place - 1, None)
    yield from islice(_proven(_groups(own, others), own, others), place, None)


def _proven(
    found: Iterator[list[Option]], own: Passage, others: Sequence[Passage]
) -> Iterator[list[Option]]:
    groups = (_findable(group, (own, *others)) for group in found)
    twinned = (_twinned(group, own) for group in groups if _clean(group, own))
    mixed = shuffled([group for group in twinned if group], own.title, own.heading, own.text)
    return filter(None, (_sound(group, own, others) for group in mixed))


def _identity(passage: Passage) -> int:
    """Number a passage by what it says, so that what was once read in it is remembered."""
    return crc32(f"{passage.title}\n{passage.heading}\n{passage.text}".encode())


def _groups(passage: Passage, related: Sequence[Passage]) -> Iterator[list[Option]]:
    return chain(
        sibling_groups(passage, related),
        due_groups(passage, related),
        place_groups(passage, related),
        purpose_groups(passage, related, DEEDS),
    )


def _contacts(passage: Passage, related: Sequence[Passage]) -> Iterator[list[Option]]:
    """Yield groups about whom to contact: many, and telling less, so they wait for later turns."""
    return chain(
        purpose_groups(passage, related, PURPOSES.keys() - DEEDS),
        contact_groups(passage, related),
    )


def _findable(group: Sequence[Option], shown: Sequence[Passage]) -> list[Option]:
    """Keep the readings whose passages hold the words of their questions: a search finds them."""
    used = {option.passage for option in group}
    held = {
        one.number: grammar.content(f"{one.title} {one.heading} {one.text}")
        for one in shown
        if one.number in used
    }
    kept = [option for option in group if _holds(option, held[option.passage])]
    return kept[:_MOST]


def _holds(option: Option, words: frozenset[str]) -> bool:
    asked = grammar.content(without_story(option.base)) - _SMALL
    return grammar.content(option.value) <= words and len(asked & words) >= len(asked) / 2


_MOST = 4
_SMALL = frozenset(
    """get need have do take ask long way much many want find go know wait contact email reach talk
    help question answer request access account work out right person anything address
    who's""".split()
)


def _clean(group: Sequence[Option], own: Passage) -> bool:
    """Say whether a group is several readings of one query that names none of them."""
    if len(group) < _FEWEST or len({option.passage for option in group}) < _FEWEST:
        return False
    shared = frozenset[str].intersection(*(grammar.content(option.value) for option in group))
    said = grammar.content(group[0].base)
    return group[0].passage == own.number and not any(
        (grammar.content(option.value) - shared) & said for option in group
    )


def _sound(group: Sequence[Option], own: Passage, others: Sequence[Passage]) -> list[Option] | None:
    """Return the readings that the own verifier proves, if it finds the query open with them.

    It looks at the passages of the readings and at those nearest to the first.
    """
    used = {option.passage for option in group}
    near = [one for place, one in enumerate(others) if place < _NEAR or one.number in used]
    shown = (own, *near)
    sound = [option for option in group if _answered(option, shown)]
    if _clean(sound, own) and verify(question=sound[0].base, passages=shown).label == _PASSES:
        return sound
    return None


_NEAR = 7


def _answered(option: Option, shown: Sequence[Passage]) -> bool:
    """Say whether this reading is answered by its passage, and differently by none."""
    checked = twin.check(option.question, option.answer, shown)
    supported = option.passage in checked.supports
    return checked.stands_alone and supported and not checked.contradicts


def _twinned(group: Sequence[Option], own: Passage) -> list[Option]:
    """Make the first reading complete, as the query's twin has to be; nothing if it cannot be."""
    first, *rest = group
    twin_of = as_twin(first, own)
    return [twin_of, *rest] if twin_of else []


def _subtype(group: Sequence[Option]) -> Literal["time", "version", "location", "entity"]:
    value = group[0].value
    if re.fullmatch(r"(?:19|20)\d\d", value):
        return "time"
    if re.search(r"\b(?:v|version )?\d+(?:\.\d+)*$", value):
        return "version"
    place = re.search(rf"\b(?:in|at|to) (?:the )?{re.escape(value)}", group[0].question)
    return "location" if place and value[0].isupper() else "entity"


def _draft(group: Sequence[Option], numbers: Mapping[int, int]) -> UnderspecifiedDraft:
    first = group[0]
    names = [option.value for option in group]
    listed = f"{', '.join(names[:-1])} or {names[-1]}"
    return UnderspecifiedDraft(
        twin=TwinDraft(question=first.question, answer=first.answer, quote=first.quote),
        question=first.base,
        subtype=_subtype(group),
        reason=f"It does not say whether it is about {listed}, and the answers differ.",
        readings=[
            ReadingDraft(
                question=option.question,
                value=option.value,
                passage=numbers[option.passage],
                answer=option.answer,
            )
            for option in group
        ],
    )


# --- the reader ---------------------------------------------------------------------------------

_OTHER_FORM = re.compile(
    r"\b(?:send|show|draw|play|record|film|give)\b.{0,30}\b(?:photos?|pictures?|images?|videos?|"
    r"recordings?|audio|maps?|diagrams?|screenshots?)\b",
    re.IGNORECASE,
)
_WANTS_ALL = re.compile(
    r"\b(?:each|every|all (?:of )?(?:the|your|our)|both|respectively|compare|difference between|"
    r"which \w+(?: \w+)? are there)\b",
    re.IGNORECASE,
)
_FOR_ALL = re.compile(
    r"^(?:all|every|each|any|everyone|everybody|nobody)\b|\b(?:whatever|whichever|regardless|no "
    r"matter)\b|\b(?:at|for|in|of) (?:all|every|each|any)\b"
    r"(?! (?:time|amount|day|child|person|one)\b)",
    re.IGNORECASE,
)
_AHEAD = 0.3
"""By how much one statement must answer better than all others to be the obvious one."""


def verify(*, question: str, passages: Sequence[Passage]) -> UnderspecifiedVerification:
    """Answer the prompt `underspecified/verify`; the readings are looked for, not shown."""
    label, rationale = _judge(question, passages)
    return UnderspecifiedVerification(rationale=rationale, label=label)


def _judge(question: str, passages: Sequence[Passage]) -> tuple[Label, str]:
    if _OTHER_FORM.search(question):
        return "modality_limited", "It asks for a picture, a recording or a film."
    if _WANTS_ALL.search(question):
        return "one_answer", "It asks for all of them, and a list answers it."
    found = ambiguity.speaking(question, passages)
    if not found:
        return "no_reading", "No passage says anything that answers it."
    return _weigh(found)


def _general(one: ambiguity.Speaking) -> bool:
    """Say whether a statement is a rule for all, and not about some further thing."""
    return bool(_FOR_ALL.search(one.text)) and len(one.rest) <= _FURTHER


_FURTHER = 6
"""Words beyond the question that a general rule may have: its answer."""


def _weigh(found: Sequence[ambiguity.Speaking]) -> tuple[Label, str]:
    best = found[0]
    general = next((one for one in found if one.own >= best.own and _general(one)), None)
    if general:
        return "general_rule", f"One rule serves all: “{general.text}”"
    answers = ambiguity.groups(found)
    if len(answers) < _FEWEST:
        return "one_answer", f"Every passage that speaks to it says the same: “{best.text}”"
    others = [one for group in answers for one in group if not ambiguity.same_answer(one, best)]
    if best.own - max(one.own for one in others) >= _AHEAD:
        return "dominant_reading", f"One statement is plainly meant: “{best.text}”"
    if len({one.place for group in answers for one in group}) < _FEWEST:
        return "one_answer", "One short passage lists all the answers."
    told = "; ".join(f"“{group[0].text}”" for group in answers[:3])
    return "several_readings", f"The passages answer it differently: {told}"
