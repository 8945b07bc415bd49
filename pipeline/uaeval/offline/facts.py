"""Find what a passage states, and ask for it: the questions that a passage answers by itself."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from uaeval.llm.replies import TwinDraft
from uaeval.offline.phrases import is_specific, is_thing, phrases
from uaeval.offline.questions import ORDER, asked_of, has_content
from uaeval.records import Passage
from uaeval.text.clauses import Clause
from uaeval.text.english import frequency, listed_tag, runs, tag
from uaeval.text.parsing import clauses
from uaeval.text.sentences import is_plain, sentences, tidy
from uaeval.text.structure import entries
from uaeval.text.wordlists import wordlist
from uaeval.text.words import stems, weigh

LONGEST_QUESTION = 20
LONGEST_ANSWER = 25
FEWEST_OF_REST = 3
_PAST = frozenset({"was", "were", "did", "had"})
COMMON = 4.0
"""Zipf frequency from which a single word is no topic."""
SPECIAL = 3.0
"""Zipf frequency below which a word tells what is spoken of."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """A question that a passage answers, and the words that answer it."""

    question: str
    answer: str
    quote: str
    """The sentence that says it, as it stands in the passage."""
    subject: str
    """The noun phrase that the question is about."""
    kind: str
    """One of `questions.ORDER`, for example `date` or `whether`."""

    @property
    def twin(self) -> TwinDraft:
        """The fact as the answerable half of a pair."""
        return TwinDraft(question=self.question, answer=self.answer, quote=self.quote)


@lru_cache(maxsize=8192)
def facts(passage: Passage) -> tuple[Fact, ...]:
    """Return the facts that a passage states, those with the plainest answers first."""
    stated = [
        Fact(
            question=question[:1].upper() + question[1:],
            answer=answer.strip(" ,"),
            quote=clause.sentence,
            subject=clause.subject,
            kind=kind,
        )
        for clause in standing(passage)
        for kind, (question, answer) in asked_of(clause).items()
    ]
    stated += [
        Fact(question=asked, answer=answer, quote=quote, subject=term, kind="entry")
        for term, asked, answer, quote in entries(passage.title, passage.text)
    ]
    good = [fact for fact in stated if _is_good(fact) and _is_grounded(fact)]
    return tuple(sorted(good, key=lambda fact: ORDER.index(fact.kind)))


@lru_cache(maxsize=8192)
def definitions(passage: Passage) -> tuple[Fact, ...]:
    """Return what things that a passage is about are or do, as the first sentence of each says."""
    told = [(each, tidy(each).lower()) for each in sentences(body(passage)) if is_plain(each)]
    found = []
    for kernel in (phrase.topic for phrase in phrases(passage) if is_thing(phrase)):
        quote = next((each for each, plain in told if kernel.lower() in plain), "")
        said = _DEFINES.match(tidy(quote))
        if said and said[2].lower() in {kernel.lower(), f"{kernel.lower()}s"}:
            article, name, verb, answer = said.groups()
            subject = f"{article.lower()}{kernel}{name[len(kernel) :]}"
            asked = f"What {verb} {subject}?" if verb else f"What does {subject} do?"
            fields = {"quote": quote, "subject": subject, "kind": "definition"}
            found.append(Fact(question=asked, answer=answer, **fields))
    return tuple(found)


_DEFINES = re.compile(
    r"(?i)((?:an?|the) |)(.+?) (?:(is|are) (?=an? |the |one )"
    r"|(?=(?:allow|enable|help|let|offer|provide|support)s ))(.+)\."
)
"""What something is or, with a verb of its own, what it does."""


def _is_grounded(fact: Fact) -> bool:
    """Return whether a question has nothing that only a text around it explains."""
    compared = listed_tag(fact.subject.split()[0].lower()) == "JJR"
    leaning = compared or _words(fact.question) & wordlist("leaning")
    if leaning or _OWNED.search(f"{fact.question} {fact.answer}"):
        return False
    alone = [run for run in runs(fact.question) if len(run.tokens) == 1 and run.text.islower()]
    return not any(run.before == "the" and run.after not in {"of", "that"} for run in alone)


_OPEN_ENDS = frozenset("a and as at for from in of on or the to with".split())
_DOUBLED = re.compile(r"\b(\w{3,}) \1\b", re.I)
_OWNED = re.compile(
    r"\b[Tt]he [\w -]+'s? |\beven\b|\b(?:now|already|fully|successfully)\b|\b[Tt]he \d+\.\d"
    r"|\b(?:at|by|for|from|in|of|on|to|with) (?:that|those|this|these|such) | that [a-z]+\?"
    r"|\b(?:an?|between|both|either|the) (?:and|for|from|in|of|or|to|with)\b"
)
"""Somebody or something, or a step, that only the text around has introduced."""
_LEADING_TITLE = re.compile(r"\A\s*[^\n.!?:,|]{1,60}\n(?=\S)")


def body(passage: Passage) -> str:
    """Return the text of a passage without a title on its first line."""
    return _LEADING_TITLE.sub("", passage.text.removeprefix(f"{passage.title}\n"))


def _words(text: str) -> set[str]:
    return set(re.findall(r"[a-z]+", text.lower()))


def nearest_fact(
    text: str, held: Mapping[Passage, Sequence[Fact]], said: str = ""
) -> tuple[float, Passage, Fact] | None:
    """Return what a question shares with the nearest other fact, its passage, and the fact.

    Nouns weigh most, then other words and those of `said`; words of few passages weigh more.
    """
    places = [stems(f"{each.title} {each.heading} {each.text}") for each in held]
    asked = weigh(" ".join(run.text for run in runs(text)), places)
    told = weigh(f"{text} {said}", places)
    near = [
        (sum(asked.get(each, 0) + told.get(each, 0) / 2 for each in shared), passage, fact)
        for passage, stated in held.items()
        for fact in stated
        if fact.question != text
        for shared in [stems(f"{fact.question} {fact.subject}")]
    ]
    return max(near, key=lambda shared: shared[0] + (shared[2].kind != "whether"), default=None)


def is_clear(fact: Fact) -> bool:
    """Return whether a question says what it is about, as `What is the Governor?` does not."""
    said = fact.question if fact.subject.lower() == "you" else fact.subject
    told = [each for each in re.findall(r"[\w.-]+", said) if stems(each)]
    rare = any(listed_tag(each) == "NNP" or frequency(each.lower()) < COMMON for each in told)
    return rare or len(told) > 1


@lru_cache(maxsize=8192)
def standing(passage: Passage) -> tuple[Clause, ...]:
    """Return the clauses of a passage that can be understood without it."""
    around = f"{passage.title} {passage.heading}"
    return tuple(clause for clause in clauses(body(passage)) if stands_alone(clause, around))


def stands_alone(clause: Clause, around: str) -> bool:
    """Return whether a clause says what it is about without the text around it."""
    plain = _words(f"{clause.subject} {clause.rest}")
    if {*plain, clause.auxiliary} & (wordlist("anaphora") | wordlist("hedges")):
        return False
    if "their" in plain and not clause.subject.rstrip("'").endswith("s"):
        return False
    rest = clause.rest.split()
    deeds = [token.tag for token in tag(clause.rest)[:2] if token.word != "been"]
    if deeds == ["VBN", "VBN"]:
        return False  # `is used based on`
    if rest[0] in wordlist("about_text") | {"that"} or len(rest) < FEWEST_OF_REST:
        return False
    if clause.auxiliary in _PAST and not re.search(r"[A-Z]", clause.subject_inside + clause.rest):
        return False
    if clause.second_person:
        return clause.auxiliary in {"can", "must"} and has_content(clause.rest)
    if not clause.subject.lower().startswith("the "):
        return is_specific(clause.subject_inside)
    return _is_known(clause.subject, around)


def _is_known(subject: str, around: str) -> bool:
    """Return whether `the …` names a thing that a reader knows: by a name, or as the topic."""
    kernel = subject.partition(" ")[2]
    if re.search(r"[A-Z\d_.]", kernel):
        return True
    special = any(frequency(word) < SPECIAL for word in kernel.split())
    return " " in kernel and (special or kernel.lower() in around.lower())


def _is_good(fact: Fact) -> bool:
    question, answer = fact.question.split(), fact.answer.split()
    open_end = question[-1].rstrip("?") in _OPEN_ENDS and fact.kind != "end"
    whether = fact.kind == "whether"
    conditional = whether and re.search(r"\b(?:if|when|like)\b", fact.question)
    if open_end or conditional or _DOUBLED.search(fact.question):
        return False
    short = whether or 0 < len(answer) <= LONGEST_ANSWER
    return 4 + whether <= len(question) <= LONGEST_QUESTION and short
