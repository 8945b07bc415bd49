import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, TypeAlias

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

if find_spec("playwright") is None:  # `make browser` installs it
    collect_ignore_glob = ["test_*.py"]

NAMES = ("chromium", "chromium-browser", "google-chrome")
NewPage: TypeAlias = "Callable[..., Page]"


@pytest.fixture(scope="session")
def chromium() -> "Iterator[Browser]":
    """Headless Chromium of this machine."""
    from playwright.sync_api import sync_playwright

    found = next(filter(None, map(shutil.which, NAMES)), None)
    assert found, "there is no Chromium here; on Debian: apt-get install chromium"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def new_page(chromium: "Browser") -> Iterator[NewPage]:
    """Open pages, each in a context of its own, that may log no error and ask no other host.

    `new_page("127.0.0.1:8000", viewport=…, color_scheme=…)`: first the hosts that the page may
    ask (none for a file), then the options of `Browser.new_context`.
    """
    from tests.browser.pages import Watch

    watches: list[Watch] = []
    with ExitStack() as contexts:

        def open_one(*hosts: str, **options: Any) -> "Page":
            context = contexts.enter_context(chromium.new_context(**options))
            page = context.new_page()
            watches.append(Watch(frozenset(hosts)))
            watches[-1].over(page)
            return page

        yield open_one
    assert [problem for watch in watches for problem in watch.problems] == []
