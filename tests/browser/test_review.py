"""The review page in a browser: by keyboard, by hand, narrow, dark, and under hostile texts."""

import json
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, expect
from tests.browser.conftest import NewPage
from tests.browser.pages import grave_violations, overflow, printed
from tests.cli.finished_run import write_finished_run
from tests.evaluation.folders import write_evaluation
from tests.evaluation.records import both, control, response, unanswerable
from tests.review.serving import reviewing, write_run

from uaeval.labels import JudgementLabel, Label, read_label_rows
from uaeval.records import Chunk, Context, Query
from uaeval.run_folder import RunFolder
from uaeval.storage import write_journal

pytestmark = pytest.mark.browser


@pytest.fixture
def run(tmp_path: Path) -> Path:
    write_run(tmp_path / "run")
    return tmp_path / "run"


@contextmanager
def _opened(new_page: NewPage, path: Path, *names: str, **options: Any) -> Iterator[list[Page]]:
    """Serve `path` and open a page for each annotator."""
    size = options.pop("size", 10)
    with reviewing(path, names or ("anna",), size=size) as addresses:
        pages = [_open(new_page, address, **options) for address in addresses.values()]
        yield pages
        for page in pages:
            page.close()


def _open(new_page: NewPage, address: str, **options: Any) -> Page:
    page = new_page(urlsplit(address).netloc, **options)
    page.goto(address)
    page.wait_for_selector("body[data-ready]")
    return page


def _press(page: Page, key: str, told: str) -> None:
    """Press a key and wait until the page says that it is done."""
    page.keyboard.press(key)
    expect(page.locator("#status")).to_have_text(told)


def _rows(run: Path) -> list[Label]:
    return list(read_label_rows(run / "labels.jsonl", Label))


def test_ten_items_are_reviewed_by_keyboard_only(new_page: NewPage, run: Path) -> None:
    with _opened(new_page, run) as (page,):
        for place in range(10):
            expect(page.locator("#place")).to_contain_text(f"{place + 1} of 10")
            expect(page.locator("#opinions")).to_contain_text("Hidden until you have decided.")
            page.keyboard.press("viu"[place % 3])
            expect(page.locator("#choices [aria-pressed=true]")).to_have_count(1)
            expect(page.locator("#opinions")).not_to_contain_text("Hidden")
            if place == 1:
                page.keyboard.press("7")
                expect(page.locator("#categories [aria-pressed=true]")).to_contain_text(
                    "answerable"
                )
                page.keyboard.press("w")
                page.keyboard.type("it has v, i and u in it")
                page.keyboard.press("Escape")
                expect(page.locator("#status")).to_have_text("Saved.")
            expect(page.locator("#count")).to_have_text(f"{place + 1} of 10 labelled")
            if place < 9:
                page.keyboard.press("Enter")
        page.keyboard.press("Enter")
        expect(page.locator("#status")).to_contain_text("Nothing is left to label here")
        page.keyboard.press("s")
        expect(page.locator("#figures")).to_contain_text("You have labelled the whole sample")
        expect(page.locator("#figures")).to_contain_text("Validity by category")
        page.keyboard.press("s")
        expect(page.locator("#question")).to_be_visible()
    last = {row.query_id: row for row in _rows(run)}
    assert [row.valid for row in last.values()] == (["valid", "invalid", "unsure"] * 4)[:10]
    second = list(last.values())[1]
    assert (second.category, second.reason) == ("answerable", "it has v, i and u in it")


def test_a_reload_in_the_middle_loses_nothing(new_page: NewPage, run: Path) -> None:
    with _opened(new_page, run) as (page,):
        _press(page, "v", "Saved.")
        page.keyboard.press("j")
        expect(page.locator("#place")).to_contain_text("2 of 10")
        _press(page, "i", "Saved.")
        page.keyboard.press("w")
        page.keyboard.type("typed and not yet saved")
        page.reload()
        page.wait_for_selector("body[data-ready]")
        expect(page.locator("#place")).to_contain_text("2 of 10")
        expect(page.locator("#count")).to_have_text("2 of 10 labelled")
        expect(page.locator("#reason")).to_have_value("typed and not yet saved")
    assert _rows(run)[-1].reason == "typed and not yet saved"


def test_undo_takes_one_step_after_the_other_back(new_page: NewPage, run: Path) -> None:
    with _opened(new_page, run) as (page,):
        _press(page, "v", "Saved.")
        _press(page, "i", "Saved.")
        expect(page.locator("#choices [aria-pressed=true]")).to_contain_text("invalid")
        _press(page, "z", "Your last step is undone.")
        expect(page.locator("#choices [aria-pressed=true]")).to_contain_text("valid")
        page.keyboard.press("z")
        expect(page.locator("#choices [aria-pressed=true]")).to_have_count(0)
        expect(page.locator("#opinions")).to_contain_text("Hidden until you have decided.")
        _press(page, "z", "There is nothing to undo.")
    assert [row.valid for row in _rows(run)] == ["valid", "invalid", "valid", None]


