"""The results of the Python API: iterables of records, tables, and figures by name."""

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
from uaeval.evaluation.labels.calibrate import Agreement, CalibratedRatio, agreements, calibrated
from uaeval.evaluation.labels.label_files import read_labels, read_reviewed, read_sampled
from uaeval.evaluation.metrics.registry import all_metrics
from uaeval.formats import dataset as released
from uaeval.formats.format import export, format_named
from uaeval.labels import LABELS
from uaeval.records import Failure, Metric, Query, Response, Score
from uaeval.report.comparison import comparison_report
from uaeval.run_folder import Manifest, RunFolder
from uaeval.storage import write_json, write_text

if TYPE_CHECKING:
    from datasets import Dataset
    from pandas import DataFrame


class _Table(Iterable[Any]):
    """A result that can be shown as a table with one row per item."""

    def _rows(self) -> Iterable[dict[str, object]]:
        return map(asdict, self)

    def to_pandas(self) -> "DataFrame":
        """Return a data frame with one row per item and one column per field."""
        import pandas

        return pandas.DataFrame(list(self._rows()))

    def to_datasets(self) -> "Dataset":
        """Return the same table as a `datasets.Dataset`."""
        import datasets

        return datasets.Dataset.from_list(list(self._rows()))

    def _repr_html_(self) -> str:
        return str(self.to_pandas().to_html(index=False))


@dataclass(frozen=True, slots=True, kw_only=True)
class SynthesisResult(_Table):
    """The dataset of a run: an iterable of its queries and twins, and a path to its folder."""

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
        """Write the dataset in the format of another tool, and return its path.

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
        """Publish the dataset on the Hugging Face Hub, and return its URL.

        The scores of the named `evaluations` are added to the config `leaderboard`.
        The token is `HF_TOKEN` or that of `hf auth login`.

        Raises:
            ConfigError: the repository's name or the license is invalid, or the token cannot write.
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
        selected, counts = self.manifest.selected, {"dataset": str(self.folder)}
        for name, asked in self.manifest.asked.items():
            counts[name] = f"{selected.get(name, 0)} of {asked}"
        rows = (f"<th>{escape(name)}</th><td>{escape(text)}</td>" for name, text in counts.items())
        return f"<table>{''.join(f'<tr>{row}</tr>' for row in rows)}</table>"


class Scores(tuple[Score, ...], _Table):
    """Scores in the order of the report, also by name: `scores["joint"]`."""

    @overload
    def __getitem__(self, key: str | tuple[str, str]) -> Score: ...
    @overload
    def __getitem__(self, key: SupportsIndex) -> Score: ...
    @overload
    def __getitem__(self, key: slice) -> tuple[Score, ...]: ...
    def __getitem__(
        self, key: str | tuple[str, str] | SupportsIndex | slice
    ) -> Score | tuple[Score, ...]:
        """Return the score at a position, or by metric, or by metric and group.

        For example `scores["joint", "macro"]`; the names are those of `--fail-under` and
        `scores.json`.

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
    """One query, its response, and the judge's labels of the response."""

    query: Query
    response: Response | None
    """`None` if there is none."""
    labels: dict[Metric, str]
    """The judge's label by metric, without the metrics that were not decided."""
    rationales: dict[Metric, str]
    failures: tuple[Failure, ...]
    """Failed calls to the system and to the judge."""
    good: bool | None
    """Whether the response is acceptable (if answerable: correct); `None` if unknown."""

    def __str__(self) -> str:
        answer = self.response.text if self.response else "no response"
        problems = [*self.rationales.values(), *(failure.message for failure in self.failures)]
        return "\n".join([f"{self.query.id}: {self.query.conversation}", f"→ {answer}", *problems])


