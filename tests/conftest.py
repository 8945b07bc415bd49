"""Fixtures of every test."""

import signal

import pytest


def pytest_configure(config: pytest.Config) -> None:
    """Let Ctrl-C interrupt, also if a shell started the tests in the background.

    There it is ignored, here and in every process that a test starts.
    """
    signal.signal(signal.SIGINT, signal.default_int_handler)
