"""The offline author of queries with a false presupposition."""

import re

import pytest

from uaeval.offline.author.false_presupposition import write
from uaeval.offline.evidence import statement_stances
from uaeval.offline.tables import table
from uaeval.offline.verifier import false_presupposition
from uaeval.records import Passage


@pytest.mark.parametrize(
    ("text", "premise"),
    [
        (
            "The Harbour Office keeps three spare engines for the night route.",
            "The Harbour Office keeps six spare engines for the night route.",
        ),
        (
            "The Harbour Office keeps 80 percent of the mooring fees.",
            "The Harbour Office keeps 40 percent of the mooring fees.",
        ),
        (
            "The Harbour Office was founded by Ada Quill in 1931.",
            "The Harbour Office was founded by Ada Quill in 1921.",
        ),
    ],
)
def test_a_stated_value_is_changed_and_contradicted(text: str, premise: str) -> None:
    passage = Passage(number=1, title="the Harbour Office", heading="", text=text)
    draft = write(language="auto", passage=passage).draft
    assert draft is not None
    assert draft.premise == premise
    assert statement_stances(premise, [passage]).contradicts == [1]
    assert statement_stances(text, [passage]).supports == [1]


def test_a_word_whose_opposite_may_be_true_too_is_not_changed() -> None:
    text = "The Harbour Office sells public maps of the night route."
    passage = Passage(number=1, title="the Harbour Office", heading="", text=text)
    draft = write(language="auto", passage=passage).draft
    assert draft is None or "private" not in draft.premise


PREMISE = "The Harbour Office keeps six spare engines."


@pytest.mark.parametrize(
    ("question", "premise", "label"),
    [
        ("why does the Harbour Office keep six spare engines?", PREMISE, "takes_for_granted"),
        ("since the Harbour Office keeps six spare engines, now?", PREMISE, "takes_for_granted"),
        ("is that paid, given that the Harbour Office keeps six spare engines?", PREMISE,
         "takes_for_granted"),
        ("how does the Harbour Office keep six spare engines?", PREMISE, "takes_for_granted"),
        ("what's the quickest way to moor on the quay?", "You may moor on the quay.",
         "takes_for_granted"),
        ("how do I moor on the quay?", "You can't moor on the quay.", "inconclusive"),
        ("does the Harbour Office keep six spare engines?", PREMISE, "asks_whether"),
        ("the Harbour Office keeps six spare engines, since when?", PREMISE, "inconclusive"),
        ("since the quay is closed, who pays?", PREMISE, "not_in_query"),
        ("is it true that the Harbour Office keeps six spare engines, since it's old?", PREMISE,
         "asks_whether"),
        ("since it's winter, does the Harbour Office keep six spare engines?", PREMISE,
         "inconclusive"),
        ("since 1970 the Harbour Office keeps six spare engines, right?", PREMISE, "inconclusive"),
    ],
)  # fmt: skip
def test_a_premise_is_taken_for_granted_where_the_query_builds_on_it(
    question: str, premise: str, label: str
) -> None:
    fields = {"twin_question": "Is it?", "twin_answer": "Yes, it is"}
    told = false_presupposition(question=question, premise=premise, passages=[], **fields)
    assert told.label == label


@pytest.mark.parametrize("auxiliary", ["must", "should"])
def test_what_is_not_permitted_gives_a_query_for_its_reason(auxiliary: str) -> None:
    text = f"Packages {auxiliary} not contain a non-default series file."
    passage = Passage(number=1, title="Night ferries", heading="", text=text)
    draft = write(language="auto", passage=passage).draft
    assert draft is not None and re.search("why|how come", draft.question)
    told = false_presupposition(
        question=draft.question,
        premise=draft.premise,
        passages=[passage],
        twin_question="Is it?",
        twin_answer="Yes, it is",
    )
    assert told.label == "takes_for_granted" and told.premise.contradicts == [1]


def test_no_form_fills_the_whole_opening_of_a_query() -> None:
    forms = table("false_presupposition")["reason"]
    assert all(len(form.partition("{")[0].split()) < 4 for form in forms)


def test_a_statement_about_every_or_any_thing_is_not_denied() -> None:
    text = "The Harbour Office can store any boat of a member."
    passage = Passage(number=1, title="the Harbour Office", heading="", text=text)
    assert write(language="auto", passage=passage).draft is None
