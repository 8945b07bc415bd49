"""Readings made into twins: in their page's context, and told in full by their passage."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import chain

from uaeval.llm.rules.evidence import answers
from uaeval.llm.rules.mining.full_answers import contact_in_full, told_in_full
from uaeval.llm.rules.mining.page_context import in_context
from uaeval.llm.rules.readings.contacts import told_options
from uaeval.llm.rules.readings.options import Option
from uaeval.llm.rules.readings.places import place_options
from uaeval.llm.rules.stance import Stance
from uaeval.types import Passage


def as_twin(option: Option, passage: Passage) -> Option | None:
    """Return a reading whose question is complete; `None` if it, or its answer, cannot be."""
    question = in_context(option.question, passage)
    if question is None or not _in_full(option, passage):
        return None
    return replace(option, question=question)


def option_twins(passage: Passage) -> Iterator[Option]:
    """Yield what a passage says of places and of whom to turn to, one reading a statement."""
    for option in chain(told_options(passage), place_options(passage)):
        made = None if option.question.startswith("How ") else as_twin(option, passage)
        if made and answers(made.question, made.answer, passage) is Stance.SUPPORTS:
            yield made


def _in_full(option: Option, passage: Passage) -> bool:
    question, answer, quote = option.question, option.answer, option.quote
    if option.contact:
        return contact_in_full(question, answer, quote, passage)
    return told_in_full(question, answer, quote, passage, steps=question.startswith("How do "))
