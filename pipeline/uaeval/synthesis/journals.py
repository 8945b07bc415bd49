"""What a run leaves in its folder: a journal per stage and outcome, and their counts."""

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import chain

from uaeval.records import Blocked, Candidate, Failure, Rejection
from uaeval.run_folder import Count, RunFolder
from uaeval.runner import PendingRecord, of_kind
from uaeval.storage import write_journal
from uaeval.synthesis.category_progress import BuildResult, CandidateResult
from uaeval.synthesis.generate import USER
from uaeval.synthesis.verify import Proven


def write_journals(folder: RunFolder, built: BuildResult) -> None:
    """Write each stage's kept, rejected, failed and blocked records, in plan order.

    If a category's quota is full, its records up to the last one needed are the same in every run
    with the same seed and replies. Those after it depend on what was in flight at that moment.
    """
    attempts = [attempt for line in built.lines for attempt in line.attempts]
    written = [attempt.candidate for attempt in attempts if attempt.candidate]
    write_journal(folder.journal("generate"), Candidate, written)
    stages = _by_stage(attempts)
    write_journal(folder.journal("verify"), Proven, of_kind(stages["verify"], Proven))
    for stage, outcomes in stages.items():
        write_journal(folder.journal(stage, "rejected"), Rejection, of_kind(outcomes, Rejection))
        write_journal(folder.journal(stage, "failed"), Failure, of_kind(outcomes, Failure))
        write_journal(folder.journal(stage, "blocked"), Blocked, of_kind(outcomes, Blocked))
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
        proven = len(of_kind(stages["verify"], Proven))
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


def _by_stage(attempts: Iterable[CandidateResult]) -> dict[str, list[object]]:
    """Return the outcomes by the stage in which the attempts ended."""
    stages: dict[str, list[object]] = {"generate": [], "verify": []}
    for attempt in attempts:
        stages["verify" if attempt.candidate else "generate"].append(attempt.outcome)
    return stages


def _count(outcomes: Sequence[object], kept: int) -> Count:
    reasons = Counter(rejection.check for rejection in of_kind(outcomes, Rejection))
    return Count(
        kept=kept,
        rejected=reasons.total(),
        failed=len(of_kind(outcomes, Failure)),
        blocked=len(of_kind(outcomes, Blocked)),
        waiting=len(of_kind(outcomes, PendingRecord)),
        reasons=dict(reasons.most_common()),
    )