def test_two_annotators_see_their_own_then_settle_what_they_differ_on(
    new_page: NewPage, run: Path
) -> None:
    with _opened(new_page, run, "anna", "ben", size=2) as (anna, ben):
        for page, keys in ((anna, "vi"), (ben, "vv")):
            expect(page.locator("#count")).to_have_text("0 of 2 labelled")
            for place, key in enumerate(keys):
                _press(page, key, "Saved.")
                expect(page.locator("#count")).to_have_text(f"{place + 1} of 2 labelled")
                page.keyboard.press("Enter")
                if place == 0:
                    page.keyboard.press("s")
                    expect(page.locator("#figures")).to_contain_text("Your own labels so far")
                    expect(page.locator("#figures table").first).to_contain_text("valid")
                    assert page.locator("#figures tbody tr").count() <= 3
                    page.keyboard.press("s")
        ben.keyboard.press("s")
        disputed = ben.get_by_role("region", name="Disagreements")
        expect(disputed).to_contain_text("anna: invalid")
        expect(ben.locator("#figures")).to_contain_text("Agreement between annotators")
        assert grave_violations(ben) == []
        disputed.get_by_role("button", name="invalid", exact=True).click()
        expect(disputed.locator("[aria-pressed=true]")).to_have_text("invalid")
    assert [row.settles for row in _rows(run)] == [False] * 4 + [True]


@pytest.mark.parametrize("choice", ["valid", "invalid"])
def test_on_a_phone_the_panel_covers_little_and_no_text_stays_below_it(
    new_page: NewPage, run: Path, choice: str
) -> None:
    with _opened(new_page, run, viewport={"width": 360, "height": 740}) as (page,):
        assert not page.locator("#intro").evaluate("it => it.open")
        expect(page.locator("#question")).to_be_in_viewport()
        page.locator("#choices button", has_text=choice).first.click()
        expect(page.locator("#status")).to_have_text("Saved.")
        panel = page.locator("#decide")
        assert panel.evaluate("it => it.getBoundingClientRect().height / innerHeight") < 0.3
        page.evaluate("scrollTo(0, document.body.scrollHeight)")
        item = page.locator("#item").bounding_box()
        box = panel.bounding_box()
        assert item and box
        assert item["y"] + item["height"] <= box["y"]


def test_on_a_phone_the_response_stands_before_the_rules_it_is_judged_by(
    new_page: NewPage, run: Path
) -> None:
    with _opened(new_page, run, size=12, viewport={"width": 360, "height": 740}) as (page,):
        page.select_option("#task", "1")
        page.select_option("#group", "verdict")
        expect(page.locator("#asked")).to_have_text("How does the response treat the query?")
        panel = page.locator("#decide").bounding_box()
        for name in ("#question", "#blocks"):
            box = page.locator(name).bounding_box()
            assert box and panel and box["y"] + box["height"] <= panel["y"], name
        page.get_by_role("button", name="Rules · verdict").click()
        expect(page.locator("#guide-title")).to_be_focused()
        expect(page.locator("#guide p").first).to_be_in_viewport()
        page.select_option("#task", "0")
        expect(page.locator("#asked")).to_have_text("Is this query valid?")
        rules, item = page.locator("#defined").bounding_box(), page.locator("#item").bounding_box()
        assert rules and item and rules["y"] < item["y"]
        assert not page.locator("#to-rules").is_visible()


def test_the_review_begins_with_what_to_do_and_an_unanswerable_query(
    new_page: NewPage, run: Path
) -> None:
    with _opened(new_page, run, size=12) as (page,):
        intro = page.locator("#intro")
        expect(intro.get_by_text("Each item is a query of the dataset.")).to_be_visible()
        expect(intro.get_by_text("Your labels are saved under the name anna")).to_be_visible()
        expect(page.locator("#asked")).to_have_text("Is this query valid?")
        intro.get_by_text("All categories").click()
        expect(intro.locator("dt")).to_have_count(6)
        _press(page, "v", "Saved.")
        page.keyboard.press("Enter")
        expect(page.locator("#place")).to_contain_text("2 of ")
        expect(intro.get_by_text("Each item is a query of the dataset.")).not_to_be_visible()
        page.reload()
        page.wait_for_selector("body[data-ready]")
        assert not intro.evaluate("it => it.open")
        page.select_option("#task", "1")
        expect(intro.get_by_text("What the judge said is shown once")).to_be_visible()
        expect(intro.get_by_text("Each item is a query of the dataset.")).not_to_be_visible()


