"""What abbreviations stand for: `the Loan Review Board (LRB)`."""

import re
from collections.abc import Iterator

from uaeval.llm.rules.mining.clauses import Clause
from uaeval.llm.rules.mining.patterns import Fact, FactKind, fact_of
from uaeval.llm.rules.mining.sentences import Sentence

_SPELT = re.compile(
    r"(?P<name>[A-Z][\w'-]+(?: (?:[A-Z][\w'-]+|of|the|and|for|to|in|on|&)){1,7}) "
    r"\((?P<short>[A-Z][A-Za-z&-]{1,6}[A-Z])s?\)"
)
_SMALL = {"of", "the", "and", "for", "to", "in", "on", "&"}


def expansions(sentence: Sentence) -> Iterator[Fact]:
    """`The Loan Review Board (LRB) meets …` → what does LRB stand for?"""
    for match in _SPELT.finditer(sentence.plain):
        name = _spelling(match["name"], match["short"])
        if name:
            clause = Clause(subject=match["short"], verb="stand", rest=f"for {name}")
            yield fact_of(sentence, clause, FactKind.EXPANSION,
                          f"What does {match['short']} stand for", name, topic=match["short"],
                          gap=name)  # fmt: skip


def _spelling(name: str, short: str) -> str | None:
    """Return the last words of `name` whose initials spell `short`; `None` if none do."""
    said = name.split()
    wanted = re.sub(r"[^A-Za-z]", "", short).upper()
    for start in range(len(said) - 1):
        words = said[start:]
        parts = [part for word in words for part in word.split("-")]
        every = "".join(part[0] for part in parts).upper()
        large = "".join(part[0] for part in parts if part.lower() not in _SMALL).upper()
        if wanted in {every, large} and words[0].lower() not in _SMALL:
            return " ".join(words)
    return None


ASKED = ("What does {} stand for?", "What is {} short for?", "What do the letters {} mean?")
"""How the words behind an abbreviation are asked for."""
_ASKED = re.compile("|".join(form.format(r"(\S+)").replace("?", r"\?") for form in ASKED))


def letters_asked(question: str) -> str | None:
    """Return the abbreviation that a question asks the words of; `None` if it asks for no words."""
    match = _ASKED.fullmatch(question)
    return next(filter(None, match.groups())) if match else None


def spells_out(short: str, text: str) -> bool:
    """Say whether a text holds words, each with a capital, whose initials are an abbreviation."""
    small = "|".join(map(re.escape, sorted(_SMALL)))
    between = rf"[a-z]+[\s-]+(?:(?:{small})[\s-]+)*"
    spelt = between.join(letter for letter in short.upper() if letter.isalpha())
    return bool(re.search(rf"\b{spelt}[a-z]+", text))
