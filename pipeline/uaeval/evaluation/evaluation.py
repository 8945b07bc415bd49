"""Read an evaluation from its folder: queries, responses, judgements and scores."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Final, TypeVar

from pydantic import TypeAdapter, ValidationError

from uaeval.config import RESPONSES
from uaeval.errors import StorageError
from uaeval.evaluation.judging.further_judges import AGREEMENT, LabelAgreements
from uaeval.evaluation.judging.judge import Undecided
from uaeval.evaluation.manifest import EvaluationManifest, Latency, read_manifest
from uaeval.evaluation.metrics.items import read_items
from uaeval.evaluation.metrics.judged import Case, JudgedMetric, Values
from uaeval.evaluation.metrics.outcomes import QueryOutcomeRow
from uaeval.evaluation.metrics.registry import judged_metrics
from uaeval.evaluation.metrics.spec import CONTROLS
from uaeval.evaluation.respond import latency
from uaeval.evaluation.run import JUDGEMENTS, UNDECIDED
from uaeval.records import Blocked, Failure, Judgement, Query, Response, ResponseStatus, Score
from uaeval.run_folder import RunFolder
from uaeval.storage import read_json, stream_journal, write_journal, write_json

R = TypeVar("R")

ASKED: Final = "asked.jsonl"
"""The queries that were asked, if they are not those of the dataset."""
SCORES: Final = "scores.json"
_STAGES: Final = ("respond", "judge", "further")
_SCORES: Final = TypeAdapter(tuple[Score, ...])
_AGREEMENTS: Final = TypeAdapter(LabelAgreements)


def _journal(kind: type[R], *names: str) -> "cached_property[tuple[R, ...]]":
    """Return a cached property of `Evaluation` with the records of the journals `names`."""
    return cached_property(lambda evaluation: evaluation._records(kind, *names))


@dataclass(frozen=True, kw_only=True)
class Evaluation:
    """An evaluation; each of its journals is read on first use, and then cached."""

    folder: Path
    manifest: EvaluationManifest = field(repr=False)
    waiting: int = 0
    """Number of pending replies (batch mode)."""

    @property
    def name(self) -> str:
        """The name of the folder."""
        return self.folder.resolve().name

    @property
    def system(self) -> str:
        """The system under test, as the settings name it."""
        return str(self.manifest.settings.get("system", self.name))

    @property
    def dataset(self) -> RunFolder:
        """The folder of the dataset."""
        return RunFolder(self.folder.resolve().parents[1])

    @cached_property
    def queries(self) -> tuple[Query, ...]:
        """The queries that were asked."""
        return tuple(self._asked())

    responses = _journal(Response, RESPONSES)
    """The responses, with the contexts that the system reported."""
    judgements = _journal(Judgement, JUDGEMENTS)
    """The judge's labels."""
    undecided = _journal(Undecided, UNDECIDED)
    """The judge's replies without a decision; they are final, and no failures."""
    blocked = _journal(Blocked, *(f"{stage}.blocked.jsonl" for stage in _STAGES))
    """Calls that a content filter stopped with an error; they are no failures."""

    @cached_property
    def failures(self) -> tuple[Failure, ...]:
        """Failed calls to the system and to the judges."""
        stages = (*_STAGES, "others") if self.others else _STAGES
        return self._records(Failure, *(f"{stage}.failed.jsonl" for stage in stages))

    @cached_property
    def scores(self) -> tuple[Score, ...]:
        """All scores, the joint score first."""
        return read_scores(self.folder / SCORES)

    @cached_property
    def others(self) -> LabelAgreements | None:
        """The agreement of several judges; `None` if the evaluation has one judge."""
        path = self.folder / AGREEMENT
        if not self.manifest.settings.get("other_judges") or not path.exists():
            return None
        return _validated(path, _AGREEMENTS, read_json(path), "agreement of judges")

    @cached_property
    def items(self) -> tuple[QueryOutcomeRow, ...]:
        """The outcome of each query, in the order of the queries.

        Raises:
            StorageError: a file is damaged, or has a duplicate, an unknown query or label.
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
        """The queries with a response that was not blocked, in their order."""
        responses = {response.query_id: response for response in self.responses}
        return tuple(
            Case(query=query, response=responses[query.id], outcome=item)
            for query, item in zip(self.queries, self.items, strict=True)
            if item.status is ResponseStatus.OK
        )

    @cached_property
    def means(self) -> Mapping[str, Values]:
        """Values of the metrics on demand, by query id and metric."""
        values = defaultdict[str, dict[str, float | None]](dict)
        for metric in judged_metrics().values():
            for record in self.records(metric) if metric.metrics else ():
                values[record.query_id].update(metric.values(record))
        return dict(values)

    def records(self, metric: JudgedMetric[R]) -> tuple[R, ...]:
        """Return the records of a metric on demand; none if the evaluation did not measure it."""
        names = TypeAdapter(list[str]).validate_python(self.manifest.settings.get("metrics", []))
        measured = metric.name in names or metric.by_code is not None
        return self._records(metric.record, metric.file) if measured else ()

    @property
    def undecided_counts(self) -> dict[str, int]:
        """The number of undecided judgements, by metric."""
        return dict(Counter(reply.metric.value for reply in self.undecided))

    @property
    def latency(self) -> Latency | None:
        """Percentiles of the system's latency; `None` if no response was timed."""
        return latency(self.stream_responses())

    @property
    def stopped_parts(self) -> dict[str, int]:
        """The number of responses for which a part of the built-in RAG was skipped, by part."""
        parts = (part for response in self.stream_responses() for part in response.stopped_parts)
        return dict(sorted(Counter(parts).items()))

    @property
    def blocked_counts(self) -> dict[str, dict[str, int]]:
        """The number of blocked calls, by stage (`respond`, `judge`) and category of the pair."""
        of_judge = [call.id.rpartition("/")[0] for call in self.blocked if call.stage == "judge"]
        of_system = [call.id for call in self.blocked if call.stage == "respond"]
        of_system += [item.query_id for item in self.items if item.blocked]
        category = {query.id: query.pair_category or CONTROLS for query in self.queries}
        return {
            stage: dict(Counter(str(category[query_id]) for query_id in query_ids))
            for stage, query_ids in (("respond", of_system), ("judge", of_judge))
        }

    def stream_responses(self) -> Iterable[Response]:
        """Yield the responses; they are not cached."""
        return vars(self).get("responses") or self._stream(RESPONSES, Response)

    def stream_judgements(self) -> Iterable[Judgement]:
        """Yield the judgements; they are not cached."""
        return vars(self).get("judgements") or self._stream(JUDGEMENTS, Judgement)

    def _asked(self) -> Iterator[Query]:
        altered = self.folder / ASKED
        return stream_journal(altered, Query) if altered.exists() else self.dataset.stream_queries()

    def _stream(self, name: str, kind: type[R]) -> Iterator[R]:
        path = self.folder / name
        optional = name not in {RESPONSES, JUDGEMENTS}  # earlier versions wrote fewer journals
        return iter(()) if optional and not path.exists() else stream_journal(path, kind)

    def _records(self, kind: type[R], *names: str) -> tuple[R, ...]:
        return tuple(record for name in names for record in self._stream(name, kind))