@pytest.mark.parametrize("width", [360, 1440])
def test_every_label_is_explained_once_at_any_width(
    new_page: NewPage, run: Path, width: int
) -> None:
    with _opened(new_page, run, size=12, viewport={"width": width, "height": 740}) as (page,):
        for task, group, asked in (
            ("0", "", "Is this query valid?"),
            ("1", "verdict", "How does the response treat the query?"),
            ("1", "correct", "Is the response correct?"),
        ):
            page.select_option("#task", task)
            page.select_option("#group", group)
            expect(page.locator("#asked")).to_have_text(asked)
            shown = page.locator("aside").inner_text()
            words = page.locator("#choices button").evaluate_all(
                "all => all.map((one) => one.firstChild.textContent)"
            )
            assert len(words) >= 3
            for word in words:
                button = page.locator("#choices button", has_text=re.compile(f"^{word}\\b"))
                in_button = button.locator("small:visible").count() == 1
                assert in_button != bool(re.search(f"^{word}: .", shown, re.MULTILINE)), word


def test_no_filter_is_shown_beside_results(new_page: NewPage, run: Path) -> None:
    with _opened(new_page, run) as (page,):
        page.locator("#to-results").click()
        expect(page.locator("#results-title")).to_be_visible()
        expect(page.locator("#find")).not_to_be_visible()
        page.locator("#to-review").click()
        expect(page.locator("#find")).to_be_visible()


def test_the_filter_narrows_what_is_looked_at(new_page: NewPage, run: Path) -> None:
    with _opened(new_page, run) as (page,):
        page.select_option("#group", "controls")
        expect(page.locator("#count")).to_have_text("0 of 10 labelled, 5 match the filter")
        expect(page.locator("#guide-title")).to_have_text("answerable twin")
        page.keyboard.press("Escape")
        _press(page, "v", "Saved.")
        page.select_option("#word", "unlabelled")
        expect(page.locator("#count")).to_have_text("1 of 10 labelled, 4 match the filter")
        page.select_option("#group", "")
        page.select_option("#word", "")
        page.keyboard.press("Escape")
        page.keyboard.press("/")
        page.keyboard.type("of sick leave may I borrow on day 3")
        expect(page.locator("#count")).to_contain_text("1 match the filter")
        expect(page.locator("#question")).to_contain_text("on day 3")
        page.locator("#find").fill("no such words")
        expect(page.locator("#status")).to_have_text("Nothing matches the filter.")


def test_judgements_are_reviewed_on_the_same_page(new_page: NewPage, run: Path) -> None:
    with _opened(new_page, run, size=12) as (page,):
        page.select_option("#task", "1")
        page.select_option("#group", "verdict")
        expect(page.locator("#asked")).to_have_text("How does the response treat the query?")
        expect(page.locator("#item")).not_to_contain_text("underspecified")
        page.keyboard.press("Escape")
        page.keyboard.press("r")
        expect(page.locator("#opinions")).to_contain_text("judge-model")
        page.select_option("#group", "correct")
        expect(page.locator("#blocks")).to_contain_text("240 hours")
        expect(page.locator("#asked")).to_have_text("Is the response correct?")
        page.keyboard.press("Escape")
        page.locator("#contexts summary").click()
        expect(page.locator("#contexts-list")).to_contain_text("240 hours of sick leave")
        page.locator("#choices").locator("[data-key=n]").click()
        expect(page.locator("#opinions")).to_contain_text("judge-model")
    rows = read_label_rows(run / "evaluations" / "rag" / "labels.jsonl", JudgementLabel)
    assert [(row.metric, row.label) for row in rows] == [("verdict", "refused"), ("correct", "no")]


def test_single_keys_can_be_switched_off(new_page: NewPage, run: Path) -> None:
    with _opened(new_page, run) as (page,):
        page.locator("#shortcuts").uncheck()
        page.locator("#question").click()
        page.keyboard.press("v")
        page.reload()
        page.wait_for_selector("body[data-ready]")
        expect(page.locator("#shortcuts")).not_to_be_checked()
        expect(page.locator("#count")).to_have_text("0 of 10 labelled")
    assert not (run / "labels.jsonl").exists()


