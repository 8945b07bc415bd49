"""Interpret a heading as a question, an action, or a thing."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from uaeval.text.clauses import as_asker
from uaeval.text.english import Token, base, can_be_verb, is_verb_only, listed_noun, listed_tag, tag
from uaeval.text.sentences import cased
from uaeval.text.wordlists import wordlist

LONGEST: Final = 8
_ASKS: Final = re.compile(
    r"(?:(?:who|what|when|where|why|which \w+|how(?: \w+)?) )?"
    r"(?:can|do|does|did|is|are|was|should|will|must|has|have)\b .",
    re.I,
)
_VERBAL: Final = frozenset({"VB", "VBP", "VBD", "MD", "IN", "RB", "TO"})


def heading_readings(heading: str, text: str) -> Iterator[tuple[str, str]]:
    """Yield each possible kind of a heading above `text`, and its wording of that kind.

    The kinds are `question`, `act` and `thing`; `Opening hours` is an act or a thing.
    """
    plain = re.sub(r"^[\d.)\s]+", "", heading).strip()
    if _ASKS.match(plain):
        yield "question", f"{plain.rstrip('?')}?"
        return
    tokens = _tokens(plain, text)
    if not tokens:
        return
    first, *others = [token.word for token in tokens]
    act = _starts_act(tokens)
    if act and others and tokens[1].tag not in {"NN", "CC", "VBN", "VBD"}:
        verb = base(first) if first.endswith("ing") else first
        yield "act", as_asker(" ".join([verb, *others]))
    thing = not act or (first.endswith("ing") and listed_noun(first))
    last = tokens[-1].word
    noun = listed_noun(last) or listed_tag(last) is None
    if thing and noun and not _VERBAL & {each.tag for each in tokens[1:]}:
        yield "thing", as_asker(f"the {' '.join([first, *others])}")


def _starts_act(tokens: Sequence[Token]) -> bool:
    first = tokens[0].word
    verb = base(first) if first.endswith("ing") else first
    known = verb in wordlist("verbs") | wordlist("more_verbs")
    governs = can_be_verb(verb) and bool(tokens[1:]) and tokens[1].tag in {"DT", "PRP$"}
    return known or governs or (first.endswith("ing") and is_verb_only(first))


def _tokens(heading: str, text: str) -> list[Token]:
    """Return the words of a heading in the case that they have in its text; none if it is odd."""
    tokens = list(tag(cased(heading.rstrip("?"), text)))
    if tokens and tokens[0].tag in {"DT", "PRP$"}:
        tokens = tokens[1:]
    dull = wordlist("plain_headings") | wordlist("wh") | wordlist("pointers")
    good = 1 <= len(tokens) <= LONGEST and tokens[0].word.lower() not in dull
    return tokens if good and all(re.match(r"[\w'&-]+$", token.word) for token in tokens) else []
