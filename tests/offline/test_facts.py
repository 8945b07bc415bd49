"""Questions that a passage answers without its context."""

import pytest

from uaeval.offline.facts import facts, mentions, share_subject
from uaeval.records import Passage


def asked(text: str) -> dict[str, str]:
    return {
        fact.question: fact.answer
        for fact in facts(Passage(number=1, title="the Harbour Office", heading="", text=text))
    }


@pytest.mark.parametrize(
    ("text", "question", "answer"),
    [
        (
            "A parking permit is valid within 5 working days of its purchase.",
            "Within how many working days of its purchase is a parking permit valid?",
            "within 5 working days",
        ),
        (
            "A parking permit is valid for two years.",
            "For how many years is a parking permit valid?",
            "for two years",
        ),
        (
            "A parking permit is useful for entering harbour quays.",
            "What is a parking permit useful for?",
            "entering harbour quays",
        ),
        (
            "A parking permit is stored in the harbour register.",
            "Where is a parking permit stored?",
            "in the harbour register",
        ),
        (
            "A parking permit is renewed by signing the harbour register.",
            "How is a parking permit renewed?",
            "by signing the harbour register",
        ),
        (
            "Mooring fees are waived when the Harbour Office closes early.",
            "When are mooring fees waived?",
            "when the Harbour Office closes early",
        ),
        (
            "Ostermere Quay is the oldest landing of Whitcombe.",
            "What is the oldest landing of Whitcombe?",
            "Ostermere Quay",
        ),
    ],
)
def test_a_statement_gives_a_question_and_its_answer(text: str, question: str, answer: str) -> None:
    assert asked(text)[question] == answer


@pytest.mark.parametrize(
    "text",
    [
        "The Harbour Office allows six passengers to share a cabin.",
        "The Harbour Office does not provide life jackets for passengers under twelve.",
        "You can use life jackets for passengers under twelve.",
    ],
)
def test_an_object_gives_no_question_that_would_be_wrong(text: str) -> None:
    assert not [question for question in asked(text) if question.startswith(("What", "How many"))]


@pytest.mark.parametrize(
    ("text", "question", "answer"),
    [
        (
            "If the Harbour Office closes early, mooring fees are waived.",
            "When are mooring fees waived?",
            "if the Harbour Office closes early",
        ),
        (
            "However, the Harbour Office waives mooring fees of pilot boats.",
            "Does the Harbour Office waive mooring fees of pilot boats?",
            "Yes, the Harbour Office waives mooring fees of pilot boats",
        ),
        (
            "You may moor pilot boats at every harbour quay.",
            "Can I moor pilot boats at every harbour quay?",
            "Yes, you can moor pilot boats at every harbour quay",
        ),
        (
            "- Mooring Fee\n- The fee that the Harbour Office takes for a night at the quay.",
            "What is Mooring Fee?",
            "The fee that the Harbour Office takes for a night at the quay",
        ),
    ],
)
def test_statements_of_other_forms_give_questions(text: str, question: str, answer: str) -> None:
    assert asked(text)[question] == answer


def test_a_question_that_repeats_a_word_is_left_out() -> None:
    assert not asked("The Harbour Office keeps ferry ferry engines for the night route.")


def test_a_prohibition_gives_a_question_with_may() -> None:
    text = "Mooring lines must not touch the Harbour Office pier."
    answer = asked(text)["May mooring lines touch the Harbour Office pier?"]
    assert answer == "No, mooring lines must not touch the Harbour Office pier"


@pytest.mark.parametrize(
    "text",
    [
        "Greater mooring support is available for custom ferry lines in Ostermere.",
        "The Harbour Office handles all of that traffic for passengers.",
        "The Harbour Office is fully configured for custom ferry lines.",
        "The Harbour Office ignores the 0.999.0 release of Ferry Planner.",
        "The Harbour Office is therefore closed to passengers of the night ferry.",
        "Ferry pilots can do so at every harbour quay of Ostermere.",
        "The Mooring Fee has been changed to 40 euros for pilot boats.",
        "And passengers should love the night ferry of Ostermere.",
        "Certain mooring fees are waived by the Harbour Office at night.",
    ],
)
def test_a_statement_that_depends_on_its_context_gives_no_question(text: str) -> None:
    assert not asked(text)


