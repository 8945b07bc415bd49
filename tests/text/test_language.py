import subprocess
import sys

import pytest

from uaeval.text.language import language_of, surely_foreign


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("How many hours of sick leave may I borrow in one year?", "en"),
        ("Wie viele Urlaubstage habe ich im Jahr?", "de"),
        ("¿Cuántas horas de permiso puedo pedir cada año?", "es"),
        ("病気休暇は何時間まで借りられますか。", "ja"),
        ("كم ساعة يمكنني أن أقترض من الإجازة المرضية؟", "ar"),
        ("12 + 30 = 42", "und"),
        ("", "und"),
    ],
)
def test_the_language_of_a_text_is_detected(text: str, code: str) -> None:
    assert language_of(text) == code


@pytest.mark.parametrize(
    "text",
    [
        "Dazu habe ich leider keine Informationen.",
        "Désolé, je n'ai pas cette information.",
        "Helaas heb ik daar geen informatie over.",
        "К сожалению, у меня нет информации.",
        "申し訳ありませんが、その情報はありません。",
    ],
)
def test_another_language_is_foreign(text: str) -> None:
    assert surely_foreign(text)


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
def test_english_names_and_figures_are_not_foreign(text: str) -> None:
    assert not surely_foreign(text)


def test_a_full_disk_is_named_with_a_remedy() -> None:
    code = (
        "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))\n"
        "from uaeval.errors import StorageError\n"
        "from uaeval.text.language import language_of\n"
        "try: language_of('Is it here?')\n"
        "except StorageError as error: print(error)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert "cannot unpack the language detector" in done.stdout, done.stderr
    assert "TMPDIR" in done.stdout
