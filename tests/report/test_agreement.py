"""How far the judge agrees with people, as tables."""

from uaeval.evaluation.labels.calibrate import Agreement
from uaeval.evaluation.statistics.intervals import Interval
from uaeval.records import Metric
from uaeval.report.agreement import calibration_tables


def test_labels_that_the_judge_did_not_judge_are_counted_beside_all_labels() -> None:
    agreement = Agreement(
        metric=Metric.CORRECT,
        group="overall",
        n=10,
        judged=7,
        undecided=2,
        accuracy=0.5,
        interval=Interval(0.25, 0.75),
        f1=0.6,
        kappa=0.1,
        confusion={"yes": {"yes": 3, "no": 2}, "no": {"yes": 1, "no": 1}},
    )
    table, confusion, _ = calibration_tables([agreement], [])
    row = dict(zip(table.columns, table.rows[0], strict=True))
    assert (row["labels"], row["not judged"], row["accuracy %"]) == ("10", "3", "50.0")
    assert "correct 2" in table.note
    assert confusion.rows == (("yes", "3", "2"), ("no", "1", "1"))
