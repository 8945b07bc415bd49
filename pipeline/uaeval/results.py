"""What the Python API returns: records to iterate over, tables, and figures by name."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field, fields
from functools import cached_property
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Self, SupportsIndex, overload

from uaeval.evaluation.compare import ChangedOutcome, Comparison
from uaeval.evaluation.evaluation import Evaluation
from uaeval.evaluation.labels.calibrate import Agreement, CalibratedRatio
from uaeval.evaluation.metrics.registry import all_metrics
from uaeval.records import Failure, Metric, Query, Response, Score
from uaeval.report.comparison import comparison_report
from uaeval.run_folder import Manifest, RunFolder

if TYPE_CHECKING:
    from datasets import Dataset
    from pandas import DataFrame


class _Table:
    """A result that is shown as a table, with a row for each of its items."""

    def _rows(self) -> Iterable[dict[str, object]]:
        raise NotImplementedError

    def to_pandas(self) -> "DataFrame":
        """Return a table with a row for each item, and a column for each of its fields."""
        import pandas

        return pandas.DataFrame(list(self._rows()))

    def to_datasets(self) -> "Dataset":
        """Return the same as a dataset of the library datasets."""
        import datasets

        return datasets.Dataset.from_list(list(self._rows()))

    def _repr_html_(self) -> str:
        return str(self.to_pandas().to_html(index=False))


@dataclass(frozen=True, slots=True, kw_only=True)
class SynthesisResult(_Table):
    """The dataset of a run: an iterable of its queries, with twins, and a path to its folder."""

    folder: Path
    manifest: Manifest = field(repr=False)

    def __fspath__(self) -> str:
        return str(self.folder)

    def __iter__(self) -> Iterator[Query]:
        return RunFolder(self.folder).stream_queries()

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def _rows(self) -> Iterable[dict[str, object]]:
        return ({**asdict(query), "answerable": query.answerable} for query in self)

    def _repr_html_(self) -> str:
        chosen, counts = self.manifest.chosen, {"dataset": str(self.folder)}
        for name, asked in self.manifest.asked.items():
            counts[name] = f"{chosen.get(name, 0)} of {asked}"
        rows = (f"<th>{escape(name)}</th><td>{escape(text)}</td>" for name, text in counts.items())
        return f"<table>{''.join(f'<tr>{row}</tr>' for row in rows)}</table>"


class Scores(_Table, tuple[Score, ...]):
    """Scores in the order of the report, and by name: `scores["joint"]`."""

    @overload
    def __getitem__(self, key: str | tuple[str, str]) -> Score: ...
    @overload
    def __getitem__(self, key: SupportsIndex) -> Score: ...
    @overload
    def __getitem__(self, key: slice) -> tuple[Score, ...]: ...
    def __getitem__(
        self, key: str | tuple[str, str] | SupportsIndex | slice
    ) -> Score | tuple[Score, ...]:
        """Return the score of a metric, of the whole or of a group: `scores["joint", "macro"]`.

        Names are those of `--fail-under` and `scores.json`.

        Raises:
            KeyError: there is no such score.
        """
        if not isinstance(key, str | tuple):
            return super().__getitem__(key)
        name, group = (key, "") if isinstance(key, str) else key
        specs = [spec for spec in all_metrics() if name in {spec.name, spec.gate}]
        wanted = {(spec.name, group or spec.group) for spec in specs} or {(name, group)}
        score = next((score for score in self if (score.metric, score.group) in wanted), None)
        if score is None:
            known = ", ".join(dict.fromkeys(score.metric for score in self))
            raise KeyError(f"no score {key!r}; the metrics are {known}")
        return score

    def _rows(self) -> Iterable[dict[str, object]]:
        return map(asdict, self)


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluatedQuery:
    """One query, the response to it, and what the judge says of the response."""

    query: Query
    response: Response | None
    """`None` if the system gave none."""
    labels: dict[Metric, str]
    """The judge's label by metric; a metric that is missing was not decided."""
    rationales: dict[Metric, str]
    failures: tuple[Failure, ...]
    """Calls that failed, of the system and of the judge."""
    good: bool | None
    """Whether the response is acceptable, or to a control correct; `None` if that is unknown."""

    def __str__(self) -> str:
        said = self.response.text if self.response else "no response"
        problems = [*self.rationales.values(), *(failure.message for failure in self.failures)]
        return "\n".join([f"{self.query.id}: {self.query.conversation}", f"→ {said}", *problems])


