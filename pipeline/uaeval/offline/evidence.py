"""Compare a claim with what passages state: supported, contradicted, or neither.

A sentence is compared with a claim only if it has nearly all of the claim's content words. It
supports the claim if polarity and amounts agree, and contradicts it if they differ.
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise

from uaeval.llm.replies import ClaimStances
from uaeval.offline.phrases import cached, word_table
from uaeval.offline.tables import opposites, sign
from uaeval.records import Passage
from uaeval.text.amounts import Amount, amounts, same
from uaeval.text.english import can_be_verb, frequency, runs
from uaeval.text.parsing import clause
from uaeval.text.sentences import sentences, tidy
from uaeval.text.structure import IDENTIFIER
from uaeval.text.words import is_written_otherwise, stem, stems, wordlist, words

_SAME = 0.85  # share of a claim's stems in a sentence on the same matter
_ANSWERED = 0.8  # share of a question's stems in a sentence that answers it, with its headings
_STATED = 0.6  # share of a statement's stems in a sentence that may be a paraphrase of it
_ON_TOPIC = 0.3  # share of the question's stems, if the statement is only an amount
_LISTED = 4  # a line with fewer words is an entry of a list and states nothing
_RARE = 4.0  # Zipf frequency below which a missing word is a subject of its own
_COMMON = 4.5  # Zipf frequency from which the last word of a phrase names only a kind of thing
_MOST_COMMON = 7.0  # Zipf frequency of words without weight
_FEWEST_WORDS = 3  # of a question that is compared with pairs of sentences
_MISSING_WEIGHT = 0.6  # share of the question's weight that the nearest pair of sentences lacks
_PREFIX = 5  # fewest letters that two words with one root share, such as `modular` and `module`
_YES_OR_NO = re.compile(r"(?:yes|no), ", re.I)
_DEFINITION = re.compile(r"(?:what|who) (?:is|are|was|were) ", re.I)
_MANNER = re.compile(r"(?:how (?!many|much|long|often)|where|when|why) ", re.I)
_NOUN_PHRASE = re.compile(r"(?:an?|the) ", re.I)
_ASKING = stems(f"{' '.join(wordlist('wh'))} many long often time much anything something explain")
_DULL = stems(" ".join(word_table("dull_words")))
_OPPOSITES = {stem(word): stem(other) for word, other in opposites().items()}


def stances(question: str, answer: str, passages: Sequence[Passage]) -> ClaimStances:
    """Return which passages support, and which contradict, an answer to a question."""
    if _YES_OR_NO.match(answer):
        return statement_stances(_YES_OR_NO.sub("", answer, count=1), passages)
    supports = [p.number for p in passages if any(_answers(question, answer, p))]
    others = (p for p in passages if p.number not in supports)
    contradicts = [p.number for p in others if any(_answers_otherwise(question, answer, p))]
    return ClaimStances(supports=supports, contradicts=contradicts)


def statement_stances(statement: str, passages: Sequence[Passage]) -> ClaimStances:
    """Return which passages support, and which contradict, a statement."""
    agreement = {p.number: {agrees for _, agrees in _compared(statement, p)} for p in passages}
    supports = [number for number, values in agreement.items() if True in values]
    contradicts = [number for number, values in agreement.items() if values == {False}]
    return ClaimStances(supports=supports, contradicts=contradicts)


def contradiction(statement: str, passage: Passage) -> str | None:
    """Return a sentence that contradicts a statement; `None` if there is none or one agrees."""
    compared = list(_compared(statement, passage))
    agreed = any(agrees for _, agrees in compared)
    return None if agreed else next((sentence for sentence, _ in compared), None)


def states(statement: str, passage: Passage, question: str = "") -> bool:
    """Return whether a sentence has the amounts of a statement and most of its other words.

    Words of the headings count. If a statement is only an amount, the words of its question count.
    """
    values, wanted, least = amounts(statement), _content(statement), _STATED
    if not wanted:
        wanted, least = _content(question), _ON_TOPIC
    headings = stems(f"{passage.title} {passage.heading}")
    return any(
        bool(wanted & present or not wanted)
        and len(wanted & (present | headings)) >= least * len(wanted)
        and all(any(same(value, other) for other in figures) for value in values)
        for _, present, figures in _analysed(passage.text)
    )


def content_sentences(text: str) -> tuple[str, ...]:
    """Return the sentences of a text that have content words."""
    return tuple(sentence for sentence in sentences(text) if stems(sentence))


def missing_terms(question: str, passages: Sequence[Passage]) -> frozenset[str]:
    """Return the stems of a question's noun phrases that no passage has; identifiers as written.

    A word is missing if it is a name, or if it is rare and no word of the passages has its root. A
    phrase of several words, if the only one, is missing if no passage has all of them and the last
    one is not common. Otherwise a question is missing if no two sentences in a row have most of it.
    Nothing is missing if a passage has a word or phrase in another spelling, such as `NodePort` for
    `node ports`, or initials.
    """
    text, stated, known = _vocabulary(tuple(passages))
    if names := IDENTIFIER.findall(question):
        return frozenset(name for name in names if name not in text)
    phrases = _noun_phrases(question)
    if any(is_written_otherwise(each, text, known) for each in [*phrases, *question.split()]):
        return frozenset()
    unknown = {word for each in phrases for word in each.split() if stems(word) - _ASKING - known}
    missing = stems(" ".join(word for word in unknown if _is_new(word, known)))
    topics = [each for each in phrases if stems(each) - _ASKING]
    if not missing and len(topics) == 1 and frequency(topics[0].split()[-1]) < _COMMON:
        topic = stems(topics[0]) - _ASKING - _DULL
        if len(topic) > 1 and not any(topic <= present for present in stated):
            missing = topic
    return missing or _missing_together(question, passages)


@lru_cache(maxsize=64)
def _vocabulary(passages: tuple[Passage, ...]) -> tuple[str, list[frozenset[str]], frozenset[str]]:
    """Return the text of passages, the stems that each states, and all of these stems."""
    text = " ".join(f"{p.title} {p.heading} {p.text}" for p in passages)
    stated = [_stated(passage) for passage in passages]
    return text, stated, frozenset().union(*stated)


@cached
def _stated(passage: Passage) -> frozenset[str]:
    """Return the stems of a passage's headings and of its lines that are no entries of a list."""
    lines = (s for line, s, _ in _analysed(passage.text) if len(line.split()) >= _LISTED)
    return stems(f"{passage.title} {passage.heading}").union(*lines)


