"""Fixtures of the tests of systems."""

import pytest

from uaeval.systems import attempts


@pytest.fixture(autouse=True)
def short_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(attempts, "FIRST_PAUSE", 0.01)
