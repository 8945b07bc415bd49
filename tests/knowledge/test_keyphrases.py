import pytest

from uaeval.knowledge.keyphrases import engine, key_phrases

TEXT = (
    "## Sick leave\n\n- Employees may request up to 240 hours of advanced sick leave from the "
    "Office of Human Resources. The full-time staff can donate annual leave. Advanced sick leave "
    "isn’t paid out."
)


def test_phrases_are_in_the_text_and_are_not_stop_words() -> None:
    phrases = key_phrases(TEXT, 20)

    assert all(phrase in TEXT for phrase in phrases)
    assert {"240 hours", "advanced sick leave", "Office of Human Resources"} <= set(phrases)
    assert not {"the", "may", "isn’t"} & {phrase.casefold() for phrase in phrases}


def test_recurring_phrases_come_first_and_their_number_is_limited() -> None:
    assert len(key_phrases(TEXT, 2)) == 2
    assert key_phrases(TEXT, 5) == key_phrases(TEXT, 5)


@pytest.mark.parametrize("text", ["", "   \n", "the of and", "...", "##"])
def test_a_text_that_says_nothing_has_no_phrases(text: str) -> None:
    assert key_phrases(text, 5) == ()


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("The fee is £62 a year.", {"£62", "fee"}),
        ("It is 8 € for a ticket.", {"8 €", "ticket"}),
        ("A share of 25% is due.", {"25%", "share"}),
        ("図書館の閉館時間は午後8時です", {"図書館", "閉館時間", "午後8時"}),
        ("图书馆的开放时间是上午9点", {"图书馆", "开放时间", "上午9点"}),
        ("ค่าธรรมเนียมของสมาชิก", {"ค่าธรรมเนียม", "สมาชิก"}),
    ],
)
def test_figures_are_phrases_and_scripts_without_spaces_have_several(
    text: str, wanted: set[str]
) -> None:
    assert wanted <= set(key_phrases(text, 8))


def test_the_engine_says_which_way_was_taken() -> None:
    assert engine() == "rules (no trained pipeline)"
