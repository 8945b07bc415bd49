import pytest

from uaeval.errors import LanguageError
from uaeval.offline.language import other_language, require_english


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("Dazu habe ich leider keine Informationen.", "de"),
        ("Désolé, je n'ai pas cette information.", "fr"),
        ("Helaas heb ik daar geen informatie over.", "nl"),
        ("К сожалению, у меня нет информации.", "ru"),
        ("申し訳ありませんが、その情報はありません。", "ja"),
    ],
)
def test_another_language_is_named(text: str, code: str) -> None:
    assert other_language(text) == code


@pytest.mark.parametrize(
    "text",
    [
        "You can borrow up to 12 books at a time.",
        'The book is called "Der Herr der Ringe" in German.',
        "Rio de Janeiro",
        "Max Planck, Marie Curie, Albert Einstein, Niels Bohr, Max Born",
        "$30 per day",
        "- #channel-one\n- #channel-two-name\n- user@host.example",
        "240",
        "",
    ],
)
def test_english_names_and_figures_are_not_another_language(text: str) -> None:
    assert other_language(text) is None


@pytest.mark.parametrize("language", ["auto", "en", "English", " en-GB "])
def test_english_may_be_asked_for(language: str) -> None:
    require_english(language)


def test_another_language_is_refused() -> None:
    with pytest.raises(LanguageError, match="not German; choose another model"):
        require_english("German")
