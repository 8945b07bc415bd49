import pytest

from uaeval.llm.rules.templates.safety_slots import suits
from uaeval.llm.rules.templates.things import Kind, Thing
from uaeval.types import Passage


def fits(text: str, head: str, kind: Kind, said: str) -> bool:
    thing = Thing(text=text, head=head, kind=kind, plural=False, weight=1)
    return suits(thing, Passage(number=1, title="Notes", heading="", text=said))


@pytest.mark.parametrize(
    ("text", "head", "kind", "said"),
    [
        ("office", "office", Kind.PLACE, "The office is on the third floor."),
        ("depot account", "account", Kind.SYSTEM, "Log in to your depot account."),
        ("loan agreement", "agreement", Kind.DOCUMENT, "The lender signs the loan agreement."),
    ],
)
def test_what_the_passage_proves_fits(text: str, head: str, kind: Kind, said: str) -> None:
    assert fits(text, head, kind, said)


@pytest.mark.parametrize(
    ("text", "head", "kind", "said"),
    [
        ("office", "office", Kind.PLACE, "The office funds the program."),
        ("depot account", "account", Kind.SYSTEM, "Every depot account is funded in May."),
        ("CoE drive", "drive", Kind.SYSTEM, "Users can access the CoE drive."),
        ("Google form", "form", Kind.DOCUMENT, "Submit the Google form."),
        ("agreement", "agreement", Kind.DOCUMENT, "The agreement describes the crates."),
    ],
)
def test_what_only_sounds_like_it_does_not_fit(text: str, head: str, kind: Kind, said: str) -> None:
    assert not fits(text, head, kind, said)
