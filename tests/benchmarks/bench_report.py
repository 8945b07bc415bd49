"""How large HTML reports get, how long they take to write, and to open in headless Chromium.

Opened means: the first queries are listed, and every chart in view is drawn.
"""

import shutil
import sys
import tempfile
from pathlib import Path
from statistics import median
from time import perf_counter

from playwright.sync_api import Browser, sync_playwright
from tests.browser.conftest import NAMES
from tests.report.written_run import write_judged, write_run

from uaeval.evaluation.evaluation import read_evaluation
from uaeval.report.html.page import report_page

SIZES = (300, 5_000)
TIMES = 5
READY = """() => document.querySelectorAll("#queries > li").length > 0
    && [...document.querySelectorAll("[data-chart]")]
        .every((box) => !box.checkVisibility() || box.querySelector("svg"))"""


def _seconds_to_open(browser: Browser, path: Path) -> float:
    page = browser.new_page()
    start = perf_counter()
    page.goto(path.as_uri())
    page.wait_for_function(READY)
    took = perf_counter() - start
    page.close()
    return took


def main() -> None:
    """Print one line for each size."""
    found = next(filter(None, map(shutil.which, NAMES)), None)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=["--no-sandbox"])
        for size in SIZES:
            dataset, path = Path(folder, str(size)), Path(folder, f"{size}.html")
            queries = write_run(dataset, size // 2, chunk_size=900)
            run = write_judged(dataset, "rag", queries, answer_size=400)
            start = perf_counter()
            path.write_text(report_page([read_evaluation(run)]), encoding="utf-8")
            wrote = perf_counter() - start
            opened = [_seconds_to_open(browser, path) for _ in range(TIMES)]
            sys.stdout.write(
                f"{size:>6,} queries: {path.stat().st_size / 1e6:.1f} MB, written in {wrote:.1f} s,"
                f" opened in {median(opened):.2f} s (longest of {TIMES}: {max(opened):.2f} s)\n"
            )
        browser.close()


if __name__ == "__main__":
    main()
