"""What holds for every test."""

import signal

import pytest


def pytest_configure(config: pytest.Config) -> None:
    """Let Ctrl-C interrupt, also where a shell started the tests in its background.

    There it is ignored, here and in every process that a test starts.
    """
    signal.signal(signal.SIGINT, signal.default_int_handler)
