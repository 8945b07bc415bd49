"""The HTML report in a browser."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect
from tests.browser.conftest import NewPage
from tests.browser.hostile import HOSTILE, write_hostile
from tests.browser.pages import covered, grave_violations, overflow, printed
from tests.evaluation.records import control
from tests.report.written_run import write_judged, write_run

from uaeval.evaluation.evaluation import read_evaluation
from uaeval.evaluation.metrics.registry import HEADLINE
from uaeval.report.html.page import report_page

pytestmark = pytest.mark.browser

PHONE = {"width": 360, "height": 740}
DESK = {"width": 1440, "height": 900}


@dataclass(frozen=True)
class Reports:
    """Reports: of one run, of two, of one with own controls, and of one full of hostile texts."""

    one: Path
    two: Path
    own: Path
    hostile: Path


@pytest.fixture(scope="module")
def reports(tmp_path_factory: pytest.TempPathFactory) -> Reports:
    folder = tmp_path_factory.mktemp("reports")
    queries = write_run(folder / "docs", 60)
    weak = write_judged(folder / "docs", "weak", queries, good=0.3)
    strong = write_judged(folder / "docs", "strong", queries, good=0.9)
    return Reports(
        one=_written(folder / "one.html", [strong]),
        two=_written(folder / "two.html", [weak, strong]),
        own=_written(folder / "own.html", [_write_with_control(folder / "own")]),
        hostile=_written(folder / "hostile.html", [write_hostile(folder / "<b>bad<&")]),
    )


def _written(path: Path, folders: Iterable[Path]) -> Path:
    page = report_page([read_evaluation(folder) for folder in folders])
    path.write_text(page, encoding="utf-8")
    return path


def _write_with_control(dataset: Path) -> Path:
    """Write a run in which a user's control was asked too."""
    given = replace(control(900), id="given-0001", pair_id=None, pair_category=None)
    return write_judged(dataset, "rag", [given, *write_run(dataset, 6)])


@pytest.fixture
def opened(new_page: NewPage) -> Callable[..., Page]:
    def open_one(path: Path, **options: object) -> Page:
        page = new_page(**{"viewport": DESK, **options})
        page.goto(path.as_uri())
        page.wait_for_function(_ALL_DRAWN)
        return page

    return open_one


_ALL_DRAWN = """() => [...document.querySelectorAll("[data-chart]")]
    .every((box) => !box.checkVisibility() || box.querySelector("svg"))"""


def _menu(page: Page, name: str) -> Locator:
    return page.locator(f"#filters select[name={name}]")


def _shown(page: Page) -> list[str]:
    items = page.locator("#queries > li")
    ids: list[str] = items.evaluate_all("all => all.map(one => one.dataset.id)")
    return ids


def _count(page: Page) -> str:
    count: str = page.locator("#count").inner_text()
    return count


def test_a_page_of_5000_queries_stays_below_15_megabytes_and_can_be_searched(
    tmp_path: Path, opened: Callable[..., Page]
) -> None:
    queries = write_run(tmp_path, 2500, chunk_size=900)
    path = _written(tmp_path / "large.html", [write_judged(tmp_path, "rag", queries)])
    assert path.stat().st_size < 15e6
    page = opened(path)
    assert _count(page) == "2,000 of 2,000 queries"
    assert len(_shown(page)) == 50
    (number,) = re.findall(r"\(\d+\)", page.locator(".question").nth(30).inner_text())
    page.get_by_role("searchbox").fill(number)
    page.locator("#count", has_text=re.compile("^2 of 2,000 queries")).wait_for()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])
