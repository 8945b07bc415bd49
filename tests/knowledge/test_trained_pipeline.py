"""Key phrases by a trained spaCy pipeline that is really installed: found, loaded, named, used."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.knowledge.small_pipeline import NAME, VERSION
from tests.news.newsroom import newsroom, rss
from tests.servers.web import Answer, Asked, Site, site

from uaeval.errors import ConfigError
from uaeval.knowledge import keyphrases
from uaeval.knowledge.keyphrases import engine, key_phrases
from uaeval.resources import shipped

pytestmark = pytest.mark.slow

NAMED = f"spacy:{NAME} {VERSION}"
TEXT = """# The harbour office

- Mara Lund leads the small archive.
- Jonas Petrel repairs old boats in Thornsea. The guided tour
begins at the harbour office.
"""


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of packages with the pipeline in it."""
    packages = tmp_path_factory.mktemp("packages")
    subprocess.run(
        [sys.executable, "-m", "tests.knowledge.small_pipeline", str(packages)],
        check=True, capture_output=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )  # fmt: skip
    return packages


@pytest.fixture
def installed(place: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The pipeline can be imported, as long as the test lasts."""
    keyphrases._trained.cache_clear()
    monkeypatch.syspath_prepend(place)
    yield place
    sys.modules.pop(NAME, None)
    keyphrases._trained.cache_clear()


@pytest.mark.usefixtures("installed")
def test_entities_and_noun_phrases_are_the_key_phrases_and_the_engine_is_named() -> None:
    assert engine() == NAMED
    assert set(key_phrases(TEXT, 20)) == {
        "harbour office", "Mara Lund", "small archive", "Jonas Petrel", "old boats", "Thornsea",
        "guided tour",
    }  # fmt: skip
    assert len(key_phrases(TEXT, 2)) == 2
    assert key_phrases(TEXT, 20, language="en") == key_phrases(TEXT, 20)
    assert key_phrases(TEXT, 20) != key_phrases(TEXT, 20, language="de")


@pytest.mark.usefixtures("installed")
@pytest.mark.parametrize("text", ["", "  \n\n \n", "the of and"])
def test_a_text_that_says_nothing_has_no_phrases(text: str) -> None:
    assert key_phrases(text, 5) == ()


@pytest.mark.usefixtures("installed")
def test_a_document_longer_than_a_pipeline_takes_is_read_in_parts() -> None:
    end = "Mara Lund leads the small archive ."
    for text in ("y" * 1_000_050 + "\n\n" + end, "\n" * 1_000_050 + end):
        assert "Mara Lund" in key_phrases(text, 1_000, language="en")


def test_a_pipeline_that_cannot_be_loaded_is_reported(installed: Path) -> None:
    settings = installed / NAME / f"{NAME}-{VERSION}" / "config.cfg"
    kept = settings.read_text()
    settings.write_text(kept.replace('factory = "ner"', 'factory = "of_another_spacy"'))
    try:
        with pytest.raises(ConfigError, match=f"{NAME} is installed, but cannot be.*uninst"):
            engine()
    finally:
        settings.write_text(kept)


def run(sources: tuple[Site, Site], folder: Path, *packages: Path) -> tuple[str, str, list[str]]:
    """Run a small synthesis; return what it prints and records of its engine, and its topics."""
    feed, search = sources
    config = folder.with_suffix(".yaml")
    config.write_text("host_delay: 0.0\nallow_hosts: [127.0.0.1, 127.0.0.2]\n")
    done = subprocess.run(
        [sys.executable, "-m", "uaeval", "synthesize", str(shipped("knowledge_bases") / "sample"),
         "-o", str(folder), "--news", f"{feed.url}/feed", "--news", search.url + "/?q={query}",
         "--categories", "nonsensical,out_of_database", "--size", "6", "--config", str(config)],
        capture_output=True, text=True, check=False,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([*map(str, packages), *sys.path])},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    facts = json.loads((folder / "manifest.json").read_text())["knowledge_base"]
    return " ".join(done.stdout.split()), facts["key_phrases"], facts["news"]["topics"]


def test_a_run_says_what_found_its_key_phrases_and_searches_by_them(
    place: Path, tmp_path: Path
) -> None:
    def search(asked: Asked) -> Answer | None:
        items = [("/story/3", "t", "Sat, 14 Mar 2026 08:00:00 GMT")]
        found = Answer(body=rss(items), kind="application/rss+xml")
        return found if asked.path.startswith("/?q=") else newsroom([3])(asked)

    with site(newsroom([1, 2])) as feed, site(search, "127.0.0.2") as found:
        told, kept, topics = run((feed, found), tmp_path / "model", place)
        told_by_rules, kept_by_rules, topics_by_rules = run((feed, found), tmp_path / "rules")
    assert kept == NAMED
    assert f"Key phrases: {NAMED}." in told
    assert kept_by_rules == engine() != NAMED
    assert f"Key phrases: {kept_by_rules}." in told_by_rules
    assert topics
    assert topics_by_rules
    assert topics != topics_by_rules
