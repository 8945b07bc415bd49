"""Find the facts of a passage: questions that the passage answers without its context."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from uaeval.llm.replies import TwinDraft
from uaeval.offline.phrases import cached, is_specific, is_thing, phrases
from uaeval.offline.questions import ORDER, has_content, questions_of
from uaeval.offline.tables import pick, sign, table
from uaeval.records import Passage
from uaeval.text.clauses import Clause
from uaeval.text.english import frequency, listed_tag, runs, singular, tag
from uaeval.text.parsing import clauses
from uaeval.text.sentences import is_plain, sentences, tidy
from uaeval.text.structure import entries
from uaeval.text.words import asked_words, stem, stems, wordlist, words

COMMON = 4.0
"""Zipf frequency from which a single word is no topic."""
_MOST_COMMON = 7.0  # Zipf frequency of words without weight
_DISTINCTIVE = 2.0  # rarity of the nouns that questions on one subject share
_FEW = 10  # passages that may have a distinctive noun, however few there are
_SPECIAL = 3.0  # Zipf frequency below which a word identifies a topic
_LONGEST_QUESTION, _LONGEST_ANSWER = 20, 25
_DEFINES = re.compile(
    r"(?i)((?:an?|the) |)(.+?) (?:(is|are) (?=an? |the |one )"
    r"|(?=(?:allow|enable|help|let|offer|provide|support)s ))(.+)\."
)
"""What something is, or what it does (a verb of its own)."""
_OPEN_ENDS = frozenset("a and as at for from in of on or the to with".split())
_LEADING_TITLE = re.compile(r"\A\s*[^\n.!?:,|]{1,60}\n(?=\S)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """A question that a passage answers, with the answer."""

    question: str
    answer: str
    quote: str
    """The sentence of the passage that states the fact, unchanged."""
    subject: str
    """The noun phrase that the question is about."""
    kind: str
    """One of `questions.ORDER`, for example `date` or `whether`."""

    @property
    def twin(self) -> TwinDraft:
        """The fact as the answerable half of a pair."""
        return TwinDraft(question=self.question, answer=self.answer, quote=self.quote)


@cached
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
        for clause in standalone_clauses(passage)
        for kind, (question, answer) in questions_of(clause).items()
    ]
    stated += [
        Fact(question=question, answer=answer, quote=quote, subject=term, kind="entry")
        for term, question, answer, quote in entries(passage.title, passage.text)
    ]
    good = (fact for fact in stated if _is_well_formed(fact) and _is_independent(fact))
    return tuple(sorted(good, key=lambda fact: ORDER.index(fact.kind)))


@cached
def definitions(passage: Passage) -> tuple[Fact, ...]:
    """Return what the things of a passage are or do, as the first sentence about each says."""
    plain = [(each, tidy(each).lower()) for each in sentences(body(passage)) if is_plain(each)]
    found = []
    for topic in (phrase.topic for phrase in phrases(passage) if is_thing(phrase)):
        quote = next((each for each, lowered in plain if topic.lower() in lowered), "")
        parts = _DEFINES.match(tidy(quote))
        if parts and parts[2].lower() in {topic.lower(), f"{topic.lower()}s"}:
            article, name, verb, answer = parts.groups()
            subject = f"{article.lower()}{topic}{name[len(topic) :]}"
            question = f"What {verb} {subject}?" if verb else f"What does {subject} do?"
            fields = {"quote": quote, "subject": subject, "kind": "definition"}
            found.append(Fact(question=question, answer=answer, **fields))
    return tuple(found)


@cached
def mentions(passage: Passage) -> tuple[Fact, ...]:
    """Return what the sentences that begin with a phrase say of it, one for each phrase."""
    found: dict[str, Fact] = {}
    headings = f"{passage.title} {passage.heading}"
    topics = {each.topic.removeprefix("the ").lower(): each.text for each in phrases(passage)}
    for quote in filter(is_plain, sentences(body(passage))):
        answer = tidy(quote).rstrip(".")
        leaning = _plain_words(answer) & wordlist("anaphora") or sign("dependent").search(answer)
        text = "" if leaning or quote.isupper() else topics.get(_opening(answer), "")
        if text and (not text.startswith("the ") or _is_identified(text, headings)):
            question = pick(table("questions")["mention"], quote).format(x=text)
            fields = {"quote": quote, "subject": text, "kind": "mention"}
            found.setdefault(text, Fact(question=question, answer=answer, **fields))
    return tuple(filter(_is_well_formed, found.values()))


def _opening(sentence: str) -> str:
    """Return the noun phrase that a sentence begins with, if its verb follows; else nothing."""
    for run in runs(sentence)[:1]:
        after = (each.tag for each in tag(sentence)[run.place + len(run.tokens) :])
        verb = next((name for name in after if name != "RB"), "")
        first = run.place < 2 and run.before in {"", "a", "an", "the"}
        if first and verb in {"VBZ", "VBP", "VBD", "MD"}:
            return singular(run.text).lower()
    return ""


def _is_well_formed(fact: Fact) -> bool:
    question, answer = fact.question.split(), fact.answer.split()
    open_end = question[-1].rstrip("?") in _OPEN_ENDS and fact.kind != "end"
    whether = fact.kind == "whether"
    conditional = whether and sign("condition").search(fact.question)
    cut = any(fact.answer.count(left) != fact.answer.count(right) for left, right in ("()", "[]"))
    before_head = re.split(r" (?:of|in|on|for|that|which|to|with)\b", fact.answer)[0].split()[:-1]
    valued = fact.kind == "definition" and wordlist("opinions") & set(before_head)
    if open_end or conditional or cut or valued or sign("malformed").search(fact.question):
        return False
    short = whether or 0 < len(answer) <= _LONGEST_ANSWER
    return 4 + whether <= len(question) <= _LONGEST_QUESTION and short


def _is_independent(fact: Fact) -> bool:
    """Return whether a question has nothing that only the text around it explains."""
    compared = listed_tag(fact.subject.split()[0].lower()) == "JJR"
    dependent = compared or _plain_words(fact.question) & wordlist("leaning")
    if dependent or sign("dependent").search(f"{fact.question} {fact.answer}"):
        return False
    single = [run for run in runs(fact.question) if len(run.tokens) == 1 and run.text.islower()]
    return not any(run.before == "the" and run.after not in {"of", "that"} for run in single)


def nearest_fact(
    question: str, facts_of: Mapping[Passage, Sequence[Fact]], context: str = ""
) -> tuple[int, float, Passage, Fact] | None:
    """Return the nearest other fact after its closeness, the weight of what is shared, its passage.

    The closeness is 2 if both questions share distinctive nouns, 1 if only the context shares them.
    Nouns weigh by their rarity in English; those of most passages are not distinctive. Preferred
    are passages with the nouns, questions of one form, and those for a value.
    """
    count = Counter(each for passage in facts_of for each in passage_stems(passage))
    most = max(_FEW, len(facts_of) / 2)
    own, wider = (
        {noun: rarity for noun, rarity in _nouns(text).items() if count[noun] <= most}
        for text in (question, f"{question} {context}")
    )
    near = []
    for passage, stated in facts_of.items():
        nearby = sum(wider[each] for each in wider.keys() & passage_stems(passage))
        for fact in (each for each in stated if each.question != question):
            nouns = _nouns(fact.question)
            shared = [sum(some[each] for each in some.keys() & nouns) for some in (own, wider)]
            closeness = sum(weight >= _DISTINCTIVE for weight in shared)
            rank = sum(shared) / (len(nouns) + 1) ** 0.5 + nearby / 8
            rank += words(fact.question)[:1] == words(question)[:1]
            rank -= {"whether": 2, "mention": 3}.get(fact.kind, 0)
            near.append((closeness, rank, sum(shared), passage, fact))
    best = max(near, key=lambda each: (each[0], each[2] > 0, each[1]), default=None)
    return best and (best[0], *best[2:])


def share_subject(question: str, other: str) -> bool:
    """Return whether two questions ask for a distinctive noun that both have."""
    own = _nouns(question)
    return sum(own[each] for each in own.keys() & _nouns(other)) >= _DISTINCTIVE


def passage_stems(passage: Passage) -> frozenset[str]:
    """Return the stems of a passage, its title and its heading."""
    return stems(f"{passage.title} {passage.heading} {passage.text}")


@lru_cache(maxsize=16384)
def _nouns(text: str) -> Mapping[str, float]:
    """Return the stems of the nouns that a text asks for, with their rarity in English."""
    nouns = {token.word.lower() for run in runs(text) for token in run.tokens} & {
        *asked_words(text)
    }
    return {stem(each): max(0.0, _MOST_COMMON - frequency(each)) for each in sorted(nouns)}


def is_clear(fact: Fact) -> bool:
    """Return whether a question identifies its topic, as `What is the Governor?` does not."""
    topic = fact.question if fact.subject.lower() == "you" else fact.subject
    content = [each for each in re.findall(r"[\w.-]+", topic) if stems(each)]
    named = (listed_tag(each) == "NNP" or frequency(each.lower()) < COMMON for each in content)
    return len(content) > 1 or any(named)


def body(passage: Passage) -> str:
    """Return the text of a passage without a title on its first line."""
    return _LEADING_TITLE.sub("", passage.text.removeprefix(f"{passage.title}\n"))


@cached
def standalone_clauses(passage: Passage) -> tuple[Clause, ...]:
    """Return the clauses of a passage that can be understood without it."""
    headings = f"{passage.title} {passage.heading}"
    return tuple(clause for clause in clauses(body(passage)) if _stands_alone(clause, headings))


def _stands_alone(clause: Clause, headings: str) -> bool:
    plain = _plain_words(f"{clause.subject} {clause.rest}")
    if {*plain, clause.auxiliary} & (wordlist("anaphora") | wordlist("hedges")):
        return False
    if "their" in plain and not clause.subject.rstrip("'").endswith("s"):
        return False
    rest = clause.rest.split()
    if [token.tag for token in tag(clause.rest)[:2] if token.word != "been"] == ["VBN", "VBN"]:
        return False  # `is used based on`
    unasked = rest[0] in wordlist("about_text") | {"that"} or len(rest) < 3
    if unasked or _is_event(clause) or _is_inverted(clause):
        return False
    if clause.second_person:
        return clause.auxiliary in {"can", "must"} and has_content(clause.rest)
    if not clause.subject.lower().startswith("the "):
        return is_specific(clause.subject_inside)
    return _is_identified(clause.subject, headings)


def _is_event(clause: Clause) -> bool:
    """Return whether a clause is a step of a story: `The amount has been changed`."""
    if clause.auxiliary in {"was", "were", "did", "had"}:
        return not re.search(r"[A-Z]", clause.subject_inside + clause.rest)
    perfect = clause.auxiliary in {"has", "have"} and clause.rest.startswith("been ")
    return perfect and clause.subject.lower().startswith("the ") and " since " not in clause.rest


def _is_inverted(clause: Clause) -> bool:
    """Return whether the true subject follows the verb: `A nice feature is the log`."""
    values = _plain_words(clause.subject) & (wordlist("opinions") | wordlist("degrees"))
    indefinite = clause.subject.lower().startswith(("a ", "an "))
    return bool(values) and indefinite and clause.rest.startswith("the ")


def _is_identified(subject: str, headings: str) -> bool:
    """Return whether `the …` is a name, has a special word, or is the topic of the headings."""
    kernel = subject.partition(" ")[2]
    if re.search(r"[A-Z\d_.]", kernel):
        return True
    special = any(frequency(word) < _SPECIAL for word in kernel.split())
    return " " in kernel and (special or _plain_words(kernel) <= _plain_words(headings))


def _plain_words(text: str) -> set[str]:
    return set(re.findall(r"[a-z]+", text.lower()))
