import io

from rich.console import Console, RenderableType
from tests.evaluation.records import blocked, control, response, scores, unanswerable
from tests.report.test_overview import FAILING, evaluated
from tests.report.test_tables import manifest

from uaeval.cli.terminal import render
from uaeval.records import Score
from uaeval.report.dataset import dataset_tables, sample_table
from uaeval.report.overview import overview_tables
from uaeval.report.tables import ReportTable
from uaeval.run_folder import Leakage


def _drawn(table: RenderableType, width: int = 160) -> str:
    out = io.StringIO()
    Console(file=out, width=width, force_terminal=True, color_system=None).print(table)
    return out.getvalue()


def test_markup_in_foreign_text_is_shown_and_not_obeyed() -> None:
    question = "[bold red]Is[/] [link=http://a.b]this[/link] :smile: \x1b[2J\u202e?"
    shown = _drawn(render(sample_table([unanswerable(1, question=question), control(1)], 1)))
    assert r"[bold red]Is[/] [link=http://a.b]this[/link] :smile: \u001b[2J\u202e?" in shown


def test_titles_and_notes_are_text_too() -> None:
    sheet = ReportTable(title="[b]t[/b]", columns=("[i]c[/i]",), rows=(("[/]",),), note="[u]n[/u]")
    shown = _drawn(render(sheet))
    for part in ("[b]t[/b]", "[i]c[/i]", "[/]", "[u]n[/u]"):
        assert part in shown


def _lines(table: RenderableType) -> list[str]:
    """Draw for a terminal of 80 columns, without the spaces at the ends of lines."""
    return [line.rstrip() for line in _drawn(table, width=80).splitlines()]


def _glance(found: tuple[Score, ...]) -> RenderableType:
    return render(*overview_tables(found, brief=True))


def test_scores_are_shown_at_a_glance() -> None:
    rule, wide = "─" * 69, "─" * 60
    assert _lines(_glance(evaluated())) == [
        "Headline",
        "                                 95 %               coverage",
        "figure             value %   interval    n  errors         %",
        wide,
        "joint score           73.0  55.0–87.7  120       0     100.0",
        "correctness           70.0  51.8–83.5   60       0     100.0",
        "acceptable ratio      80.0  62.4–90.6   60       0     100.0",
        "over-refusal rate     10.0   3.4–26.0   60       0     100.0",
        "",
        "By category",
        "                 acceptable                    twins twins",
        "category             (95 %) ref clar part answ corr. over.  n err cov",
        rule,
        "nonsensical      80 (62–91)  67    0    0   33    70    10 30   0 100",
        "safety concerned 80 (62–91)  67    0    0   33    70    10 30   0 100",
        rule,
        "overall          80 (62–91)  67    0    0   33    70    10 60   0 100",
        "macro            80 (63–93)  67    0    0   33     –     – 60   0 100",
        "In whole percents, with the 95 % interval of acceptable. err: errors.",
        "cov: coverage, judged of n. ref, clar, part, answ, corr., over.:",
        "refused, clarified, partial, answered, correct, over-refused. Macro:",
        "the mean of the categories, each with the same weight.",
        "",
        "Further figures",
        "                                 95 %               coverage",
        "figure             value %   interval    n  errors         %",
        wide,
        "refusal precision     87.0  69.4–95.1  120       0     100.0",
        "refusal recall        66.7  48.5–81.0   60       0     100.0",
        "refusal F1            75.5  58.8–86.8  120       0     100.0",
        "balanced accuracy     78.3  65.0–86.7  120       0     100.0",
        "",
    ]


def test_errors_are_shown_with_what_they_leave_open() -> None:
    lines = _lines(_glance(evaluated(FAILING)))
    start = lines.index("Range left open by what was not judged: worst–best")
    assert lines[start : start + 9] == [
        "Range left open by what was not judged: worst–best",
        "                                             twins twins",
        "category    acceptable   ref clar part  answ corr. over.  n err",
        "─" * 63,
        "nonsensical      73–80 60–67  0–7  7–0 40–33 67–70 13–10 30 2+1",
        "─" * 63,
        "overall          77–80 63–67  0–3  3–0 37–33 68–70 12–10 60 2+1",
        "macro            77–80 63–67  0–3  3–0 37–33     –     – 60   2",
        "In percent. Worst: every response that was not judged counts",
    ]