def read_evaluation(folder: Path) -> Evaluation:
    """Read the finished evaluation in `DATASET/evaluations/<name>`, or raise `StorageError`."""
    path = folder.resolve()
    if (manifest := read_manifest(path / "manifest.json")) is None:
        wanted = "give DATASET/evaluations/<name>"
        raise StorageError(f"{path} is not the folder of an evaluation; {wanted}")
    if manifest.status in {"running", "waiting"}:
        raise StorageError(f"{path} is not finished; run its evaluate command to the end")
    evaluation = Evaluation(folder=folder, manifest=manifest)
    _ = evaluation.items
    return evaluation


def write_altered_queries(folder: Path, queries: Sequence[Query], *, altered: bool) -> None:
    """Write the queries if they are `altered`, so that they differ from those of the dataset."""
    if altered:
        write_journal(folder / ASKED, Query, queries)
    else:
        (folder / ASKED).unlink(missing_ok=True)


def only_evaluation(folder: Path) -> Path:
    """Return `folder`, or the only evaluation of a run; raise `StorageError` unless it has one."""
    if not (folder / "evaluations").is_dir():
        return folder
    evaluations = sorted(path.parent for path in folder.glob("evaluations/*/manifest.json"))
    if len(evaluations) != 1:
        names = ", ".join(path.name for path in evaluations) or "none"
        advice = f"give {folder}/evaluations/<name>"
        raise StorageError(f"{folder} is a run with evaluations: {names}; {advice}")
    return evaluations[0]


def write_scores(path: Path, scores: tuple[Score, ...]) -> None:
    """Write all scores as one JSON document `{"scores": […]}`."""
    write_json(path, {"scores": _SCORES.dump_python(scores, mode="json")})


def read_scores(path: Path) -> tuple[Score, ...]:
    """Read a file of `write_scores`; raise `StorageError` if it holds no scores."""
    return _validated(path, _SCORES, read_json(path).get("scores"), "scores")


def _validated(path: Path, kind: TypeAdapter[R], value: object, described: str) -> R:
    try:
        return kind.validate_python(value)
    except ValidationError as error:
        raise StorageError(f"{path} holds no {described}; evaluate again to write them") from error
