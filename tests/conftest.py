"""Fixtures of every test."""

import signal
from collections.abc import Iterator

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


@pytest.fixture(scope="session", autouse=True)
def _kept_worker() -> Iterator[None]:
    from tests.kept_worker import KeptWorker  # here, as the process that gives out tests needs none

    from uaeval.knowledge import documents

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(documents, "FileWorker", KeptWorker)
        yield
    KeptWorker.end_kept()
