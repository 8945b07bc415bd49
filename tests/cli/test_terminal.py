"""What commands print besides reports."""

from collections.abc import Callable

import pytest

from uaeval.cli.terminal import complain, note, say


@pytest.mark.parametrize("output", [complain, note, say])
def test_a_long_message_stays_one_line_that_can_be_searched_and_copied(
    output: Callable[[str], None], capsys: pytest.CaptureFixture[str]
) -> None:
    message = " ".join(f"folder/with/a/long/name/{number}" for number in range(20))
    output(message)
    printed = capsys.readouterr()
    assert (printed.out + printed.err).removeprefix("error: ") == f"{message}\n"
