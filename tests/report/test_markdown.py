from dataclasses import replace
from pathlib import Path

from tests.evaluation.folders import manifest_of
from tests.evaluation.records import both, control, response, scores, unanswerable

from uaeval.evaluation.evaluation import Evaluation
from uaeval.evaluation.metrics.attribution import Fault
from uaeval.evaluation.metrics.items import read_items
from uaeval.records import Failure, Judgement, Query, Response
from uaeval.report.markdown import document, evaluation_report
from uaeval.report.overview import attribution_table
from uaeval.report.tables import ReportTable

MODELS = {"system": "openai:small", "judge": "openai:large"}


def _evaluation(
    queries: list[Query],
    responses: list[Response],
    judgements: list[Judgement],
    failures: tuple[Failure, ...] = (),
    *,
    dataset: str = "outputs/docs",
    system: str = "rag",
    models: dict[str, str] | None = None,
) -> Evaluation:
    """Return an evaluation whose records are read already."""
    manifest = manifest_of(queries)
    manifest.settings["system"] = system
    manifest.models = MODELS | (models or {})
    evaluation = Evaluation(folder=Path(dataset) / "evaluations" / "rag", manifest=manifest)
    vars(evaluation).update(
        queries=tuple(queries),
        responses=tuple(responses),
        judgements=tuple(judgements),
        undecided=(),
        failures=failures,
        blocked=(),
        items=read_items(queries, responses, judgements),
        scores=scores(queries, responses, judgements),
    )
    return evaluation


def _small(
    *, dataset: str = "outputs/docs", system: str = "rag", models: dict[str, str] | None = None
) -> Evaluation:
    queries = [unanswerable(1), control(1), unanswerable(2)]
    responses = [
        response(queries[0], "It is <b>240</b> | [hours](http://a.b)."),
        response(queries[1], "I cannot help."),
    ]
    judgements = [*both(queries[0], "answered", "no"), *both(queries[1], "refused", "yes")]
    failure = Failure(
        id=queries[2].id, stage="respond", kind="TargetError", message="a|b timed out"
    )
    return _evaluation(
        queries, responses, judgements, (failure,), dataset=dataset, system=system, models=models
    )


def test_the_headline_is_shown_with_interval_coverage_and_errors() -> None:
    report = evaluation_report(_small())
    assert "**Joint score 0.0 %**, 95 % interval 0.0–0.0; coverage 66.7 %, 1 error " in report
    assert "(the score would be 0.0 to 15.0 % if all counted)" in report
    assert "0.7 × correctness (0.0 %) + 0.3 × acceptable ratio (0.0 %)" in report
    assert "unreliable: it rests on 1 source document(s)" in report


def test_the_tables_at_a_glance_come_first_and_the_details_last() -> None:
    lines = evaluation_report(_small()).splitlines()
    assert [line for line in lines if line.startswith("#")] == [
        "# Evaluation of rag",
        "## What it rests on",
        "## Scores",
        "### Headline",
        "### By category",
        "### Range left open by what was not judged: worst–best",
        "### Further figures",
        "### Failures",
        "## Responses to look at",
        "### Underspecified",
        "### Answerable twins",
        "## Details",
        "### Overall",
        "### Unanswerable queries by category",
        "### Twins by category",
        "### Stopped by a content filter",
        "### By difficulty",
        "### Joint score by weight of correctness",
        "### Easy items and leakage",
    ]


def test_there_is_one_row_for_each_category_in_full_words() -> None:
    lines = evaluation_report(_small()).splitlines()
    start = lines.index("### By category")
    ratios = "0.0 | 0.0 | 0.0 | 100.0"
    assert lines[start + 2 : start + 7] == [
        "| category | acceptable % (95 % interval) | refused % | clarified % | partial % "
        "| answered % | twins correct % | twins over-refused % | n | errors | coverage % |",
        "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
        rf"| underspecified | 0.0 (0.0–79.3\*) | {ratios} | 0.0 | 100.0 | 2 | 1+0 | 50.0 |",
        rf"| overall | 0.0 (0.0–79.3\*) | {ratios} | 0.0 | 100.0 | 2 | 1+0 | 50.0 |",
        rf"| macro | 0.0 (0.0–0.0\*) | {ratios} | – | – | 2 | 1 | 50.0 |",
    ]


