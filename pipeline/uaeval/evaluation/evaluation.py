"""An evaluation in its folder: what was asked, responded and judged, and what follows from it."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Final, TypeVar

from pydantic import TypeAdapter, ValidationError

from uaeval.errors import StorageError
from uaeval.evaluation.judging.agreement import FAILED as OTHERS_FAILED
from uaeval.evaluation.judging.agreement import LabelAgreements, read_agreements
from uaeval.evaluation.judging.judge import Undecided
from uaeval.evaluation.manifest import EvaluationManifest, Latency, latency, read_manifest
from uaeval.evaluation.metrics.judged import Case, JudgedMetric, Values
from uaeval.evaluation.metrics.outcomes import QueryOutcomeRow, read_items
from uaeval.evaluation.metrics.registry import judged_metrics
from uaeval.evaluation.metrics.spec import CONTROLS
from uaeval.evaluation.run import JUDGEMENTS, RESPONSES, UNDECIDED
from uaeval.records import Blocked, Failure, Judgement, Query, Response, ResponseStatus, Score
from uaeval.run_folder import RunFolder
from uaeval.storage import read_json, stream_journal, write_journal, write_json

R = TypeVar("R")

ASKED: Final = "asked.jsonl"
"""The queries that were asked, where they are not just those of the dataset."""
SCORES: Final = "scores.json"
_STAGES: Final = ("respond", "judge", "further")
_SCORES: Final = TypeAdapter(tuple[Score, ...])


def _journal(kind: type[R], *names: str) -> "cached_property[tuple[R, ...]]":
    """Return a property of an evaluation: the records of its journals `names`."""
    return cached_property(lambda evaluation: evaluation._records(kind, *names))


@dataclass(frozen=True, kw_only=True)
class Evaluation:
    """An evaluation; each of its journals is read when it is first needed, and then kept."""

    folder: Path
    manifest: EvaluationManifest = field(repr=False)
    waiting: int = 0
    """Answers that are still to come (batch mode)."""

    @property
    def name(self) -> str:
        """The evaluation's name: that of its folder."""
        return self.folder.resolve().name

    @property
    def system(self) -> str:
        """The system under test, as the settings name it."""
        return str(self.manifest.settings.get("system", self.name))

    @property
    def dataset(self) -> RunFolder:
        """The run whose queries were asked."""
        return RunFolder(self.folder.resolve().parents[1])

    @cached_property
    def queries(self) -> tuple[Query, ...]:
        """The queries that were asked."""
        return tuple(self._asked())

    responses = _journal(Response, RESPONSES)
    """The responses, with the contexts that the system gave."""
    judgements = _journal(Judgement, JUDGEMENTS)
    """The judgements."""
    undecided = _journal(Undecided, UNDECIDED)
    """What the judge could not tell: no labels, no failures, and not asked again."""
    blocked = _journal(Blocked, *(f"{stage}.blocked.jsonl" for stage in _STAGES))
    """What a content filter stopped without a response; no failures."""

    @cached_property
    def failures(self) -> tuple[Failure, ...]:
        """Of the system under test and of the judges; never among the scores."""
        others = [OTHERS_FAILED] if self.others else []
        return self._records(Failure, *(f"{stage}.failed.jsonl" for stage in _STAGES), *others)

    @cached_property
    def scores(self) -> tuple[Score, ...]:
        """Every score, the joint score first."""
        return read_scores(self.folder / SCORES)

    @cached_property
    def others(self) -> LabelAgreements | None:
        """How far several judges agree; `None` if the evaluation has one judge."""
        return read_agreements(self.folder) if self.manifest.settings.get("other_judges") else None

    @cached_property
    def items(self) -> tuple[QueryOutcomeRow, ...]:
        """What became of each query, in their order; no text is held for it.

        Raises:
            StorageError: a file is damaged, or it holds something twice, about queries that the
                dataset does not have, or an unknown label.
        """
        return read_items(
            self._asked(),
            self._stream(RESPONSES, Response),
            self._stream(JUDGEMENTS, Judgement),
            self._stream(UNDECIDED, Undecided),
            where=f"{self.folder}: ",
        )

    @property
    def cases(self) -> tuple[Case, ...]:
        """The queries with a response that no content filter stopped, in their order."""
        responses = {response.query_id: response for response in self.responses}
        return tuple(
            Case(query=query, response=responses[query.id], outcome=item)
            for query, item in zip(self.queries, self.items, strict=True)
            if item.status is ResponseStatus.OK
        )

    @cached_property
    def means(self) -> Mapping[str, Values]:
        """Of the metrics on demand: values by query id and metric."""
        values: dict[str, dict[str, float | None]] = {}
        for metric in judged_metrics().values():
            if metric.metrics:
                for record in self.records(metric):
                    values.setdefault(record.query_id, {}).update(metric.values(record))
        return values

    def records(self, metric: JudgedMetric[R]) -> tuple[R, ...]:
        """Read the records of a metric on demand; none if the evaluation last ran without it."""
        names = TypeAdapter(list[str]).validate_python(self.manifest.settings.get("metrics", []))
        measured = metric.name in names or metric.by_code is not None
        return self._records(metric.record, metric.file) if measured else ()

    @property
    def undecided_counts(self) -> dict[str, int]:
        """Count what the judge could not tell, by metric."""
        return dict(Counter(reply.metric.value for reply in self.undecided))

    @property
    def latency(self) -> Latency | None:
        """How long the system took, if it was watched."""
        return latency(self.stream_responses())

    @property
    def stopped_parts(self) -> dict[str, int]:
        """Count the responses for which a part of the built-in RAG did nothing, by what it was."""
        parts = (part for response in self.stream_responses() for part in response.stopped_parts)
        return dict(sorted(Counter(parts).items()))

    @property
    def blocked_counts(self) -> dict[str, dict[str, int]]:
        """Count what was blocked by stage (`respond`, `judge`) and by category of the pair."""
        of_judge = [each.id.rpartition("/")[0] for each in self.blocked if each.stage == "judge"]
        of_system = [each.id for each in self.blocked if each.stage == "respond"]
        blocked = ResponseStatus.BLOCKED
        of_system += [item.query_id for item in self.items if item.status is blocked]
        category = {query.id: query.pair_category or CONTROLS for query in self.queries}
        return {
            stage: dict(Counter(str(category[query_id]) for query_id in query_ids))
            for stage, query_ids in (("respond", of_system), ("judge", of_judge))
        }

    def stream_responses(self) -> Iterable[Response]:
        """Return the responses one by one; they are not kept."""
        return vars(self).get("responses") or self._stream(RESPONSES, Response)

    def stream_judgements(self) -> Iterable[Judgement]:
        """Return the judgements one by one; they are not kept."""
        return vars(self).get("judgements") or self._stream(JUDGEMENTS, Judgement)

    def _asked(self) -> Iterator[Query]:
        own = self.folder / ASKED
        return stream_journal(own, Query) if own.exists() else self.dataset.stream_queries()

    def _stream(self, name: str, kind: type[R]) -> Iterator[R]:
        path = self.folder / name
        optional = name not in {RESPONSES, JUDGEMENTS}  # earlier versions wrote fewer journals
        return iter(()) if optional and not path.exists() else stream_journal(path, kind)

    def _records(self, kind: type[R], *names: str) -> tuple[R, ...]:
        return tuple(record for name in names for record in self._stream(name, kind))


