from dataclasses import replace

from tests.evaluation.records import control, unanswerable

from uaeval.knowledge.facts import KnowledgeBaseFacts
from uaeval.records import Failure, Score
from uaeval.report.dataset import (
    blocked_stages,
    blocked_table,
    dataset_table,
    failure_table,
    leakage_table,
    rejection_table,
    sample_table,
)
from uaeval.report.overview import score_tables
from uaeval.run_folder import Count, Leakage, Manifest

SCORE = Score(
    metric="acceptable_ratio",
    group="overall",
    value=0.5,
    low=0.2,
    high=0.8,
    n=5,
    judged=4,
    errors=1,
    worst=0.4,
    best=0.6,
    clusters=4,
    reliable=False,
)
SURE = replace(SCORE, low=0.45, high=0.55, n=4, errors=0, reliable=True)
UNKNOWN = replace(SCORE, value=None, low=None, high=None, judged=0, errors=5, worst=0.0, best=1.0)


def manifest() -> Manifest:
    facts = KnowledgeBaseFacts(
        source="docs",
        fingerprint="f",
        documents=3,
        skipped=0,
        held_out=0,
        chunks=9,
        set_aside=0,
        articles=0,
        news_fingerprint="n",
        embedding="hashed-words",
        key_phrases="rules",
    )
    return Manifest(
        status="complete",
        settings={},
        knowledge_base=facts,
        versions={},
        prompts={},
        models={},
        asked={"underspecified": 3, "nonsensical": 2},
        selected={"underspecified": 2},
        stages={
            "generate": {"underspecified": Count(kept=6, failed=1)},
            "verify": {
                "underspecified": Count(kept=3, rejected=3, reasons={"label": 2, "twin": 1}),
                "nonsensical": Count(rejected=2, waiting=1, reasons={"label": 2}),
            },
            "select": {"underspecified": Count(kept=2, rejected=1, reasons={"duplicate": 1})},
        },
        leakage=[],
    )


def test_a_score_is_shown_with_its_denominator() -> None:
    (sheet,) = score_tables([SCORE, SURE, UNKNOWN])
    assert sheet.title == "Overall"
    assert sheet.columns[2:] == (
        "value %",
        "95 % interval",
        "n",
        "errors",
        "coverage %",
        "worst to best %",
    )
    assert [row[2:] for row in sheet.rows] == [
        ("50.0", "20.0–80.0 *", "5", "1", "80.0", "40.0 to 60.0"),
        ("50.0", "45.0–55.0", "4", "0", "100.0", "–"),
        ("–", "–", "5", "5", "0.0", "0.0 to 100.0"),
    ]
    assert "* unreliable interval: fewer than 20 source documents" in sheet.note


def test_reliable_scores_carry_no_warning() -> None:
    (sheet,) = score_tables([SURE])
    assert sheet.note == ""


def test_scores_are_parted_into_sections() -> None:
    groups = [
        ("joint_score_curve", "w1=0.50"),
        ("acceptable_ratio", "underspecified/time"),
        ("acceptable_ratio", "hard"),
        ("blocked_ratio", "overall"),
        ("over_refusal_rate", "nonsensical"),
        ("acceptable_ratio", "out_of_database"),
        ("acceptable_ratio", "underspecified"),
        ("acceptable_ratio", "macro"),
    ]
    sheets = score_tables([replace(SCORE, metric=name, group=group) for name, group in groups])
    assert [sheet.title for sheet in sheets] == [
        "Overall",
        "Unanswerable queries by category",
        "Twins by category",
        "Stopped by a content filter",
        "By difficulty",
        "By subtype",
        "Joint score by weight of correctness",
    ]
    assert [row[1] for row in sheets[1].rows] == ["underspecified", "out of database"]


def test_the_dataset_table_counts_what_became_of_every_attempt() -> None:
    sheet = dataset_table(manifest())
    assert sheet.columns == ("category", "asked", "kept", "rejected", "failed", "waiting")
    assert sheet.rows == (
        ("underspecified", "3", "2", "4", "1", "0"),
        ("nonsensical", "2", "0", "2", "0", "1"),
        ("all", "5", "2", "6", "1", "1"),
    )
    assert sheet.totals == 1


