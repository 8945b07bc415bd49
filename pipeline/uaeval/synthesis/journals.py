"""Write each stage's records, and count them."""

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import chain

from uaeval.records import Blocked, Candidate, Failure, Rejection
from uaeval.run_folder import Count, RunFolder
from uaeval.runner import PendingRecord, of_kind
from uaeval.storage import write_journal
from uaeval.synthesis.category_progress import BuildResult, CandidateResult
from uaeval.synthesis.given import USER
from uaeval.synthesis.verify import Proven


def write_journals(folder: RunFolder, built: BuildResult) -> None:
    """Write each stage's kept, rejected, failed and blocked records, in plan order.

    If a category's quota is full, its records up to the last needed one are the same in every run
    with the same seed and replies. Later ones depend on which calls were in flight then.
    """
    attempts = [attempt for category in built.categories for attempt in category.started]
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
    for progress in built.categories:
        name, attempts = progress.name, progress.started
        stages = _by_stage(attempts)
        authors = [attempt.candidate.author for attempt in attempts if attempt.candidate]
        proven = len(of_kind(stages["verify"], Proven))
        counts["generate"][name] = _count(stages["generate"], len(authors))
        counts["generate"][name].by_offline = sum(each not in {None, USER} for each in authors)
        counts["verify"][name] = _count(stages["verify"], proven)
        selection = built.selections[name]
        reasons = Counter(rejection.check for rejection in selection.passed_over)
        counts["select"][name] = Count(
            kept=len(selection.selected),
            rejected=reasons.total(),
            waiting=proven - len(selection.selected) - reasons.total(),
            reasons=dict(reasons),
        )
    return counts


def _by_stage(attempts: Iterable[CandidateResult]) -> dict[str, list[object]]:
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