def read_evaluation(folder: Path) -> Evaluation:
    """Open `DATASET/evaluations/<name>`, and read what became of each query.

    Raises:
        StorageError: it is no such folder, the evaluation has not ended, or a file is damaged.
    """
    path = folder.resolve()
    manifest = read_manifest(path / "manifest.json")
    if manifest is None:
        raise StorageError(
            f"{path} is not the folder of an evaluation; give DATASET/evaluations/<name>"
        )
    if manifest.status in {"running", "waiting"}:
        raise StorageError(f"{path} is not finished; run its evaluate command to the end")
    evaluation = Evaluation(folder=folder, manifest=manifest)
    _ = evaluation.items
    return evaluation


def write_altered_queries(folder: Path, queries: Sequence[Query], *, altered: bool) -> None:
    """Write down what is asked where it is not what the dataset holds."""
    if altered:
        write_journal(folder / ASKED, Query, queries)
    else:
        (folder / ASKED).unlink(missing_ok=True)


def only_evaluation(folder: Path) -> Path:
    """Return `folder`, or where it is that of a run, the only evaluation below it.

    Raises:
        StorageError: the run has several evaluations, or none.
    """
    if not (folder / "evaluations").is_dir():
        return folder
    evaluations = sorted(path.parent for path in folder.glob("evaluations/*/manifest.json"))
    if len(evaluations) != 1:
        names = ", ".join(path.name for path in evaluations) or "none"
        raise StorageError(
            f"{folder} is a run with evaluations: {names}; give {folder}/evaluations/<name>"
        )
    return evaluations[0]


def write_scores(path: Path, scores: tuple[Score, ...]) -> None:
    """Write all scores as one JSON document: `{"scores": […]}`; what is undefined is null."""
    write_json(path, {"scores": _SCORES.dump_python(scores, mode="json")})


def read_scores(path: Path) -> tuple[Score, ...]:
    """Read what `write_scores` wrote.

    Raises:
        StorageError: the file cannot be read or holds something else.
    """
    value = read_json(path).get("scores")
    try:
        return _SCORES.validate_python(value)
    except ValidationError as error:
        raise StorageError(f"{path} holds no scores; evaluate again to write them") from error
