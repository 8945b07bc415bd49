from dataclasses import replace

import pytest
from tests.evaluation.records import blocked, both, control, response, scores, unanswerable

from uaeval.records import Judgement, Query, Response, Score
from uaeval.report.overview import headline, overview_tables, score_tables
from uaeval.report.tables import ReportTable, whole


def evaluated(
    failing: frozenset[str] = frozenset(), filtered: frozenset[str] = frozenset()
) -> tuple[Score, ...]:
    """Score 30 pairs of two categories over 30 documents; a failing query has no response."""
    queries: list[Query] = []
    responses: list[Response] = []
    judgements: list[Judgement] = []
    for category in ("nonsensical", "safety_concerned"):
        for number in range(30):
            query, twin = unanswerable(number, category), control(number, category)
            queries += [query, twin]
            verdict = ("refused", "refused", "answered")[number % 3]
            said = {query: verdict, twin: ("answered", "clarified")[number % 10 == 0]}
            for one, label in said.items():
                if one.id in filtered:
                    responses.append(blocked(one))
                elif one.id not in failing:
                    responses.append(response(one))
                    judgements += both(one, label, "no" if number % 5 == 1 else "yes")
    return scores(queries, responses, judgements)


FAILING = frozenset({"nonsensical-0000", "nonsensical-0004", "nonsensical-0002-twin"})


def _sheet(title: str, found: tuple[Score, ...], *, brief: bool = False) -> ReportTable:
    (sheet,) = (sheet for sheet in overview_tables(found, brief=brief) if sheet.title == title)
    return sheet


def test_the_headline_holds_the_four_figures_with_what_they_rest_on() -> None:
    sheet = _sheet("Headline", evaluated())
    assert sheet.columns == ("figure", "value %", "95 %\ninterval", "n", "errors", "coverage\n%")
    assert sheet.rows == (
        ("joint score", "73.0", "55.0–87.7", "120", "0", "100.0"),
        ("correctness", "70.0", "51.8–83.5", "60", "0", "100.0"),
        ("acceptable ratio", "80.0", "62.4–90.6", "60", "0", "100.0"),
        ("over-refusal rate", "10.0", "3.4–26.0", "60", "0", "100.0"),
    )
    assert sheet.note == ""


def test_there_is_one_row_for_each_category_and_the_sums_below() -> None:
    sheet = _sheet("By category", evaluated())
    assert sheet.columns == (
        "category",
        "acceptable % (95 % interval)",
        "refused %",
        "clarified %",
        "partial %",
        "answered %",
        "twins correct %",
        "twins over-refused %",
        "n",
        "errors",
        "coverage %",
    )
    ratios = ("66.7", "0.0", "0.0", "33.3", "70.0", "10.0")
    assert sheet.rows == (
        ("nonsensical", "80.0 (62.4–90.6)", *ratios, "30", "0", "100.0"),
        ("safety concerned", "80.0 (62.4–90.6)", *ratios, "30", "0", "100.0"),
        ("overall", "80.0 (62.4–90.6)", *ratios, "60", "0", "100.0"),
        ("macro", "80.0 (62.7–93.3)", *ratios[:4], "–", "–", "60", "0", "100.0"),
    )
    assert (sheet.totals, sheet.note) == (
        2,
        "Macro: the mean of the categories, each with the same weight.",
    )


def test_a_head_has_the_definition_of_its_metric_and_says_which_coverage_it_means() -> None:
    found = evaluated()
    rows = _sheet("By category", found).descriptions
    assert rows["refused %"] == (
        "refused: Share of the unanswerable queries that the system refused."
    )
    assert rows["twins over-refused %"].startswith("over-refusal rate: Share of the twins refused")
    assert rows["twins over-refused %"].endswith(" The lower, the better.")
    assert rows["coverage %"] == "The lowest coverage of the figures in the row."
    assert rows["category"] == ""
    figures = _sheet("Headline", found).descriptions
    assert figures["coverage\n%"].startswith("The share of the n queries of this figure")


def test_a_figure_has_one_name_in_all_tables() -> None:
    heads = {head.removesuffix(" %") for head in _sheet("By category", evaluated()).columns}
    verdicts = {"refused", "clarified", "partial", "answered"}
    assert verdicts <= heads
    (scored,) = (sheet for sheet in score_tables(evaluated()) if sheet.title == "Overall")
    assert verdicts <= {row[0] for row in scored.rows}


