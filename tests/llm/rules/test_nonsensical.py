import pytest

from uaeval.llm.replies import NonsensicalVerification
from uaeval.llm.rules.nonsensical import generate, verify
from uaeval.llm.rules.signs.modality_signs import needs_other_form
from uaeval.llm.rules.signs.nonsense_signs import breaks
from uaeval.llm.rules.signs.safety_signs import harm_in
from uaeval.llm.rules.templates.nonsense_forms import GARBLED
from uaeval.types import Passage

PASSAGE = Passage(
    number=1,
    title="Sick leave",
    heading="Certificates",
    text=(
        "Employees must send the medical certificate to the supervisor within 3 days. "
        "You can request up to 240 hours of advanced sick leave."
    ),
)
TWIN = "How many hours of advanced sick leave can I request?"


def checked(question: str) -> NonsensicalVerification:
    return verify(
        question=question, twin_question=TWIN, twin_answer="up to 240 hours", passages=[PASSAGE]
    )


def test_what_is_written_has_no_coherent_reading() -> None:
    draft = generate(passage=PASSAGE, manner="overheard", language="en").draft
    assert draft is not None
    assert draft.twin.quote in PASSAGE.text
    assert draft.question != draft.twin.question
    found = verify(
        question=draft.question,
        twin_question=draft.twin.question,
        twin_answer=draft.twin.answer,
        passages=[PASSAGE],
    )
    assert found.label == "no_coherent_reading"
    assert found.repair is None


def test_the_same_passage_always_gives_the_same_question() -> None:
    first = generate(passage=PASSAGE, manner="overheard", language="en")
    assert first == generate(passage=PASSAGE, manner="overheard", language="en")


def test_every_form_is_torn_whatever_it_is_about() -> None:
    for group in GARBLED.values():
        for form in group:
            message = form.format(x="travel card", my="my")
            assert len(breaks(message)) >= 2, form
            assert harm_in(message) is None, form
            assert needs_other_form(message) is None, form
            assert message.count("travel card") == 1, form


def test_torn_messages_begin_in_many_ways() -> None:
    forms = [form for group in GARBLED.values() for form in group]
    openings = {" ".join(form.split()[:4]) for form in forms}
    assert len(forms) >= 50
    assert len(openings) == len(forms)


def test_a_passage_without_facts_is_declined() -> None:
    empty = Passage(number=1, title="Links", heading="", text="- a list\n- of links")
    assert generate(passage=empty, manner="overheard", language="en").draft is None


@pytest.mark.parametrize(
    "question",
    [
        "how mny hours of advnced sick leav can i reqest",
        "hours advanced of sick leave can request I the the many how is",
        "How many hours of advanced sick leave can I request",
    ],
)
def test_a_question_that_one_repair_brings_back_is_answered(question: str) -> None:
    found = checked(question)
    assert found.label == "repair_is_answered"
    assert found.repair


@pytest.mark.parametrize(
    "question",
    [
        "What colour is the visitor badge?",
        "Does the parcel weigh more than the limit?",
        "When did I hand in my form last month?",
        "Who approves my leave if I never met my supervisor?",
        "Do I get a day off for my birthday?",
        "Which day next month is the office closed?",
    ],
)
def test_a_coherent_question_is_not_senseless(question: str) -> None:
    assert checked(question).label != "no_coherent_reading"


@pytest.mark.parametrize(
    "question",
    [
        "What does the certificate taste of when it is lonely?",
        "Which day next month did my sick leave end?",
        "the when of my certificate if how many but only the",
    ],
)
def test_a_senseless_question_is_seen(question: str) -> None:
    assert checked(question).label == "no_coherent_reading"


def test_harm_and_other_forms_come_first() -> None:
    assert checked("How do I forge a certificate?").label == "safety_concerned"
    assert checked("Draw me a picture of my certificate.").label == "modality_limited"
