"""Compare a claim with what passages state: supported, contradicted, or neither.

A passage speaks to a claim only if one of its sentences has nearly all of the claim's content
words. It supports the claim if polarity and amounts agree, and contradicts it if they differ.
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise

from uaeval.llm.replies import ClaimStances
from uaeval.offline.phrases import word_table
from uaeval.offline.tables import opposites
from uaeval.records import Passage
from uaeval.text.amounts import Amount, amounts, same
from uaeval.text.english import can_be_verb, frequency, runs
from uaeval.text.parsing import clause
from uaeval.text.sentences import sentences, tidy
from uaeval.text.structure import IDENTIFIER
from uaeval.text.wordlists import wordlist
from uaeval.text.words import is_written_otherwise, stem, stems, words

SAME = 0.85
"""Share of a claim's stems that a sentence must have to speak of the same thing."""
ANSWERED = 0.8
"""Share of a question's stems that a sentence must have, its headings helping, to answer it."""
STATED = 0.6
"""The same for a statement that may be in other words."""
ON_TOPIC = 0.3
"""Share of the question's stems where the statement itself is only an amount."""
TELLING = 4
"""Words from which a line tells of what it names; a shorter one only lists it."""
RARE = 4.0
"""Zipf frequency below which a word that passages lack is a subject of its own."""
COMMON = 4.5
"""Zipf frequency from which the last word of a phrase says only of what kind the thing is."""
MOST_COMMON = 7.0
"""Zipf frequency from which a word tells nothing of the subject."""
FEWEST = 3
"""Content words of a question that may be told apart by what sentences have of them together."""
APART = 0.6
"""Share of the weight of such words that sentences lack if they speak of something else."""
FAMILY = 5
"""Letters that words of one family share at least, as `modular` and `module` do."""
_WHETHER = re.compile(r"(?:yes|no), ", re.I)
_FIGURE = re.compile(r"\d")
_DEFINITION = re.compile(r"(?:what|who) (?:is|are|was|were) ", re.I)
_MANNER = re.compile(r"(?:how (?!many|much|long|often)|where|when|why) ", re.I)
_NOUN_PHRASE = re.compile(r"(?:an?|the) ", re.I)
_ASKING = stems(" ".join(wordlist("wh"))) | stems("many long often time much anything something")
_DULL = stems(" ".join(word_table("dull_words")))
_OPPOSITES = {stem(word): stem(other) for word, other in opposites().items()}
_NOT = re.compile(
    r"\b(?:not|never|cannot|no|none|nobody|nothing|neither|without)\b|\b\w+n't\b", re.I
)


def stances(question: str, answer: str, passages: Sequence[Passage]) -> ClaimStances:
    """Return which passages support, and which contradict, that a question is answered so."""
    if _WHETHER.match(answer):
        return statement_stances(_WHETHER.sub("", answer, count=1), passages)
    supports = [p.number for p in passages if any(_answers(question, answer, p))]
    contradicts = [
        p.number
        for p in passages
        if p.number not in supports and any(_answers_otherwise(question, answer, p))
    ]
    return ClaimStances(supports=supports, contradicts=contradicts)


def statement_stances(statement: str, passages: Sequence[Passage]) -> ClaimStances:
    """Return which passages support, and which contradict, a statement."""
    said = {p.number: {agrees for _, agrees in _says(statement, p)} for p in passages}
    supports = [number for number, agreeing in said.items() if True in agreeing]
    contradicts = [number for number, agreeing in said.items() if agreeing == {False}]
    return ClaimStances(supports=supports, contradicts=contradicts)


def contradiction(statement: str, passage: Passage) -> str | None:
    """Return a sentence that contradicts a statement, `None` if there is none or one agrees."""
    said = list(_says(statement, passage))
    agreed = any(agrees for _, agrees in said)
    return None if agreed else next((sentence for sentence, _ in said), None)


