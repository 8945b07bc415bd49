import re
import string
from collections import Counter
from collections.abc import Iterator, Mapping

import pytest

from uaeval.categories.registry import category as category_of
from uaeval.offline.author import templated
from uaeval.offline.tables import table
from uaeval.records import Category, Passage
from uaeval.text.english import listed_tag
from uaeval.text.words import opening

REQUESTS: tuple[Category, ...] = ("modality_limited", "safety_concerned")
TABLES: tuple[Category, ...] = (*REQUESTS, "nonsensical")
GROUPS = {"work", "software", "code", "general", "any"}
LEFT_TO_MODELS = {"category_error", "illogical", "pasted", "explicit"}
"""Subtypes that a template cannot write: grotesque, contrived or without a passage."""

PAGES = {
    "Night ferry": (
        "The night ferry leaves from gate 4. The night ferry is a ship for 300 passengers. A cabin "
        "on the night ferry costs 45 euros. You must show a boarding pass at the gate."
    ),
    "Sourdough bread": (
        "Sourdough bread needs a ripe starter. The starter contains 100 grams of flour. Let the "
        "dough rest for an hour. Sourdough bread is baked in a hot oven."
    ),
    "Tenancy deposits": (
        "A tenancy deposit is a sum that the tenant pays to the landlord. The landlord must return "
        "the deposit within 14 days. A tenancy deposit is held by an independent scheme."
    ),
    "Message queues": (
        "A message queue is a buffer on a server. The default retention period of the queue is "
        "seven days. A message queue has two replicas. The server deletes expired messages."
    ),
    "Travel claims": (
        "Employees must hand in a travel claim within two weeks. A travel claim is approved by "
        "Human Resources. The staff in the payroll office keep each travel claim for two years."
    ),
    "Bird migration": (
        "Bird migration is the regular seasonal movement of birds. The Arctic tern holds the "
        "record for long migration. Many birds travel at night. Bird migration began long ago."
    ),
}
NO_SETTING = {"Night ferry"}
"""Pages about a narrow subject whose words show no setting: no harmful request suits them."""
PASSAGES = tuple(
    Passage(number=1, title=title, heading="", text=text) for title, text in PAGES.items()
)


def templates(name: str) -> Iterator[tuple[str, str, str]]:
    """Yield kind, group and text."""
    for kind, section in table(name).items():
        assert isinstance(section, Mapping)
        for group, texts in section.items():
            if group != "reason":
                yield from ((kind, group, text) for text in texts)


def all_texts() -> list[str]:
    return [text for name in TABLES for _, _, text in templates(name)]


@pytest.mark.parametrize("category", TABLES)
def test_every_subtype_has_templates_for_every_phrase(category: Category) -> None:
    kinds = Counter(kind for kind, group, _ in templates(category) if group == "any")
    assert set(kinds) == set(category_of(category).subtypes) - LEFT_TO_MODELS
    assert min(kinds.values()) >= 3
    assert {group for _, group, _ in templates(category)} <= GROUPS


def test_there_are_enough_templates() -> None:
    assert len(list(templates("modality_limited"))) >= 40
    assert len(list(templates("safety_concerned"))) >= 60
    assert len(list(templates("nonsensical"))) >= 60


def test_templates_take_a_phrase_and_nothing_else() -> None:
    for text in all_texts():
        assert text.count("{x}") == text.count("{") == 1
        assert "  " not in text


@pytest.mark.parametrize("name", REQUESTS)
def test_requests_are_short_and_open_differently(name: str) -> None:
    texts = [text for _, _, text in templates(name)]
    assert all(6 <= len(text.split()) <= 24 for text in texts)
    opened = Counter(opening(text.format(x="x")) for text in texts)
    assert max(opened.values()) <= 0.05 * len(texts) + 1


def test_no_template_takes_an_article_before_a_phrase() -> None:
    assert not [text for text in all_texts() if re.search(r"\b(?:an?|the|my) \{x\}", text)]


def test_templates_name_nobody() -> None:
    """No capital except at the start of a sentence, in `I` and in `HR`."""
    for text in all_texts():
        for before, word in zip(text.split(), text.split()[1:], strict=False):
            bare = word.strip(string.punctuation).split("'")[0]
            if not bare[:1].isupper() or bare in {"I", "HR"} or before[-1] in ".?!":
                continue
            pytest.fail(f"{word!r} in {text!r}")


def test_word_lists_contain_only_common_words() -> None:
    # what a lexicon of general English leaves out
    lists = " ".join(str(words) for words in table("phrases").values()).split()
    assert all(word.islower() for word in lists)
    unknown = {word for word in lists if listed_tag(word) is None}
    assert len(unknown) <= 0.08 * len(lists)


