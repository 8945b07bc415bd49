"""`synthesize` on the address of a site."""

import json
from pathlib import Path

from tests.cli.conftest import Uaeval
from tests.news.test_site import links, page
from tests.servers.web import pages, site


def test_a_site_is_fetched_once_and_again_with_refresh(tmp_path: Path, uaeval: Uaeval) -> None:
    run, config = tmp_path / "run", tmp_path / "run.yaml"
    names = ("north", "south", "east", "west", "inner", "outer")
    replies = {f"/{name}.html": page(name, hour=place) for place, name in enumerate(names)}
    replies["/"] = page("start", links(*replies))
    with site(pages(replies)) as running:
        config.write_text("host_delay: 0\nallow_hosts: [127.0.0.1]\ncategories: [nonsensical]\n")
        given = ["synthesize", running.url, "-o", run, "--size", "3", "--config", config]
        estimate = uaeval("estimate", running.url, "--config", config)
        assert (estimate.code, "give -o RUN" in estimate.err) == (2, True)
        assert not running.asked
        done = uaeval(*given)
        assert done.code == 1, done.err  # no query is proven from such short pages
        manifest = json.loads((run / "manifest.json").read_text())
        assert manifest["knowledge_base"]["documents"] == 7
        assert manifest["knowledge_base"]["source"] == running.url
        asked = len(running.asked)
        assert uaeval(*given).code == 1
        assert len(running.asked) == asked
        assert uaeval(*given, "--refresh").code == 1
        assert len(running.asked) > asked
    secret = uaeval("synthesize", "https://me:hidden@example.org/", "-o", tmp_path / "other")
    assert (secret.code, "leave name and password out" in secret.err) == (2, True)
    assert "hidden" not in secret.err
