"""Statements that differ in one qualifier: their common question, and what tells them apart."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from uaeval.llm.rules.english import grammar
from uaeval.llm.rules.mining.facts import facts
from uaeval.llm.rules.mining.sentences import plain
from uaeval.llm.rules.readings.asked import Asked, asked
from uaeval.llm.rules.readings.headings import answering, sections
from uaeval.llm.rules.readings.options import READ, Option, alike, distinct, in_sentence, normal
from uaeval.types import Passage

_PREPOSITIONS = frozenset("at for of in on to about from with under by during".split())
_NOT_NAMES = frozenset("a an the my i of for in on at to and or is are do does".split())
_KINDS = frozenset({"amount", "date", "place", "person", "contact", "procedure"})


def sibling_groups(passage: Passage, related: Sequence[Passage]) -> Iterator[list[Option]]:
    """Yield groups of readings of one query; the first reading of each is from `passage`."""
    others = [(other, found) for other in related for found in questions(other)]
    for own in questions(passage):
        bases: dict[str, list[Option]] = {}
        for other, found in others:
            if found.frame != own.frame or alike(found.answer, own.answer):
                continue
            pair = _pair(passage, own, other, found)
            if pair:
                bases.setdefault(pair[0].base, [pair[0]]).append(pair[1])
        for group in bases.values():
            yield distinct(group)


@lru_cache(maxsize=READ)
def questions(passage: Passage) -> tuple[Asked, ...]:
    """Return every question that a statement of the passage answers."""
    found = list(asked(passage))
    for fact in facts(passage):
        if not fact.yes_no and fact.kind.value in _KINDS:
            found.append(
                Asked(
                    question=fact.question,
                    answer=fact.answer,
                    quote=fact.sentence,
                    frame=f"fact {fact.kind.value}",
                )
            )
    return (*found, *_headed(passage))


def _headed(passage: Passage) -> Iterator[Asked]:
    """Yield every heading that is a question, with the sentence under it that answers."""
    for section in sections(passage):
        question = section.heading.strip()
        if not _QUESTION.match(question) or len(question.split()) > 16:
            continue
        words = sorted(grammar.content(question))
        quote = (
            answering(section.text, "|".join(re.escape(word[:6]) for word in words))
            if words
            else None
        )
        if quote:
            yield Asked(
                question=question, answer=plain(quote).rstrip("."), quote=quote, frame="heading"
            )


_QUESTION = re.compile(
    r"(?:how (?:do|can|should|much|many|long|often)|what|when|where|who|which|can|do|does|is|"
    r"are|am|may)"
    r"\b(?!.*\b(?:we|our|us|you|your)\b).+\?$",
    re.IGNORECASE,
)


def _pair(
    passage: Passage, own: Asked, other: Passage, found: Asked
) -> tuple[Option, Option] | None:
    if normal(own.question) == normal(found.question):
        return _by_place(passage, own, other, found)
    cut = _cut(own.question, found.question)
    if cut is None:
        return None
    base, mine, theirs = cut
    if own.frame == "open" and base.startswith("When"):
        base = "When are you open?"
    return (
        _option(base, own.question, mine, own, passage),
        _option(base, found.question, theirs, found, other),
    )


def _option(base: str, question: str, value: str, made: Asked, passage: Passage) -> Option:
    return Option(base=base, question=question, value=value, answer=made.answer, quote=made.quote,
                  passage=passage.number)  # fmt: skip


# --- the same question, told apart by the title or the heading ------------------------------------


def _by_place(
    passage: Passage, own: Asked, other: Passage, found: Asked
) -> tuple[Option, Option] | None:
    values = _told_apart(passage, other)
    if values is None:
        return None
    made = []
    for value, one, where in zip(values, (own, found), (passage, other), strict=True):
        if grammar.content(value) & grammar.content(one.question):
            return None
        question = f"{own.question.rstrip('?')} {attach(value, where)}?"
        made.append(_option(own.question, question, value, one, where))
    return made[0], made[1]


def _told_apart(passage: Passage, other: Passage) -> tuple[str, str] | None:
    """Return the parts of two titles, or of two last headings, that differ."""
    if passage.title != other.title:
        return different_parts(passage.title, other.title)
    mine, theirs = (one.heading.rpartition(" › ")[2] for one in (passage, other))
    return different_parts(mine, theirs) if mine and theirs and mine != theirs else None


def different_parts(mine: str, theirs: str) -> tuple[str, str] | None:
    """Strip what two titles share at their ends; the rest must look like names or years."""
    ours, others = _clean_title(mine), _clean_title(theirs)
    start, end = _common(ours, others)
    left, right = ours[start : len(ours) - end], others[start : len(others) - end]
    parts = tuple(" ".join(part) for part in (left, right))
    if not all(_is_value(part) for part in parts):
        return None
    return parts[0], parts[1]


def _clean_title(text: str) -> list[str]:
    return re.sub(r"\s+[-–—]\s+|[,:()]", " ", text).split()


def _is_value(text: str) -> bool:
    words = text.split()
    if not 1 <= len(words) <= 4:
        return False
    return all(word[0].isupper() or word[0].isdigit() or word in {"of", "the"} for word in words)


def attach(value: str, passage: Passage) -> str:
    """Return a value with the preposition that the passage itself uses before it, or `for`."""
    if re.fullmatch(r"(?:19|20)\d\d", value):
        return f"in {value}"
    name = re.escape(value)
    text = f"{passage.text} {passage.title}"
    counts = {word: len(re.findall(rf"\b{word} (?:the )?{name}\b", text)) for word in ("at", "in")}
    best = max(counts, key=lambda word: counts[word])
    return f"{best} {value}" if counts[best] else f"for {_as_written(value, passage.text)}"


def _as_written(value: str, text: str) -> str:
    """Keep a name that the text writes with its capitals and never small."""
    named = value in text and value.lower() not in text
    return value if named else in_sentence(value)


# --- two questions that differ in one phrase ------------------------------------------------------


def _cut(mine: str, theirs: str) -> tuple[str, str, str] | None:
    """Return the common question of two, and the phrase of each that is not in it."""
    ours, others = _tokens(mine), _tokens(theirs)
    start, end = _common(ours, others)
    left, right = ours[start : len(ours) - end], others[start : len(others) - end]
    if not left or not right or max(len(left), len(right)) > 5:
        return None
    before, after = ours[:start], ours[len(ours) - end :]
    if _whole_name(before, left, after) and _whole_name(before, right, after):
        base = [*before, "you", *after]
        return _join(base), _value(left), _value(right)
    if before and before[-1].lower() in _PREPOSITIONS and _phrase_ends(after):
        return _checked(before[:-1], after, left, right)
    if after and _is_head(after[0]) and _modifies(left) and _modifies(right):
        return _checked(_article(before, after[0], left), after, left, right)
    return None


def _checked(
    before: list[str], after: list[str], left: list[str], right: list[str]
) -> tuple[str, str, str] | None:
    mine, theirs = _value(left), _value(right)
    base = [*before, *after]
    if not _parallel(mine, theirs) or len(base) < 4 or not grammar.content(" ".join(base[2:])):
        return None
    shared = {normal(word) for word in base}
    if any(normal(word) in shared for word in (*left, *right) if word.lower() not in _NOT_NAMES):
        return None
    return _join(base), mine, theirs


def _parallel(mine: str, theirs: str) -> bool:
    """Say whether two phrases are of one kind: both names or both not, both numbers or neither."""
    named = {any(word[0].isupper() for word in text.split()) for text in (mine, theirs)}
    numbered = {bool(re.search(r"\d", text)) for text in (mine, theirs)}
    return len(named) == 1 and len(numbered) == 1


def _tokens(question: str) -> list[str]:
    return question.rstrip("?").split()


def _common(ours: Sequence[str], others: Sequence[str]) -> tuple[int, int]:
    shorter = min(len(ours), len(others))
    start = 0
    while start < shorter and _alike(ours[start], others[start]):
        start += 1
    end = 0
    while end < shorter - start and _alike(ours[-1 - end], others[-1 - end]):
        end += 1
    return start, end


def _alike(one: str, other: str) -> bool:
    pair = {one.lower().strip(".,"), other.lower().strip(".,")}
    return len(pair) == 1 or pair in ({"do", "does"}, {"a", "an"})


def _value(words: Sequence[str]) -> str:
    text = " ".join(words)
    return re.sub(r"^(?:the|a|an|my) ", "", text, flags=re.IGNORECASE)


def _phrase_ends(after: Sequence[str]) -> bool:
    """Say whether a prepositional phrase ends before these words."""
    return not after or not _is_head(after[0]) or after[0].lower() in _PREPOSITIONS


def _is_head(word: str) -> bool:
    lower = word.lower()
    return (
        grammar.is_noun(lower)
        and lower not in _NOT_NAMES
        and lower not in _PREPOSITIONS
        and (not grammar.is_base_verb(lower) or grammar.is_plural(lower) or lower in _NOUNS_FIRST)
    )


_NOUNS_FIRST = frozenset("leave ticket tour visit permit box request shift course account".split())


def _modifies(words: Sequence[str]) -> bool:
    plain = [word for word in words if word.lower() not in {"the", "a", "an"}]
    return 1 <= len(plain) <= 3 and all(
        word[0].isupper() or _modifier(word.lower()) for word in plain
    )


def _modifier(word: str) -> bool:
    known = grammar.lemmas(word)
    return (bool(known) and ("NOUN" in known or "ADJ" in known)) or "-" in word


def _article(before: list[str], head: str, left: Sequence[str] = ()) -> list[str]:
    if left and left[0].lower() in {"the", "a", "an"}:
        before = [*before, left[0].lower()]
    if before and before[-1].lower() in {"a", "an"}:
        return [*before[:-1], "an" if head[0].lower() in "aeiou" else "a"]
    return before


def _whole_name(before: Sequence[str], words: Sequence[str], after: Sequence[str]) -> bool:
    """Say whether the words are a proper name and the whole subject of `is it open`."""
    named = all(word[0].isupper() for word in words) and len(words) > 1
    return named and bool(before) and before[-1] in {"is", "are"} and list(after) == ["open"]


def _join(words: Sequence[str]) -> str:
    text = " ".join(words)
    text = re.sub(r"\bis you\b", "are you", text)
    lowered = re.sub(r"\b(the|a|an) ([A-Z][a-z]+)\b(?! [A-Z])", _lower_head, text)
    return f"{lowered[0].upper()}{lowered[1:]}?"


def _lower_head(match: re.Match[str]) -> str:
    known = grammar.is_noun(match[2].lower())
    return f"{match[1]} {match[2].lower() if known else match[2]}"
