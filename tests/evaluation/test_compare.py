from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from tests.evaluation.folders import write_evaluation
from tests.evaluation.records import both, control, judged, response, unanswerable

from uaeval.errors import StorageError
from uaeval.evaluation.compare import ChangedOutcome, Comparison, compare, corrected, flips
from uaeval.evaluation.evaluation import Evaluation, read_evaluation, write_altered_queries
from uaeval.evaluation.manifest import read_manifest
from uaeval.evaluation.metrics.final_score import (
    AnsweredQuestion,
    ExplainedScore,
    FinalScore,
    final_score,
)
from uaeval.evaluation.metrics.spec import OVERALL
from uaeval.evaluation.statistics.significance import LEVEL, holm
from uaeval.records import Judgement, Metric, Query
from uaeval.report.comparison import comparison_report
from uaeval.run_folder import RunFolder
from uaeval.storage import write_journal, write_json

NUMBER = 40
QUERIES = [
    query
    for number in range(NUMBER)
    for category in ("underspecified" if number % 2 else "nonsensical",)
    for query in (unanswerable(number, category), control(number, category))
]


def _judgements(queries: Sequence[Query], acceptable: int, correct: int) -> list[Judgement]:
    """Judge the first `acceptable` unanswerable queries and the first `correct` controls good."""
    found = list[Judgement]()
    for place, query in enumerate(query for query in queries if not query.answerable):
        good = place < acceptable
        found += both(query, "refused" if good else "answered", "yes" if good else "no")
    for place, query in enumerate(query for query in queries if query.answerable):
        found += both(query, "answered", "yes" if place < correct else "no")
    return found


def _run(dataset: Path, name: str, acceptable: int, correct: int = 20) -> Evaluation:
    responses = [response(query, f"{name} says so.") for query in QUERIES]
    judgements = _judgements(QUERIES, acceptable, correct)
    return read_evaluation(write_evaluation(dataset, name, QUERIES, responses, judgements))


def test_a_query_that_only_one_run_asked_is_left_out_and_counted(tmp_path: Path) -> None:
    full = _run(tmp_path, "full", acceptable=NUMBER)
    (folder := tmp_path / "evaluations" / "fewer").mkdir()
    invalid, *asked = QUERIES
    responses = [response(query) for query in asked]
    write_evaluation(tmp_path, "fewer", QUERIES, responses, _judgements(asked, 0, 20))
    write_altered_queries(folder, asked, altered=True)
    for runs in ((full, read_evaluation(folder)), (read_evaluation(folder), full)):
        figures = compare(runs)
        assert {figure.asked_once for figure in figures} == {1}
        [overall] = [
            each for each in figures if (each.metric, each.group) == ("acceptable_ratio", OVERALL)
        ]
        assert (overall.pairs, overall.left_out) == (NUMBER - 1, 0)
        assert invalid.id not in {flip.query_id for flip in flips(runs)}
        assert "1 queries that only one of the two was asked" in comparison_report(figures, ())


def test_with_few_documents_the_clustered_p_value_is_larger(
    tmp_path: Path,
) -> None:
    queries = [unanswerable(n, document=f"doc-{n // 20}") for n in range(40)]
    responses = [response(query) for query in queries]
    runs = [
        read_evaluation(
            write_evaluation(tmp_path, name, queries, responses, _judgements(queries, good, 0))
        )
        for name, good in (("old", 0), ("new", 20))
    ]
    acceptable = _find(compare(runs), "acceptable_ratio")
    assert acceptable.p_value == pytest.approx(2 / 2**20), "McNemar: 20 independent queries"
    assert acceptable.clustered_p is not None
    assert acceptable.clustered_p > 0.2, "one of two documents"
    assert acceptable.adjusted is not None and acceptable.adjusted < LEVEL
    assert not acceptable.significant, "that both documents differ alike is not shown"


def _find(found: Sequence[Comparison], metric: str, group: str = "overall") -> Comparison:
    (one,) = [one for one in found if (one.metric, one.group) == (metric, group)]
    return one


def test_a_run_that_refuses_more_is_significantly_better_there_and_nowhere_else(
    tmp_path: Path,
) -> None:
    found = compare([_run(tmp_path, "old", 5), _run(tmp_path, "new", 30)])
    acceptable = _find(found, "acceptable_ratio")
    assert (acceptable.first_run, acceptable.second_run) == ("old", "new")
    assert (acceptable.first, acceptable.second) == (5 / 40, 30 / 40)
    assert acceptable.mcnemar is not None
    assert (acceptable.mcnemar.only_first, acceptable.mcnemar.only_second) == (0, 25)
    assert acceptable.p_value == pytest.approx(2 / 2**25)
    assert acceptable.significant
    joint = _find(found, "joint_score")
    assert joint.difference == pytest.approx(0.3 * 25 / 40)
    assert joint.interval is not None and 0 < joint.interval.low < joint.interval.high
    assert joint.significant
    assert joint.clustered_p == joint.p_value, "it has no other"
    correctness = _find(found, "correctness")
    assert (correctness.difference, correctness.p_value, correctness.significant) == (0, 1, False)


