"""The encoding of pages that do not name it."""

import pytest

from uaeval.knowledge.decoding import decode, decode_page


def test_a_long_script_does_not_make_a_russian_page_western() -> None:
    script = "<SCRIPT>\n" + "let total = total + 1;\n" * 40 + "</SCRIPT>\n"
    text = "Паром отходит от причала в полдень, билеты продаются на борту каждый день."
    page = f"{script}<p>{text} Расписание меняется зимой.</p>"
    assert decode_page(page.encode("windows-1251")) == page


def test_a_western_page_with_a_long_script_is_read() -> None:
    script = "<script>\n" + "let total = total + 1;\n" * 40 + "</script>\n"
    page = f"{script}<p>Das Café am Kai öffnet um neun.</p>"
    assert decode_page(page.encode("windows-1252")) == page


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        ("Opening hours are 9 to 5. The daily special is the crème brûlée.", "windows-1252"),
        ("Die Öffnungszeiten sind von 9 bis 17 Uhr. Mehr sagt die Tafel.", "windows-1252"),
        ("Otevírací doba je od pondělí do pátku. Příští týden bude zavřeno.", "windows-1250"),
        ("Часы работы с понедельника по пятницу. Спасибо за понимание.", "windows-1251"),
    ],
)
def test_a_short_text_of_one_byte_a_character_is_decoded(text: str, encoding: str) -> None:
    assert decode(text.encode(encoding)) == text
