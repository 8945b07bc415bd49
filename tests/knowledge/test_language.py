import pytest

from uaeval.knowledge.language import language_of


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
def test_the_language_of_a_text_is_told(text: str, code: str) -> None:
    assert language_of(text) == code
