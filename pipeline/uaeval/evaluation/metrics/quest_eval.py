"""RAGQuestEval: how much of the ground truth a response contains, by questions on key phrases.

The judge writes the questions, and answers them from the ground truth and from the response.
"""

import math
import re
import string
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter
from pathlib import Path
from typing import Final

from uaeval.errors import ReplyError
from uaeval.evaluation.metrics.judged import Case, JudgedMetric, Sources
from uaeval.evaluation.metrics.spec import MetricSpec, declared
from uaeval.knowledge.keyphrases import engine, key_phrases
from uaeval.llm.model import Model
from uaeval.llm.replies import QuestAnswers, QuestQuestions
from uaeval.records import Query, Response
from uaeval.storage import KeyedJournal
from uaeval.text import english
from uaeval.text.words import UNSPACED

UNANSWERABLE: Final = "<Unanswerable>"
MOST_PHRASES: Final = 8
"""Most key phrases of a ground truth that are asked about."""
_ARTICLES = re.compile(r"\b(?:a|an|the)\b")
_MARKS = re.compile(rf"[{re.escape(string.punctuation)}。、，！？；：「」『』（）《》…“”‘’]")
_UNSPACED = re.compile(rf"[{UNSPACED}]")
QUESTIONS_PROMPT = "judge/quest_questions"
ANSWERS_PROMPT = "judge/quest_answers"
_MODAL: Final = rf"\b(?:{'|'.join(sorted(english.MODALS))})(?: (?:not|also|only|then|still))*"


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionAnswer:
    """One question with its two answers; `UNANSWERABLE` if a text does not contain one."""

    question: str
    truth: str
    """The answer from the ground truth."""
    generated: str
    """The answer from the system's response."""


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestEval:
    """The scores of one response."""

    questions: int
    """Number of valid questions, which the ground truth itself answers."""
    answered: int
    """Number of valid questions that the response answers."""
    recall: float | None
    """Share of the valid questions that are answered; `None` without valid questions."""
    precision: float | None
    """Mean token F1 of the answered questions; `None` if there are none."""
    precision_over_all: float | None
    """Mean token F1 of the valid questions, unanswered ones counting as 0."""


def quest_eval(asked: Sequence[QuestionAnswer]) -> QuestEval:
    """Return the scores; questions that the ground truth does not answer are dropped.

    The paper divides precision by all questions in its formula, and by the answered ones in its
    example. `precision` follows the example, `precision_over_all` the formula.
    """
    valid = [pair for pair in asked if pair.truth.strip() != UNANSWERABLE]
    answered = [pair for pair in valid if pair.generated.strip() != UNANSWERABLE]
    total = math.fsum(token_f1(pair.generated, pair.truth) for pair in answered)
    return QuestEval(
        questions=len(valid),
        answered=len(answered),
        recall=len(answered) / len(valid) if valid else None,
        precision=total / len(answered) if answered else None,
        precision_over_all=total / len(valid) if valid else None,
    )


def token_f1(answer: str, expected: str) -> float:
    """Return the token F1 of two answers, as in SQuAD.

    Rajpurkar et al. (2016), EMNLP, 2383-2392: case, punctuation and English articles are ignored.
    In scripts without spaces a token is a character. If both are empty it is 1, if one is, 0.
    """
    tokens, reference = _tokens(answer), _tokens(expected)
    if not tokens or not reference:
        return float(tokens == reference)
    return 2 * (Counter(tokens) & Counter(reference)).total() / (len(tokens) + len(reference))


def _tokens(text: str) -> list[str]:
    spaced = _UNSPACED.sub(r" \g<0> ", _MARKS.sub("", text.casefold()))
    return _ARTICLES.sub(" ", spaced).split()


@dataclass(frozen=True, slots=True, kw_only=True)
class GroundTruth:
    """The questions about one reference answer, and its own answers to them."""

    query_id: str
    reference: str
    maker: str
    """The judge, the hashes of the prompts, and the extractor of the key phrases."""
    questions: tuple[str, ...]
    answers: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestEvalResult:
    """The result of one control."""

    query_id: str
    asked: tuple[QuestionAnswer, ...]
    scores: QuestEval
    note: str | None = None
    """Why there are no scores; `None` if there are."""


