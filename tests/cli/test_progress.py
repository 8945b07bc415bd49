"""What a run tells where there is no terminal: plain lines, each further tenth once."""

import pytest
from tests.synthesis.worlds import World, lines

from uaeval.cli.progress import SynthesisProgress
from uaeval.synthesis.build import build


async def test_lines_say_how_much_is_found(capsys: pytest.CaptureFixture[str]) -> None:
    world = World(0)
    with SynthesisProgress() as progress:
        progress.step("reading docs")
        await build(
            lines(10, "nonsensical", "modality_limited"),
            world.generate,
            world.verify,
            concurrency=2,
            batch=False,
            watcher=progress,
            save=lambda _: None,
            settled=lambda _: None,
        )
    told = capsys.readouterr().err.splitlines()
    assert told[:2] == ["reading docs", "writing queries: 10 nonsensical, 10 modality_limited"]
    assert [line.partition("  ")[0] for line in told[2:]] == [
        f"{number} of 20 found" for number in range(2, 21, 2)
    ]
    assert "rejected" in told[-1]
