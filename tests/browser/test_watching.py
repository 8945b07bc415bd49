"""The checks that other browser tests rely on find what they should."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page
from tests.browser.pages import Watch, grave_violations, overflow

pytestmark = pytest.mark.browser

BAD = """<!doctype html><html lang="en"><title>Bad</title><body><main><h1>Bad</h1>
<div style="width: 900px">wide</div><input>
<script>console.error("oops"); fetch("http://127.0.0.1:9/elsewhere").catch(() => {});</script>
"""


def _opened(page: Page, path: Path) -> Watch:
    path.write_text(BAD, encoding="utf-8")
    watch = Watch(frozenset())
    watch.over(page)
    page.goto(path.as_uri())
    page.wait_for_load_state("networkidle")
    return watch


def test_errors_strange_requests_overflow_and_violations_are_seen(
    chromium: Browser, tmp_path: Path
) -> None:
    page = chromium.new_page(viewport={"width": 360, "height": 640})
    watch = _opened(page, tmp_path / "bad.html")
    assert any("oops" in problem for problem in watch.problems)
    assert any("asked another host: http://127.0.0.1:9/" in one for one in watch.problems)
    assert overflow(page) > 500
    assert any(one.startswith("label") for one in grave_violations(page))
    page.close()
