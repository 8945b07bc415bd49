"""What a run leaves in its folder: a journal per stage and outcome, and their counts."""

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import chain
from typing import TypeVar

from uaeval.records import Blocked, Candidate, Failure, Rejection
from uaeval.run_folder import Count, RunFolder
from uaeval.runner import PendingRecord
from uaeval.storage import write_journal
from uaeval.synthesis.category_progress import BuildResult, CandidateResult
from uaeval.synthesis.generate import USER
from uaeval.synthesis.verify import Proven

T = TypeVar("T")


def write_journals(folder: RunFolder, built: BuildResult) -> None:
    """Write each stage's kept, rejected, failed and blocked records, in plan order.

    If a category's quota is full, its records up to the last one needed are the same in every run
    with the same seed and replies. Those after it depend on what was in flight at that moment.
    """
    attempts = [attempt for line in built.lines for attempt in line.attempts]
    written = [attempt.candidate for attempt in attempts if attempt.candidate]
    write_journal(folder.journal("generate"), Candidate, written)
    write_journal(folder.journal("verify"), Proven, _of(attempts, Proven))
    for stage, records in _by_stage(attempts).items():
        write_journal(folder.journal(stage, "rejected"), Rejection, _of(records, Rejection))
        write_journal(folder.journal(stage, "failed"), Failure, _of(records, Failure))
        write_journal(folder.journal(stage, "blocked"), Blocked, _of(records, Blocked))
    passed_over = (selection.passed_over for selection in built.selections.values())
    write_journal(folder.journal("select", "rejected"), Rejection, chain(*passed_over))


def stage_counts(built: BuildResult) -> dict[str, dict[str, Count]]:
    """Count each stage's records by category; the parts of a stage add up to its input."""
    counts: dict[str, dict[str, Count]] = {"generate": {}, "verify": {}, "select": {}}
    for line in built.lines:
        stages = _by_stage(line.attempts)
        authors = [attempt.candidate.author for attempt in line.attempts if attempt.candidate]
        counts["generate"][line.category] = _count(stages["generate"], len(authors))
        by_offline = sum(author not in {None, USER} for author in authors)
        counts["generate"][line.category].by_offline = by_offline
        proven = len(_of(line.attempts, Proven))
        counts["verify"][line.category] = _count(stages["verify"], proven)
        selection = built.selections[line.category]
        reasons = Counter(rejection.check for rejection in selection.passed_over)
        counts["select"][line.category] = Count(
            kept=len(selection.chosen),
            rejected=reasons.total(),
            waiting=proven - len(selection.chosen) - reasons.total(),
            reasons=dict(reasons),
        )
    return counts


def _by_stage(attempts: Sequence[CandidateResult]) -> dict[str, list[CandidateResult]]:
    """Group the attempts by the stage in which they ended."""
    return {
        "generate": [attempt for attempt in attempts if attempt.candidate is None],
        "verify": [attempt for attempt in attempts if attempt.candidate is not None],
    }


def _of(attempts: Iterable[CandidateResult], kind: type[T]) -> list[T]:
    return [attempt.outcome for attempt in attempts if isinstance(attempt.outcome, kind)]


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