@dataclass(frozen=True, kw_only=True)
class EvaluationResult(_Table, Evaluation):
    """An evaluation: an iterable of its evaluated queries, and a path to its folder."""

    @classmethod
    def of(cls, evaluation: Evaluation) -> Self:
        """Return `evaluation` as a result."""
        return cls(**{field.name: getattr(evaluation, field.name) for field in fields(cls)})

    def loaded(self) -> Self:
        """Read all records, so that the result outlives its folder; return it."""
        _ = (self.scores, self.queries, self.items, self.responses, self.judgements)
        _ = (self.undecided, self.failures, self.blocked, self.others)
        return self

    @cached_property
    def scores(self) -> Scores:
        """The scores, by position or by name."""
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
                labels={judged.metric: judged.label for judged in judgements[query.id]},
                rationales={judged.metric: judged.rationale for judged in judgements[query.id]},
                failures=tuple(failures[query.id]),
            )

    def _rows(self) -> Iterable[dict[str, object]]:
        names = ("id", "pair_id", "category", "question", "reference_answer")
        for evaluated in self:
            response = evaluated.response
            yield {
                **{name: getattr(evaluated.query, name) for name in names},
                "response": response.text if response else None,
                "status": response.status.value if response else None,
                "latency_s": response.latency_s if response else None,
                **{metric.value: evaluated.labels.get(metric) for metric in Metric},
                "failure": "; ".join(failure.message for failure in evaluated.failures) or None,
            }

    def _repr_html_(self) -> str:
        return self.scores._repr_html_()

    def compare(self, *others: Evaluation) -> "ComparisonResult":
        """Compare this evaluation with others of the same dataset, query by query.

        Raises:
            StorageError: `others` is empty, or the evaluations have different queries.
        """
        runs = [self, *others]
        return ComparisonResult(figures=compare(runs), flips=tuple(flips(runs)))

    def report(self, *others: Evaluation, path: "str | PathLike[str] | None" = None) -> Path:
        """Write an HTML report of this evaluation compared with others; return its path.

        The default is `report.html` in the evaluation's folder.
        """
        from uaeval.report.html.page import report_page

        file = Path(path) if path else self.folder / "report.html"
        write_text(file, report_page([self, *others]))
        return file

    def calibrate(self, labels: "str | PathLike[str] | None" = None) -> "CalibrationResult":
        """Compare the judge with human labels, and write `calibration.json`.

        `labels` is a CSV file of `uaeval sample` or a `labels.jsonl` of `uaeval review`; the
        default is the evaluation's own `labels.jsonl`.

        Raises:
            UsageError: the labels cannot be read.
        """
        source = Path(labels) if labels else self.folder / LABELS
        query_ids = [item.query_id for item in self.items]
        if source.suffix == ".jsonl":
            label_file = read_reviewed(source, query_ids)
        else:
            label_file = read_labels(source, query_ids, read_sampled(self.folder))
        agreement = agreements(self.items, label_file.labels)
        ratios = calibrated(self.items, label_file.labels)
        path = self.folder / "calibration.json"
        figures = {"agreement": [*map(asdict, agreement)], "corrected": [*map(asdict, ratios)]}
        write_json(path, figures)
        return CalibrationResult(
            agreement=tuple(agreement), corrected=tuple(ratios), empty=label_file.empty, path=path
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparisonResult(_Table):
    """The differences between evaluations: an iterable of figures."""

    figures: tuple[Comparison, ...]
    flips: tuple[ChangedOutcome, ...]
    """Queries that one evaluation got right and another did not."""

    def __iter__(self) -> Iterator[Comparison]:
        return iter(self.figures)

    def __len__(self) -> int:
        return len(self.figures)

    def _rows(self) -> Iterable[dict[str, object]]:
        derived = ("difference", "significant", "reliable")
        return (asdict(each) | {name: getattr(each, name) for name in derived} for each in self)

    def to_markdown(self) -> str:
        """Return the report that `uaeval compare --output` writes."""
        return comparison_report(self.figures, self.flips)


@dataclass(frozen=True, slots=True, kw_only=True)
class CalibrationResult(_Table):
    """Agreement of the judge with human labels, and ratios corrected for the judge's mistakes."""

    agreement: tuple[Agreement, ...]
    corrected: tuple[CalibratedRatio, ...]
    empty: int
    """Number of sampled items that nobody labelled."""
    path: Path
    """The file `calibration.json` with the figures."""

    def __iter__(self) -> Iterator[Agreement]:
        return iter(self.agreement)
