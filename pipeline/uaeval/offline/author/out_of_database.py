"""Write queries that only an outside article answers, beside a twin on a passage near it."""

import re
from collections.abc import Iterator, Sequence
from functools import partial

from uaeval.categories.out_of_database import OutOfDatabaseDraft
from uaeval.llm.replies import Written
from uaeval.offline.evidence import unheard
from uaeval.offline.facts import Fact, body, facts, nearest_fact
from uaeval.offline.phrases import Phrase, is_thing, phrases
from uaeval.offline.tables import pick, templates
from uaeval.text.lines import tidy
from uaeval.text.parsing import readable
from uaeval.text.sentences import sentences
from uaeval.text.words import stems
from uaeval.types import Passage

LONGEST_WHETHER = 12
"""Words of a question that asks for yes or no."""
WEAKEST = 3.0
"""Score of a phrase that is asked about."""
STRONG = 4.5
"""Score of a phrase that is asked about although the article has it once and it is no name."""
_LAST = ("whether", "about")
DECLINED = "no plain fact of the article, or of a passage near it, can be asked for"


def write(
    *, language: str, turn: str, passages: Sequence[Passage], article: Passage
) -> Written[OutOfDatabaseDraft]:
    """Return a query that asks for the article's fact number `turn`, or why there is none."""
    outside = _outside(article, passages)
    near = [nearest_fact(f"{fact.question} {fact.answer}", passages) for fact in outside]
    pairs = [(fact, found) for fact, found in zip(outside, near, strict=True) if found]
    pairs.sort(key=lambda pair: not pair[1].shared)
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


def _outside(article: Passage, passages: Sequence[Passage]) -> list[Fact]:
    """Return the article's facts about things that no passage names, one of each sentence.

    Plain answers come first, yes or no last.
    """
    told = [*facts(article), *_of_things(article)]
    told.sort(key=lambda fact: _LAST.index(fact.kind) if fact.kind in _LAST else -1)
    telling = [fact for fact in told if _is_telling(fact, passages)]
    return list({fact.quote: fact for fact in reversed(telling)}.values())[::-1]


def _of_things(article: Passage) -> Iterator[Fact]:
    """Yield a general question for each good phrase of an article and a sentence that has it."""
    for phrase in phrases(article):
        quote = next(filter(partial(_tells_of, phrase), sentences(body(article))), None)
        if quote and _is_a_subject(phrase, article):
            yield Fact(
                question=pick(templates("out_of_database", "about"), phrase.text).format(
                    phrase.text
                ),
                answer=tidy(quote).rstrip("."),
                quote=quote,
                subject=phrase.text,
                kind="about",
            )


def _is_a_subject(phrase: Phrase, article: Passage) -> bool:
    """Return whether an article has a thing repeatedly, or once as a name or a strong phrase."""
    topic = phrase.topic.removeprefix("the ")
    said = f"{article.title}\n{article.heading}\n{article.text}"
    again = len(re.findall(rf"(?<![-\w]){re.escape(topic)}s?\b", said, re.I)) > 1
    again = again or (phrase.named and " " in topic)
    return is_thing(phrase) and phrase.score >= (WEAKEST if again else STRONG)


def _tells_of(phrase: Phrase, sentence: str) -> bool:
    """Return whether a whole plain sentence has a phrase."""
    there = re.search(rf"(?<![-\w]){re.escape(phrase.topic)}s?\b(?! ?-| and\b| or\b)", sentence)
    return bool(there) and readable(tidy(sentence))


def _is_telling(fact: Fact, passages: Sequence[Passage]) -> bool:
    """Return whether a question is about a thing that is new, and does not say its answer."""
    whether = fact.kind == "whether"
    if whether and len(fact.question.split()) > LONGEST_WHETHER:
        return False
    if not whether and stems(fact.answer) <= stems(fact.question):
        return False
    return bool(unheard(fact.question, passages, strictly=whether))
