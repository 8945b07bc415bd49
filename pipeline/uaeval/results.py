"""What the Python API returns: records to iterate over, tables, and figures by name."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, fields
from functools import cached_property
from html import escape
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, SupportsIndex, overload

from uaeval.evaluation.compare import ChangedOutcome, Comparison, compare, flips
from uaeval.evaluation.evaluation import Evaluation
from uaeval.evaluation.labels.calibrate import (
    Agreement,
    CalibratedRatio,
    agreements,
    calibrated,
)
from uaeval.evaluation.labels.label_files import read_labels, read_reviewed
from uaeval.evaluation.labels.sampling import read_sampled
from uaeval.evaluation.metrics.registry import all_metrics
from uaeval.formats import dataset as released
from uaeval.formats.export import export
from uaeval.formats.format import format_named
from uaeval.labels import LABELS
from uaeval.records import Failure, Metric, Query, Response, Score
from uaeval.report.comparison import comparison_report
from uaeval.run_folder import Manifest, RunFolder
from uaeval.storage import write_json, write_text

if TYPE_CHECKING:
    from datasets import Dataset
    from pandas import DataFrame


class _Table(Iterable[Any]):
    """A result that is shown as a table, with a row for each of its items."""

    def _rows(self) -> Iterable[dict[str, object]]:
        return map(asdict, self)

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

    def export(
        self,
        format: str,
        path: "str | PathLike[str]",
        *,
        with_passages: bool = True,
        name: str | None = None,
        license: str | None = None,
    ) -> Path:
        """Write the dataset in the format of another tool, and return the path.

        Raises:
            ConfigError: the format is unknown, or needs the passages or a license (`hf`).
            StorageError: the run is not finished, or `path` exists.
        """
        source = released.Dataset(
            RunFolder(self.folder), with_passages=with_passages, name=name, license=license
        )
        export(source, format_named(format), Path(path))
        return Path(path)

    def push(
        self,
        repository: str,
        *,
        public: bool = False,
        evaluations: Sequence[str] = (),
        with_passages: bool = True,
        name: str | None = None,
        license: str | None = None,
    ) -> str:
        """Publish the dataset on the Hugging Face Hub, and return its address.

        The scores of `evaluations`, by name, are added to the config `leaderboard`.
        The token is `HF_TOKEN` or that of `hf auth login`.

        Raises:
            ConfigError: the repository's name or the license is invalid, or no token may write.
            RunAborted: the upload was interrupted; call again to resume.
        """
        from uaeval.formats.hub import push

        source = released.Dataset(
            RunFolder(self.folder), with_passages=with_passages, name=name, license=license
        )
        return push(source, repository, public=public, bars=False, evaluations=evaluations)

    def _rows(self) -> Iterable[dict[str, object]]:
        return ({**asdict(query), "answerable": query.answerable} for query in self)

    def _repr_html_(self) -> str:
        chosen, counts = self.manifest.chosen, {"dataset": str(self.folder)}
        for name, asked in self.manifest.asked.items():
            counts[name] = f"{chosen.get(name, 0)} of {asked}"
        rows = (f"<th>{escape(name)}</th><td>{escape(text)}</td>" for name, text in counts.items())
        return f"<table>{''.join(f'<tr>{row}</tr>' for row in rows)}</table>"


class Scores(tuple[Score, ...], _Table):
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
        """Return `evaluation` as a result."""
        return cls(**{each.name: getattr(evaluation, each.name) for each in fields(cls)})

    def kept(self) -> Self:
        """Return it with its records read, so that it outlives its folder."""
        _ = (self.scores, self.queries, self.items, self.responses, self.judgements)
        _ = (self.undecided, self.failures, self.blocked, self.others)
        return self

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

    def compare(self, *others: Evaluation) -> "ComparisonResult":
        """Compare it with other evaluations of the same dataset query by query.

        Raises:
            StorageError: there is no other, or not all are over the same queries.
        """
        runs = [self, *others]
        return ComparisonResult(figures=compare(runs), flips=tuple(flips(runs)))

    def report(self, *others: Evaluation, path: "str | PathLike[str] | None" = None) -> Path:
        """Write it, compared with others, as one HTML file, and return the path.

        Without `path` it is `report.html` in its folder.
        """
        from uaeval.report.html.page import report_page

        place = Path(path) if path else self.folder / "report.html"
        write_text(place, report_page([self, *others]))
        return place

    def calibrate(self, labels: "str | PathLike[str] | None" = None) -> "CalibrationResult":
        """Compare the judge with people's labels, and write `calibration.json`.

        `labels` is a CSV file of `uaeval sample` or a `labels.jsonl` of `uaeval review`; without
        it, the labels of the review page are taken.

        Raises:
            UsageError: the labels cannot be read.
        """
        source = Path(labels) if labels else self.folder / LABELS
        names = [item.query_id for item in self.items]
        if source.suffix == ".jsonl":
            given = read_reviewed(source, names)
        else:
            given = read_labels(source, names, read_sampled(self.folder))
        agreement = agreements(self.items, given.labels)
        ratios = calibrated(self.items, given.labels)
        path = self.folder / "calibration.json"
        figures = {"agreement": [*map(asdict, agreement)], "corrected": [*map(asdict, ratios)]}
        write_json(path, figures)
        return CalibrationResult(
            agreement=tuple(agreement), corrected=tuple(ratios), empty=given.empty, path=path
        )


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
