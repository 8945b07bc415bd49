"""The means of metrics on demand: final score and RAGQuestEval, by group."""

from collections.abc import Iterable, Mapping, Sequence

from uaeval.categories.names import category_names
from uaeval.evaluation.figures import CONTROLS, OVERALL, Figure
from uaeval.evaluation.final_score import FinalScore
from uaeval.evaluation.means import Measurement, mean_score
from uaeval.evaluation.quest_eval_questions import QuestEvalResult
from uaeval.types import Query, Score


def final_values(scored: FinalScore) -> dict[Figure, float | None]:
    """Return the values of one query by figure."""
    return {
        Figure.FINAL_SCORE: scored.final_score,
        Figure.FINAL_SCORE_RAW: scored.raw_score,
        Figure.ANSWER_CORRECTNESS: scored.answer_correctness.score,
        Figure.CONTEXT_RELEVANCY: scored.context_relevancy.score,
        Figure.CONTEXT_RECALL: scored.context_recall.score if scored.context_recall else None,
    }


def quest_values(quested: QuestEvalResult) -> dict[Figure, float | None]:
    """Return the values of one control by figure; `None` where it has none."""
    return {
        Figure.QUEST_RECALL: quested.scores.recall,
        Figure.QUEST_PRECISION: quested.scores.precision,
        Figure.QUEST_PRECISION_OVER_ALL: quested.scores.precision_over_all,
    }


def final_means(queries: Sequence[Query], scored: Mapping[str, FinalScore]) -> Iterable[Score]:
    """Yield the means overall, of the controls and by category; `scored` is by query id."""
    values = {name: final_values(one) for name, one in scored.items()}
    figures = (
        Figure.FINAL_SCORE,
        Figure.FINAL_SCORE_RAW,
        Figure.ANSWER_CORRECTNESS,
        Figure.CONTEXT_RELEVANCY,
        Figure.CONTEXT_RECALL,
    )
    for figure in figures:
        for group, members in _groups(queries):
            yield _mean(figure, group, members, values)


def quest_means(
    queries: Sequence[Query], quested: Mapping[str, QuestEvalResult]
) -> Iterable[Score]:
    """Return the means over the controls; `quested` is by query id."""
    values = {name: quest_values(one) for name, one in quested.items()}
    figures = (Figure.QUEST_RECALL, Figure.QUEST_PRECISION, Figure.QUEST_PRECISION_OVER_ALL)
    return [_mean(figure, CONTROLS, queries, values) for figure in figures]


def _groups(queries: Sequence[Query]) -> Iterable[tuple[str, Sequence[Query]]]:
    yield OVERALL, queries
    controls = [query for query in queries if query.answerable]
    if controls:
        yield CONTROLS, controls
    for category in category_names():
        members = [query for query in queries if query.category == category]
        if members:
            yield category, members


def _mean(
    figure: Figure,
    group: str,
    queries: Sequence[Query],
    values: Mapping[str, Mapping[Figure, float | None]],
) -> Score:
    """Average what was measured. No measurement is an error; one without this figure is none."""
    measured = [
        Measurement(query.provenance.document_id, values[query.id][figure])
        if query.id in values
        else Measurement(query.provenance.document_id, None)
        for query in queries
        if query.id not in values or values[query.id][figure] is not None
    ]
    return mean_score(figure.value, group, measured)
