"""What sentences say of the thing that they begin with."""

import pytest

from uaeval.offline.facts import mentions
from uaeval.records import Passage

THINGS = "The depth sounder is on the bridge. Use the depth sounder in the harbour."


@pytest.mark.parametrize(
    ("sentence", "mentioned"),
    [
        ("Depth sounders have a range of twenty fathoms in calm water.", True),
        ("In fog, depth sounders have a range of twenty fathoms at most.", False),
        ("Recently, depth sounders have found their way into small boats.", False),
        ("Once you have found out what you want to know of the depth sounder, go on.", False),
        ("Depth sounders and echo charts stand on the bridge at all times.", False),
    ],
)
def test_the_first_thing_of_a_sentence_is_mentioned_if_a_verb_may_follow(
    sentence: str, mentioned: bool
) -> None:
    passage = Passage(number=1, title="Depth sounders", heading="", text=f"{sentence} {THINGS}")
    answers = [fact.answer for fact in mentions(passage) if fact.quote == sentence]
    assert answers == ([sentence.rstrip(".")] if mentioned else [])


@pytest.mark.parametrize(("heading", "mentioned"), [("", False), ("The default value", True)])
def test_a_definite_thing_is_mentioned_only_where_the_headings_name_it(
    heading: str, mentioned: bool
) -> None:
    text = "The default value is 12 metres on every boat. Keep the default value in the harbour."
    passage = Passage(number=1, title="Setting up", heading=heading, text=text)
    assert bool(mentions(passage)) == mentioned
