"""Write queries that only an outside article answers, beside a twin on a passage near it."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache

from uaeval.categories.out_of_database import OutOfDatabaseDraft
from uaeval.llm.replies import Written
from uaeval.offline.author.cases import HEADING, first_sentence, form_for
from uaeval.offline.evidence import unheard
from uaeval.offline.facts import Fact, body, definitions, facts, is_clear, nearest_fact
from uaeval.records import Passage
from uaeval.text.sentences import sentences, tidy
from uaeval.text.structure import heading_readings
from uaeval.text.words import stems

_SEVERAL = re.compile(r"\b(?:and|or|that|this|what|which|who|your?)\b", re.I)
"""Words of a heading that is of several things, or leans on the text."""
_NAME = re.compile(r"\w*[a-z][A-Z]\w*|\w+_\w+")
_TURNED = re.compile(r"(?:is|are|was|were) .+ an? ", re.I)
"""A statement of what something is, turned round; nobody would ask that."""
_Pair = tuple[Fact, tuple[float, Passage, Fact]]
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
def _pairs(article: Passage, passages: tuple[Passage, ...]) -> list[_Pair]:
    """Return the facts of an article to ask for, each with the nearest of a passage, best first."""
    around = f"{article.title} {article.heading}"
    outside = _outside(article, passages)
    asked = passages if outside else ()
    held = {each: [*filter(is_clear, (*facts(each), *definitions(each)))] for each in asked}
    near = ((fact, nearest_fact(fact.question, held, around)) for fact in outside)
    pairs = [(fact, twin) for fact, twin in near if twin]
    return sorted(pairs, key=lambda pair: (pair[0].kind == "whether", -pair[1][0]))


def _outside(article: Passage, passages: Sequence[Passage]) -> list[Fact]:
    """Return the article's facts about things that no passage names, one of each sentence.

    Those with plain answers come first. The article has to be about these things: what it only
    mentions is off the topic of the documents.
    """
    stated = [*definitions(article), *facts(article), *_acts(article)]
    topic = _topic(article) if stated else frozenset()
    telling = [fact for fact in stated if _is_telling(fact, passages, topic)]
    return list({fact.quote: fact for fact in reversed(telling)}.values())[::-1]


def _acts(article: Passage) -> Iterator[Fact]:
    """Yield how the things are done that headings name, as the sentence that instructs says."""
    for heading in [article.heading.rpartition(" › ")[2], *HEADING.findall(article.text)]:
        said = first_sentence(body(article), heading, instructs=True)
        if said and stems(heading) & stems(said[1]) and not _SEVERAL.search(heading):
            fields = {"quote": said[0], "subject": heading, "kind": "how", "answer": said[1]}
            for kind, act in heading_readings(heading, article.text):
                if kind == "act":
                    yield Fact(question=form_for(kind, act).format(act), **fields)


def _is_telling(fact: Fact, passages: Sequence[Passage], topic: frozenset[str]) -> bool:
    """Return whether the answer adds to a question about a topic that no passage names."""
    empty = fact.kind != "whether" and stems(fact.answer) <= stems(fact.question)
    if empty or _TURNED.match(fact.question):
        return False
    named = fact.kind in {"how", "whether"}
    new = unheard(f"What is {fact.subject}?" if named else fact.question, passages)
    return bool(stems(" ".join(new)) & topic)


def _topic(article: Passage) -> frozenset[str]:
    """Return the stems of what an article is about: of its headings, or of several sentences.

    A name of code that no heading has belongs to an example.
    """
    text = _NAME.sub(" ", body(article))
    told = Counter(each for said in sentences(text) for each in stems(said))
    headings = " ".join([article.title, article.heading, *HEADING.findall(article.text)])
    return stems(headings) | {each for each, count in told.items() if count > 1}