@pytest.mark.parametrize("which", ["one", "two", "hostile"])
def test_it_fits_its_window_and_anyone_can_use_it(
    reports: Reports, opened: Callable[..., Page], which: str, size: object, scheme: str
) -> None:
    page = opened(getattr(reports, which), viewport=size, color_scheme=scheme)
    page.evaluate("document.querySelectorAll('main details').forEach(one => { one.open = true })")
    page.locator(".ask").first.click()
    page.wait_for_function(_ALL_DRAWN)
    assert overflow(page) == 0
    assert grave_violations(page) == []
    ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
    bright = sum(map(int, ground.strip("rgb()").split(","))) > 384
    assert bright is (scheme == "light")


def test_every_chart_is_drawn_and_described(reports: Reports, opened: Callable[..., Page]) -> None:
    page = opened(reports.one)
    boxes = page.locator("[data-chart]")
    assert boxes.count() >= 8
    for box in boxes.all():
        assert box.locator("svg path, svg rect, svg circle, svg line").count() > 2
        assert box.get_attribute("role") == "img"
        assert len(box.get_attribute("aria-label") or "") > 40


def test_queries_are_searched_filtered_and_sorted(
    reports: Reports, opened: Callable[..., Page]
) -> None:
    page = opened(reports.two)
    assert _count(page) == "120 of 120 queries"
    _menu(page, "kind").select_option("query")
    _menu(page, "category").select_option("nonsensical")
    assert _count(page) == "10 of 120 queries"
    assert all(one.startswith("nonsensical") for one in _shown(page))
    _menu(page, "outcome").select_option("unacceptable")
    _menu(page, "verdict").select_option("answered")
    left = _shown(page)
    assert 0 < len(left) < 10
    page.get_by_role("button", name="Reset").click()
    assert _count(page) == "120 of 120 queries"
    page.get_by_role("searchbox").fill("(17) BORROW")
    page.locator("#count", has_text=re.compile("^2 of 120 queries")).wait_for()
    assert _shown(page) == ["out_of_database-0017", "out_of_database-0017-twin"]
    page.get_by_role("searchbox").fill("")
    page.locator("#count", has_text="120 of 120 queries").wait_for()
    _menu(page, "sort").select_option("category")
    first = [one.rsplit("-", 1)[0] for one in _shown(page) if not one.endswith("twin")]
    assert first == sorted(first)
    assert len(_shown(page)) == 50
    page.get_by_role("button", name="Show 50 more").click()
    assert len(_shown(page)) == 100


def test_a_users_control_is_distinguished_from_a_twin(
    reports: Reports, opened: Callable[..., Page]
) -> None:
    page = opened(reports.own)
    _menu(page, "kind").select_option(label="answerable twins")
    assert (_count(page), "given-0001" in _shown(page)) == ("6 of 13 queries", False)
    _menu(page, "kind").select_option(label="controls of one's own")
    assert _shown(page) == ["given-0001"]
    page.locator(".ask").click()
    text = page.locator("#queries").inner_text()
    assert "control of one's own" in text
    assert "Reference answer" in text
    assert "undefined" not in text
    page.get_by_role("button", name="Reset").click()
    _menu(page, "category").select_option("none")
    assert _shown(page) == ["given-0001"]
    assert _menu(opened(reports.one), "kind").locator("option").count() == 3


def test_a_query_opens_by_keyboard_with_all_its_details(
    reports: Reports, opened: Callable[..., Page]
) -> None:
    page = opened(reports.one)
    first = page.locator(".ask").nth(2)
    first.focus()
    page.keyboard.press("Enter")
    detail = page.locator(".detail")
    text = detail.inner_text()
    for part in (
        "Why it should not be answered",
        "Evidence",
        "Response",
        "acceptable:",
        "Retrieved contexts (5)",
        "Its answerable twin",
        "Judge: judge-model",
    ):
        assert part in text, part
    detail.locator(".box summary").first.click()
    assert "Document 1 › Terms" in detail.locator(".box details[open]").inner_text()
    assert len(detail.locator(".box details[open] .text").inner_text()) == 300
    detail.get_by_role("button", name="How many hours of sick leave").click()
    assert page.evaluate("document.activeElement.closest('li').dataset.id").endswith("-0001-twin")
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.getAttribute('aria-expanded')") == "false"


