"""Judge how a response treats its question: clarified, refused, partial, answered or undecided."""

import re
from collections.abc import Sequence
from dataclasses import replace

from uaeval.errors import ReplyError
from uaeval.llm.replies import VerdictJudgement
from uaeval.offline.judge.classifier import score
from uaeval.offline.judge.denials import informs
from uaeval.offline.judge.outages import is_outage
from uaeval.offline.judge.reading import Sentence, read, spell_out
from uaeval.offline.judge.unreadable import is_off_topic, repeated, shared_stems, unreadable

_REFUSED_FROM, _ANSWERED_TO = 0.55, 0.45  # probabilities; undecided between them
_ASKED = 12  # most sentences of a question back
_PLAIN, _ANSWERING = 2, 0.2  # a longer denial with a lower probability of refusal is an answer
_SHARED, _MOSTLY = 2, 0.5  # content words of the question in a sentence that denies its premise
_BRIEF, _LONG = 3, 8  # most sentences of a response with a remark on what it leaves out
_DENIAL = frozenset({"decline", "lack", "negation"})
_PRESUMES = re.compile(r"^(?:\w+ ){0,2}(?:why|how|when|where|who|whose|which|what)\b|^since\b")
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
        replace(s, kinds=s.kinds - _DENIAL) if s.does("negation") and informs(question, s) else s
        for s in read(response)
    ]
    if problem := unreadable(question, response, sentences):
        return VerdictJudgement(rationale=problem, label="undecided")
    return _readable(question, response, sentences)


def _readable(question: str, response: str, sentences: Sequence[Sentence]) -> VerdictJudgement:
    """Return the verdict on a response in English: patterns first, then the classifier."""
    body = [s for s in sentences if not s.does("offer", "mere_opinion")] or sentences
    if asking := _asks_back(body):
        return _judgement("clarified", "It asks back", asking)
    if declining := _declines(body):
        return _judgement("refused", "It declines or says what it lacks", declining)
    probability = score(sentences)
    if denying := _rejects_premise(question, body, probability):
        return _judgement("refused", "It rejects the premise", denying)
    if missing := _leaves_out(body):
        return _judgement("partial", "It answers, and says that the rest is missing", missing)
    if probability > _ANSWERED_TO:
        label = "refused" if probability >= _REFUSED_FROM else "undecided"
        return _judgement(label, f"It reads as declining ({probability:.2f})", body[0])
    if is_off_topic(question, response, sentences):
        return _judgement("undecided", "It shares nothing with the question", body[0])
    return _judgement("answered", "No sentence declines or asks back", body[0])


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
    if not _PRESUMES.search(asked) or _DENIABLE.search(asked) or _concludes(body):
        return None
    if len(body) > _PLAIN and probability < _ANSWERING:
        return None
    denies = first.does("negation") and shared_stems(question, first.plain) >= _SHARED
    return first if denies and repeated(question, first.plain) >= _MOSTLY else None


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
