"""Whether a fact says what it is about, away from the page that it stands on."""

import re

from uaeval.llm.rules.english import grammar
from uaeval.llm.rules.mining.patterns import Fact
from uaeval.types import Passage


def is_anchored(fact: Fact, passage: Passage) -> bool:
    """Say whether a fact of a page about one named thing names it, another one or the asker's own.

    `Fares from either airport` is true of some city; without its name it is true of none.
    """
    title = {word for word in grammar.words(passage.title) if word[:1].isupper()}
    unusual = {word for word in title if not grammar.lemmas(word.lower())}
    if not unusual or len(grammar.words(passage.title)) > _NAME_LENGTH:
        return True
    said = f"{fact.question} {fact.stated}"
    named = any(word[:1].isupper() and word != "I" for word in grammar.words(fact.question)[1:])
    return named or bool(re.search(r"\bmy\b|#[a-z]", said))


_NAME_LENGTH = 4
