import pytest

from uaeval.errors import LanguageError
from uaeval.offline.model import require_english


@pytest.mark.parametrize("language", ["auto", "en", "English", " en-GB "])
def test_english_may_be_asked_for(language: str) -> None:
    require_english(language)


def test_another_language_is_refused() -> None:
    with pytest.raises(LanguageError, match="not German; choose another model"):
        require_english("German")
