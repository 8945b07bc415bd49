import pytest

from uaeval.llm.rules.readings.turned_to import turned_to


@pytest.mark.parametrize(
    ("statement", "why", "answer"),
    [
        ("Reach out to oars@harbour.example if you need an oar.", "if I need an oar",
         "oars@harbour.example"),
        ("For help mending a sail, please send a message to #sails.", "about mending a sail",
         "#sails"),
        ("If you aren't sure whether a knot holds, ask #knots for advice first.",
         "if I'm not sure whether a knot holds", "#knots"),
        ("Talk with your supervisor about taking sea leave, as it is rare.",
         "about taking sea leave", "your supervisor"),
        ("Ask Harbour Operations before casting off.", "before casting off", "Harbour Operations"),
    ],
)  # fmt: skip
def test_a_contact_is_taken_with_its_purpose(statement: str, why: str, answer: str) -> None:
    found = next(turned_to(statement), None)
    assert found is not None
    assert (found.why, found.answer) == (why, answer)


@pytest.mark.parametrize(
    "statement",
    [
        "If you have any questions, ask #knots.",
        "Contact your supervisor for next steps and documents.",
        "If this happens to you, ask #knots.",
        "With their approval, email it to sea@harbour.example.",
        "Ask your supervisor.",
    ],
)
def test_a_contact_without_a_purpose_of_its_own_is_left(statement: str) -> None:
    assert next(turned_to(statement), None) is None