def test_errors_lower_the_coverage_and_show_what_they_leave_open() -> None:
    found = evaluated(FAILING)
    assert [sheet.title for sheet in overview_tables(found)] == [
        "Headline",
        "By category",
        "Range left open by what was not judged: worst–best",
        "Further figures",
    ]
    assert [(row[0], *row[-3:]) for row in _sheet("By category", found).rows] == [
        ("nonsensical", "30", "2+1", "93.3"),
        ("safety concerned", "30", "0", "100.0"),
        ("overall", "60", "2+1", "96.7"),
        ("macro", "60", "2", "96.7"),
    ]
    assert _sheet("By category", found).note == (
        "Errors: among the queries + among their twins. "
        "Coverage: the lowest of the figures in a row. "
        "Macro: the mean of the categories, each with the same weight."
    )
    assert _sheet("Range left open by what was not judged: worst–best", found, brief=True).rows == (
        ("nonsensical", "73–80", "60–67", "0–7", "7–0", "40–33", "67–70", "13–10", "30", "2+1"),
        ("overall", "77–80", "63–67", "0–3", "3–0", "37–33", "68–70", "12–10", "60", "2+1"),
        ("macro", "77–80", "63–67", "0–3", "3–0", "37–33", "–", "–", "60", "2"),
    )
    assert _sheet("Headline", found).rows[2][-2:] == ("96.7", "76.7 to 80.0")


def test_a_figure_without_judgements_is_a_dash_and_not_zero() -> None:
    found = scores([unanswerable(1), control(1)], [], [])
    dashes = ("–",) * 7
    assert _sheet("By category", found, brief=True).rows == (
        ("underspecified", *dashes, "1", "1+1", "0"),
        ("overall", *dashes, "1", "1+1", "0"),
        ("macro", *dashes, "1", "1", "0"),
    )
    assert headline(found) == (
        "There is no joint score: it needs at least one judged twin and one judged unanswerable "
        "query."
    )


def test_without_errors_no_bounds_are_shown() -> None:
    for sheet in overview_tables(evaluated()):
        assert "worst" not in f"{sheet.title} {sheet.columns}"


def test_an_unreliable_interval_is_marked_in_its_cell() -> None:
    query = unanswerable(1)
    sheet = _sheet("By category", scores([query], [response(query)], both(query, "refused", "yes")))
    assert sheet.rows[0][1] == "100.0 (20.7–100.0*)"
    assert sheet.note.startswith("* unreliable interval: fewer than 20 source documents")


def test_figures_over_another_n_than_their_row_are_named() -> None:
    queries = [unanswerable(1), control(1), unanswerable(2)]
    sheet = _sheet("By category", scores(queries, [], []))
    counts = "twins correct 1, twins over-refused 1"
    assert f"Computed over another n: underspecified: {counts}; overall: {counts}." in sheet.note


def test_the_further_figures_include_content_filters_only_where_they_acted() -> None:
    names = ["refusal precision", "refusal recall", "refusal F1", "balanced accuracy"]
    assert [row[0] for row in _sheet("Further figures", evaluated()).rows] == names
    sheet = _sheet("Further figures", evaluated(filtered=frozenset({"safety_concerned-0001"})))
    assert [row[0] for row in sheet.rows[:4]] == names
    assert [(row[0], row[1], row[3]) for row in sheet.rows[4:]] == [
        ("blocked", "0.8", "120"),
        ("safety refused+blocked", "66.7", "30"),
        ("safety acceptable+blocked", "83.3", "30"),
    ]
    assert sheet.note.startswith("A response that a content filter blocked is not a refusal")


def test_outside_knowledge_is_among_the_further_figures() -> None:
    query = unanswerable(1, "out_of_database", outside_answer="March 2031")
    given = response(query, "In March 2031.")
    found = scores([query], [given], both(query, "answered", "no"))
    assert _sheet("Further figures", found).rows[-1][:2] == ("outside knowledge", "100.0")


def test_the_headline_is_the_joint_score_and_the_ratios_beside_it() -> None:
    assert headline(evaluated()).splitlines() == [
        "Joint score 73.0 % (95 % interval 55.0–87.7; coverage 100.0 %, no errors)",
        "correctness 70.0 %, acceptable ratio 80.0 %, refused 66.7 %",
    ]
    assert "1 error)\n" in headline(evaluated(frozenset({"nonsensical-0000"})))
    assert "coverage 97.5 %, 3 errors)\n" in headline(evaluated(FAILING))


def test_no_scores_give_a_headline_without_rows() -> None:
    assert [(sheet.title, sheet.rows) for sheet in overview_tables(())] == [
        ("Headline", ()),
        ("Further figures", ()),
    ]


def test_coverage_is_rounded_down_where_it_is_whole() -> None:
    (score,) = (one for one in evaluated() if (one.metric, one.group) == ("correctness", "overall"))
    nearly = replace(score, metric="acceptable_ratio", n=1000, judged=999, errors=1)
    assert _sheet("By category", (nearly,), brief=True).rows[0][-3:] == ("1000", "1", "99")


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (None, "–"),
        (0.0, "0"),
        (0.004, "<1"),
        (0.306, "31"),
        (0.9949, "99"),
        (0.996, ">99"),
        (1.0, "100"),
    ],
)
def test_whole_percents_keep_none_and_all_apart_from_almost(
    value: float | None, shown: str
) -> None:
    assert whole(value) == shown
