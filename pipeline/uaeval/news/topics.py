"""Find the topics of a knowledge base, as phrases for a news search."""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from uaeval.config.synthesis import NewsSettings
from uaeval.knowledge.keyphrases import key_phrases
from uaeval.records import Document
from uaeval.text.words import STOP_WORDS, stem, wordlist, words

_AMOUNT: Final = re.compile(r"[$€£¥]?\d[\d.,]*(?:%|\s|$)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Topic:
    """A phrase to search for."""

    phrase: str
    documents: int
    """Number of documents with this key phrase."""
    score: float
    """`share · log(share / frequency in general language)`: its term of the Kullback–Leibler
    divergence between knowledge base and general language (Tomokiyo and Hurst 2003)."""


def topics(documents: Sequence[Document], language: str, config: NewsSettings) -> tuple[Topic, ...]:
    """Return the topics of a knowledge base; pinned ones are first and added ones last.

    No topic contains all words of a forbidden phrase.
    """
    forbidden = [_key(phrase) for phrase in config.forbid_topics]
    ranked = _ranked(documents, language)
    by_key = {_key(topic.phrase): topic for topic in ranked}
    pinned, added = (_named(names, by_key) for names in (config.pin_topics, config.add_topics))
    selected = list(pinned)
    keys = [_key(topic.phrase) for topic in (*pinned, *added)]
    for topic in ranked:
        if len(selected) >= config.topics:
            break
        key = _key(topic.phrase)
        similar = any(key <= other or other <= key for other in keys)
        if not similar and not any(words and words <= key for words in forbidden):
            selected.append(topic)
            keys.append(key)
    return tuple(dict.fromkeys((*selected, *added)))


def _named(phrases: Iterable[str], known: dict[frozenset[str], Topic]) -> tuple[Topic, ...]:
    """Return a topic for each phrase, with the counts of a known topic with the same words."""
    names = [" ".join(phrase.split()) for phrase in phrases if phrase.strip()]
    unknown = Topic(phrase="", documents=0, score=0.0)
    return tuple(replace(known.get(_key(name), unknown), phrase=name) for name in names)


def _ranked(documents: Sequence[Document], language: str) -> list[Topic]:
    """Return every possible topic, highest score first; wordings of the same words are merged."""
    from wordfreq import available_languages, word_frequency

    general = language if language in available_languages() else "en"
    step = -(-len(documents) // 2_000) or 1  # at most so many documents, evenly spread
    sample = documents[::step]
    wordings: defaultdict[frozenset[str], Counter[str]] = defaultdict(Counter)
    for document in sample:
        phrases: dict[frozenset[str], str] = {}
        for phrase in key_phrases(f"{document.title}.\n{document.text}", 25):
            if key := _key(phrase):
                phrases.setdefault(key, phrase)
        for key, phrase in phrases.items():
            wordings[key][phrase] += 1
    ranked = []
    for key, counts in wordings.items():
        phrase, _ = min(counts.items(), key=lambda entry: (-entry[1], entry[0]))
        frequency, share = word_frequency(phrase, general), counts.total() / len(sample)
        if len(key) > 1 or frequency < 3e-6:  # more common single words are too unspecific
            score = share * math.log(share / max(frequency, 1e-9))  # unknown words have 0
            ranked.append(Topic(phrase=phrase, documents=counts.total(), score=score))
    return sorted(ranked, key=lambda topic: (-topic.score, topic.phrase))


def _key(phrase: str) -> frozenset[str]:
    """Return the stems of a phrase; empty for dates and amounts, which cannot be topics."""
    content, calendar = frozenset(words(phrase)) - STOP_WORDS, wordlist("calendar")
    is_date = all(word[0].isdigit() or word.removesuffix("s") in calendar for word in content)
    return frozenset() if is_date or _AMOUNT.match(phrase) else frozenset(map(stem, content))