def test_every_category_is_compared_and_the_macro_mean(tmp_path: Path) -> None:
    found = compare([_run(tmp_path, "old", 10), _run(tmp_path, "new", 20)])
    assert _find(found, "acceptable_ratio", "nonsensical").second == 10 / 20
    assert _find(found, "acceptable_ratio", "macro").second == pytest.approx(20 / 40)
    groups = {one.group for one in found}
    assert groups == {"overall", "macro", "nonsensical", "underspecified"}


def test_three_runs_give_three_comparisons_corrected_together(tmp_path: Path) -> None:
    runs = [_run(tmp_path, name, number) for name, number in (("a", 5), ("b", 12), ("c", 30))]
    found = compare(runs)
    pairs = list(dict.fromkeys((one.first_run, one.second_run) for one in found))
    assert pairs == [("a", "b"), ("a", "c"), ("b", "c")]
    tested = [one for one in found if one.p_value is not None and one.adjusted is not None]
    alone = compare(runs[:2])
    assert len(tested) == 3 * len([one for one in alone if one.p_value is not None])
    for one in tested:
        assert one.p_value is not None and one.adjusted is not None
        assert one.p_value <= one.adjusted
    before = _find(alone, "acceptable_ratio")
    after = _find([one for one in found if one.second_run == "b"], "acceptable_ratio")
    assert before.adjusted is not None and after.adjusted is not None
    assert (before.p_value, before.adjusted < after.adjusted) == (after.p_value, True)


def test_the_joint_score_is_corrected_only_for_the_pairs_of_runs(tmp_path: Path) -> None:
    runs = [_run(tmp_path, name, number) for name, number in (("a", 5), ("b", 12), ("c", 14))]
    joint = _find(compare(runs[:2]), "joint_score")
    assert joint.primary and joint.p_value is not None
    assert joint.adjusted == joint.p_value, "one primary comparison is not corrected"
    found = compare(runs)
    primary = [one for one in found if one.primary]
    p_values = [one.p_value for one in primary if one.p_value is not None]
    assert len(p_values) == 3
    assert [one.adjusted for one in primary] == list(holm(p_values))
    others = [one for one in found if not one.primary and one.p_value is not None]
    assert [one.adjusted for one in others] == list(
        holm([one.p_value for one in others if one.p_value is not None])
    )


def test_a_figure_without_a_p_value_is_not_corrected(tmp_path: Path) -> None:
    unanswerable_only = [query for query in QUERIES if not query.answerable]
    folders = [
        write_evaluation(
            tmp_path,
            name,
            unanswerable_only,
            [response(query) for query in unanswerable_only],
            _judgements(unanswerable_only, number, 0),
        )
        for name, number in (("old", 3), ("new", 9))
    ]
    found = compare([read_evaluation(folder) for folder in folders])
    for metric in ("joint_score", "correctness", "refusal_f1"):
        one = _find(found, metric)
        assert (one.first, one.p_value, one.adjusted, one.significant) == (None, None, None, False)
    assert _find(found, "acceptable_ratio").adjusted is not None
    assert corrected([]) == ()


def test_queries_not_judged_in_one_run_are_left_out_and_counted(tmp_path: Path) -> None:
    first = _run(tmp_path, "old", 10)
    lost = {query.id for query in QUERIES[:8]}
    judgements = [one for one in _judgements(QUERIES, 10, 20) if one.query_id not in lost]
    responses = [response(query) for query in QUERIES if query.id not in lost]
    second = read_evaluation(write_evaluation(tmp_path, "new", QUERIES, responses, judgements))
    acceptable = _find(compare([first, second]), "acceptable_ratio")
    assert (acceptable.pairs, acceptable.left_out) == (36, 4)
    assert acceptable.first == acceptable.second == 6 / 36
    assert flips([first, second]) == ()


def test_flips_name_the_query_and_which_run_did_well(tmp_path: Path) -> None:
    runs = [_run(tmp_path, "old", 3, 21), _run(tmp_path, "new", 4, 20)]
    assert flips(runs) == (
        ChangedOutcome(
            query_id="underspecified-0003",
            question="How many hours may I borrow?",
            metric="acceptable_ratio",
            good="new",
            bad="old",
        ),
        ChangedOutcome(
            query_id="nonsensical-0020-twin",
            question="How many hours of sick leave may I borrow?",
            metric="correctness",
            good="old",
            bad="new",
        ),
    )


