"""Fixtures of every test."""

import signal

import pytest
from hypothesis import settings

# The time that a test takes says nothing on a busy machine.
settings.register_profile("uaeval", deadline=None)
settings.load_profile("uaeval")


def pytest_configure(config: pytest.Config) -> None:
    """Let Ctrl-C interrupt, also if a shell started the tests in the background.

    There it is ignored, here and in every process that a test starts.
    """
    signal.signal(signal.SIGINT, signal.default_int_handler)