@pytest.mark.parametrize("passage", PASSAGES, ids=lambda passage: passage.title)
def test_every_passage_gives_every_subtype(passage: Passage) -> None:
    subject = passage.title.lower().removesuffix("s")
    for subtype in category_of("modality_limited").subtypes:
        written = templated.modality_limited(language="auto", subtype=subtype, passage=passage)
        assert written.draft is not None
        assert written.draft.subtype == subtype
        assert written.draft.twin.quote in passage.text
    for subtype in category_of("safety_concerned").subtypes:
        drafted = templated.safety_concerned(
            language="auto", subtype=subtype, passage=passage
        ).draft
        assert (drafted is None) is (passage.title in NO_SETTING)
        if drafted is None:
            continue
        assert (drafted.subtype == subtype) is (subtype not in LEFT_TO_MODELS)
        assert (
            drafted
            == templated.safety_concerned(language="auto", subtype=subtype, passage=passage).draft
        )
    for subtype in category_of("nonsensical").subtypes:
        draft = templated.nonsensical(language="auto", subtype=subtype, passage=passage).draft
        assert draft is not None
        assert (draft.subtype == subtype) is (subtype not in LEFT_TO_MODELS)
        assert subject in draft.question.lower()


def test_queries_of_one_category_differ() -> None:
    written = set(category_of("safety_concerned").subtypes) - LEFT_TO_MODELS
    questions = {
        drafted.question
        for passage in PASSAGES
        for subtype in written
        if (
            drafted := templated.safety_concerned(
                language="auto", subtype=subtype, passage=passage
            ).draft
        )
    }
    assert len(questions) == len(written) * (len(PASSAGES) - len(NO_SETTING))


def test_overheard_is_one_string_without_commas() -> None:
    draft = templated.nonsensical(language="auto", subtype="overheard", passage=PASSAGES[0]).draft
    assert draft is not None
    assert "," not in draft.question


def test_a_passage_without_a_fact_is_declined() -> None:
    empty = Passage(number=1, title="", heading="", text="See below.")
    for written in (
        templated.modality_limited(language="auto", subtype="any", passage=empty),
        templated.safety_concerned(language="auto", subtype="any", passage=empty),
        templated.nonsensical(language="auto", subtype="any", passage=empty),
    ):
        assert written.draft is None
        assert written.declined


def test_harmful_requests_are_of_the_setting_of_their_passage() -> None:
    software = (
        "The session store is a cache on a server. The default timeout of the session store is "
        "30 minutes. The session store has two replicas. The API deletes each expired session."
    )
    story = "Marwell is a village. Marwell lies on a river. Marwell was founded by three monks."
    groups = {"narrow": {"software", "code"}, "named": {"software", "code"}, "wide": {"any"}}
    passages = {
        "narrow": Passage(number=1, title="Session store", heading="", text=software),
        "named": Passage(
            number=1,
            title="Marwell",
            heading="",
            text=software.replace("The session store", "Marwell"),
        ),
        "wide": Passage(number=1, title="Marwell", heading="", text=story),
    }
    for name, passage in passages.items():
        assert templated.setting(passage) in groups[name]
        own = {text for _, group, text in templates("safety_concerned") if group in groups[name]}
        thing = "the session store" if name == "narrow" else "Marwell"
        for subtype in set(category_of("safety_concerned").subtypes) - LEFT_TO_MODELS:
            draft = templated.safety_concerned(
                language="auto", subtype=subtype, passage=passage
            ).draft
            assert draft is not None
            assert draft.question.replace(thing, "{x}") in own


def test_queries_from_one_passage_have_different_twins() -> None:
    text = "A night ferry is made of old steel. A night ferry is used for transport of coal."
    passage = Passage(number=1, title="Night ferry", heading="", text=text)
    drafts = [
        templated.modality_limited(language="auto", subtype=subtype, passage=passage).draft
        for subtype in category_of("modality_limited").subtypes
    ]
    assert len({draft.twin.question for draft in drafts if draft}) > 1


def test_passages_with_a_fact_for_a_value_are_tried_before_sentences_and_others() -> None:
    texts = [
        "A tenancy deposit is a sum that the tenant pays to the landlord.",
        "Night ferries are popular with everybody who travels.",
        "It is late.",
    ]
    ranks = [templated.rank(Passage(number=1, title="", heading="", text=each)) for each in texts]
    assert ranks == sorted(ranks) and len(set(ranks)) == len(ranks)
