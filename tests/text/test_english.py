"""Tags of words in English sentences."""

import pytest

from uaeval.text.english import tag


def tag_of(word: str, sentence: str) -> str:
    return next(token.tag for token in tag(sentence) if token.word == word)


@pytest.mark.parametrize(
    ("sentence", "word"),
    [
        ("The swim lasts an hour.", "swim"),
        ("The evening swim lasts an hour.", "swim"),
        ("Guests love the morning swim.", "swim"),
        ("Their dry run was short.", "run"),
        ("The sailing permit costs ten pounds.", "permit"),
        ("The new building permit fee is due.", "permit"),
        ("Our boat hire costs ten pounds.", "hire"),
        ("My sleep", "sleep"),
    ],
)
def test_a_word_after_an_article_and_nouns_is_a_noun(sentence: str, word: str) -> None:
    assert tag_of(word, sentence) == "NN"


@pytest.mark.parametrize(
    ("sentence", "word"),
    [
        ("At noon summer swim lasts an hour.", "swim"),
        ("Prices of wild swim will rise.", "swim"),
        ("Rules for boat hire can change.", "hire"),
    ],
)
def test_a_word_between_a_noun_or_adjective_and_a_verb_is_a_noun(sentence: str, word: str) -> None:
    assert tag_of(word, sentence) == "NN"


@pytest.mark.parametrize(
    ("sentence", "word"),
    [
        ("The night guard lock the gate.", "lock"),
        ("Our crew help them.", "help"),
        ("Make the ferry wait for them.", "wait"),
        ("Help the new crew sail.", "sail"),
        ("The children swim.", "swim"),
    ],
)
def test_a_word_with_an_object_or_after_a_causative_stays_a_verb(sentence: str, word: str) -> None:
    assert tag_of(word, sentence) == "VB"


@pytest.mark.parametrize(
    ("sentence", "word"), [("The crew will board at noon.", "board"), ("You may ski there.", "ski")]
)
def test_a_word_after_a_modal_is_a_verb(sentence: str, word: str) -> None:
    assert tag_of(word, sentence) == "VB"


@pytest.mark.parametrize(
    ("sentence", "word"),
    [("The Harbour Walk is closed.", "Walk"), ("Visit Ferry Walk at noon.", "Walk")],
)
def test_a_capitalised_verb_after_a_name_belongs_to_the_name(sentence: str, word: str) -> None:
    assert tag_of(word, sentence) == "NNP"
