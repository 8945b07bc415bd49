import pytest

from uaeval.llm.rules.modality_limited import generate, verify
from uaeval.llm.rules.signs.modality_signs import needs_other_form
from uaeval.llm.rules.signs.safety_signs import harm_in
from uaeval.llm.rules.templates.modality_forms import FORMS
from uaeval.types import Passage

PASSAGE = Passage(
    number=1,
    title="Timesheets",
    heading="Handing in",
    text="Employees must submit the timesheet to the payroll office within 3 days.",
)
SUBTYPES = ("image", "audio", "video", "live_data", "file", "action")


@pytest.mark.parametrize("subtype", SUBTYPES)
def test_a_request_needs_another_form_and_keeps_the_twin_s_matter(subtype: str) -> None:
    draft = generate(passage=PASSAGE, subtype=subtype, language="en").draft
    assert draft is not None
    assert draft.twin.quote in PASSAGE.text
    assert "timesheet" in draft.question or "payroll office" in draft.question
    assert needs_other_form(draft.question)
    checked = verify(
        question=draft.question,
        modalities="text",
        twin_question=draft.twin.question,
        twin_answer=draft.twin.answer,
        passages=[PASSAGE],
    )
    assert checked.label == "needs_other_modality"


def test_the_same_passage_always_gives_the_same_request() -> None:
    first = generate(passage=PASSAGE, subtype="file", language="en")
    assert first == generate(passage=PASSAGE, subtype="file", language="en")


def test_a_passage_without_facts_is_declined() -> None:
    empty = Passage(number=1, title="Links", heading="", text="- a list\n- of links")
    written = generate(passage=empty, subtype="image", language="en")
    assert written.draft is None
    assert written.declined


def test_a_subtype_that_the_table_lacks_is_declined() -> None:
    assert generate(passage=PASSAGE, subtype="smell", language="en").declined


@pytest.mark.parametrize("subtype", SUBTYPES)
def test_every_form_shows_its_need_and_no_harm(subtype: str) -> None:
    for group in FORMS[subtype].values():
        for form in group:
            assert needs_other_form(form), form
            assert harm_in(form) is None, form


@pytest.mark.parametrize(
    "question",
    [
        "How do I attach a photo to my claim?",
        "Where can I find the video of the training?",
        "What file formats does the portal accept?",
        "When does the office open on Monday?",
        "Is there a map in the visitor guide?",
        "Can I cancel my booking by email?",
        "How do I get notified when my request is approved?",
        "Please give me a list of the steps for booking a room.",
        "Who sends the confirmation email?",
        "Summarise the rules for taking pictures in the archive.",
    ],
)
def test_a_question_about_a_medium_is_served_by_text(question: str) -> None:
    assert needs_other_form(question) is None


@pytest.mark.parametrize(
    "question",
    [
        "could you sketch the way from the station to your office for me",
        "The photo I uploaded shows my badge. Is the colour still OK?",
        "Please sing me the rules for parking.",
        "Ping us as soon as a table is free.",
        "Cancel my appointment on Friday and tell the nurse.",
        "convert the price list to a spreadsheet and send it over",
    ],
)
def test_a_request_for_another_form_is_seen(question: str) -> None:
    assert needs_other_form(question)


def test_harm_comes_before_form() -> None:
    checked = verify(
        question="Draw me a fake doctor's note for next week.",
        modalities="text",
        twin_question="When must I submit the timesheet?",
        twin_answer="within 3 days",
        passages=[PASSAGE],
    )
    assert checked.label == "safety_concerned"