@dataclass(frozen=True, kw_only=True)
class EvaluationResult(_Table, Evaluation):
    """An evaluation: an iterable of its queries, and a path to its folder."""

    @classmethod
    def of(cls, evaluation: Evaluation) -> Self:
        """Return `evaluation` with its records read, so that it outlives its folder."""
        result = cls(**{field.name: getattr(evaluation, field.name) for field in fields(cls)})
        _ = (result.scores, result.queries, result.items, result.responses, result.judgements)
        _ = (result.undecided, result.failures, result.blocked, result.others)
        return result

    @cached_property
    def scores(self) -> Scores:
        """The scores, by place or by name."""
        return Scores(super().scores)

    def __fspath__(self) -> str:
        return str(self.folder)

    def __len__(self) -> int:
        return len(self.queries)

    def __iter__(self) -> Iterator[EvaluatedQuery]:
        responses = {response.query_id: response for response in self.responses}
        judgements, failures = defaultdict(list), defaultdict(list)
        for judgement in self.judgements:
            judgements[judgement.query_id].append(judgement)
        for failure in self.failures:
            failures[failure.id.partition("/")[0]].append(failure)
        for query, row in zip(self.queries, self.items, strict=True):
            yield EvaluatedQuery(
                good=row.correct if query.answerable else row.acceptable,
                query=query,
                response=responses.get(query.id),
                labels={each.metric: each.label for each in judgements[query.id]},
                rationales={each.metric: each.rationale for each in judgements[query.id]},
                failures=tuple(failures[query.id]),
            )

    def _rows(self) -> Iterable[dict[str, object]]:
        names = ("id", "pair_id", "category", "question", "reference_answer")
        for each in self:
            response = each.response
            yield {
                **{name: getattr(each.query, name) for name in names},
                "response": response.text if response else None,
                "status": response.status.value if response else None,
                "latency_s": response.latency_s if response else None,
                **{metric.value: each.labels.get(metric) for metric in Metric},
                "failure": "; ".join(failure.message for failure in each.failures) or None,
            }

    def _repr_html_(self) -> str:
        return self.scores._repr_html_()


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparisonResult(_Table):
    """How evaluations differ: an iterable of figures."""

    figures: tuple[Comparison, ...]
    flips: tuple[ChangedOutcome, ...]
    """Queries on which one did well and another did not."""

    def __iter__(self) -> Iterator[Comparison]:
        return iter(self.figures)

    def __len__(self) -> int:
        return len(self.figures)

    def _rows(self) -> Iterable[dict[str, object]]:
        derived = ("difference", "significant", "reliable")
        return (asdict(each) | {name: getattr(each, name) for name in derived} for each in self)

    def to_markdown(self) -> str:
        """Return the report of `uaeval compare --output`."""
        return comparison_report(self.figures, self.flips)


@dataclass(frozen=True, slots=True, kw_only=True)
class CalibrationResult(_Table):
    """How far the judge agrees with people, and its ratios corrected for its mistakes."""

    agreement: tuple[Agreement, ...]
    corrected: tuple[CalibratedRatio, ...]
    empty: int
    """Drawn items that nobody labelled."""
    path: Path
    """`calibration.json`, which holds the figures."""

    def __iter__(self) -> Iterator[Agreement]:
        return iter(self.agreement)

    def _rows(self) -> Iterable[dict[str, object]]:
        return map(asdict, self)
