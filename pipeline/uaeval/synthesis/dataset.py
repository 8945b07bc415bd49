"""Turn what was built into the rows of the dataset, and the journals and counts of the stages."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import Final

from uaeval.categories.registry import category
from uaeval.knowledge.retriever import Retriever
from uaeval.llm.roles import Role
from uaeval.records import Blocked, Candidate, Failure, Provenance, Query, Rejection
from uaeval.run_folder import Count, Manifest, RunFolder
from uaeval.runner import PendingRecord, of_kind
from uaeval.storage import write_journal
from uaeval.synthesis.category_progress import BuildResult, CandidateResult
from uaeval.synthesis.generate import USER
from uaeval.synthesis.verify import GOT_RIGHT, Proven
from uaeval.text.language import language_of
from uaeval.text.telling_apart import Easy, told_apart


def rows(
    built: BuildResult,
    retriever: Retriever,
    manifest: Manifest,
    easy: Mapping[str, tuple[Easy, ...]],
) -> tuple[Query, ...]:
    """Return every selected query followed by its twin: by category, then in plan order.

    `easy` gives the reasons of each easy pair, by the id of its query.
    """
    queries: list[Query] = []
    for selection in built.selections.values():
        for pair in selection.selected:
            language = language_of(retriever.get(pair.candidate.twin.chunk_id).text)
            provenance = _provenance(pair, manifest)
            query = _unanswerable(pair, language, provenance, easy.get(pair.id, ()))
            if provenance.generator == USER:
                provenance = replace(provenance, generator=manifest.models[Role.GENERATOR])
            queries += [query, _twin(pair, query, provenance)]
    return tuple(queries)


def _provenance(pair: Proven, manifest: Manifest) -> Provenance:
    candidate = pair.candidate
    source, twin = candidate.source_chunk_id, candidate.twin.chunk_id
    readings = (reading.chunk_id for reading in candidate.readings)
    return Provenance(
        document_id=twin.rpartition("#")[0],
        chunk_ids=tuple(dict.fromkeys((source, twin, *readings))),
        generator=candidate.author or manifest.models[Role.GENERATOR],
        verifier=manifest.models[Role.VERIFIER],
        generate_prompt=manifest.prompts[
            "given/complete" if candidate.author == USER else f"{candidate.category}/generate"
        ],
        verify_prompt=manifest.prompts[f"{candidate.category}/verify"],
    )


def _unanswerable(
    pair: Proven, language: str, provenance: Provenance, easy: tuple[Easy, ...]
) -> Query:
    candidate = pair.candidate
    return Query(
        id=pair.id,
        category=candidate.category,
        subtype=candidate.subtype,
        pair_id=f"{pair.id}-twin",
        pair_category=candidate.category,
        question=candidate.question,
        reason=candidate.reason,
        reference_answer=None,
        evidence=pair.query_evidence,
        checks=pair.checks,
        readings=candidate.readings,
        outside_answer=candidate.outside_answer,
        hardness=pair.hardness if category(candidate.category).outside else None,
        language=language,
        provenance=provenance,
        outside_sentence=candidate.outside_sentence,
        rag_answer=pair.rag_answer,
        voice=candidate.voice,
        frame=pair.frame,
        easy=easy,
    )


def _twin(pair: Proven, query: Query, provenance: Provenance) -> Query:
    twin = pair.candidate.twin
    return Query(
        id=f"{query.id}-twin",
        category=None,
        subtype=query.subtype,
        pair_id=query.id,
        pair_category=query.pair_category,
        question=twin.question,
        reason=None,
        reference_answer=twin.reference_answer,
        evidence=(pair.twin_evidence,),
        checks=tuple(check for check in pair.checks if check.name in {"quote", "twin"}),
        readings=(),
        outside_answer=None,
        hardness=None,
        language=query.language,
        provenance=provenance,
        voice=query.voice,
        easy=query.easy,
    )


# --- easy pairs: those that a system gets right without using the knowledge base ----------------

_REASONS: Final[Mapping[Easy, str]] = {
    "words": "its words alone tell the query from its twin",
    "closed_book": GOT_RIGHT,
}


def easy_pairs(built: BuildResult) -> dict[str, tuple[Easy, ...]]:
    """Return the reasons of each selected pair that is easy, by the id of its query."""
    easy: dict[str, tuple[Easy, ...]] = {}
    for selection in built.selections.values():
        candidates = [pair.candidate for pair in selection.selected]
        texts = [(candidate.question, candidate.twin.question) for candidate in candidates]
        for pair, by_words in zip(selection.selected, told_apart(texts), strict=True):
            reasons: dict[Easy, bool] = {"words": by_words, "closed_book": bool(pair.closed_book)}
            if holding := tuple(reason for reason, holds in reasons.items() if holds):
                easy[pair.id] = holding
    return easy


def without(built: BuildResult, easy: Mapping[str, Sequence[Easy]]) -> BuildResult:
    """Return the result with the easy pairs passed over."""
    selections = {}
    for name, selection in built.selections.items():
        dropped = [
            Rejection(id=pair.id, check="easy", rationale=_REASONS[easy[pair.id][0]])
            for pair in selection.selected
            if pair.id in easy
        ]
        selected = tuple(pair for pair in selection.selected if pair.id not in easy)
        passed_over = (*selection.passed_over, *dropped)
        selections[name] = replace(selection, selected=selected, passed_over=passed_over)
    return replace(built, selections=selections)


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
        for name, kind in (("rejected", Rejection), ("failed", Failure), ("blocked", Blocked)):
            write_journal(folder.journal(stage, name), kind, of_kind(outcomes, kind))
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
