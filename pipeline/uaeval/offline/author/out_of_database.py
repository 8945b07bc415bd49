"""Write queries that only an outside article answers, with a twin from a passage near it."""

import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

from uaeval.categories.out_of_database import OutOfDatabaseDraft
from uaeval.llm.replies import Written
from uaeval.offline.author.cases import stated
from uaeval.offline.evidence import missing_terms
from uaeval.offline.facts import Fact, body, is_clear, mentions, nearest_fact, passage_stems
from uaeval.records import Passage
from uaeval.text.sentences import sentences, tidy
from uaeval.text.structure import HEADING
from uaeval.text.words import stems

_NAME_OF_CODE = re.compile(r"\w*[a-z][A-Z]\w*|\w+_\w+")
_LAST = {"whether": 1, "mention": 2}
_DECLINED = "no plain fact of the article, or of a passage near it, can be asked for"


def write(
    *, language: str, turn: str, passages: Sequence[Passage], article: Passage
) -> Written[OutOfDatabaseDraft]:
    """Return a query for fact number `turn` of the article; decline if it has fewer."""
    pairs = _pairs(article, tuple(passages))
    if len(pairs) < int(turn):
        return Written[OutOfDatabaseDraft](declined=_DECLINED, draft=None)
    fact, (_, _, passage, near) = pairs[int(turn) - 1]
    draft = OutOfDatabaseDraft(
        need="",
        twin=near.twin,
        subject=" ".join(sorted(passage_stems(article) & passage_stems(passage))),
        question=fact.question,
        reason=f"The documents do not say: {tidy(fact.quote)}",
        passage=passage.number,
        outside_answer=fact.answer,
        phrasings=[fact.subject, tidy(fact.quote)],
    )
    return Written[OutOfDatabaseDraft](declined=None, draft=draft)


@lru_cache(maxsize=1024)
def _pairs(
    article: Passage, passages: tuple[Passage, ...]
) -> list[tuple[Fact, tuple[int, float, Passage, Fact]]]:
    """Return the article's facts about topics that no passage names, with their nearest facts.

    Of each sentence it is the plainest. Those with a fact on their subject come first.
    """
    facts_of = {each: [*filter(is_clear, (*stated(each), *mentions(each)))] for each in passages}
    topic, outside = _topic(article), dict[str, Fact]()
    for fact in (*stated(article), *filter(is_clear, mentions(article))):
        if fact.quote not in outside and _is_outside(fact, passages, topic):
            outside[fact.quote] = fact
    pairs, headings = [], f"{article.title} {article.heading}"
    for fact in outside.values():
        near = nearest_fact(fact.question, facts_of, f"{headings} {fact.answer}")
        pairs += [(fact, near)] if near else []
    return sorted(pairs, key=lambda p: (-p[1][0], _LAST.get(p[0].kind, 0), -p[1][1]))


def _is_outside(fact: Fact, passages: Sequence[Passage], topic: frozenset[str]) -> bool:
    """Return whether passages lack words of a question on the topic, and its answer adds to it.

    What the article only mentions is off the topic of the documents.
    """
    by_subject = fact.kind in {"how", "whether"}
    question = f"What is {fact.subject}?" if by_subject else fact.question
    missing = stems(" ".join(missing_terms(question, passages)))
    broad = fact.kind in {"how", "mention"}
    known = frozenset[str]().union(*map(passage_stems, passages)) if broad else frozenset()
    subject = frozenset() if by_subject else stems(fact.subject) - missing
    new = fact.kind == "whether" or not stems(fact.answer) <= stems(fact.question)
    return new and bool(missing) and bool(missing & topic - known or (subject and subject <= topic))


def _topic(article: Passage) -> frozenset[str]:
    """Return the stems of an article's headings, and those of at least two of its sentences.

    Names of code that no heading has belong to examples.
    """
    text = _NAME_OF_CODE.sub(" ", body(article))
    counts = Counter(each for sentence in sentences(text) for each in stems(sentence))
    headings = " ".join([article.title, article.heading, *HEADING.findall(article.text)])
    return stems(headings) | {each for each, count in counts.items() if count > 1}