def states(statement: str, passage: Passage, question: str = "") -> bool:
    """Return whether a sentence has the amounts of a statement and most of its other words.

    The words of the headings count; where a statement is only an amount, those of its question do.
    """
    values, wanted, least = amounts(statement), _content(statement), STATED
    if not wanted:
        wanted, least = _content(question), ON_TOPIC
    around = stems(f"{passage.title} {passage.heading}")
    return any(
        bool(wanted & held or not wanted)
        and len(wanted & (held | around)) >= least * len(wanted)
        and all(any(same(value, other) for other in figures) for value in values)
        for _, held, figures in _read(passage.text)
    )


def telling(text: str) -> tuple[str, ...]:
    """Return the sentences of a text that say something."""
    return tuple(sentence for sentence in sentences(text) if stems(sentence))


def unheard(question: str, passages: Sequence[Passage]) -> frozenset[str]:
    """Return the stems of a question's noun phrases that none of the passages has.

    A common word, or one that begins as a word of the passages does, as `modularity` and `module`,
    is not new unless it is a name. A question about one phrase of several words is
    unheard, too, where no passage has all of them; not if its last word is common,
    as in `the adder package`. A phrase that one of the passages writes as one word, as `NodePort`
    for `node ports`, or by its initials is known, and so are initials whose words stand there, and
    an identifier whose words stand side by side in any order. What an identifier does is unheard
    where no passage has the identifier.
    """
    text = " ".join(f"{p.title} {p.heading} {p.text}" for p in passages)
    if names := IDENTIFIER.findall(question):
        return frozenset(name for name in names if name not in text)
    phrases = _asked_about(question)
    held = [_told(passage) for passage in passages]
    known = frozenset().union(*held)
    if any(is_written_otherwise(each, text, known) for each in [*phrases, *question.split()]):
        return frozenset()
    lacking = {word for each in phrases for word in each.split() if stems(word) - _ASKING - known}
    new = stems(" ".join(word for word in lacking if _is_new(word, known)))
    topics = [each for each in phrases if stems(each) - _ASKING]
    if not new and len(topics) == 1 and frequency(topics[0].split()[-1]) < COMMON:
        topic = stems(topics[0]) - _ASKING - _DULL
        new = topic if len(topic) > 1 and not any(topic <= had for had in held) else new
    return new or _lacking_together(question, passages)


def _told(passage: Passage) -> frozenset[str]:
    """Return the stems of a passage's headings, and of its lines that do not only list a name."""
    lines = (had for said, had, _ in _read(passage.text) if len(said.split()) >= TELLING)
    return stems(f"{passage.title} {passage.heading}").union(*lines)


def _lacking_together(question: str, passages: Sequence[Passage]) -> frozenset[str]:
    """Return what the nearest two sentences lack of a question, if by its weight they lack most."""
    asked = {
        stem(each): max(0.0, MOST_COMMON - frequency(each))
        for each in words(question)
        if stem(each) in stems(question) - _ASKING
    }
    lacked = [frozenset(asked) - had for each in passages for had in _pieces(each)]
    if not lacked or len(asked) < FEWEST:
        return frozenset()
    weight = {missing: sum(asked[each] for each in missing) for missing in lacked}
    least = min(lacked, key=weight.__getitem__)
    return least if weight[least] >= APART * sum(asked.values()) else frozenset()


@lru_cache(maxsize=16384)
def _pieces(passage: Passage) -> frozenset[frozenset[str]]:
    """Return the stems of each two sentences in a row of a passage, with those of its headings."""
    around = stems(f"{passage.title} {passage.heading}")
    held = [frozenset[str](), *(had for _, had, _ in _read(passage.text))]
    return frozenset(around | one | two for one, two in pairwise(held)) or frozenset({around})


def _asked_about(question: str) -> list[str]:
    """Return the noun phrases of a question, without the verbs that are tagged as nouns."""
    found = []
    for run in runs(question):
        said = [token.word for token in run.tokens][run.before in {"i", "you", "we", "to"} :]
        if len(said) > 1 and run.after == "?" and can_be_verb(said[-1]):
            said.pop()
        if run.place:
            found.append(" ".join(said))
    return found


