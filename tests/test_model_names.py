import pytest

from uaeval.model_names import is_offline


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("offline-2", True),
        ("offline", True),
        ("openai:offline", False),
        ("offliner:m", False),
        (None, False),
    ],
)
def test_records_of_the_offline_engine_are_known(name: str | None, expected: bool) -> None:
    assert is_offline(name) is expected
