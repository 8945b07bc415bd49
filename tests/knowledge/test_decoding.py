"""The encoding of pages that do not name it."""

from uaeval.knowledge.decoding import decode_page


def test_a_long_script_does_not_make_a_russian_page_western() -> None:
    script = "<SCRIPT>\n" + "let total = total + 1;\n" * 40 + "</SCRIPT>\n"
    text = "Паром отходит от причала в полдень, билеты продаются на борту каждый день."
    page = f"{script}<p>{text} Расписание меняется зимой.</p>"
    assert decode_page(page.encode("windows-1251")) == page


def test_a_western_page_with_a_long_script_is_read() -> None:
    script = "<script>\n" + "let total = total + 1;\n" * 40 + "</script>\n"
    page = f"{script}<p>Das Café am Kai öffnet um neun.</p>"
    assert decode_page(page.encode("windows-1252")) == page
