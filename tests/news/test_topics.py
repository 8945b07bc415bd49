"""Topics: phrases of this knowledge base that general English does not use."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from uaeval.config.synthesis import NewsSettings
from uaeval.news.topics import Topic, topics
from uaeval.records import Document


def document(number: int, text: str) -> Document:
    return Document(id=f"d{number}", title=f"Page {number}", text=text, source="x")


DOCUMENTS = [
    document(n, f"The tide mill was repaired in 5 weeks. People asked for the {word} on Monday.")
    for n, word in enumerate(["tide mills", "sluice gate", "sluice gates", "sluice gates"])
]


def found(documents: Sequence[Document] = DOCUMENTS, **wishes: Any) -> tuple[Topic, ...]:
    return topics(documents, "en", NewsSettings(**wishes))


def phrases(**wishes: Any) -> list[str]:
    return [topic.phrase for topic in found(**wishes)]


def test_phrases_of_many_documents_come_first_and_wordings_are_merged() -> None:
    first, second = found(topics=2)
    assert (first.phrase, first.documents) == ("tide mill", 4)
    assert (second.phrase, second.documents) == ("sluice gates", 3)
    assert first.score > second.score > 0


def test_a_score_follows_the_share_of_documents_and_not_their_number() -> None:
    twice = [*DOCUMENTS, *(replace(each, id=f"{each.id}-again") for each in DOCUMENTS)]
    once, doubled = found(topics=2), found(twice, topics=2)
    assert [topic.documents for topic in doubled] == [8, 6]
    assert [topic.score for topic in doubled] == [topic.score for topic in once]


def test_amounts_days_and_common_words_are_no_topics() -> None:
    assert not {"5 weeks", "Monday", "People", "asked"} & set(phrases(topics=50))


def test_topics_can_be_pinned_added_and_forbidden() -> None:
    selected = phrases(
        topics=2, pin_topics=["harbour dues"], add_topics=["eel traps"], forbid_topics=["mill"]
    )
    assert selected == ["harbour dues", "sluice gates", "eel traps"]
    assert phrases(topics=1, pin_topics=["Tide Mills"]) == ["Tide Mills"]
    (pinned,) = found(topics=1, pin_topics=["Tide Mills"])
    assert isinstance(pinned, Topic)
    assert pinned.documents == 4


def test_an_empty_knowledge_base_has_only_the_topics_that_are_given() -> None:
    assert [topic.phrase for topic in found([], add_topics=["x y"])] == ["x y"]
