"""The page with the list of runs, in a browser."""

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, expect
from tests.browser.conftest import NewPage
from tests.browser.hostile import write_hostile
from tests.browser.pages import grave_violations, overflow
from tests.report.written_run import write_judged, write_run
from tests.review.serving import serving

from uaeval.run_folder import RunFolder
from uaeval.view.app import view_app

pytestmark = pytest.mark.browser

PHONE = {"width": 360, "height": 740}
DESK = {"width": 1440, "height": 900}


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    queries = write_run(tmp_path / "docs", 12)
    write_judged(tmp_path / "docs", "weak", queries, good=0.3)
    write_judged(tmp_path / "docs", "strong", queries, good=0.9)
    write_run(tmp_path / "new", 6)
    return tmp_path


@pytest.fixture
def address(runs: Path) -> Iterator[str]:
    with serving(view_app(runs)) as addresses:
        yield addresses["anna"]


@pytest.fixture
def new_page(address: str, new_page: NewPage) -> NewPage:
    """Open pages that are closed before the server that they ask again and again."""
    return new_page


def _open(new_page: NewPage, address: str, **options: object) -> Page:
    page = new_page(urlsplit(address).netloc, **options)
    page.goto(address)
    return page


def test_two_evaluations_are_chosen_compared_and_left_again(
    new_page: NewPage, address: str
) -> None:
    page = _open(new_page, address, viewport=DESK)
    expect(page.locator("#hint")).to_contain_text("Tick two or more evaluations")
    page.get_by_label("Compare weak").check()
    expect(page.locator("#hint")).to_have_text("Choose one more to compare.")
    page.get_by_label("Compare strong").check()
    page.get_by_role("link", name="Compare 2 evaluations").click()
    expect(page.locator("h1")).to_have_text("weak vs strong")
    expect(page.locator("#queries > li").first).to_be_visible()
    page.get_by_role("link", name="All runs").click()
    expect(page.locator("h1")).to_contain_text("Runs in")


def test_the_queries_of_a_dataset_are_searched_and_opened(new_page: NewPage, address: str) -> None:
    page = _open(new_page, address, viewport=DESK)
    section = page.locator("section").filter(has=page.locator("bdi", has_text="new"))
    section.get_by_role("link", name="Queries").click()
    expect(page.locator("#count")).to_have_text("12 of 12 queries")
    expect(page.locator("[name=verdict]")).to_be_hidden()
    page.locator("[name=category]").select_option("nonsensical")
    expect(page.locator("#count")).to_have_text("2 of 12 queries")
    page.locator("#queries .ask").first.click()
    expect(page.get_by_text("Why it should not be answered")).to_be_visible()


def test_figures_are_explained_from_below_their_table(new_page: NewPage, address: str) -> None:
    page = _open(new_page, address, viewport=DESK)
    meaning = page.get_by_text("Share of the twins refused or asked back about.")
    expect(meaning).not_to_be_visible()
    page.get_by_role("link", name="How to read the figures").click()
    expect(meaning).to_be_in_viewport()


def test_missing_queries_are_explained_and_the_command_for_an_evaluation_is_whole(
    new_page: NewPage, address: str, runs: Path
) -> None:
    run = RunFolder(runs / "new")
    manifest = run.existing_manifest()
    manifest.asked = {name: 20 for name in manifest.asked}
    run.write_manifest(manifest)
    page = _open(new_page, address, viewport=DESK)
    section = page.locator("section").filter(has=page.locator("bdi", has_text="new"))
    expect(section).to_contain_text(f"uaeval evaluate {runs / 'new'} --system rag")
    section.get_by_role("link", name="Why some are missing").click()
    expect(page.get_by_text("How the queries were made")).to_be_in_viewport()


def test_an_address_without_a_page_leads_back_to_the_runs(chromium: Browser, address: str) -> None:
    page = chromium.new_page()  # not watched: the browser logs the failed request itself
    page.goto(f"{address}nothing")
    expect(page.get_by_text("There is no page at this address.")).to_be_visible()
    page.get_by_role("link", name="All runs").click()
    expect(page.locator("h1")).to_contain_text("Runs in")
    page.close()


def test_the_list_follows_a_run_and_keeps_what_was_chosen(
    new_page: NewPage, address: str, runs: Path
) -> None:
    page = _open(new_page, address, viewport=DESK)
    page.get_by_label("Compare weak").check()
    run = RunFolder(runs / "new")
    manifest = run.existing_manifest()
    manifest.status = "running"
    run.write_manifest(manifest)
    expect(page.get_by_text("running", exact=True)).to_be_visible()
    expect(page.get_by_label("Compare weak")).to_be_checked()
    expect(page.locator("#hint")).to_have_text("Choose one more to compare.")