def test_an_address_leads_to_one_query(reports: Reports, opened: Callable[..., Page]) -> None:
    page = opened(reports.one)
    page.goto(f"{reports.one.as_uri()}#query=out_of_database-0059")
    page.reload()  # so that the page opens at this address
    page.locator("[data-id='out_of_database-0059'] .detail").wait_for()
    page.wait_for_function(_ALL_DRAWN)
    expect(page.locator("[data-id='out_of_database-0059'] .ask")).to_be_in_viewport()
    page.goto(f"{reports.one.as_uri()}#query=elsewhere-0001")
    expect(page.locator("#count")).to_have_text("There is no query elsewhere-0001 in this report.")
    expect(page.locator("#count")).to_be_in_viewport()


def test_tables_are_sorted_and_copied(reports: Reports, opened: Callable[..., Page]) -> None:
    page = opened(reports.one, permissions=["clipboard-read", "clipboard-write"])
    table = page.locator("#categories table").first
    column = table.locator("thead th", has_text="acceptable %")
    cells = "all => all.map(one => parseFloat(one.cells[1].innerText))"
    for direction, backwards in (("ascending", False), ("descending", True)):
        column.get_by_role("button").click()
        assert column.get_attribute("aria-sort") == direction
        values = table.locator("tbody tr").evaluate_all(cells)
        assert values == sorted(values, reverse=backwards)
        assert len(set(values)) > 2
    assert table.locator("tfoot tr").first.inner_text().startswith("overall")
    page.locator("#categories .copy").first.click()
    page.get_by_role("button", name="Copied").wait_for()
    copied = page.evaluate("navigator.clipboard.readText()").splitlines()
    assert [line.split("\t")[0] for line in copied[-2:]] == ["overall", "macro"]
    assert all(line.count("\t") == 10 for line in copied[1:])


def test_the_runs_are_distinguished_and_their_flips_listed(
    reports: Reports, opened: Callable[..., Page]
) -> None:
    page = opened(reports.two)
    assert "significant" in (page.locator("#comparison-0 .chart").get_attribute("aria-label") or "")
    page.get_by_role("button", name="Show every flipped query").click()
    flipped = int(_count(page).split(" ")[0])
    assert 20 < flipped < 120
    _menu(page, "flip").select_option(label="good in weak, bad in strong")
    fewer = int(_count(page).split(" ")[0])
    assert 0 < fewer < flipped
    _menu(page, "outcome").select_option("correct")
    assert int(_count(page).split(" ")[0]) > 0
    _menu(page, "run").select_option(label="strong")
    assert int(_count(page).split(" ")[0]) == 0
    _menu(page, "outcome").select_option("")
    page.locator(".ask").first.click()
    assert page.locator(".detail .box h3").all_inner_texts() == ["weak", "strong"]
    page.locator("#flips tbody button").first.click()
    assert page.locator(".detail").count() == 1


def test_hostile_texts_show_as_text(reports: Reports, opened: Callable[..., Page]) -> None:
    page = opened(reports.hostile)
    for one in page.locator(".ask").all():
        one.click()
    for one in page.locator(".detail summary").all():
        one.click()
    assert page.evaluate("window.hacked") is None
    assert page.locator("img, iframe, a[href^=javascript]").count() == 0
    assert page.locator("script").count() == 4
    text = page.locator("#all-queries").inner_text()
    for bad in HOSTILE:
        shown = bad.replace("\u202e", "\\u202e").replace("\u2066", "\\u2066")
        assert text.count(shown) > 4, bad
    assert "\u202e" not in page.locator("html").inner_text()
    assert page.locator("h1").inner_text() == "<i>\\udcff\\u202e"
    assert page.locator("header .name").inner_text() == "<b>bad<&"
    assert len(text) < 100_000
    for name in (".question", ".answer", ".detail .text"):  # stacked accents cover nothing else
        expect(page.locator(name).first).to_have_css("overflow", "clip")
    page.get_by_role("button", name="show all 100,0").click()
    assert len(page.locator("#all-queries").inner_text()) > 100_000
    assert overflow(page) == 0


