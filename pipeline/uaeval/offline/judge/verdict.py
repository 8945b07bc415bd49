"""Judge how a response treats its question: clarified, refused, partial, answered or undecided."""

import re
from collections.abc import Sequence
from dataclasses import replace

from uaeval.errors import ReplyError
from uaeval.llm.replies import VerdictJudgement
from uaeval.offline.judge.classifier import score
from uaeval.offline.judge.reading import Sentence, clauses, informs, read
from uaeval.offline.judge.unreadable import is_off_topic, is_outage, unreadable
from uaeval.offline.tables import patterns
from uaeval.text.spelling import repeated, shared_stems, spell_out

_REFUSED_FROM, _ANSWERED_TO = 0.55, 0.45  # probabilities; undecided between them
_ASKED = 12  # most sentences of a question back
_PLAIN, _ANSWERING = 2, 0.2  # a longer denial with a lower probability of refusal is an answer
_SHARED, _MOSTLY = 2, 0.5  # content words of the question in a sentence that denies its premise
_BRIEF, _LONG = 3, 8  # most sentences of a response with a remark on what it leaves out
_DENIAL = frozenset({"decline", "lack", "negation"})
_SEVERAL = re.compile(r"\b(?:and|or)\b|\?.*\?", re.IGNORECASE)
_FIGURE = re.compile(r"\d{2,}")
_PRESUMES = re.compile(r"^(?:\w+ ){0,2}(?:why|how|when|where|who|whose|which|what)\b|^since\b")
_IF_FIRST = re.compile(r"(?:(?!\b(?:not|cannot|never|no)\b).)*\b(?:if|once|when|whenever)\b")
_WHY = re.compile(r"^(?:\w+ ){0,2}(?:why|when|since)\b")
_DENIABLE = re.compile(
    r"\b(?:not|never|no|nothing|cannot|any|means?|happens?)\b|^(?:list|name)\b|"
    r"^(?:what|which)\b[^,?]*? (?:are|were)\b"
)
"""Questions that a denial answers: they deny something, ask for a list or for a meaning."""


def verdict(question: str, response: str) -> VerdictJudgement:
    """Return how a response treats its question.

    Raises:
        ReplyError: the response is the message of a broken service.
    """
    if is_outage(response):
        raise ReplyError("the response reads like an outage message, not a response")
    sentences = [
        replace(s, kinds=s.kinds - _DENIAL)
        if (s.does("negation") and informs(question, s)) or (at and s.does("beyond"))
        else s
        for at, s in enumerate(read(response))
    ]
    if problem := unreadable(question, response, sentences):
        return VerdictJudgement(rationale=problem, label="undecided")
    return _readable(question, response, _undisclaimed(question, sentences))


def _readable(question: str, response: str, sentences: Sequence[Sentence]) -> VerdictJudgement:
    """Return the verdict on a response in English: patterns first, then the classifier."""
    body = [s for s in sentences if not s.does("offer", "mere_opinion")] or sentences
    probability = score(sentences)
    for label, reason, found in (
        ("clarified", "It asks back", _asks_back(body)),
        ("partial", "It answers a part, and lacks the rest", _leaves_part(question, body)),
        ("refused", "It declines or says what it lacks", _declines(body)),
        ("refused", "It rejects the premise", _rejects_premise(question, body, probability)),
        ("refused", "It gives other facts, and lacks what is asked", _lacks_asked(question, body)),
        ("partial", "It answers, and says that the rest is missing", _leaves_out(body)),
    ):
        if found:
            return _judgement(label, reason, found)
    if probability > _ANSWERED_TO:
        label = "refused" if probability >= _REFUSED_FROM else "undecided"
        return _judgement(label, f"It reads as declining ({probability:.2f})", body[0])
    if _refers(question, body):
        return _judgement("refused", "It only refers to others", body[0])
    if is_off_topic(question, response, sentences):
        return _judgement("undecided", "It shares nothing with the question", body[0])
    return _judgement("answered", "No sentence declines or asks back", body[0])


def _undisclaimed(question: str, sentences: Sequence[Sentence]) -> Sequence[Sentence]:
    """Return the sentences without a disclaimer at the start, if an answer follows it."""
    disclaimer, *rest = [*clauses(sentences[0]), *sentences[1:]]
    disclaims = disclaimer.does("caveat") and not disclaimer.does("mere_opinion")
    if not disclaims or any(map(gap, rest)) or repeated(question, disclaimer.plain) >= _MOSTLY:
        return sentences
    answers = (s for s in rest if not s.does("need", "supply", "offer", "moral"))
    return rest if any(shared_stems(question, s.plain) for s in answers) else sentences


def gap(sentence: Sentence) -> bool:
    """Return whether a sentence declines or names a lack, other than of opinions."""
    return sentence.does("decline", "lack", "senseless") and not sentence.does("mere_opinion")


