import pytest

from uaeval.offline.phrases import phrases
from uaeval.records import Passage
from uaeval.text.english import is_plural, runs, singular, tag


def texts(text: str, *, title: str = "", heading: str = "") -> list[str]:
    passage = Passage(number=1, title=title, heading=heading, text=text)
    return [phrase.text for phrase in phrases(passage)]


def test_words_are_tagged_by_part_of_speech() -> None:
    assert [name for _, name in tag("The keys open the build room.")][:3] == [
        "DT",
        "NNS",
        "JJ",
    ] or (tag("The keys")[1] == ("keys", "NNS"))


@pytest.mark.parametrize(
    ("sentence", "wanted"),
    [
        ("You must sign the boarding pass at gate 4.", ["boarding pass", "gate"]),
        ("She read the Freedom of the Press Act.", ["Freedom of the Press Act"]),
        ("Send Form 12 to the clerk.", ["Form 12", "clerk"]),
    ],
)
def test_noun_phrases(sentence: str, wanted: list[str]) -> None:
    found = [run.text for run in runs(sentence)]
    assert [phrase for phrase in wanted if phrase not in found] == []


@pytest.mark.parametrize(
    ("phrase", "plural", "before_noun"),
    [
        ("root keys", True, "root key"),
        ("travel policies", True, "travel policy"),
        ("city counties", True, "city county"),
        ("physics", False, "physics"),
        ("access", False, "access"),
        ("boxes", True, "box"),
        ("iOS", False, "iOS"),
    ],
)
def test_the_number_of_a_noun_phrase_is_read(phrase: str, plural: bool, before_noun: str) -> None:
    assert is_plural(phrase) is plural
    assert singular(phrase) == before_noun


def test_a_gerund_of_a_heading_is_no_phrase() -> None:
    found = texts("Use the fast mode for a small kitchen garden.", heading="Building for Winter")
    assert not [phrase for phrase in found if "building" in phrase.lower()]


def test_a_phrase_of_heading_and_body_is_first() -> None:
    text = "A tide table tells when to sail. Each tide table covers a year. Bring a warm coat."
    assert texts(text, heading="Tide tables")[0] == "tide tables"


@pytest.mark.parametrize(
    "text",
    [
        "See Chapter 5 and the following section for an example of this thing.",
        "Region::: For example, `run_all()` and https://example.org/a/b are used.",
        "It is what they want, and we know it.",
    ],
)
def test_markup_numbering_and_dull_words_give_nothing(text: str) -> None:
    assert texts(text) == []


def test_a_verb_is_not_read_as_a_noun() -> None:
    found = texts("Run the mixer. Use clean bowls. The recipe shows how cakes work at home.")
    assert not {"run", "use", "clean bowls work", "cakes work"} & set(found)


def test_names_of_persons_are_left_out() -> None:
    text = "Maurice Evans was born in Wales. He wrote about the sailing ship."
    assert not [phrase for phrase in texts(text) if "Evans" in phrase]


def test_articles_and_number() -> None:
    text = "A boat needs an anchor chain. The harbour master opens the lock. We sell sea salt."
    found = texts(text)
    assert "anchor chains" in found
    assert "sea salt" in found


def test_a_phrase_is_not_cut_from_a_measure_or_a_list() -> None:
    text = "Every member signs the two week agreement. Members write lots plugins for the harbour."
    found = {
        phrase.topic for phrase in phrases(Passage(number=1, title="Rules", heading="", text=text))
    }
    assert not found & {"week agreement", "lots plugin"}
