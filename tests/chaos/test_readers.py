"""No damaged file gives a traceback. `make chaos` tries 10,000 files."""

import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.chaos.fuzzing import Findings, fuzz, try_one
from tests.chaos.mutations import TOKENS, mutated
from tests.chaos.readers import Reader, Readers
from tests.review.serving import write_run

pytestmark = pytest.mark.slow
TIMES = 3
"""For a share of ten."""
NAMES = (
    "documents", "settings", "grid", "prices", "prompts", "queries", "controls", "labels",
    "replies of systems", "replies of models", "batch answers", "recorded responses", "feeds",
    "articles", "robots.txt", "kept pages", "files of a run", "commands",
)  # fmt: skip


@pytest.fixture(scope="module")
def readers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Reader]]:
    with Readers(tmp_path_factory.mktemp("readers"), write_run) as opened:
        yield {reader.name: reader for reader in opened}


def test_every_reader_is_tried(readers: dict[str, Reader]) -> None:
    assert tuple(readers) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_every_seed_is_read(readers: dict[str, Reader], name: str) -> None:
    reader = readers[name]
    if name == "documents":
        return  # these are hostile as they are
    for file, data in reader.seeds.items():
        reader.read(file, data)


@pytest.mark.parametrize("name", NAMES)
def test_a_damaged_file_gives_one_line(readers: dict[str, Reader], name: str) -> None:
    reader = readers[name]
    found = fuzz(reader, max(1, TIMES * reader.share // 10))
    assert not found.examples


@pytest.mark.parametrize("name", [name for name in NAMES if name not in {"commands", "documents"}])
@settings(
    max_examples=15,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(data=st.data())
def test_any_bytes_give_one_line(
    readers: dict[str, Reader], name: str, data: st.DataObject
) -> None:
    reader = readers[name]
    file = data.draw(st.sampled_from(sorted(reader.seeds)))
    seeded = st.integers(0, 2**32).map(
        lambda seed: mutated(random.Random(seed), reader.seeds[file])
    )
    anything = data.draw(seeded | st.binary(max_size=200) | st.sampled_from(TOKENS))
    found = Findings(reader=name)
    try_one(reader, file, anything, found)
    assert not found.examples


def test_findings_are_named_by_kind_and_place(tmp_path: Path) -> None:
    def broken(name: str, data: bytes) -> None:
        raise KeyError(name)

    found = fuzz(Reader(name="broken", seeds={"a": b"b"}, read=broken), 3)
    assert found.tried == 3
    assert dict(found.tracebacks) == {
        "KeyError in test_findings_are_named_by_kind_and_place.<locals>.broken": 3
    }
