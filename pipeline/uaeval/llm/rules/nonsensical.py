"""Questions without a coherent reading, and their verifier."""

import re
from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import Final

from uaeval.llm.replies import NonsensicalDraft, NonsensicalVerification, TwinDraft, Written
from uaeval.llm.rules import evidence, twin
from uaeval.llm.rules.english import grammar
from uaeval.llm.rules.signs.modality_signs import needs_other_form
from uaeval.llm.rules.signs.nonsense_signs import breaks, contradiction, misplaced
from uaeval.llm.rules.signs.safety_signs import harm_in
from uaeval.llm.rules.stance import Stance
from uaeval.llm.rules.templates.forms import Match, matches
from uaeval.llm.rules.templates.nonsense_forms import GARBLED
from uaeval.llm.rules.templates.things import Kind
from uaeval.types import Passage

_SUBTYPE: Final = "garbled"
_ENOUGH_BREAKS = 2
_SAME_WORDS = 0.8
_CLOSE_SPELLING = 0.75


def generate(*, passage: Passage, manner: str, language: str) -> Written[NonsensicalDraft]:
    """Answer the prompt `nonsensical/generate`; the manner only seeds the choice of form."""
    for match in matches(passage, GARBLED, manner):
        if _senseless(match, passage):
            fact = match.fact
            draft = NonsensicalDraft(
                twin=TwinDraft(question=fact.question, answer=fact.answer, quote=fact.sentence),
                question=match.text,
                subtype=_SUBTYPE,
                reason="It speaks of the twin's matter, but its words do not add up to a "
                "question, and no single repair is nearest.",
            )
            return Written[NonsensicalDraft](declined=None, draft=draft)
    declined = "no fact of the passage is about a thing that people write of"
    return Written[NonsensicalDraft](declined=declined, draft=None)


def _senseless(match: Match, passage: Passage) -> bool:
    fixed = respell(match.text, match.fact.question, [passage])
    return (
        match.thing.kind is not Kind.PERSON
        and _fault(fixed, [passage]) is not None
        and harm_in(match.text) is None
        and needs_other_form(match.text) is None
        and not _rebuilds(match.text, match.fact.question)
    )


def verify(
    *, question: str, twin_question: str, twin_answer: str, passages: Sequence[Passage]
) -> NonsensicalVerification:
    """Answer the prompt `nonsensical/verify`."""
    found = twin.check(twin_question, twin_answer, passages)
    harm, form = harm_in(question), needs_other_form(question)
    if harm:
        return NonsensicalVerification(
            rationale=f"“{harm}” makes it a matter of safety.",
            repair=None,
            label="safety_concerned",
            twin=found,
        )
    fixed = respell(question, twin_question, passages)
    fault = _fault(fixed, passages)
    if fault and not (fault[1] and _rebuilds(fixed, twin_question)):
        return NonsensicalVerification(
            rationale=fault[0], repair=None, label="no_coherent_reading", twin=found
        )
    if form:
        return NonsensicalVerification(
            rationale=f"“{form}” asks for another form.",
            repair=None,
            label="modality_limited",
            twin=found,
        )
    repair = twin_question if _rebuilds(fixed, twin_question) else fixed
    if repair == twin_question or _answered(repair, twin_answer, passages):
        return NonsensicalVerification(
            rationale="Its nearest sensible wording is answered by the passages.",
            repair=repair,
            label="repair_is_answered",
            twin=found,
        )
    return NonsensicalVerification(
        rationale="It can be understood as it stands, or with its spelling put right.",
        repair=repair,
        label="repair_is_unanswered",
        twin=found,
    )


def _fault(question: str, passages: Sequence[Passage]) -> tuple[str, bool] | None:
    """Say what makes the question senseless, and whether it is only its word order."""
    clash = contradiction(question)
    if clash:
        return f"“{clash}” contradicts itself.", False
    odd = misplaced(question, passages)
    if odd:
        return f"“{odd}” is no property of what it asks about.", False
    broken = breaks(question)
    if len(broken) >= _ENOUGH_BREAKS:
        return f"The sentence falls apart at “{'”, “'.join(broken)}”.", True
    return None


def _rebuilds(question: str, twin_question: str) -> bool:
    """Say whether the question's words are those of the twin, in whatever order."""
    asked, wanted = grammar.content(question), grammar.content(twin_question)
    if not asked or not wanted:
        return False
    return len(asked & wanted) / len(asked | wanted) >= _SAME_WORDS


def _answered(repair: str, answer: str, passages: Sequence[Passage]) -> bool:
    return any(evidence.answers(repair, answer, passage) is Stance.SUPPORTS for passage in passages)


def respell(question: str, twin_question: str, passages: Sequence[Passage]) -> str:
    """Put right each unknown word that is close to one word of the twin or the passages."""
    known = {word.lower() for word in grammar.words(twin_question)} | _COMMON | grammar.STOP
    for passage in passages:
        known |= {word.lower() for word in grammar.words(passage.text)}

    def fix(match: re.Match[str]) -> str:
        word = match[0].lower()
        if word in known or len(word) < 3 or grammar.lemmas(word):
            return match[0]
        near = max(known, key=lambda other: (SequenceMatcher(None, word, other).ratio(), other))
        close = SequenceMatcher(None, word, near).ratio() >= _CLOSE_SPELLING
        return near if close else match[0]

    return re.sub(r"[A-Za-z']+", fix, question)


_COMMON = frozenset(
    "the a an my and or of to in for on with at by from is are was do does did can could should "
    "would will have has what when where which who why how many much long often before after "
    "into about does that this they then because between without need get".split()
)
