"""What a run leaves in its folder: a journal per stage and outcome, and their counts."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TypeVar

from uaeval.run_folder import Count, RunFolder
from uaeval.runner import PendingRecord
from uaeval.storage import write_journal
from uaeval.synthesis.category_progress import BuildResult, CandidateResult
from uaeval.synthesis.generate import USER
from uaeval.synthesis.verify import Proven
from uaeval.types import Blocked, Candidate, Failure, Rejection

T = TypeVar("T")


def write_journals(folder: RunFolder, built: BuildResult) -> None:
    """Write each stage's kept, rejected, failed and blocked records, in plan order.

    Of a category whose quota is full, the records up to the last that it needed are the same in
    every run of one seed and the same replies. Those after it, spares among them, hang on what
    was under way when it was full.
    """
    attempts = [one for line in built.lines for one in line.attempts]
    written = [one.candidate for one in attempts if one.candidate]
    write_journal(folder.journal("generate"), Candidate, written)
    write_journal(folder.journal("verify"), Proven, _of(attempts, Proven))
    for stage, records in _by_stage(attempts).items():
        write_journal(folder.journal(stage, "rejected"), Rejection, _of(records, Rejection))
        write_journal(folder.journal(stage, "failed"), Failure, _of(records, Failure))
        write_journal(folder.journal(stage, "blocked"), Blocked, _of(records, Blocked))
    passed_over = [one for choice in built.selections.values() for one in choice.passed_over]
    write_journal(folder.journal("select", "rejected"), Rejection, passed_over)


def stage_counts(built: BuildResult) -> dict[str, dict[str, Count]]:
    """Count each stage's records by category; a stage's parts sum to what it was given."""
    counts: dict[str, dict[str, Count]] = {"generate": {}, "verify": {}, "select": {}}
    for line in built.lines:
        stages = _by_stage(line.attempts)
        written = sum(one.candidate is not None for one in line.attempts)
        counts["generate"][line.category] = _count(stages["generate"], written)
        counts["generate"][line.category].by_offline = _written_offline(line.attempts)
        proven = len(line.proven)
        counts["verify"][line.category] = _count(stages["verify"], proven)
        choice = built.selections[line.category]
        reasons = Counter(rejection.check for rejection in choice.passed_over)
        counts["select"][line.category] = Count(
            kept=len(choice.chosen),
            rejected=reasons.total(),
            waiting=proven - len(choice.chosen) - reasons.total(),
            reasons=dict(reasons),
        )
    return counts


def _written_offline(attempts: Sequence[CandidateResult]) -> int:
    authors = [one.candidate.author for one in attempts if one.candidate]
    return sum(author not in {None, USER} for author in authors)


def _by_stage(attempts: Sequence[CandidateResult]) -> dict[str, list[CandidateResult]]:
    """Part the attempts by the stage in which they ended."""
    ended = {"generate": [one for one in attempts if one.candidate is None]}
    ended["verify"] = [one for one in attempts if one.candidate is not None]
    return ended


def _of(attempts: Iterable[CandidateResult], kind: type[T]) -> list[T]:
    return [one.outcome for one in attempts if isinstance(one.outcome, kind)]


def _count(ended: Sequence[CandidateResult], kept: int) -> Count:
    reasons = Counter(rejection.check for rejection in _of(ended, Rejection))
    return Count(
        kept=kept,
        rejected=reasons.total(),
        failed=len(_of(ended, Failure)),
        blocked=len(_of(ended, Blocked)),
        waiting=len(_of(ended, PendingRecord)),
        reasons=dict(reasons.most_common()),
    )