def _missing_together(question: str, passages: Sequence[Passage]) -> frozenset[str]:
    """Return the stems that the nearest pair of sentences lacks, if they have most weight."""
    weights = {
        stem(each): max(0.0, _MOST_COMMON - frequency(each))
        for each in words(question)
        if stem(each) in stems(question) - _ASKING
    }
    missing = [frozenset(weights) - pair for each in passages for pair in _sentence_pairs(each)]
    if not missing or len(weights) < _FEWEST_WORDS:
        return frozenset()
    weight = {lacked: sum(weights[each] for each in sorted(lacked)) for lacked in missing}
    least = min(missing, key=weight.__getitem__)
    return least if weight[least] >= _MISSING_WEIGHT * sum(weights.values()) else frozenset()


@cached
def _sentence_pairs(passage: Passage) -> frozenset[frozenset[str]]:
    """Return the stems of each two sentences in a row of a passage, with those of its headings."""
    headings = stems(f"{passage.title} {passage.heading}")
    stated = [frozenset[str](), *(present for _, present, _ in _analysed(passage.text))]
    return frozenset(headings | one | two for one, two in pairwise(stated)) or frozenset({headings})


def _noun_phrases(question: str) -> list[str]:
    """Return the noun phrases of a question, without the verbs that are tagged as nouns."""
    phrases = []
    for run in runs(question):
        kept = [token.word for token in run.tokens][run.before in {"i", "you", "we", "to"} :]
        if len(kept) > 1 and run.after == "?" and can_be_verb(kept[-1]):
            kept.pop()
        if run.place:
            phrases.append(" ".join(kept))
    return phrases


