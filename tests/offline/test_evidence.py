"""What a passage says of a claim, and which words it does not have."""

from uaeval.offline.evidence import unheard
from uaeval.types import Passage


def test_a_name_whose_abbreviation_stands_in_a_passage_is_not_unheard() -> None:
    passage = Passage(number=1, title="Networks", heading="", text="A CIDR range is taken.")
    asked = "what do you know about Classless Inter-Domain Routing?"
    assert unheard(asked, [passage], strictly=False) == frozenset()
    other = Passage(number=1, title="Networks", heading="", text="A range is taken.")
    assert "classless" in unheard(asked, [other], strictly=False)
