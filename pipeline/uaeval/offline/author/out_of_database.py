"""Write queries that only an outside article answers, beside a twin on a passage near it."""

import re
from collections.abc import Iterator, Sequence

from uaeval.categories.out_of_database import OutOfDatabaseDraft
from uaeval.llm.replies import Written
from uaeval.offline.author.templated import setting
from uaeval.offline.author.underspecified import ACTS, asked_by_heading
from uaeval.offline.evidence import unheard
from uaeval.offline.facts import Fact, body, facts, nearest_fact
from uaeval.offline.phrases import Phrase, is_thing, phrases
from uaeval.offline.tables import pick, table
from uaeval.records import Passage
from uaeval.text.english import frequency, inflect, is_counted, is_plural
from uaeval.text.sentences import sentences, tidy
from uaeval.text.words import stem, stems, words

NAMED, WEAKEST = 1.0, 3.0
"""Scores of a name and of another phrase that are asked about."""
REPEATED = 2
"""Times that an article has a single word with a capital, if it is a name."""
AKIN = 2.0
"""What a word of its subject in the twin counts for a question, in weights of rare words."""
_WHOLE = re.compile(r"[A-Z](?:[^\s]* ){4,45}[^\s]+\.$")
DECLINED = "no plain fact of the article, or of a passage near it, can be asked for"


def write(
    *, language: str, turn: str, passages: Sequence[Passage], article: Passage
) -> Written[OutOfDatabaseDraft]:
    """Return a query that asks for the article's fact number `turn`, or why there is none."""
    outside = _outside(article, passages)
    near = [nearest_fact(fact.question, passages, fact.quote) for fact in outside]
    pairs = [(fact, found) for fact, found in zip(outside, near, strict=True) if found]
    pairs.sort(key=lambda pair: _risk(pair[0], passages) - _likeness(pair[0], *pair[1]))
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


def _risk(fact: Fact, passages: Sequence[Passage]) -> float:
    """Return how common the rarest word is that no passage has: others may have a common one."""
    new = unheard(fact.question, passages)
    return min((frequency(each) for each in words(fact.question) if stem(each) in new), default=0)


def _likeness(fact: Fact, shared: float, _passage: Passage, twin: Fact) -> float:
    """Return what a fact shares with its twin; more if they are about the same kind of thing."""
    akin = stems(fact.subject) & stems(f"{twin.question} {twin.answer}")
    return shared + AKIN * bool(akin)


def _outside(article: Passage, passages: Sequence[Passage]) -> list[Fact]:
    """Return the article's facts about things that no passage names, one of each sentence.

    Those with plain answers come first.
    """
    stated = [*_of_heading(article), *facts(article), *_of_things(article, passages)]
    stated.sort(key=lambda fact: fact.kind == "whether")
    telling = [fact for fact in stated if _is_telling(fact, passages)]
    return list({fact.quote: fact for fact in reversed(telling)}.values())[::-1]


def _of_heading(article: Passage) -> Iterator[Fact]:
    """Yield what the heading of an article asks, with the first sentence below as its answer."""
    heading = article.heading.rpartition(" › ")[2]
    for asked, answer, quote in asked_by_heading(heading, body(article)):
        if ACTS.match(asked):
            yield Fact(question=asked, answer=answer, quote=quote, subject=heading, kind="how")


def _of_things(article: Passage, passages: Sequence[Passage]) -> Iterator[Fact]:
    """Yield a general question for each subject of an article, with a sentence that tells of it.

    A phrase of several words has one that the passages have, or it would be off their topic; not
    where the article tells of the world, which has no identifiers.
    """
    held = stems(" ".join(f"{each.title} {each.heading} {each.text}" for each in passages))
    anything = setting(article) == "general"
    whole = [each for each in map(tidy, sentences(body(article))) if _WHOLE.match(each)]
    for phrase in phrases(article):
        quote = next((each for each in whole if _has(phrase, each)), None)
        on_topic = anything or " " not in phrase.topic or stems(phrase.topic) & held
        if quote and on_topic and _is_a_subject(phrase):
            name, said = _in_general(phrase), quote.rstrip(".")
            form = pick(table("out_of_database")["about"], " ".join(sorted(stems(name))))
            asked = form.format(name)
            yield Fact(question=asked, answer=said, quote=quote, subject=name, kind="about")


def _in_general(phrase: Phrase) -> str:
    """Return a phrase as a question has it that is about all such things: in the plural."""
    *front, head = phrase.text.split()
    bare = front and phrase.text == phrase.topic and not phrase.named
    return " ".join([*front, inflect(head, "NNS")]) if bare and is_counted(head) else phrase.text


def _is_a_subject(phrase: Phrase) -> bool:
    """Return whether an article is about what a phrase names: a name, in a heading, or repeated."""
    several, name = " " in phrase.topic.removeprefix("the "), not phrase.topic.islower()
    if name and not several and phrase.topic.istitle() and phrase.count < REPEATED:
        return False  # perhaps only the first word of a line
    if any(map(is_plural, phrase.topic.split()[:-1])) or phrase.topic.lower().startswith("list "):
        return False
    topical = is_thing(phrase) or (phrase.central and several) or (name and not several)
    enough = phrase.score >= (NAMED if name else WEAKEST)
    return topical and enough and (name or phrase.central or phrase.count > 1)


def _has(phrase: Phrase, sentence: str) -> bool:
    """Return whether a sentence has the words of a phrase, not as a part of a longer one."""
    topic = re.escape(phrase.topic)
    part = rf"(?<![-\w]){topic}s?\b(?: ?-| and\b| or\b)|(?<=\w )[A-Z]\w* {topic}\b"
    return not re.search(part, sentence) and stems(phrase.topic) <= stems(sentence)


def _is_telling(fact: Fact, passages: Sequence[Passage]) -> bool:
    """Return whether the answer adds to the question, which is about what no passage names."""
    whether = fact.kind == "whether"
    new = unheard(f"What is {fact.subject}?" if whether else fact.question, passages)
    return bool(new) and (whether or not stems(fact.answer) <= stems(fact.question))
