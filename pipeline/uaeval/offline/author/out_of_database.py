"""Write queries that only an outside article answers, beside a twin on a passage near it."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache

from uaeval.categories.out_of_database import OutOfDatabaseDraft
from uaeval.llm.replies import Written
from uaeval.offline.author.underspecified import heading_questions
from uaeval.offline.evidence import unheard
from uaeval.offline.facts import Fact, body, facts, nearest_fact
from uaeval.records import Passage
from uaeval.text.sentences import sentences, tidy
from uaeval.text.words import stems

SEVERAL = 2
"""Sentences of an article that have a word, if it is about it."""
_WHOLE = re.compile(r"[A-Z](?:[^\s]* ){4,45}[^\s]+\.$")
_HEADING = re.compile(r"^[ #]*([A-Z][^.!:;=|*\n]{2,60}?)\??\s*$", re.M)
_SEVERAL = re.compile(r"\b(?:and|or|that|this|what|which|who|your?)\b", re.I)
"""Words of a heading that is of several things, or leans on the text."""
_CODE = re.compile(r"\w*[a-z][A-Z]\w*|\w+_\w+")
DECLINED = "no plain fact of the article, or of a passage near it, can be asked for"


def write(
    *, language: str, turn: str, passages: Sequence[Passage], article: Passage
) -> Written[OutOfDatabaseDraft]:
    """Return a query that asks for the article's fact number `turn`, or why there is none."""
    pairs = _pairs(article, tuple(passages))
    if len(pairs) < int(turn):
        return Written[OutOfDatabaseDraft](declined=DECLINED, draft=None)
    fact, (_, passage, twin) = pairs[int(turn) - 1]
    draft = OutOfDatabaseDraft(
        twin=twin.twin,
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
) -> list[tuple[Fact, tuple[float, Passage, Fact]]]:
    """Return the facts of an article to ask for, each with the nearest of a passage, best first."""
    outside = _outside(article, passages)
    around = f"{article.title} {article.heading}"
    near = [nearest_fact(each.question, passages, f"{around} {each.quote}") for each in outside]
    pairs = [(fact, found) for fact, found in zip(outside, near, strict=True) if found]
    return sorted(pairs, key=lambda pair: -pair[1][0])


def _outside(article: Passage, passages: Sequence[Passage]) -> list[Fact]:
    """Return the article's facts about things that no passage names, one of each sentence.

    Those with plain answers come first. The article has to be about these things: what it only
    mentions is off the topic of the documents. What a heading asks has a word that no passage has.
    """
    held = stems(" ".join(f"{each.title} {each.heading} {each.text}" for each in passages))
    asked = [fact for fact in _of_heading(article) if stems(fact.subject) - held]
    stated = sorted([*asked, *facts(article)], key=lambda fact: fact.kind == "whether")
    topic = _topic(article)
    telling = [fact for fact in stated if _is_telling(fact, passages, topic)]
    return list({fact.quote: fact for fact in reversed(telling)}.values())[::-1]


def _of_heading(article: Passage) -> Iterator[Fact]:
    """Yield what the headings of an article ask, with a sentence on it as the answer."""
    said = [each for each in map(tidy, sentences(body(article))) if _WHOLE.match(each)]
    for heading in [article.heading.rpartition(" › ")[2], *_HEADING.findall(article.text)]:
        if _SEVERAL.search(heading):
            continue
        topic = stems(heading)
        quote = max(said, key=lambda each: len(topic & stems(each)), default="")
        for asked in heading_questions(heading):
            if topic & stems(quote):
                answer = quote.rstrip(".")
                yield Fact(question=asked, answer=answer, quote=quote, subject=heading, kind="how")


def _is_telling(fact: Fact, passages: Sequence[Passage], topic: frozenset[str]) -> bool:
    """Return whether the answer adds to a question about a topic that no passage names."""
    whether = fact.kind == "whether"
    if not whether and stems(fact.answer) <= stems(fact.question):
        return False
    new = unheard(f"What is {fact.subject}?" if whether else fact.question, passages)
    return bool(stems(" ".join(new)) & topic)


def _topic(article: Passage) -> frozenset[str]:
    """Return the stems of what an article is about: of its headings, or of several sentences.

    A name of code that no heading has belongs to an example.
    """
    told = Counter(each for said in sentences(body(article)) for each in stems(tidy(said)))
    repeated = {each for each, count in told.items() if count >= SEVERAL}
    headings = " ".join([article.title, article.heading, *_HEADING.findall(article.text)])
    return stems(headings) | (repeated - stems(" ".join(_CODE.findall(article.text))))