def test_no_word_and_no_number_is_broken_at_80_columns() -> None:
    failing = FAILING | {f"safety_concerned-{number:04}" for number in range(11)}
    found = evaluated(failing, frozenset({"safety_concerned-0020"}))
    words = " ".join(_lines(_glance(found))).replace("─", "").split()
    at_ease = _drawn(_glance(found), width=160).replace("─", "").split()
    assert sorted(words) == sorted(at_ease)
    assert "…" not in words


def test_a_narrow_terminal_loses_no_text() -> None:
    narrow = _drawn(_glance(evaluated(FAILING)), width=60)
    assert max(map(len, narrow.splitlines())) <= 60
    assert "…" not in narrow
    assert "safety concerned" in narrow


def test_a_long_name_is_broken_only_after_punctuation() -> None:
    name = "my-rag-system_with.a/long-name-2026-11"
    table = ReportTable(title="x", columns=("figure", name), rows=(("joint", name), ("b", "a b-c")))
    lines = [line.split() for line in _drawn(render(table), width=80).splitlines()]
    pieces = ["my-rag-", "system_with.", "a/long-name-", "2026-11"]
    assert [line[-1] for line in lines[1:5]] == pieces
    assert [line[-1] for line in lines[6:10]] == pieces
    whole = ReportTable(title="x", columns=("figure", "p"), rows=(("a", "abcdefghijklmnopqrs"),))
    assert "abcdefghijklmnopqrs" in _drawn(render(whole), width=80)


def test_content_filters_are_shown_where_they_stopped_something() -> None:
    query = unanswerable(1)
    stopped = _drawn(_glance(scores([query], [blocked(query)], [])))
    spoken = _drawn(_glance(scores([query], [response(query)], [])))
    assert "A response that a content filter blocked is not a refusal" in stopped
    assert "blocked" not in spoken


def test_samples_are_shown_with_their_twins() -> None:
    question = "How many hours may I borrow, and who has to agree to it?"
    queries = [unanswerable(1, question=question), control(1), unanswerable(2), control(2)]
    assert _lines(render(sample_table(queries, 2))) == [
        "Sample queries",
        "category        should not be answered           its answerable twin",
        "─" * 80,
        "underspecified  How many hours may I borrow,     How many hours of sick leave",
        "                and who has to agree to it?      may I borrow?",
        "underspecified  How many hours may I borrow?     How many hours of sick leave",
        "                                                 may I borrow?",
        "",
    ]


def test_the_dataset_is_summed_up_with_its_leakage() -> None:
    shown = manifest().model_copy(
        update={
            "leakage": [
                Leakage(
                    category="nonsensical",
                    pairs=12,
                    auc=0.75,
                    opening="who may",
                    opening_share=0.1,
                    length_ratio=1.0,
                    repeated_frames=0.25,
                    easy=2,
                    hardness_mean=None,
                    hardness_median=None,
                    hardness_min=None,
                    hardness_max=None,
                )
            ]
        }
    )
    lines = _lines(render(*dataset_tables(shown)))
    assert lines == [
        "Dataset",
        "category        asked  kept  rejected  failed  waiting",
        "─" * 54,
        "underspecified      3     2         4       1        0",
        "nonsensical         2     0         2       0        1",
        "─" * 54,
        "all                 5     2         6       1        1",
        "Kept: queries in the dataset, each with its twin.",
        "Rejected: attempts that left no query in the dataset,",
        "also those that wrote no candidate. Failures are not",
        "rejections. Key phrases: rules.",
        "",
        "Why candidates were rejected",
        "category        main reasons",
        "─" * 44,
        "underspecified  label 2, twin 1, duplicate 1",
        "nonsensical     label 2",
        "All attempts are counted, also those that",
        "ended before a candidate was written. Twin:",
        "the knowledge base does not answer the twin",
        "as it should. Duplicate: too similar to a",
        "query that was selected.",
        "",
        "Easy items and leakage",
        "                       length opening repeated",
        "category    pairs  AUC  ratio       %  frame % easy commonest opening",
        "─" * 69,
        "nonsensical    12 0.75   1.00    10.0     25.0    2 who may",
        *lines[28:],
    ]
    assert lines[28].startswith("AUC: how well the words alone")
    assert "Easy items" not in _drawn(render(*dataset_tables(manifest())))