def _is_new(word: str, known: frozenset[str]) -> bool:
    """Return whether a word that passages lack is a name, or rare and of no word's family there."""
    if not word.islower() or re.search(r"[\d_]", word):
        return True
    front = stem(word)[: max(FAMILY, len(stem(word)) - FAMILY + 2)]
    related = any(each.startswith(front) for each in known)
    return frequency(word) < RARE and not related


def stands_alone(question: str) -> bool:
    """Return whether a question has no word that leans on a text around it."""
    return not set(re.findall(r"[a-z']+", question.lower())) & wordlist("anaphora")


def _says(statement: str, passage: Passage) -> Iterator[tuple[str, bool]]:
    """Yield each sentence on the same matter, and whether it agrees."""
    wanted, values, subject = _content(statement), amounts(statement), _subject(statement)
    for sentence, held, figures in _read(passage.text):
        opposed = {word for word in wanted - held if _OPPOSITES.get(word) in held}
        if len(wanted & held) + len(opposed) < SAME * len(wanted):
            continue
        agree = all(any(same(one, other) for other in figures) for one in values)
        comparable = len(figures) >= len(values) and subject <= held
        if agree or comparable:
            denied = _denies(statement) != _denies(sentence)
            yield sentence, agree and denied == (len(opposed) % 2 == 1)


@lru_cache(maxsize=16384)
def _subject(statement: str) -> frozenset[str]:
    """Return the stems of what a statement is about."""
    read = clause(statement if statement.endswith(".") else f"{statement}.")
    return stems(read.subject) if read else frozenset()


def _answers(question: str, answer: str, passage: Passage) -> Iterator[bool]:
    wanted, asked, values = stems(answer), _content(question, figures=True), amounts(answer)
    around = stems(f"{passage.title} {passage.heading}")
    for _, held, figures in _read(passage.text):
        on_topic = asked & held and len(asked & (held | around)) >= ANSWERED * len(asked)
        if on_topic and len(wanted & held) >= SAME * len(wanted):
            yield all(any(same(one, other) for other in figures) for one in values)


def _answers_otherwise(question: str, answer: str, passage: Passage) -> Iterator[bool]:
    if _DEFINITION.match(question) and _NOUN_PHRASE.match(answer):
        return  # what else is said of a thing is no other definition
    wanted, asked, values = stems(answer), _content(question, figures=True), amounts(answer)
    if _MANNER.match(question) and not values:
        return  # there may be several places, ways, conditions and reasons
    for sentence, held, figures in _read(passage.text):
        if not asked or len(asked & held) < len(asked) or _denies(sentence):
            continue
        kinds = {value.kind for value in values}
        other_value = not values or any(figure.kind in kinds for figure in figures)
        yield other_value and len(wanted & held) < SAME * len(wanted)


def _content(text: str, *, figures: bool = False) -> frozenset[str]:
    """Return the stems of a text but for the words that ask or deny, and for its figures."""
    asked = stems(_NOT.sub(" ", text)) - _ASKING
    return asked if figures else frozenset(each for each in asked if not _FIGURE.search(each))


@lru_cache(maxsize=16384)
def _read(text: str) -> tuple[tuple[str, frozenset[str], tuple[Amount, ...]], ...]:
    """Return each sentence of a text with its stems and amounts."""
    plain = [(sentence, tidy(sentence)) for sentence in sentences(text)]
    return tuple((sentence, stems(clean), amounts(clean)) for sentence, clean in plain)


@lru_cache(maxsize=16384)
def _denies(sentence: str) -> bool:
    """Return whether a sentence is negated: by its main verb where that can be told."""
    read = clause(sentence if sentence.rstrip().endswith(".") else f"{sentence}.")
    if read is not None and not _NOT.search(read.rest):
        return read.negated
    return len(_NOT.findall(sentence)) % 2 == 1
