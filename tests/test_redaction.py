import pytest

from uaeval.errors import ConfigError
from uaeval.redaction import expand, is_secret, redact, without_known


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
def test_keys_are_never_shown(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_API_KEY", "the-configured-one")
    shown = redact(f"Wrong key: '{text}'.")
    assert text not in shown
    assert shown.startswith("Wrong key: '")


def test_a_reply_loses_the_known_keys_and_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_API_KEY", "the-configured-one")
    said = "Send `Bearer abc.def`, not the-configured-one, to https://me:pw@h/v1."
    assert without_known(said) == said.replace("the-configured-one", "[key]")


def test_ordinary_words_are_not_redacted() -> None:
    text = "The task-force asked for risk-averse tokens; max_tokens is 5."
    assert redact(text) == text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("GET http://h/ask?k=c4nary&q=a", "GET http://h/ask?k=[key]&q=a"),
        ("http://h/?access_token=c4nary#x", "http://h/?access_token=[key]#x"),
        ("http://h/?page=2&lang=en", "http://h/?page=2&lang=en"),
        ("http://me:c4n@ry@h/a", "http://h/a"),
        ("http://me:c4n/ary@h/a", "http://h/a"),
        ("http://h:8000/@me", "http://h:8000/@me"),
        ("Authorization: Token c4nary", "Authorization: [key]"),
        ("{'x-api-key': 'c4nary', 'n': 1}", "{'x-api-key': '[key]', 'n': 1}"),
        ("Basic dXNlcjpjNG5hcnk= sent", "[key] sent"),
        ("Basic information is given", "Basic information is given"),
        ("ghp_c4naryc4naryc4nary is it", "[key] is it"),
        ("eyJhbGciOiJI.eyJzdWIiOiIx.c4nary", "[key]"),
    ],
)
def test_what_looks_like_a_secret_is_taken_out_of_a_message(text: str, shown: str) -> None:
    assert redact(text) == shown
    assert redact(shown) == shown


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("api_key", "abc", True),
        ("X-Auth-Token", "abc", True),
        ("k", "5", False),
        ("k", "c4nary-c4nary", True),
        ("token", "$NAME", False),
        ("max_tokens", "many words", False),
        ("tenant", "7canaryQ2xV9bLm4Zt81Kd", True),
        ("model", "gpt-4.1-mini-2025-04-14", False),
        ("session", "6f1c2a34-9d0e-4b7a-8c11-2f9e5d7b6a10", False),
        ("prompt", "In 2024 the museum had 40000 visitors.", False),
    ],
)
def test_a_value_is_a_secret_by_its_name_or_by_its_look(
    name: str, value: str, expected: bool
) -> None:
    assert is_secret(name, value) is expected


def test_a_value_from_the_environment_is_shown_by_its_name(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("MY_VALUE", "pass/w0rd")
    assert expand("a=$MY_VALUE&b=$$5", "url", in_url=True) == "a=pass%2Fw0rd&b=$5"
    assert redact("sent pass/w0rd and pass%2Fw0rd") == "sent $MY_VALUE and $MY_VALUE"
    with pytest.raises(ConfigError, match="url: write a literal dollar sign as"):
        expand("5$", "url")


@pytest.mark.parametrize("text", ["?passw", "://a:b", "-eyJaaaaaaaaa", "?a", "Basic a", "sk-a."])
def test_a_long_text_of_beginnings_is_redacted(text: str) -> None:
    assert len(redact(text * 50_000)) <= 50_000 * max(len(text), len("[key]") + 3)
