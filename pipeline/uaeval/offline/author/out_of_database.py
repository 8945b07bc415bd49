"""Write queries that only an outside article answers, with a twin from a passage near it."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache

from uaeval.categories.out_of_database import OutOfDatabaseDraft
from uaeval.llm.replies import Written
from uaeval.offline.author.cases import HEADING, first_sentence, question_form
from uaeval.offline.evidence import missing_terms
from uaeval.offline.facts import Fact, body, definitions, facts, is_clear, nearest_fact
from uaeval.records import Passage
from uaeval.text.sentences import sentences, tidy
from uaeval.text.structure import heading_readings
from uaeval.text.words import stems

_SEVERAL = re.compile(r"\b(?:and|or|that|this|what|which|who|your?)\b", re.I)
"""Words of a heading that names several things, or depends on the text."""
_NAME_OF_CODE = re.compile(r"\w*[a-z][A-Z]\w*|\w+_\w+")
_INVERTED = re.compile(r"(?:is|are|was|were) .+ an? ", re.I)
"""A definition as a yes-or-no question, which nobody would ask."""
_DECLINED = "no plain fact of the article, or of a passage near it, can be asked for"


def write(
    *, language: str, turn: str, passages: Sequence[Passage], article: Passage
) -> Written[OutOfDatabaseDraft]:
    """Return a query for fact number `turn` of the article; decline if it has fewer."""
    pairs = _pairs(article, tuple(passages))
    if len(pairs) < int(turn):
        return Written[OutOfDatabaseDraft](declined=_DECLINED, draft=None)
    fact, (_, passage, near) = pairs[int(turn) - 1]
    draft = OutOfDatabaseDraft(
        twin=near.twin,
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
    """Return the facts of an article to ask for, each with its nearest fact, best first."""
    headings = f"{article.title} {article.heading}"
    outside = _outside_facts(article, passages)
    facts_of = {each: [*filter(is_clear, (*facts(each), *definitions(each)))] for each in passages}
    near = ((fact, nearest_fact(fact.question, facts_of, headings)) for fact in outside)
    pairs = [(fact, nearest) for fact, nearest in near if nearest]
    return sorted(pairs, key=lambda p: (not p[1][0], p[0].kind == "whether", -p[1][0]))


def _outside_facts(article: Passage, passages: Sequence[Passage]) -> list[Fact]:
    """Return the article's facts about topics that no passage names, the plainest of each sentence.

    What the article only mentions is left out, because it is off the topic of the documents.
    """
    stated = [*definitions(article), *facts(article), *_acts(article)]
    topic = _topic(article) if stated else frozenset()
    outside = [fact for fact in stated if _is_outside(fact, passages, topic)]
    return list({fact.quote: fact for fact in reversed(outside)}.values())[::-1]


def _acts(article: Passage) -> Iterator[Fact]:
    """Yield how to do what headings name; the first instruction below is the answer."""
    for heading in [article.heading.rpartition(" › ")[2], *HEADING.findall(article.text)]:
        first = first_sentence(body(article), heading, instructs=True)
        if first and stems(heading) & stems(first[1]) and not _SEVERAL.search(heading):
            fields = {"quote": first[0], "subject": heading, "kind": "how", "answer": first[1]}
            for kind, act in heading_readings(heading, article.text):
                if kind == "act":
                    yield Fact(question=question_form(kind, act).format(act), **fields)


def _is_outside(fact: Fact, passages: Sequence[Passage], topic: frozenset[str]) -> bool:
    """Return whether passages lack words of a question on the topic, and its answer adds to it."""
    empty = fact.kind != "whether" and stems(fact.answer) <= stems(fact.question)
    if empty or _INVERTED.match(fact.question):
        return False
    by_subject = fact.kind in {"how", "whether"}
    question = f"What is {fact.subject}?" if by_subject else fact.question
    missing = stems(" ".join(missing_terms(question, passages)))
    subject = frozenset() if by_subject else stems(fact.subject) - missing
    return bool(missing) and bool(missing & topic or (subject and subject <= topic))


def _topic(article: Passage) -> frozenset[str]:
    """Return the stems of an article's headings, and those of at least two of its sentences.

    Names of code that no heading has belong to examples.
    """
    text = _NAME_OF_CODE.sub(" ", body(article))
    counts = Counter(each for sentence in sentences(text) for each in stems(sentence))
    headings = " ".join([article.title, article.heading, *HEADING.findall(article.text)])
    return stems(headings) | {each for each, count in counts.items() if count > 1}
