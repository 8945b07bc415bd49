"""An extractive reader: the sentences of the passages that answer best, or an honest no."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from uaeval.llm.rag_replies import CheckedRagAnswer, PassageOrder, RagAnswer, Rewordings
from uaeval.llm.rules.english import grammar
from uaeval.llm.rules.mining.sentences import plain, split
from uaeval.llm.rules.readings import ambiguity
from uaeval.llm.rules.readings.headings import sections
from uaeval.types import Passage

NOT_FOUND = "I could not find this in the knowledge base."
TEXT_ONLY = "I can only answer in text, so I cannot send, show or play anything."
DECLINED = frozenset({NOT_FOUND, TEXT_ONLY})
_ENOUGH = 0.6
"""Share of the question's weighed words that a sentence with its headings must hold."""
_OWN = 0.3
"""The same for the sentence without its headings."""
_SECOND = 0.9
"""How close to the best a second sentence must be, as a share of the best."""
_LONGEST = 60
_OTHER_FORM = re.compile(
    r"^(?:(?:can|could|would|will) you |please )?(?:please )?(?:show|send|draw|play|record|sketch|"
    r"read out|film)\b.{0,40}\b(?:photos?|pictures?|images?|videos?|recordings?|audio|drawings?|"
    r"diagrams?|screenshots?|clips?|maps?)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class _Found:
    text: str
    place: tuple[int, int]
    """Passage and position of the sentence."""
    score: float


def answer(*, question: str, passages: Sequence[Passage]) -> RagAnswer:
    """Answer the prompt `rag/answer` with at most two sentences of the passages."""
    if _OTHER_FORM.search(question.strip()):
        return RagAnswer(answer=TEXT_ONLY)
    found = _ranked(question, passages)
    if not found:
        return RagAnswer(answer=NOT_FOUND)
    best, *others = found
    second = next((one for one in others if _adds(one, best)), None)
    told = sorted([best, *([second] if second else [])], key=lambda one: one.place)
    return RagAnswer(answer=" ".join(one.text for one in told))


def answer_checked(*, question: str, passages: Sequence[Passage]) -> CheckedRagAnswer:
    """Answer the prompt `rag/answer_evidence_first`: what is answered are the quoted sentences."""
    said = answer(question=question, passages=passages).answer
    told = {NOT_FOUND: "No sentence speaks to it.", TEXT_ONLY: "It asks for another form."}
    return CheckedRagAnswer(rationale=told.get(said, f"The passages say: {said}"), answer=said)


def reword(*, question: str) -> Rewordings:
    """Answer the prompt `rag/multi_query` with the key words, and with the nouns among them."""
    asked = ambiguity.asked_words(question)
    words = [word for word in grammar.words(question) if grammar.stem(word) in asked]
    nouns = [word for word in words if grammar.is_noun(word.lower())]
    found = dict.fromkeys(" ".join(each) for each in (words, nouns) if each)
    return Rewordings(queries=[text for text in found if text != question])


def rerank(*, question: str, passages: Sequence[Passage]) -> PassageOrder:
    """Answer the prompt `rag/rerank`: passages by the sentence in them that answers best."""
    best = dict.fromkeys(one.place[0] for one in _ranked(question, passages))
    return PassageOrder(order=list(best))


def _ranked(question: str, passages: Sequence[Passage]) -> list[_Found]:
    words, kind = ambiguity.asked_words(question), ambiguity.wanted(question)
    units = [unit for passage in passages for unit in _sentences(passage)]
    weights = ambiguity.weights(words, [stems | context for _, _, stems, context in units])
    total = ambiguity.share(weights, frozenset(weights))
    found = []
    for text, place, stems, context in units:
        held = ambiguity.share(weights, stems | context)
        own = ambiguity.share(weights, stems)
        fits = ambiguity.figures(text, kind) is not None
        score = (held + own) / 2 / total if total else 0.0
        if total and fits and held >= _ENOUGH * total and own >= _OWN * total:
            found.append(_Found(text, place, score))
    return sorted(found, key=lambda one: (-one.score, one.place))


def _adds(one: _Found, best: _Found) -> bool:
    """Say whether a further sentence is nearly as good, says more, and keeps the answer short."""
    close = one.score >= _SECOND * best.score
    new = grammar.content(one.text) - grammar.content(best.text)
    return close and len(new) > 1 and len(f"{one.text} {best.text}".split()) <= _LONGEST


def _sentences(
    passage: Passage,
) -> list[tuple[str, tuple[int, int], frozenset[str], frozenset[str]]]:
    found: list[tuple[str, tuple[int, int], frozenset[str], frozenset[str]]] = []
    for section in sections(passage):
        context = ambiguity.meanings(f"{passage.title} {section.parent} {section.heading}")
        for line in section.text.splitlines():
            bare = re.sub(r"^\s*(?:[-*+•>|]|\d+[.)])\s+", "", line)
            for raw in split(bare) or ([bare] if len(bare.split()) > 1 else []):
                text = plain(raw)
                place = (passage.number, len(found))
                found.append((text, place, ambiguity.meanings(text), context))
    return found
