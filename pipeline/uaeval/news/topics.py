"""What a knowledge base is about, in phrases that a search for news can take."""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from uaeval.config.synthesis import NewsSettings
from uaeval.knowledge.keyphrases import key_phrases
from uaeval.records import Document
from uaeval.text.wordlists import STOP_WORDS
from uaeval.text.words import stem, words

_PHRASES: Final = 25
"""Key phrases of one document."""
_MOST_DOCUMENTS: Final = 2_000
"""Of a larger knowledge base so many are looked at, evenly spread."""
_COMMON: Final = 3e-6
"""A single word that is more frequent in general language says too little alone."""
_AMOUNT: Final = re.compile(r"[$€£¥]?\d[\d.,]*(?:%|\s|$)")
_CALENDAR: Final = frozenset(
    "january february march april may june july august september october november december monday "
    "tuesday wednesday thursday friday saturday sunday today tomorrow week month year day hour "
    "minute morning afternoon evening weekend weekday time date".split()
)
_RAREST: Final = 1e-9
"""What a word that general English does not know counts as."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Topic:
    """A phrase to search for."""

    phrase: str
    documents: int
    """Documents that it is a key phrase of."""
    score: float
    """`share · log(share / frequency in general language)`: its part of the Kullback–Leibler
    divergence of this knowledge base from the language at large (Tomokiyo and Hurst 2003)."""


def topics(
    documents: Sequence[Document],
    language: str,
    config: NewsSettings,
) -> tuple[Topic, ...]:
    """Return the topics of a knowledge base, pinned ones first and added ones last.

    No topic has all words of a forbidden phrase.
    """
    forbidden = [_key(phrase) for phrase in config.forbid_topics]
    ranked = {topic.phrase: topic for topic in _ranked(documents, language)}
    by_key = {_key(phrase): topic for phrase, topic in ranked.items()}
    pinned, added = (_named(given, by_key) for given in (config.pin_topics, config.add_topics))
    selected = list(pinned)
    keys = [_key(topic.phrase) for topic in (*pinned, *added)]
    for topic in ranked.values():
        if len(selected) >= config.topics:
            break
        key = _key(topic.phrase)
        alike = any(key <= other or other <= key for other in keys)
        if not alike and not any(words and words <= key for words in forbidden):
            selected.append(topic)
            keys.append(key)
    return tuple(dict.fromkeys((*selected, *added)))


def _named(phrases: Iterable[str], known: dict[frozenset[str], Topic]) -> tuple[Topic, ...]:
    given = [" ".join(phrase.split()) for phrase in phrases if phrase.strip()]
    unknown = Topic(phrase="", documents=0, score=0.0)
    return tuple(replace(known.get(_key(phrase), unknown), phrase=phrase) for phrase in given)


def _ranked(documents: Sequence[Document], language: str) -> list[Topic]:
    """Return every phrase that could be a topic, the most telling first, wordings merged."""
    from wordfreq import available_languages, word_frequency

    general = language if language in available_languages() else "en"
    step = -(-len(documents) // _MOST_DOCUMENTS) or 1
    sample = documents[::step]
    wordings: defaultdict[frozenset[str], Counter[str]] = defaultdict(Counter)
    for document in sample:
        mine: dict[frozenset[str], str] = {}
        for phrase in key_phrases(f"{document.title}.\n{document.text}", _PHRASES):
            if key := _key(phrase):
                mine.setdefault(key, phrase)
        for key, phrase in mine.items():
            wordings[key][phrase] += 1
    ranked = []
    for key, counts in wordings.items():
        phrase, _ = min(counts.items(), key=lambda entry: (-entry[1], entry[0]))
        frequency, share = word_frequency(phrase, general), counts.total() / len(sample)
        if len(key) > 1 or frequency < _COMMON:
            score = share * math.log(share / max(frequency, _RAREST))
            ranked.append(Topic(phrase=phrase, documents=counts.total(), score=score))
    return sorted(ranked, key=lambda topic: (-topic.score, topic.phrase))


def _key(phrase: str) -> frozenset[str]:
    """Return a phrase's words without endings; nothing if it could not be a topic."""
    said = frozenset(words(phrase)) - STOP_WORDS
    dated = all(word[0].isdigit() or word.removesuffix("s") in _CALENDAR for word in said)
    return frozenset() if dated or _AMOUNT.match(phrase) else frozenset(map(stem, said))
