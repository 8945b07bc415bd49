import io

from rich.console import Console, RenderableType
from tests.evaluation.records import blocked, both, control, response, unanswerable
from tests.report.test_tables import manifest

from uaeval.evaluation.metrics import scores
from uaeval.report.tables import Sheet
from uaeval.report.terminal import dataset_tables, draw, sample_table, score_tables


def _drawn(table: RenderableType, width: int = 160) -> str:
    out = io.StringIO()
    Console(file=out, width=width, force_terminal=True, color_system=None).print(table)
    return out.getvalue()


def test_markup_in_foreign_text_is_shown_and_not_obeyed() -> None:
    question = "[bold red]Is[/] [link=http://a.b]this[/link] :smile: \x1b[2J\u202e?"
    shown = _drawn(sample_table([unanswerable(1, question=question), control(1)]))
    assert r"[bold red]Is[/] [link=http://a.b]this[/link] :smile: \u001b[2J\u202e?" in shown


def test_titles_and_notes_are_text_too() -> None:
    sheet = Sheet(title="[b]t[/b]", columns=("[i]c[/i]",), rows=(("[/]",),), note="[u]n[/u]")
    shown = _drawn(draw(sheet))
    for part in ("[b]t[/b]", "[i]c[/i]", "[/]", "[u]n[/u]"):
        assert part in shown


def test_scores_show_value_interval_and_coverage() -> None:
    queries = [unanswerable(1), unanswerable(2), control(1)]
    judgements = [*both(queries[0], "refused", "yes"), *both(queries[2], "answered", "yes")]
    found = scores(queries, [response(query) for query in queries], judgements)
    lines = _drawn(score_tables(found)).splitlines()
    (line,) = [line for line in lines if "acceptable ratio" in line and "overall" in line]
    cells = [cell.strip() for cell in line.strip("│").split("│")]
    assert cells == (
        ["acceptable ratio", "overall", "100.0", "20.7–100.0 *", "2", "1", "50.0", "50.0 to 100.0"]
    )


def test_scores_fit_a_narrow_terminal_without_losing_text() -> None:
    queries = [unanswerable(1), control(1)]
    found = scores(queries, [], [])
    narrow = _drawn(score_tables(found), width=80)
    assert max(map(len, narrow.splitlines())) <= 80
    assert "…" not in narrow


def test_content_filters_are_shown_where_they_stopped_something() -> None:
    query = unanswerable(1)
    stopped = _drawn(score_tables(scores([query], [blocked(query)], [])))
    spoken = _drawn(score_tables(scores([query], [response(query)], [])))
    assert "Stopped by a content filter" in stopped
    assert "Stopped by a content filter" not in spoken


def test_the_dataset_is_summed_up_with_its_leakage() -> None:
    shown = manifest().model_copy(
        update={
            "leakage": [
                {
                    "category": "nonsensical",
                    "pairs": 12,
                    "auc": 0.75,
                    "opening": "who may",
                    "opening_share": 0.1,
                    "length_ratio": 1.0,
                    "hardness_mean": None,
                    "hardness_median": None,
                    "hardness_min": None,
                    "hardness_max": None,
                }
            ]
        }
    )
    text = _drawn(dataset_tables(shown))
    assert "label 2, twin 1, duplicate 1" in text
    assert "Easy items and leakage" in text
    assert "0.75" in text
    assert "Easy items" not in _drawn(dataset_tables(manifest()))