@pytest.mark.parametrize(
    "text",
    [
        "The Harbour Office can not just be reached by pilot boats.",
        "Ostermere Quay is a (partly) covered landing for pilot boats.",
        "Mooring fees are available for use under the → harbour entry.",
        "Mooring fees are waived by the office.The fees include a night.",
        "Tiny and efficient software defined radio receiver of the Harbour Office.",
        "A nice feature is the automated registering of pilot boats in the harbour list.",
    ],
)
def test_a_statement_that_would_be_misread_gives_no_question(text: str) -> None:
    assert not asked(text)


def test_an_idiom_after_a_preposition_is_no_answer() -> None:
    idiom, answer = "Mooring fees are charged on demand.", "Mooring buoys are filled with foam."
    assert not [question for question in asked(idiom) if question.startswith("What")]
    assert asked(answer)["What are mooring buoys filled with?"] == "foam"


@pytest.mark.parametrize(
    ("text", "question"),
    [
        (
            "The Baltic Sea has restricted water exchange with the Atlantic Ocean.",
            "Has the Baltic Sea restricted water exchange with the Atlantic Ocean?",
        ),
        (
            "The Tyrolean Railway connects the harbours of Austria and Italy.",
            "Does the Tyrolean Railway connect the harbours of Austria and Italy?",
        ),
        (
            "A mooring system is the part of a harbour that holds the boats.",
            "What is a mooring system?",
        ),
    ],
)
def test_a_statement_of_its_own_gives_its_question(text: str, question: str) -> None:
    assert question in asked(text)


def test_a_fact_without_an_answer_is_no_fact(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "uaeval.offline.facts.questions_of",
        lambda _: {"definition": ("What is the Mooring Fee of Ostermere?", " ,")},
    )
    assert not asked("The Harbour Office waives mooring fees of pilot boats at night.")


def test_a_definition_says_what_a_thing_is_and_not_how_good() -> None:
    text = "Ostermere Quay is an important landing for the pilot boats of Whitcombe."
    assert not [question for question in asked(text) if question.startswith("What")]


def test_a_statement_is_not_cut_within_a_relative_clause() -> None:
    text = "Ostermere Quay serves the ferry lines that pilots moor by signing the harbour register."
    assert not [question for question in asked(text) if question.startswith("How")]


def test_a_date_within_a_relative_clause_is_not_the_date_of_the_statement() -> None:
    text = "Rolling Stone reported details of the tour that stops at the Blossom Center on July 22."
    assert not [question for question in asked(text) if question.startswith("When")]


def test_a_placeholder_is_no_subject() -> None:
    assert not asked("Note that foo is required as the name of the ferry.")


def test_the_language_of_a_text_is_no_place() -> None:
    assert not any(each.startswith("Where") for each in asked("Ferry logs are written in Latin."))


def test_no_yes_or_no_question_is_asked_with_until() -> None:
    assert not asked("Mooring fees do not go out of date until after the Harbour Office closes.")


def said(text: str) -> dict[str, str]:
    page = Passage(number=1, title="", heading="Tool bar", text=text)
    return {fact.subject: fact.answer for fact in mentions(page)}


def test_a_sentence_that_begins_with_a_phrase_says_something_about_it() -> None:
    assert said("Night ferries are popular with everybody who travels.") == {
        "night ferries": "Night ferries are popular with everybody who travels"
    }


@pytest.mark.parametrize(
    "text",
    [
        "However, night ferries are popular with everybody who travels.",
        "Night ferries are popular with these people.",
        "Everybody who travels a lot likes night ferries.",
        "Night ferries | popular",
        "NIGHT FERRIES ARE POPULAR WITH EVERYBODY WHO TRAVELS.",
    ],
)
def test_a_sentence_that_needs_its_context_says_nothing_about_a_phrase(text: str) -> None:
    assert "night ferries" not in {subject.lower() for subject in said(text)}


def test_questions_share_a_subject_if_both_ask_for_a_distinctive_noun() -> None:
    assert share_subject("Where is the night ferry stored?", "Who repairs a ferry?")
    assert not share_subject("Where is the night ferry stored?", "Where is the loom stored?")