class QuestEvaluation:
    """Scores responses; the ground truths are made once per query and stored beside the dataset."""

    def __init__(self, path: Path, judge: Model, prompts: Mapping[str, str]) -> None:
        """Open the journal `path`, for this judge and these prompts (hash by name)."""
        hashes = (prompts[name] for name in (QUESTIONS_PROMPT, ANSWERS_PROMPT))
        self._judge, self._maker = judge, " ".join([judge.name, *hashes, engine()])
        key = attrgetter("query_id", "maker", "reference")
        self._journal = KeyedJournal(path, GroundTruth, lambda truth: "\n".join(key(truth)))

    async def score(self, query: Query, response: Response) -> QuestEvalResult:
        """Score the response to one control; raise `RecordError` if a call fails."""
        truth = await self._ground_truth(query)
        generated = await _answers(query, response.text, truth.questions, self._judge)
        answers = zip(truth.questions, truth.answers, generated, strict=True)
        asked = tuple(
            QuestionAnswer(question=question, truth=expected, generated=answer)
            for question, expected, answer in answers
        )
        scores = quest_eval(asked)
        note = None if scores.questions else "no question could be asked about the reference answer"
        return QuestEvalResult(query_id=query.id, asked=asked, scores=scores, note=note)

    async def _ground_truth(self, query: Query) -> GroundTruth:
        """Return the ground truth of a control; ask the judge if it is not stored."""
        reference = query.reference_answer or ""
        truth = self._journal.known.get("\n".join((query.id, self._maker, reference)))
        if truth is None:
            questions = await _questions(query, reference, self._judge)
            truth = GroundTruth(
                query_id=query.id,
                reference=reference,
                maker=self._maker,
                questions=questions,
                answers=await _answers(query, reference, questions, self._judge),
            )
            await self._journal.keep(truth)
        return truth


def askable(phrases: Sequence[str], text: str) -> tuple[str, ...]:
    """Return `phrases` of `text` without English words that are a bare yes or no, or a verb."""
    return tuple(phrase for phrase in phrases if " " in phrase or not _unaskable(phrase, text))


def _unaskable(word: str, text: str) -> bool:
    if word.casefold() in {"yes", "no", "ok", "okay"} or english.lemmas(word).keys() == {"VERB"}:
        return True
    after_modal = rf"{_MODAL} {re.escape(word)}\b"
    return english.can_be_verb(word) and re.search(after_modal, text, re.IGNORECASE) is not None


async def _questions(query: Query, reference: str, judge: Model) -> tuple[str, ...]:
    phrases = askable(key_phrases(reference, MOST_PHRASES, language=query.language), reference)
    if not phrases:
        return ()

    def parse(reply: QuestQuestions) -> tuple[str, ...]:
        if len(reply.questions) > len(phrases):
            message = f"{len(phrases)} phrases were shown, {len(reply.questions)} questions written"
            raise ReplyError(message, raw=reply.model_dump_json())
        return tuple(dict.fromkeys(written.question for written in reply.questions))

    return await judge.ask(
        QUESTIONS_PROMPT,
        QuestQuestions,
        parse,
        asked=query.conversation,
        text=reference,
        phrases="\n".join(phrases),
    )


async def _answers(
    query: Query, text: str, questions: Sequence[str], judge: Model
) -> tuple[str, ...]:
    if not questions:
        return ()

    def parse(reply: QuestAnswers) -> tuple[str, ...]:
        if len(reply.answers) != len(questions):
            message = f"{len(questions)} questions were asked, {len(reply.answers)} answered"
            raise ReplyError(message, raw=reply.model_dump_json())
        return tuple(reply.answers)

    return await judge.ask(
        ANSWERS_PROMPT,
        QuestAnswers,
        parse,
        asked=query.conversation,
        text=text,
        questions="\n".join(f"{number}. {text}" for number, text in enumerate(questions, 1)),
    )


def _open(sources: Sources) -> Callable[[Case], Awaitable[QuestEvalResult]]:
    hashes = sources.prompts.hashes_of(METRIC.prompts)
    evaluation = QuestEvaluation(sources.folder / "quest_eval.jsonl", sources.judge, hashes)
    return lambda case: evaluation.score(case.query, case.response)


METRIC: Final = JudgedMetric(
    name="quest_eval",
    title="asking what the references say",
    prompts=(QUESTIONS_PROMPT, ANSWERS_PROMPT),
    record=QuestEvalResult,
    open=_open,
    metrics=declared("quest_eval", MetricSpec),
    file="quest_eval.jsonl",
    applies=lambda query: query.reference_answer is not None,
    note="Quest: RAGQuestEval, over the twins whose reference answer has a question to ask.",
)