def test_an_unsaved_label_is_reported(chromium: Browser, run: Path) -> None:
    with reviewing(run) as addresses:
        page = chromium.new_page()  # not watched: the browser logs the failed request itself
        page.goto(addresses["anna"])
        page.wait_for_selector("body[data-ready]")
        (run / "labels.jsonl").mkdir()
        with page.expect_response(lambda reply: reply.status == 507):
            page.keyboard.press("v")
        expect(page.locator("#alert")).to_contain_text("Not done: cannot write")
        expect(page.locator("#choices [aria-pressed=true]")).to_have_count(0)
        page.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1440])
def test_narrow_or_wide_light_or_dark_nothing_overflows_and_axe_finds_nothing_grave(
    new_page: NewPage, run: Path, scheme: str, width: int
) -> None:
    options = {"viewport": {"width": width, "height": 740}, "color_scheme": scheme}
    with _opened(new_page, run, **options) as (page,):
        ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
        assert ground == {"light": "rgb(255, 255, 255)", "dark": "rgb(21, 24, 28)"}[scheme]
        assert (overflow(page), grave_violations(page)) == (0, [])
        _press(page, "i", "Saved.")
        assert (overflow(page), grave_violations(page)) == (0, [])
        page.select_option("#task", "1")
        expect(page.locator("#blocks")).to_contain_text("I do not know.")
        assert (overflow(page), grave_violations(page)) == (0, [])
        page.keyboard.press("Escape")
        page.locator("#to-results").click()
        expect(page.locator("#results-title")).to_be_visible()
        assert (overflow(page), grave_violations(page)) == (0, [])


def test_the_printed_page_shows_the_decision_and_no_buttons(new_page: NewPage, run: Path) -> None:
    with _opened(new_page, run, color_scheme="dark", size=12) as (page,):
        page.select_option("#task", "1")
        page.select_option("#group", "correct")
        page.keyboard.press("Escape")
        _press(page, "n", "Saved.")
        page.locator("#reason").fill("it is\nless than that")
        expect(page.locator("#status")).to_have_text("Saved.")
        paper = printed(page)
        for part in (
            "Is the response correct? no Why it is less than that",
            "Agrees with the reference answer",
            "The judge's opinion",
            "Retrieved 1 (doc-0.md#0)",
            "240 hours of sick leave",
        ):
            assert part in paper, part
        for part in ("yes", "unsure", "Next", "Undo", "Single-key shortcuts", "Find", "Results"):
            assert part not in paper.replace("What the judge says", ""), part
        page.emulate_media(media="print")
        for what, colour in (("backgroundColor", "rgb(255, 255, 255)"), ("color", "rgb(0, 0, 0)")):
            assert page.evaluate(f"getComputedStyle(document.body).{what}") == colour
        page.emulate_media(media="null")
        page.locator("#to-results").click()
        expect(page.locator("#results-title")).to_be_visible()
        paper = printed(page)
        assert "Results: judgements of rag" in paper
        assert "anna 1" in paper
        assert "Back to the review" not in paper


def test_a_long_passage_is_whole_on_paper(new_page: NewPage, tmp_path: Path) -> None:
    run = tmp_path / "run"
    write_finished_run(run)
    chunk = Chunk(
        id="doc-0.md#0",
        document_id="doc-0.md",
        title="Long",
        heading="",
        text="\n".join(f"line {number}." for number in range(200)),
        start=0,
        end=2000,
    )
    query = unanswerable(0, document="doc-0.md")
    about = replace(query.provenance, chunk_ids=(chunk.id,))
    write_journal(RunFolder(run).queries_path, Query, [replace(query, provenance=about)])
    write_journal(RunFolder(run).chunks_path, Chunk, [chunk])
    with _opened(new_page, run) as (page,):
        expect(page.locator("#blocks")).to_contain_text("line 199.")
        paper = printed(page)
    assert all(f"line {number}." in paper for number in range(200))


HOSTILE = (
    "<script>window.hit = 1</script><img src=x onerror='window.hit=1'></style></textarea>"
    "<a href='javascript:window.hit=1'>x</a> &lt; \u202egnp.exe\u202c \u200b {{7*7}} ${7*7} "
    "' \" ` --> ]]> \x1b[31m \u2028 <base href='http://evil.example/'>"
)


