"""How far the judge agrees with people, as tables."""

import pytest

from uaeval.evaluation.labels.annotators import Disagreement
from uaeval.evaluation.labels.calibrate import Agreement
from uaeval.evaluation.statistics.intervals import Interval
from uaeval.labels import Label
from uaeval.records import Metric
from uaeval.report.agreement import calibration_tables, disputed_table


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


@pytest.mark.parametrize(("count", "note"), [(20, ""), (25, "The first 20.")])
def test_disagreements_are_counted_as_open_and_resolved_and_the_first_are_shown(
    count: int, note: str
) -> None:
    labels = {
        "ann": Label.model_validate({"query_id": "q-1", "annotator": "ann", "valid": "valid"}),
        "ben": Label.model_validate({"query_id": "q-1", "annotator": "ben", "valid": "invalid"}),
    }
    disputed = [
        Disagreement(item=f"q-{n}", labels=labels, resolution="invalid" if n < 3 else None)
        for n in range(count)
    ]
    table = disputed_table(disputed)
    assert table.title == f"Disagreements: {count - 3} open, 3 resolved"
    assert len(table.rows) == 20
    assert table.rows[0] == ("q-0", "ann: valid; ben: invalid", "invalid")
    assert table.rows[-1] == ("q-19", "ann: valid; ben: invalid", "")
    assert table.note == note