def test_the_three_commonest_reasons_are_named_and_the_others_counted() -> None:
    reasons = {"declined": 40, "general_rule": 9, "twin": 4, "spare": 2, "opening": 1}
    more = {"select": {"underspecified": Count(rejected=56, reasons=reasons)}}
    shown = manifest().model_copy(update={"stages": manifest().stages | more})
    assert rejection_table(shown).rows == (
        ("underspecified", "declined 40, general rule 9, twin 5, other 5"),
        ("nonsensical", "label 2"),
    )


def test_a_category_that_rejected_nothing_has_no_reasons_to_show() -> None:
    assert rejection_table(manifest().model_copy(update={"stages": {}})).rows == ()


def test_samples_are_shown_with_their_twins() -> None:
    queries = [unanswerable(1), control(1), unanswerable(2), control(2)]
    assert sample_table(queries, 1).rows == (
        ("underspecified", queries[0].question, queries[1].question),
    )


def test_failures_are_counted_by_stage_kind_and_the_beginning_of_their_message() -> None:
    failures = [
        Failure(id=f"q{n}", stage=stage, kind="ReplyError", message=f"{message} (query {n})")
        for n, (stage, message) in enumerate(
            [
                ("respond", "http: HTTP 500"),
                ("judge", "http: HTTP 500"),
                ("respond", "http: HTTP 429"),
                ("respond", "http: HTTP 500"),
                ("respond", "http: the reply is cut off at 80 bytes"),
                ("respond", "http: empty response to q5"),
                ("respond", "http: empty response to q6"),
            ]
        )
    ]
    assert failure_table(failures).rows == (
        ("respond", "ReplyError", "2", "http: HTTP 500 (query 0)"),
        ("respond", "ReplyError", "2", "http: empty response to q5 (query 5)"),
        ("judge", "ReplyError", "1", "http: HTTP 500 (query 1)"),
        ("respond", "ReplyError", "1", "http: HTTP 429 (query 2)"),
        ("respond", "ReplyError", "1", "http: the reply is cut off at 80 bytes (query 4)"),
    )


def test_blocked_calls_are_counted_by_category_and_stage() -> None:
    sheet = blocked_table({"respond": {"safety_concerned": 2}, "judge": {"underspecified": 1}})
    assert sheet.columns == ("category", "respond", "judge")
    assert sheet.rows == (("underspecified", "0", "1"), ("safety concerned", "2", "0"))
    assert "judge was blocked at is an error of its figures" in sheet.note
    assert blocked_table({"respond": {}}).rows == ()


def test_a_dataset_records_blocked_calls_and_queries_written_offline_instead() -> None:
    assert blocked_table(blocked_stages(manifest())).rows == ()
    stages = {
        "generate": {"safety_concerned": Count(kept=3, blocked=2, by_offline=1)},
        "verify": {"safety_concerned": Count(kept=2, blocked=1)},
    }
    sheet = blocked_table(blocked_stages(manifest().model_copy(update={"stages": stages})))
    assert sheet.columns == ("category", "generate", "verify", "written offline instead")
    assert sheet.rows == (("safety concerned", "2", "1", "1"),)
    assert "judge" not in sheet.note


def test_unmeasured_leakage_is_shown_as_a_dash() -> None:
    few = Leakage(
        category="out_of_database",
        pairs=4,
        auc=None,
        opening=None,
        opening_share=None,
        length_ratio=None,
        hardness_mean=0.41,
        hardness_median=0.4,
        hardness_min=0.2,
        hardness_max=0.7,
    )
    opening = {"opening": "what is the rule", "opening_share": 0.25, "repeated_frames": 0.5}
    many = few.model_copy(
        update={"auc": 0.875, "easy": 2, "length_ratio": 1.5, "hardness_mean": None, **opening}
    )
    sheet = leakage_table([few, many])
    assert sheet.rows == (
        ("out of database", "4", "–", "–", "–", "–", "0", "–"),
        ("out of database", "4", "0.88", "1.50", "25.0", "50.0", "2", "what is the rule"),
    )
    hardness = "Hardness of out of database, the best similarity in the knowledge base: "
    assert sheet.note.endswith(f"{hardness}mean 0.41, from 0.20 to 0.70.")
    assert sheet.note.count("Hardness") == 1