def _hostile_run(folder: Path) -> Path:
    """Write a run of which every text is hostile, and one answer is 100 kB."""
    write_finished_run(folder)
    place = "<img src=x onerror=window.hit=1>\u202e.md"
    query = replace(
        unanswerable(0, document=place, question=HOSTILE), reason=HOSTILE, outside_answer=HOSTILE
    )
    twin = control(0, document=place, question=HOSTILE, reference=HOSTILE)
    chunk = Chunk(
        id=f"{place}#0",
        document_id=place,
        title=HOSTILE,
        heading=HOSTILE,
        text=HOSTILE * 2,
        start=0,
        end=2 * len(HOSTILE),
    )
    contexts = (Context(id=HOSTILE, text=HOSTILE),)
    long = HOSTILE + "x" * 100_000
    said = [replace(response(one, long), retrieved_contexts=contexts) for one in (query, twin)]
    judgements = [
        replace(judgement, rationale=HOSTILE, judge=HOSTILE)
        for one in (query, twin)
        for judgement in both(one, "answered", "yes")
    ]
    write_evaluation(folder, os.fsdecode(b"<b>rag\xff"), [query, twin], said, judgements)
    write_journal(RunFolder(folder).chunks_path, Chunk, [chunk])
    return folder


def test_hostile_texts_are_shown_as_text_everywhere(new_page: NewPage, tmp_path: Path) -> None:
    run = _hostile_run(tmp_path / os.fsdecode(b"<script>window.hit=1<\xff\xe2\x80\xae"))
    options = {"viewport": {"width": 360, "height": 740}}
    with _opened(new_page, run, "<b>anna", "ben' onload=alert(1)", **options) as (page, other):
        assert "1<U+DCFFU+202E" in page.locator("h1").inner_text()
        assert page.title() == "Review of <script>window.hit=1<U+DCFFU+202E"
        for task, items in ((0, 2), (1, 4)):
            page.select_option("#task", str(task))
            for place in range(items):
                expect(page.locator("#place")).to_contain_text(f"{place + 1} of {items}")
                page.locator("#choices button").first.click()
                expect(page.locator("#opinions")).not_to_contain_text("Hidden")
                page.locator("#contexts").evaluate("node => { node.open = true; }")
                _holds_only_text(page)
                page.locator("#on").click()
        page.select_option("#task", "0")
        page.locator("#reason").fill(HOSTILE)
        expect(page.locator("#status")).to_have_text("Saved.")
        other.locator("#choices button").nth(1).click()
        other.locator("#open").click()
        other.locator("#choices button").nth(1).click()
        expect(other.locator("#count")).to_have_text("2 of 2 labelled")
        other.locator("#to-results").click()
        expect(other.locator("#figures")).to_contain_text("<b>anna")
        expect(other.locator("#figures")).to_contain_text("<script>window.hit = 1</script>")
        for one in (page, other):
            assert (
                one.evaluate(
                    "document.querySelectorAll('img, base, main a:not(#source), b').length"
                )
                == 0
            )
            assert one.evaluate("window.hit") is None
            assert one.evaluate("document.querySelectorAll('script').length") == 1
            assert overflow(one) == 0


def _holds_only_text(page: Page) -> None:
    shown = page.locator("#item").inner_text()
    assert "<script>window.hit = 1</script>" in shown
    assert "U+202E" in shown
    assert "\u202e" not in shown
    assert "U+001B" in shown
    assert (
        page.evaluate(
            "document.querySelectorAll('#item img, #item a:not(#source), #item script').length"
        )
        == 0
    )
    assert overflow(page) == 0


def test_stacked_accents_are_clipped(new_page: NewPage, run: Path) -> None:
    with _opened(new_page, run) as (page,):
        expect(page.locator("#question")).to_have_css("overflow", "clip")
        expect(page.locator("#blocks .text").first).to_have_css("overflow-y", "auto")


def test_the_name_of_a_task_is_whole_on_a_phone(new_page: NewPage, run: Path) -> None:
    with _opened(new_page, run, viewport={"width": 390, "height": 844}) as (page,):
        page.select_option("#task", "1")
        hidden = page.locator("#task").evaluate(
            """box => {
                const shown = box.offsetWidth, whole = box.cloneNode();
                whole.append(box.selectedOptions[0].cloneNode(true));
                whole.style = "flex: none; max-width: none";
                box.after(whole);
                const missing = whole.offsetWidth - shown;
                whole.remove();
                return missing;
            }"""
        )
        assert hidden <= 0
        assert overflow(page) == 0


def test_a_lone_surrogate_from_the_keyboard_is_saved_as_a_whole_character(
    new_page: NewPage, run: Path
) -> None:
    with _opened(new_page, run) as (page,):
        _press(page, "v", "Saved.")
        page.locator("#reason").evaluate(
            "node => { node.value = 'half \\ud800 of it'; node.dispatchEvent(new Event('input')); }"
        )
        expect(page.locator("#status")).to_have_text("Saved.")
        expect(page.locator("#alert")).to_be_hidden()
    text = (run / "labels.jsonl").read_text(encoding="utf-8")
    assert json.loads(text.splitlines()[-1])["reason"] == "half \ufffd of it"
