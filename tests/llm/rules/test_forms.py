from uaeval.llm.rules.templates.forms import fill, indefinite, matches
from uaeval.llm.rules.templates.things import Kind, Thing
from uaeval.types import Passage

PASSAGE = Passage(
    number=1,
    title="Travel claims",
    heading="Receipts",
    text="You must keep the receipt for at least 6 years. You can submit the invoice by email.",
)


def thing(text: str, head: str, *, plural: bool = False) -> Thing:
    return Thing(text=text, head=head, kind=Kind.DOCUMENT, plural=plural, weight=1)


def test_a_form_agrees_with_its_thing_in_number() -> None:
    form = "{does} the {x} expire, and {is} {they} valid?"
    assert fill(form, thing("invoice", "invoice"), "manager") == (
        "Does the invoice expire, and is it valid?"
    )
    assert fill(form, thing("guidelines", "guideline", plural=True), "manager") == (
        "Do the guidelines expire, and are they valid?"
    )


def test_articles_follow_sound_and_mass_nouns_have_none() -> None:
    assert indefinite(thing("invoice", "invoice")) == "an invoice"
    assert indefinite(thing("user guide", "guide")) == "a user guide"
    assert indefinite(thing("FOIA request", "request")) == "a FOIA request"
    assert indefinite(thing("sick leave", "sick leave")) == "sick leave"


def test_only_fitting_things_fill_a_form_and_the_order_never_changes() -> None:
    forms = {"receipt|invoice": ("Lost my {x}.", "Found my {x}."), ":place": ("Open the {x}.",)}
    found = matches(PASSAGE, forms, "salt")
    assert {match.thing.head for match in found} <= {"receipt", "invoice"}
    assert found == matches(PASSAGE, forms, "salt")