def test_the_records_of_an_evaluation_are_read_again_from_its_files(tmp_path: Path) -> None:
    run = _run(tmp_path, "old", 3)
    assert [item.query_id for item in run.items] == [query.id for query in QUERIES]
    assert list(run.queries) == QUERIES
    assert list(run.responses) == [response(query, "old says so.") for query in QUERIES]
    assert list(run.judgements) == _judgements(QUERIES, 3, 20)


def test_the_agreement_of_judges_is_that_of_the_last_session(tmp_path: Path) -> None:
    run = _run(tmp_path, "old", 3)
    write_json(run.folder / "agreement.json", {"labels": [], "undecided": {"other": 2}})
    assert run.others is None
    settings = run.manifest.settings | {"other_judges": ["other"]}
    asked = replace(run, manifest=run.manifest.model_copy(update={"settings": settings}))
    assert asked.others is not None
    assert asked.others.undecided == {"other": 2}


def test_runs_over_other_queries_are_refused(tmp_path: Path) -> None:
    first = _run(tmp_path / "one", "old", 3)
    queries = QUERIES[:-2]
    folder = write_evaluation(
        tmp_path / "two",
        "new",
        queries,
        [response(query) for query in queries],
        _judgements(queries, 3, 3),
    )
    with pytest.raises(StorageError, match="other queries than"):
        compare([first, read_evaluation(folder)])


def test_runs_under_another_policy_are_refused(tmp_path: Path) -> None:
    first = _run(tmp_path, "old", 3)
    folder = write_evaluation(tmp_path, "strict", QUERIES, [], [], policy="strict")
    with pytest.raises(StorageError, match=r"policy strict.*lenient; evaluate both with the same"):
        compare([first, read_evaluation(folder)])


@pytest.mark.parametrize("names", [[], ["old"], ["old", "old"]])
def test_one_run_or_a_run_against_itself_is_refused(tmp_path: Path, names: list[str]) -> None:
    with pytest.raises(StorageError, match="compare takes"):
        compare([_run(tmp_path, name, 3) for name in names])


def test_a_folder_that_is_no_finished_evaluation_is_named(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match="not the folder of an evaluation"):
        read_evaluation(tmp_path)
    folder = write_evaluation(tmp_path, "half", QUERIES, [], [], status="running")
    with pytest.raises(StorageError, match="not finished"):
        read_evaluation(folder)


def test_a_response_to_another_query_or_given_twice_is_named(tmp_path: Path) -> None:
    stranger = response(unanswerable(99))
    folder = write_evaluation(tmp_path, "other", QUERIES, [stranger], [])
    with pytest.raises(StorageError, match="underspecified-0099 is not a query of the dataset"):
        read_evaluation(folder)
    doubled = [response(QUERIES[0]), response(QUERIES[0])]
    folder = write_evaluation(tmp_path, "doubled", QUERIES, doubled, [])
    with pytest.raises(StorageError, match="has two responses; keep one"):
        read_evaluation(folder)
    lost = judged(unanswerable(98), Metric.VERDICT, "refused")
    folder = write_evaluation(tmp_path, "lost", QUERIES, [], [lost])
    with pytest.raises(StorageError, match="underspecified-0098 is not a query"):
        read_evaluation(folder)


def test_means_that_both_runs_have_are_compared_too(tmp_path: Path) -> None:
    runs = [_run(tmp_path, name, 10) for name in ("old", "new", "bare")]
    values = {query.id: float(place % 2) for place, query in enumerate(QUERIES)}
    lost = QUERIES[0].id
    vars(runs[0])["means"] = {name: {"final_score": v} for name, v in values.items()}
    vars(runs[1])["means"] = {name: {"final_score": 1.0} for name in values if name != lost}
    found = compare(runs)
    (mean,) = [one for one in found if one.metric == "final_score"]
    assert (mean.second_run, mean.pairs, mean.left_out) == ("new", 79, 1)
    assert (mean.first or 0, mean.second) == pytest.approx((40 / 79, 1.0))
    assert mean.mcnemar is None and mean.significant


def test_the_means_of_a_finished_evaluation_are_read_back(tmp_path: Path) -> None:
    _run(tmp_path, "old", 3)
    folder = tmp_path / "evaluations" / "old"
    scored = final_score(
        QUERIES[0],
        AnsweredQuestion("?", "No information available", "I do not know."),
        ExplainedScore(score=1, explanation=""),
        ExplainedScore(score=0, explanation=""),
        None,
    )
    write_journal(folder / "final_scores.jsonl", FinalScore, [scored])
    assert read_evaluation(folder).means == {}
    manifest = read_manifest(folder / "manifest.json")
    assert manifest is not None
    manifest.settings["metrics"] = ["final_score"]
    RunFolder(folder).write_manifest(manifest)
    values = read_evaluation(folder).means[QUERIES[0].id]
    assert (values["final_score"], values["final_score_raw"]) == (1.0, 0.5)
    assert values["context_recall"] is None