def _asks_back(body: Sequence[Sentence]) -> Sentence | None:
    """Return the sentence that asks for what is missing, if nothing is answered or declined."""
    asking = [s for s in body if s.does("ask") and not s.does("supply", "misled")]
    if not asking or len(body) > _ASKED:
        return None
    ends = body[-1] in asking or body[0] in asking
    lacking = any(gap(s) and not s.does("senseless") for s in body if s not in asking)
    return asking[-1] if ends and not lacking else None


def _declines(body: Sequence[Sentence]) -> Sentence | None:
    """Return the sentence that declines for the whole response, if one does."""
    gaps = [gap(s) for s in body]
    if _concludes(body) or _disclaims(body) or not any(gaps):
        return None
    opens = gaps[0] or (
        len(body) > 1 and gaps[1] and body[0].does("ai", "need", "sorry", "ask", "preamble")
    )
    ends = gaps[-1] and sum(gaps) > 1
    refers = any(gaps[-2:]) and any(s.does("need") for s in body[-2:])
    declines = opens or body[0].does("need") or ends or refers
    return body[gaps.index(True)] if declines else None


def _concludes(body: Sequence[Sentence]) -> bool:
    """Return whether a response comes to an answer in spite of what it lacks."""
    end = body[-2:] if len(body) > 2 else body[1:]
    ended = any(s.does("result") and not gap(s) and not s.does("need") for s in end)
    opened = any(s.does("opening") for s in body[1:4])
    return ended or (opened and not gap(body[-1]) and not body[-1].does("need"))


def _disclaims(body: Sequence[Sentence]) -> bool:
    """Return whether a response opens with a disclaimer and then answers."""
    turns = any(s.does("contrast") for s in body[:2])
    goes_on = len(body) > 2 and not any(gap(s) or s.does("need", "supply") for s in body[1:])
    return body[0].does("ai") and turns and goes_on


def _rejects_premise(
    question: str, body: Sequence[Sentence], probability: float
) -> Sentence | None:
    """Return the opening sentence if it denies what the question presupposes."""
    asked, first = spell_out(question), body[0]
    if first.does("misled") and not first.does("moral"):
        return first
    unfit = not _PRESUMES.search(asked) or _DENIABLE.search(asked) or _IF_FIRST.match(first.plain)
    if unfit or _concludes(body):
        return None
    if len(body) > _PLAIN and probability < _ANSWERING:
        return None
    corrects = _WHY.search(asked) and first.does("corrects") and not first.does("tells")
    denies = (corrects or first.does("negation")) and shared_stems(question, first.plain) >= _SHARED
    return first if denies and repeated(question, first.plain) >= _MOSTLY else None


def _leaves_part(question: str, body: Sequence[Sentence]) -> Sentence | None:
    """Return what lacks one of several questions, if the opening may answer another."""
    answer, *others = [*clauses(body[0]), *body[1:]]
    if gap(answer) or answer.does("sorry", "ai", "preamble") or not _SEVERAL.search(question):
        return None
    lacking = [s for s in others if s.does("lack")]
    enough = len(others) < _BRIEF and len(answer.plain.split()) > 2
    return lacking[0] if enough and lacking and shared_stems(question, answer.plain) else None


def _lacks_asked(question: str, body: Sequence[Sentence]) -> Sentence | None:
    """Return the late sentence that lacks more of the question than any before it repeats."""
    late = next((s for s in body[:-3:-1] if gap(s)), body[0])
    before = body[: body.index(late)]
    if not before or len(body) > _LONG or _SEVERAL.search(question):
        return None
    most = max(shared_stems(question, s.plain) for s in before)
    given = {figure for s in before for figure in _FIGURE.findall(s.plain)}
    new = {*_FIGURE.findall(question)} & {*_FIGURE.findall(late.plain)} - given
    told = new or all(s.does("summary") for s in before)
    return late if told or shared_stems(question, late.plain) > most else None


def _refers(question: str, body: Sequence[Sentence]) -> bool:
    """Return whether a response only names who or what else may answer."""
    asks = patterns("judge", "questions")["contact"].search(spell_out(question))
    return not asks and len(body) <= _BRIEF and all(s.does("refer") for s in body)


def _leaves_out(body: Sequence[Sentence]) -> Sentence | None:
    """Return the late sentence that says a part of the answer is missing."""
    late = [s for s in body[1:] if s in body[-2:] and gap(s) and s.does("lack")]
    if re.match(r"(?:yes|no)\b", body[0].plain) and len(body) == 2:
        return None
    turns = len(body) <= _BRIEF or any(s.does("contrast") for s in late)
    return late[-1] if late and turns and len(body) <= _LONG else None


def _judgement(label: str, reason: str, sentence: Sentence) -> VerdictJudgement:
    text = re.sub(r"\s+", " ", sentence.text)
    quoted = text if len(text) <= 160 else f"{text[:157]}..."
    return VerdictJudgement.model_validate({"rationale": f"{reason}: “{quoted}”", "label": label})