def _is_new(word: str, known: frozenset[str]) -> bool:
    """Return whether a word that passages lack is a name, or rare and without a known root."""
    if not word.islower() or re.search(r"[\d_]", word):
        return True
    prefix = stem(word)[: max(_PREFIX, len(stem(word)) - _PREFIX + 2)]
    return frequency(word) < _RARE and not any(each.startswith(prefix) for each in known)


def stands_alone(question: str) -> bool:
    """Return whether a question has no word that refers to a text around it."""
    return not set(re.findall(r"[a-z']+", question.lower())) & wordlist("anaphora")


def _compared(statement: str, passage: Passage) -> Iterator[tuple[str, bool]]:
    """Yield each sentence on the same matter, and whether it agrees."""
    wanted, values, subject = _content(statement), amounts(statement), _subject(statement)
    for sentence, present, figures in _analysed(passage.text):
        opposed = {word for word in wanted - present if _OPPOSITES.get(word) in present}
        if len(wanted & present) + len(opposed) < _SAME * len(wanted):
            continue
        agree = all(any(same(one, other) for other in figures) for one in values)
        if agree or (len(figures) >= len(values) and subject <= present):
            reversed_ = _is_negated(statement) != _is_negated(sentence)
            yield sentence, agree and reversed_ == (len(opposed) % 2 == 1)


@lru_cache(maxsize=16384)
def _subject(statement: str) -> frozenset[str]:
    """Return the stems of the grammatical subject; none if the statement is not parsed."""
    parsed = clause(statement if statement.endswith(".") else f"{statement}.")
    return stems(parsed.subject) if parsed else frozenset()


def _answers(question: str, answer: str, passage: Passage) -> Iterator[bool]:
    wanted, asked, values = stems(answer), _content(question, figures=True), amounts(answer)
    headings = stems(f"{passage.title} {passage.heading}")
    for _, present, figures in _analysed(passage.text):
        covered = len(asked & (present | headings)) >= _ANSWERED * len(asked)
        if covered and asked & present and len(wanted & present) >= _SAME * len(wanted):
            yield all(any(same(one, other) for other in figures) for one in values)


def _answers_otherwise(question: str, answer: str, passage: Passage) -> Iterator[bool]:
    if _DEFINITION.match(question) and _NOUN_PHRASE.match(answer):
        return  # other statements about a thing are no other definition
    wanted, asked, values = stems(answer), _content(question, figures=True), amounts(answer)
    if _MANNER.match(question) and not values:
        return  # there may be several places, ways, conditions and reasons
    for sentence, present, figures in _analysed(passage.text):
        if not asked or len(asked & present) < len(asked) or _is_negated(sentence):
            continue
        kinds = {value.kind for value in values}
        other_value = not values or any(figure.kind in kinds for figure in figures)
        yield other_value and len(wanted & present) < _SAME * len(wanted)


def _content(text: str, *, figures: bool = False) -> frozenset[str]:
    """Return the stems of a text without words that ask or deny, and without figures."""
    content = stems(sign("denial").sub(" ", text)) - _ASKING
    return content if figures else frozenset(each for each in content if not re.search(r"\d", each))


@lru_cache(maxsize=16384)
def _analysed(text: str) -> tuple[tuple[str, frozenset[str], tuple[Amount, ...]], ...]:
    """Return each sentence of a text with its stems and amounts."""
    plain = [(sentence, tidy(sentence)) for sentence in sentences(text)]
    return tuple((sentence, stems(clean), amounts(clean)) for sentence, clean in plain)


@lru_cache(maxsize=16384)
def _is_negated(sentence: str) -> bool:
    """Return whether a sentence is negated: by its main verb, if it can be parsed."""
    parsed = clause(sentence if sentence.rstrip().endswith(".") else f"{sentence}.")
    if parsed is not None and not sign("denial").search(parsed.rest):
        return parsed.negated
    return len(sign("denial").findall(sentence)) % 2 == 1
