"""The progress of a run without a terminal: plain lines, each further tenth once."""

import pytest
from tests.synthesis.worlds import World, lines

from uaeval.records import Failure
from uaeval.run.bars import StageProgress
from uaeval.runner import PendingRecord
from uaeval.synthesis.build import build


async def test_lines_show_how_much_of_the_quota_is_filled(
    capsys: pytest.CaptureFixture[str],
) -> None:
    world = World(0)
    with StageProgress() as progress:
        progress.started("reading docs")
        await build(
            lines(10, "nonsensical", "modality_limited"),
            world.generate,
            world.verify,
            concurrency=2,
            batch=False,
            progress=progress,
            save=lambda _: None,
            on_final=lambda _: None,
        )
    printed = capsys.readouterr().err.splitlines()
    assert printed[:2] == ["reading docs", "writing queries (20)"]
    assert [line.partition("  ")[0] for line in printed[2:]] == [
        f"{number} of 20" for number in range(2, 21, 2)
    ]
    assert "rejected" in printed[-1]


async def test_the_total_of_a_synthesis_stays_what_it_was_at_the_start(
    capsys: pytest.CaptureFixture[str],
) -> None:
    world = World(0)
    with StageProgress() as progress:
        await build(
            lines(10, "out_of_database", documents=4),
            world.generate,
            world.verify,
            concurrency=2,
            batch=False,
            progress=progress,
            save=lambda _: None,
            on_final=lambda _: None,
        )
    first, *others = capsys.readouterr().err.splitlines()
    assert first == "writing queries (10)"
    assert others
    assert {line.split()[2] for line in others} == {"10"}
    assert not any("kept" in line for line in others)


def test_a_stage_without_counts_of_its_own_advances_by_one_for_each_record(
    capsys: pytest.CaptureFixture[str],
) -> None:
    failure = Failure(id="a", stage="judge", kind="ModelError", message="down")
    with StageProgress() as progress:
        progress.started("judging", 4)
        for outcome in (failure, PendingRecord("b"), "c", "d"):
            progress.advanced(outcome)
        progress.started("comparing")
        progress.advanced("e")
    assert capsys.readouterr().err.splitlines() == [
        "judging (4)",
        "1 of 4  (failed 1)",
        "2 of 4  (awaited 1  failed 1)",
        "3 of 4  (awaited 1  failed 1  kept 1)",
        "4 of 4  (awaited 1  failed 1  kept 2)",
        "comparing",
    ]


def test_a_stage_without_a_total_does_not_show_that_of_the_stage_before() -> None:
    with StageProgress() as progress:
        progress.started("judging", 4)
        progress.started("comparing")
        assert [task.total for task in progress._bars.tasks] == [None]
