"""The completed questions that the statements of one passage answer, as facts."""

from collections.abc import Iterator
from itertools import chain

from uaeval.llm.rules.mining.patterns import Fact, FactKind
from uaeval.llm.rules.mining.sentences import plain
from uaeval.llm.rules.readings.contacts import contact_options
from uaeval.llm.rules.readings.dues import due_options
from uaeval.llm.rules.readings.options import Option
from uaeval.llm.rules.readings.places import place_options
from uaeval.types import Passage


def completed(passage: Passage) -> Iterator[Fact]:
    """Yield what the passage says of places of the time that things take and of tools' helpers."""
    return chain(
        (_fact(option, FactKind.PLACE) for option in place_options(passage)),
        (_fact(option, FactKind.AMOUNT) for option in due_options(passage)),
        (
            _fact(option, FactKind.CONTACT)
            for option in contact_options(passage)
            if _is_tool(option.value, passage)
        ),
    )


def _fact(option: Option, kind: FactKind) -> Fact:
    return Fact(
        sentence=option.quote,
        plain=plain(option.quote),
        question=option.question,
        answer=option.answer,
        kind=kind,
        topic=option.value,
    )


def _is_tool(name: str, passage: Passage) -> bool:
    """Say whether a word is the name of a thing: never written small, and nowhere one is `in`."""
    place = f"in {name}" in passage.text
    named = name.istitle() and name in passage.text and name.lower() not in passage.text
    return named and not place and name == passage.title