def test_the_review_is_reached_and_left(new_page: NewPage, address: str) -> None:
    page = _open(new_page, address, viewport=DESK)
    section = page.locator("section").filter(has=page.locator("bdi", has_text="docs"))
    section.get_by_role("link", name="Review").click()
    expect(page.locator("#question")).not_to_be_empty()
    page.get_by_role("link", name="All runs").click()
    expect(page.locator("h1")).to_contain_text("Runs in")


def test_a_query_leads_to_its_review_and_back(new_page: NewPage, address: str) -> None:
    page = _open(new_page, address, viewport=DESK)
    page.get_by_role("link", name="strong").click()
    page.locator("#queries .ask").nth(4).click()
    asked = page.locator(".detail").locator("xpath=..").get_attribute("data-id")
    page.locator(".detail").get_by_role("link", name="Review").click()
    expect(page.locator("#place")).to_contain_text(f"· {asked}")
    page.go_back()
    expect(page.locator(f"[data-id='{asked}'] .detail")).to_be_visible()
    page.go_forward()
    expect(page.locator("#place")).to_contain_text(f"· {asked}")
    expect(page.locator("#source")).to_be_hidden()
    page.keyboard.press("v")
    page.locator("#source").click()
    expect(page.locator(f"[data-id='{asked}'] .detail")).to_be_visible()


def test_it_is_used_with_the_keyboard(new_page: NewPage, address: str) -> None:
    page = _open(new_page, address, viewport=DESK)
    for name in ("weak", "strong"):
        page.get_by_label(f"Compare {name}").focus()
        page.keyboard.press("Space")
    page.get_by_role("link", name="Compare 2 evaluations").focus()
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_have_text("weak vs strong")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])
def test_it_fits_and_axe_finds_nothing_grave(
    new_page: NewPage, address: str, size: dict[str, int], scheme: str
) -> None:
    page = _open(new_page, address, viewport=size, color_scheme=scheme, bypass_csp=True)
    page.get_by_label("Compare weak").check()
    assert overflow(page) == 0
    assert grave_violations(page) == []


@pytest.mark.parametrize("width", [360, 390, 900])
def test_a_table_wider_than_the_window_says_so_and_stays_scrolled(
    new_page: NewPage, address: str, runs: Path, width: int
) -> None:
    page = _open(new_page, address, viewport={"width": width, "height": 740})
    table = page.locator("#runs .scroll").first
    expect(page.locator("#runs .cue").first).to_be_visible()
    expect(table).to_contain_class("more")
    table.evaluate("box => { box.scrollLeft = box.scrollWidth; }")
    expect(table).not_to_contain_class("more")
    run = RunFolder(runs / "new")
    manifest = run.existing_manifest()
    manifest.status = "running"
    run.write_manifest(manifest)
    expect(page.get_by_text("running", exact=True)).to_be_visible()
    expect(table).not_to_contain_class("more")
    assert table.evaluate("box => box.scrollLeft") > 0
    for name in ("weak", "strong"):
        box = page.get_by_role("link", name=name).bounding_box()
        assert box and box["x"] >= 0 and box["x"] + box["width"] <= width


def test_a_table_as_wide_as_the_window_has_no_cue(new_page: NewPage, address: str) -> None:
    page = _open(new_page, address, viewport=DESK)
    expect(page.get_by_label("Compare weak")).to_be_visible()
    expect(page.locator("#runs .scroll.more")).to_have_count(0)
    expect(page.locator("#runs .cue").first).to_be_hidden()


@pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])
def test_hostile_texts_are_shown_as_text_and_break_no_layout(
    new_page: NewPage, address: str, runs: Path, size: dict[str, int]
) -> None:
    write_hostile(runs / "<b>bad<&")
    page = _open(new_page, address, viewport=size)
    section = page.locator("section").filter(has=page.locator("bdi", has_text="<b>bad<&"))
    for name in ("Queries", "Review"):
        section.get_by_role("link", name=name).click()
        page.get_by_role("link", name="All runs").click()
        expect(section).to_have_count(1)
    section.get_by_role("link", name="<i>").click()
    for ask in page.locator(".ask").all():
        ask.click()
    for passage in page.locator(".detail summary").all():
        passage.click()
    assert page.evaluate("window.hacked") is None
    assert page.locator("img, iframe, a[href^=javascript], b[onclick]").count() == 0
    assert overflow(page) == 0
    tallest = page.locator(".ask").evaluate_all(
        "all => Math.max(...all.map((one) => one.offsetHeight))"
    )
    assert tallest < 600