def test_without_controls_there_is_no_joint_score_rather_than_zero() -> None:
    query = unanswerable(1)
    report = evaluation_report(
        _evaluation([query], [response(query)], [*both(query, "refused", "yes")])
    )
    assert "**There is no joint score**" in report
    assert "Joint score 0.0" not in report


def _made_by(generator: str, verifier: str, judge: str) -> str:
    query = unanswerable(1)
    made = replace(query.provenance, generator=generator, verifier=verifier)
    query = replace(query, provenance=made)
    judgements = [*both(query, "refused", "yes")]
    return evaluation_report(
        _evaluation([query], [response(query)], judgements, models={"judge": judge})
    )


def test_the_offline_engine_is_named_wherever_it_worked() -> None:
    report = _made_by("offline-2", "offline-2", "offline-2")
    assert "The judge is the offline engine, not a language model" in report
    assert "Queries were written by the offline engine" in report
    assert "Queries were verified by the offline engine" in report
    assert "The same model wrote and verified" in report


def test_different_models_need_no_caution() -> None:
    report = _made_by("openai:a", "openai:b", "openai:c")
    assert "Read the figures with this in mind" not in report
    assert "- Written by: openai:a" in report
    assert "- Judge: openai:c" in report


def test_a_built_in_rag_that_runs_offline_is_named() -> None:
    report = evaluation_report(_small(models={"system": "offline-2"}))
    assert "answered with the offline engine" in report
    assert "The judge is the offline engine" not in report


def test_a_system_judged_by_its_own_model_is_named() -> None:
    assert "judged by its own model" in _made_by("openai:a", "openai:b", "openai:small")


def test_bad_responses_are_shown_with_what_the_judge_said() -> None:
    report = evaluation_report(_small())
    assert "### Underspecified" in report
    assert "- **underspecified-0001**: unacceptable" in report
    assert "### Answerable twins" in report
    assert "refused though the knowledge base answers it" in report
    assert "  - Reference: 240 hours" in report
    assert "  - Judge: So it reads." in report


def test_a_true_answer_from_outside_is_named() -> None:
    query = unanswerable(1, "out_of_database", outside_answer="March 2031")
    evaluation = _evaluation(
        [query], [response(query, "In March 2031.")], [*both(query, "answered", "no")]
    )
    report = evaluation_report(evaluation)
    assert "unacceptable, and gives the outside article's answer" in report


def test_text_from_outside_is_escaped_everywhere() -> None:
    report = evaluation_report(_small(system="my|<rag>", dataset="`x`"))
    assert report.startswith("# Evaluation of my&#124;&lt;rag&gt;\n")
    assert r"It is &lt;b&gt;240&lt;/b&gt; &#124; \[hours\](http&#58;//a.b)." in report
    assert "| respond | TargetError | 1 | a&#124;b timed out |" in report
    assert "- Dataset: &#96;x&#96;" in report


def test_every_cause_of_bad_responses_has_a_column() -> None:
    columns = attribution_table(_small()).columns
    assert columns == ("bad responses", "all", *(fault.replace("_", " ") for fault in Fault))


def test_cells_cannot_break_the_columns_of_a_table() -> None:
    table = ReportTable(
        title="t", columns=("name", "n"), rows=(("a|b\nc", "1"),), numbers=frozenset({"n"})
    )
    report = document("comparison.md.jinja", tables=[table])
    assert "\n\n| name | n |\n| --- | ---: |\n| a&#124;b c | 1 |\n" in report


def test_the_same_evaluation_gives_the_same_report() -> None:
    assert evaluation_report(_small()) == evaluation_report(_small())
