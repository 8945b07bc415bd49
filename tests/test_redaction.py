import pytest

from uaeval.redaction import redact, without_known


@pytest.mark.parametrize(
    "text",
    [
        "sk-abcdef123456",
        "sk-proj-a_b-c.d9",
        "sk-ant-api03-xyz",
        "Bearer abc.def",
        "lsv2_pt_123456",
        "https://me:pw@h/v1",
        "the-configured-one",
    ],
)
def test_no_key_is_ever_shown(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_API_KEY", "the-configured-one")
    shown = redact(f"Wrong key: '{text}'.")
    assert text not in shown
    assert shown.startswith("Wrong key: '")


def test_a_reply_loses_the_known_keys_and_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_API_KEY", "the-configured-one")
    said = "Send `Bearer abc.def`, not the-configured-one, to https://me:pw@h/v1."
    assert without_known(said) == said.replace("the-configured-one", "[key]")


def test_ordinary_words_are_left_alone() -> None:
    text = "The task-force asked for risk-averse tokens; max_tokens is 5."
    assert redact(text) == text