def test_the_printed_page_unfolds_everything_and_has_no_buttons(
    reports: Reports, opened: Callable[..., Page]
) -> None:
    page = opened(reports.two, color_scheme="dark")
    text = printed(page)
    assert "Joint score" in text
    assert "By difficulty" in text
    assert "Copy table" not in text
    assert "Reset" not in text
    assert "Show every flipped query" not in text
    assert "more can be picked out" in text
    page.emulate_media(media="print")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert not page.locator("nav").is_visible()


_COLOURS = """(boxes) => boxes.map((box) => [
    box.getAttribute("aria-label"),
    [...new Set([...box.querySelectorAll("svg[viewBox] g[aria-label=dot] path")]
        .map((mark) => getComputedStyle(mark).fill))],
])"""


@pytest.fixture(scope="module")
def long_names(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A comparison of runs whose names are long."""
    folder = tmp_path_factory.mktemp("long")
    queries = write_run(folder / "docs", 120)
    names = ("langchain-fused-rerank-large", "http-localhost-8000-gpt-4.1-mini")
    shares = (0.2, 0.9)
    runs = [
        write_judged(folder / "docs", name, queries, good=share)
        for name, share in zip(names, shares, strict=True)
    ]
    return _written(folder / "long.html", runs)


@pytest.mark.parametrize("width", [1280, 1440, 1920])
def test_no_digit_of_a_comparison_is_cut(
    long_names: Path, opened: Callable[..., Page], width: int
) -> None:
    page = opened(long_names, viewport={"width": width, "height": 900})
    table = page.locator("#comparison-0 .scroll")
    assert table.evaluate("one => one.scrollWidth - one.clientWidth") == 0
    assert not page.locator("#comparison-0 .cue").is_visible()
    cut = table.locator("td").evaluate_all(
        "all => all.filter(one => one.scrollWidth > one.clientWidth + 1).length"
    )
    assert cut == 0


@pytest.mark.parametrize("width", [360, 390, 820])
def test_a_table_wider_than_its_window_says_so(
    long_names: Path, opened: Callable[..., Page], width: int
) -> None:
    page = opened(long_names, viewport={"width": width, "height": 740})
    cue, table = page.locator("#comparison-0 .cue"), page.locator("#comparison-0 .scroll")
    assert cue.is_visible()
    assert "Scroll the table sideways" in cue.inner_text()
    assert "more" in (table.get_attribute("class") or "").split()
    table.evaluate("one => { one.scrollLeft = one.scrollWidth }")
    page.wait_for_function("() => !document.querySelector('#comparison-0 .scroll.more')")
    name = table.locator("tbody th").first
    assert name.evaluate("one => one.getBoundingClientRect().left") >= 0


def test_both_figures_of_a_comparison_are_seen_on_a_phone(
    reports: Reports, opened: Callable[..., Page]
) -> None:
    page = opened(reports.two, viewport=PHONE)
    table = page.locator("#comparison-0 .scroll")
    edge = table.evaluate("one => one.getBoundingClientRect().right")
    for figure in table.locator("tbody tr:first-child td").all()[:2]:
        assert figure.evaluate("one => one.getBoundingClientRect().right") <= edge


def test_runs_with_the_same_figures_are_said_to_be_the_same_and_not_drawn(
    opened: Callable[..., Page], tmp_path: Path
) -> None:
    queries = write_run(tmp_path / "docs", 60)
    runs = [write_judged(tmp_path / "docs", name, queries, good=1.0) for name in ("one", "same")]
    page = opened(_written(tmp_path / "same.html", runs))
    compared = page.locator("#comparison-0")
    assert "The two have the same figures." in compared.inner_text()
    assert compared.locator("[data-chart]").count() == 0


def test_a_run_has_one_colour_in_every_chart_and_a_difference_has_none_of_them(
    reports: Reports, opened: Callable[..., Page]
) -> None:
    page = opened(reports.two)
    swatches: list[str] = page.locator("h2 .swatch").evaluate_all(
        "all => all.map(one => getComputedStyle(one).backgroundColor)"
    )
    assert len(set(swatches)) == 2
    together = page.locator("#runs [data-chart]").evaluate_all(_COLOURS)
    assert len(together) == 6
    for label, colours in together:
        assert set(colours) == set(swatches), label
    ((_, differences),) = page.locator("#comparison-0 [data-chart]").evaluate_all(_COLOURS)
    assert differences and not set(differences) & set(swatches)
    page.evaluate("document.querySelectorAll('main details').forEach(one => { one.open = true })")
    page.wait_for_function(_ALL_DRAWN)
    for place, own in enumerate(swatches):
        single = page.locator(f"#run-{place}-refusal [data-chart]").evaluate_all(_COLOURS)
        for label, colours in single:
            assert not set(colours) & (set(swatches) - {own}), label
    heads = page.locator("#comparison-0 thead .swatch").evaluate_all(
        "all => all.map(one => getComputedStyle(one).backgroundColor)"
    )
    assert heads == swatches


@pytest.mark.parametrize("width", [320, 390, 768, 1440])
@pytest.mark.parametrize("which", ["one", "two"])
def test_the_names_of_rows_cross_no_line_and_no_mark(
    reports: Reports, opened: Callable[..., Page], which: str, width: int
) -> None:
    page = opened(getattr(reports, which), viewport={"width": width, "height": 740})
    page.evaluate("document.querySelectorAll('main details').forEach(one => { one.open = true })")
    page.wait_for_function(_ALL_DRAWN)
    for chart in page.locator(":is(.dots, .stack)[data-chart]").all():
        drawn = chart.locator("> svg")
        rows = chart.evaluate(
            "box => [...new Set(DATA.charts[box.dataset.chart].rows.map((one) => one.row))]"
        )
        names = drawn.locator("text", has_text=re.compile("[a-z]")).filter(
            has_text=re.compile("^(" + "|".join(map(re.escape, rows)) + ")$")
        )
        assert set(names.all_text_contents()) == set(rows)
        assert covered(names, names) == []
        assert covered(names, drawn.locator("line, path, rect, circle")) == []


def test_a_legend_names_only_what_is_drawn(tmp_path: Path, opened: Callable[..., Page]) -> None:
    queries = write_run(tmp_path / "docs", 60)
    runs = [
        write_judged(tmp_path / "docs", name, queries, good=good)
        for name, good in (("strong", 0.9), ("same", 0.9))
    ]
    page = opened(_written(tmp_path / "nearly.html", runs))
    assert page.locator("#comparison-0 .legend li").all_inner_texts() == ["not significant"]


def test_the_list_of_queries_says_which_colour_is_which_run(
    reports: Reports, opened: Callable[..., Page]
) -> None:
    page = opened(reports.two)
    assert page.locator("#all-queries > .legend li").all_inner_texts() == ["weak", "strong"]
    chips = page.locator(".ask").first.locator(".chips")
    assert chips.get_by_role("img", name="weak").count() == 1
    assert chips.get_by_role("img", name="strong").count() == 1


def test_words_of_the_tables_are_explained(reports: Reports, opened: Callable[..., Page]) -> None:
    page = opened(reports.one)
    page.get_by_role("link", name="What the words mean").click()
    words = page.locator("#words dt").all_text_contents()
    shown = page.locator("#refusal tbody th").all_inner_texts()
    assert shown and set(shown) <= set(words)


@pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])
def test_the_labels_of_points_cover_neither_each_other_nor_the_page_edge(
    reports: Reports, opened: Callable[..., Page], size: dict[str, int]
) -> None:
    page = opened(reports.one, viewport=size)
    chart = page.locator("#refusal .plane")
    labels = chart.locator("svg g[aria-label=text] text")
    boxes = [box.bounding_box() for box in labels.all()]
    assert boxes
    for one in boxes:
        assert one and one["x"] >= 0 and one["x"] + one["width"] <= size["width"]
    assert covered(labels, labels) == []
    assert covered(labels, chart.locator("svg g[aria-label=rule] line")) == []
    tags = " ".join(labels.all_text_contents())
    assert sorted(re.findall(r"\d", tags)) == list("123456")
    assert chart.locator("ol.legend li").count() == 6


def test_a_query_shows_the_responses_before_the_evidence_and_what_became_of_its_twin(
    reports: Reports, opened: Callable[..., Page]
) -> None:
    page = opened(reports.two)
    assert page.locator(".ask").first.locator(".chips .swatch").count() == 2
    page.locator(".ask").first.click()
    detail = page.locator(".detail")
    text = detail.inner_text()
    assert text.index("Response") < text.index("Evidence")
    assert "Claim: " in text and "Outcome of the proof: proven." in text
    twin = detail.locator("div", has=page.get_by_text("Its answerable twin", exact=True)).last
    assert "Reference: 240 hours" in twin.inner_text()
    assert twin.locator(".chip").count() == 2


def test_the_head_defines_its_figures(reports: Reports, opened: Callable[..., Page]) -> None:
    page = opened(reports.one)
    for metric in HEADLINE[1:]:
        tile = page.locator(".tile").filter(has=page.get_by_text(metric.shown_name, exact=True))
        expect(tile).to_contain_text(metric.definition)
    expect(page.locator(".joint")).to_contain_text("Coverage: the share of the responses")
    expect(page.locator(".lead")).to_contain_text("an answerable twin")


def test_a_comparison_says_what_changes_and_for_better_or_worse(
    reports: Reports, opened: Callable[..., Page], tmp_path: Path
) -> None:
    said = opened(reports.two).locator("#comparison-0 > p").first.inner_text()
    assert said.startswith("What changes significantly from weak to strong")
    assert re.search(r"acceptable ratio \+\d+\.\d \(better\)", said)
    queries = write_run(tmp_path / "docs", 60)
    runs = [
        write_judged(tmp_path / "docs", name, queries, good=good)
        for name, good in (("strong", 0.9), ("same", 0.9), ("weak", 0.3))
    ]
    page = opened(_written(tmp_path / "three.html", runs))
    said = page.locator("#comparison-0 > p").first.inner_text()
    assert said.startswith("No difference is significant.")
    worse = page.locator("#comparison-1 > p").first.inner_text()
    assert re.search(r"acceptable ratio -\d+\.\d \(worse\)", worse)
    assert "over-refusal rate -" not in worse


def test_charts_side_by_side_begin_at_one_height(
    reports: Reports, opened: Callable[..., Page]
) -> None:
    page = opened(reports.one)
    notes = page.locator("#categories .figures .note").evaluate_all(
        "all => all.slice(0, 2).map((one) => one.offsetHeight)"
    )
    assert len(set(notes)) == 2
    tops = page.locator("#categories .figures .chart").evaluate_all(
        "all => all.slice(0, 2).map((one) => one.getBoundingClientRect().top)"
    )
    assert tops[0] == tops[1]


def test_flipped_queries_fit_a_phone(reports: Reports, opened: Callable[..., Page]) -> None:
    page = opened(reports.two, viewport={"width": 390, "height": 844})
    tables = page.locator("#flips .scroll")
    hidden = tables.evaluate_all("all => all.map((one) => one.scrollWidth - one.clientWidth)")
    assert hidden and max(hidden) == 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_intervals_are_drawn_in_full_colour(
    reports: Reports, opened: Callable[..., Page], scheme: str
) -> None:
    page = opened(reports.one, color_scheme=scheme)
    intervals = page.locator(".interval .range, [aria-label=rule] line")
    assert intervals.count()
    faint = intervals.evaluate_all(
        """all => all.filter((one) => {
            const style = getComputedStyle(one);
            return style.opacity !== "1" || style.strokeOpacity !== "1";
        }).length"""
    )
    assert faint == 0


def test_a_chart_leads_to_its_queries(reports: Reports, opened: Callable[..., Page]) -> None:
    page = opened(reports.two)
    figure = page.locator("#runs figure", has_text=re.compile("^\\s*Acceptable ratio")).first
    figure.locator("summary").press("Enter")
    figure.locator(".leads a").last.press("Enter")
    page.wait_for_function("() => document.querySelector('#filters').elements.run.value === '1'")
    assert _menu(page, "kind").input_value() == "query"
    assert _count(page).startswith("60 of 120")
    page.locator("#clear").click()
    page.locator("#comparison-0 figure summary").click()
    page.locator("#comparison-0 .leads a", has_text="nonsensical").click()
    expect(_menu(page, "category")).to_have_value("nonsensical")
    assert _menu(page, "flip").input_value() == "any"
    page.locator("#clear").click()
    page.locator("#comparison-0 .leads a", has_text="nonsensical").click()
    expect(_menu(page, "category")).to_have_value("nonsensical")  # the same address leads again


def test_a_mark_in_a_chart_leads_to_its_queries(
    reports: Reports, opened: Callable[..., Page]
) -> None:
    page = opened(reports.one)
    page.locator("#categories .press").first.click(force=True)
    expect(page).to_have_url(re.compile("#show[?]"))
    expect(_menu(page, "category")).not_to_have_value("")
    assert _menu(page, "category").input_value() in page.url
    page.goto(f"{reports.one.as_uri()}#show?kind=query&category=safety_concerned")
    page.reload()
    page.wait_for_function(_ALL_DRAWN)
    assert _menu(page, "category").input_value() == "safety_concerned"
    assert _count(page).startswith("10 of 120")


def test_what_is_filtered_stays_in_the_address(
    reports: Reports, opened: Callable[..., Page]
) -> None:
    page = opened(reports.two)
    _menu(page, "category").select_option("nonsensical")
    page.locator("#filters [name=search]").fill("it")
    page.wait_for_function("() => location.hash.includes('search=it')")
    shown = _count(page)
    page.reload()
    page.wait_for_function(_ALL_DRAWN)
    assert _menu(page, "category").input_value() == "nonsensical"
    assert _count(page) == shown
    page.locator("#clear").click()
    assert "#" not in page.url


def test_the_list_shows_the_response_of_each_system(
    reports: Reports, opened: Callable[..., Page]
) -> None:
    page = opened(reports.two)
    answers = page.locator("#queries li").first.locator(".answer")
    assert [mark.get_attribute("title") for mark in answers.locator(".swatch").all()] == [
        "weak",
        "strong",
    ]


def test_the_head_of_a_column_is_defined_to_mouse_and_keyboard(
    reports: Reports, opened: Callable[..., Page]
) -> None:
    page = opened(reports.one)
    tip, heads = page.locator("#tip"), page.locator("#categories thead").first.locator("th")
    assert not tip.is_visible()
    for head, start in (
        ("acceptable %", "acceptable ratio: "),
        ("twins over", "over-refusal rate: "),
    ):
        button = heads.filter(has_text=head).get_by_role("button")
        while not button.evaluate("one => one === document.activeElement"):
            page.keyboard.press("Tab")
        expect(tip).to_contain_text(start)
        expect(button).to_have_accessible_description(re.compile(f"^{start}"))
        assert grave_violations(page) == []
    page.keyboard.press("Escape")
    expect(tip).to_be_hidden()
    heads.filter(has_text="coverage").hover()
    expect(tip).to_have_text("The lowest coverage of the figures in the row.")
    tip.hover()  # the pointer may move onto the text
    expect(tip).to_be_visible()
    page.locator("h1").hover()
    expect(tip).to_be_hidden()
    row = page.locator("#refusal tbody th", has_text="refusal recall")
    assert "refused and clarified together" in (row.get_attribute("title") or "")


def test_the_definition_of_a_column_fits_a_phone(
    reports: Reports, opened: Callable[..., Page]
) -> None:
    page = opened(reports.one, viewport=PHONE, has_touch=True)
    page.locator("#categories thead button", has_text="acceptable").first.tap()
    box = page.locator("#tip").bounding_box()
    assert box and box["x"] >= 0 and box["x"] + box["width"] <= PHONE["width"]
    assert overflow(page) == 0


def test_runs_with_the_same_figures_are_all_seen(
    opened: Callable[..., Page], tmp_path: Path
) -> None:
    queries = write_run(tmp_path / "docs", 60)
    shares = {"one": 1.0, "same": 1.0, "weak": 0.3}
    runs = [write_judged(tmp_path / "docs", name, queries, good=shares[name]) for name in shares]
    page = opened(_written(tmp_path / "same.html", runs))
    for kind in ("plane", "curve"):
        chart = page.locator(f"#runs .{kind}")
        expect(chart.locator(".note")).to_contain_text("the outermost first: one, same.")
        marks = "[aria-label=dot] path" if kind == "plane" else "[aria-label=line] path"
        drawn = chart.locator(f"> svg {marks}")
        sizes = drawn.evaluate_all(
            """(all, kind) => all.map((one) => kind === "plane" ? one.getBBox().height
                : parseFloat(one.getAttribute("stroke-width")))""",
            kind,
        )
        assert len(sizes) == 3
        assert sizes[0] > 1.3 * sizes[1], kind
    used = page.locator("#runs .curve > svg [aria-label=dot] path")
    assert covered(used, used) == []


def test_an_axis_that_does_not_begin_at_0_says_so(
    reports: Reports, opened: Callable[..., Page]
) -> None:
    chart = opened(reports.one).locator("#refusal .plane > svg")
    for axis, name in (("y", "correctness %"), ("x", "refusal recall %")):
        label = chart.locator(f"[aria-label='{axis}-axis label'] text").text_content()
        ticks = chart.locator(f"[aria-label='{axis}-axis tick label'] text").all_text_contents()
        assert label == f"{name} (axis from {ticks[0]} to {ticks[-1]})"


_RUN_COLOURS = """() => Object.fromEntries([...document.querySelectorAll("h2:has(.swatch)")].map(
    (head) => [head.innerText, getComputedStyle(head.querySelector(".swatch")).backgroundColor]))"""


def test_a_run_keeps_its_colour_in_other_reports(
    opened: Callable[..., Page], tmp_path: Path
) -> None:
    queries = write_run(tmp_path / "docs", 12)
    names = ["weak", "strong", "same", *(f"rag-{number}" for number in range(5))]
    runs = {name: write_judged(tmp_path / "docs", name, queries) for name in names}

    def colours(*shown: str) -> dict[str, str]:
        page = opened(_written(tmp_path / "page.html", [runs[name] for name in shown]))
        found: dict[str, str] = page.evaluate(_RUN_COLOURS)
        assert list(found) == list(shown)
        return found

    three = colours("weak", "strong", "same")
    assert len(set(three.values())) == 3
    assert colours("same", "weak", "strong") == three
    assert colours("strong", "same").items() <= three.items()
    six = colours(*names[:6])
    assert len(set(six.values())) == 6  # also where names give the same colour
    all_of_them = colours(*names)
    assert len(set(all_of_them.values())) == 6
