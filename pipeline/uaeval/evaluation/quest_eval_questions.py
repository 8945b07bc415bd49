"""Write the questions of RAGQuestEval, and answer them from the ground truth and the response."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from uaeval.errors import ReplyError
from uaeval.evaluation.askable import askable
from uaeval.evaluation.quest_eval import QuestEval, QuestionAnswer, quest_eval
from uaeval.knowledge.keyphrases import engine, key_phrases
from uaeval.llm.model import Model
from uaeval.llm.replies import QuestAnswers, QuestQuestions
from uaeval.storage import GrowingJournal
from uaeval.types import Query, Response

QUESTIONS_PROMPT = "judge/quest_questions"
ANSWERS_PROMPT = "judge/quest_answers"
MOST_PHRASES: Final = 8
NO_QUESTION: Final = "no question could be asked about the reference answer"


@dataclass(frozen=True, slots=True, kw_only=True)
class GroundTruth:
    """The questions about one reference answer, and what it answers to them."""

    query_id: str
    reference: str
    maker: str
    """Who made it: the judge, the prompts and what found the key phrases."""
    questions: tuple[str, ...]
    answers: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestEvalResult:
    """One control under RAGQuestEval."""

    query_id: str
    asked: tuple[QuestionAnswer, ...]
    scores: QuestEval
    note: str | None = None
    """Says why there are no scores; `None` where there are."""


@dataclass(slots=True)
class GroundTruths:
    """The ground-truth side, made once for each query and kept beside the dataset."""

    journal: GrowingJournal[GroundTruth]
    maker: str
    _known: dict[str, GroundTruth] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._known = {one.query_id: one for one in self.journal.read() if one.maker == self.maker}

    async def of(self, query: Query, judge: Model) -> GroundTruth:
        """Return the ground truth of a control; ask for it only if it is not kept.

        Raises:
            RecordError: the judge could not be asked or understood.
        """
        reference = query.reference_answer or ""
        kept = self._known.get(query.id)
        if kept is None or kept.reference != reference:
            questions = await _questions(query, reference, judge)
            kept = GroundTruth(
                query_id=query.id,
                reference=reference,
                maker=self.maker,
                questions=questions,
                answers=await _answers(query, reference, questions, judge),
            )
            self.journal.append(kept)
            self._known[query.id] = kept
        return kept


def open_truths(path: Path, judge: Model, prompts: Mapping[str, str]) -> GroundTruths:
    """Return the ground truths kept in `path` by this judge, with these prompts (name to hash)."""
    wordings = (prompts[name] for name in (QUESTIONS_PROMPT, ANSWERS_PROMPT))
    maker = " ".join([judge.name, *wordings, engine()])
    return GroundTruths(GrowingJournal(path, GroundTruth), maker)


async def judge_quest_eval(
    query: Query, response: Response, judge: Model, truths: GroundTruths
) -> QuestEvalResult:
    """Score the response to one control.

    Raises:
        RecordError: the judge could not be asked or understood; that is no score.
    """
    truth = await truths.of(query, judge)
    generated = await _answers(query, response.text, truth.questions, judge)
    rows = zip(truth.questions, truth.answers, generated, strict=True)
    asked = tuple(
        QuestionAnswer(question=question, truth=wanted, generated=given)
        for question, wanted, given in rows
    )
    scores = quest_eval(asked)
    note = None if scores.questions else NO_QUESTION
    return QuestEvalResult(query_id=query.id, asked=asked, scores=scores, note=note)


async def _questions(query: Query, reference: str, judge: Model) -> tuple[str, ...]:
    phrases = askable(key_phrases(reference, MOST_PHRASES), reference)
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
        asked=query.question,
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
        asked=query.question,
        text=text,
        questions="\n".join(f"{number}. {text}" for number, text in enumerate(questions, 1)),
    )
