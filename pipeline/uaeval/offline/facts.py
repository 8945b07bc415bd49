"""Find what a passage states, and ask for it: the questions that a passage answers by itself."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from uaeval.llm.replies import TwinDraft
from uaeval.text.amounts import Kind, amounts
from uaeval.text.clauses import Clause, as_asker
from uaeval.text.english import tag
from uaeval.text.parsing import clauses
from uaeval.text.wordlists import wordlist
from uaeval.types import Passage

LONGEST_QUESTION = 24
"""Words."""
LONGEST_ANSWER = 15
FEWEST_OF_REST = 3
_PAST = frozenset({"was", "were", "did", "had"})
_OF_RULES = frozenset({"need", "have", "receive", "get", "earn", "qualify", "pay"})
_BE = frozenset({"is", "are", "was", "were"})
_TELLING = frozenset(
    "comprise consist_of contain include require mean represent measure return indicate produce "
    "denote specify handle determine hold".replace("_", " ").split()
) | {"consist of"}
_STARTS_OBJECT = frozenset({"DT", "NN", "NNS", "NNP", "NNPS", "JJ", "CD", "PRP$"})


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
    """A key of `_KINDS`, for example `date` or `whether`."""
    clause: Clause

    @property
    def twin(self) -> TwinDraft:
        """The fact as the answerable half of a pair."""
        return TwinDraft(question=self.question, answer=self.answer, quote=self.quote)


@lru_cache(maxsize=8192)
def facts(passage: Passage) -> tuple[Fact, ...]:
    """Return the facts that a passage states, those with the plainest answers first."""
    stated = [fact for clause in standing(passage) for fact in asked_of(clause)]
    good = [fact for fact in stated if _is_good(fact)]
    return tuple(sorted(good, key=lambda fact: _ORDER.index(fact.kind)))


@lru_cache(maxsize=8192)
def standing(passage: Passage) -> tuple[Clause, ...]:
    """Return the clauses of a passage that can be understood without it."""
    around = f"{passage.title} {passage.heading}"
    read = (_named_by_title(clause, passage.title) for clause in clauses(passage.text))
    return tuple(clause for clause in read if stands_alone(clause, around, passage.text))


def _named_by_title(clause: Clause, title: str) -> Clause:
    """Return the clause with `the <noun>` replaced by the title that ends in that noun."""
    article, _, noun = clause.subject.partition(" ")
    kind = re.search(r"\(([a-z]+)[^()]*\)$", title)
    last = kind[1] if kind else (title.split() or [""])[-1].lower()
    if article != "The" or noun != last or not title[:1].isupper() or len(title.split()) < 2:
        return clause
    return replace(clause, subject=title, named=True)


def stands_alone(clause: Clause, around: str, text: str) -> bool:
    """Return whether a clause says what it is about without the text around it."""
    plain = {word.lower() for word in re.findall(r"[\w']+", f"{clause.subject} {clause.rest}")}
    if plain & (wordlist("anaphora") | wordlist("hedges")) or clause.auxiliary in wordlist(
        "hedges"
    ):
        return False
    if "their" in plain and not clause.subject.rstrip("'").endswith("s"):
        return False
    rest = clause.rest.split()
    if rest[0] in wordlist("about_text") or len(rest) < FEWEST_OF_REST:
        return False
    if clause.auxiliary in _PAST and not re.search(r"[A-Z]", clause.subject_inside + clause.rest):
        return False
    if clause.second_person:
        return _is_rule(clause) and _is_specific(clause.rest)
    if not clause.subject.lower().startswith("the "):
        return True
    return _is_known(clause.subject, around, text)


def _is_rule(clause: Clause) -> bool:
    """Return whether a clause tells readers what they can or must do."""
    return clause.auxiliary in {"can", "must"} or (
        clause.auxiliary in {"do", "will"} and clause.rest.split()[0] in _OF_RULES
    )


def _is_specific(rest: str) -> bool:
    """Return whether words hold a name, or enough of content."""
    tokens = tag(rest)
    names = any(token.word[:1].isupper() and token.word != "I" for token in tokens[1:])
    content = [token for token in tokens if token.tag[:2] in {"NN", "JJ", "CD"}]
    return len(content) >= (3 if names else 4)


def _is_known(subject: str, around: str, text: str) -> bool:
    """Return whether `the …` names a thing that a reader knows: by a name, or as the topic."""
    kernel = subject.partition(" ")[2]
    if re.search(r"[A-Z\d_.]", kernel):
        return True
    if " " not in kernel:
        return False
    again = len(re.findall(re.escape(kernel), text, re.I)) > 1
    return again or kernel.lower() in around.lower()


def asked_of(clause: Clause) -> Iterator[Fact]:
    """Yield every question that a clause answers."""
    for kind, ask in _KINDS.items():
        if (asked := ask(clause)) is not None:
            question, answer = asked
            yield Fact(
                question=question[:1].upper() + question[1:],
                answer=answer.strip(" ,"),
                quote=clause.sentence,
                subject=clause.subject,
                kind=kind,
                clause=clause,
            )


def _is_good(fact: Fact) -> bool:
    question, answer = fact.question.split(), fact.answer.split()
    if question[-1].rstrip("?") in {"to", "for", "with", "in", "on", "of", "at", "from", "as", "a"}:
        return False
    if fact.kind == "whether":
        return 5 <= len(question) <= LONGEST_QUESTION
    return 4 <= len(question) <= LONGEST_QUESTION and 0 < len(answer) <= LONGEST_ANSWER


def _inverted(clause: Clause, rest: str) -> str:
    rest = as_asker(rest) if clause.second_person else rest
    return f"{clause.auxiliary} {clause.subject_inside} {rest}".strip()


def _dated(clause: Clause) -> tuple[str, str, str] | None:
    """Return what happened, `on` or `in`, and the date, if the rest of a clause ends in one."""
    last = next(reversed(amounts(clause.rest)), None) if clause.rest[-1:].isdigit() else None
    if last is None or last.kind is not Kind.DATE or last.end < len(clause.rest):
        return None
    said, _, preposition = clause.rest[: last.start].strip().rpartition(" ")
    return (said, preposition, last.text) if preposition in {"in", "on"} and said else None


def _date(clause: Clause) -> tuple[str, str] | None:
    dated = _dated(clause)
    if not dated or clause.negated:
        return None
    said, _, date = dated
    if amounts(said) or (not clause.verb and not _starts_verb(said)):
        return None
    return f"When {_inverted(clause, said)}?", date


def _starts_verb(text: str) -> bool:
    tokens = [token for token in tag(text) if token.tag != "RB"]
    return bool(tokens) and tokens[0].tag[:2] == "VB"


def _definition(clause: Clause) -> tuple[str, str] | None:
    match = re.match(r"(?:an?|the) ", clause.rest)
    if not match or clause.negated or clause.verb or clause.auxiliary not in _BE:
        return None
    if len(clause.subject.split()) > 5 or clause.second_person:
        return None
    head = re.split(r" (?:of|in|on|at|for|from|who|that|which|to|by|with|and)\b", clause.rest)[0]
    if tag(clause.rest)[-1].tag not in {"NN", "NNS", "NNP", "NNPS", "CD"}:
        return None
    person = clause.named and head.split()[-1].lower() in wordlist("persons")
    return f"{'Who' if person else 'What'} {clause.auxiliary} {clause.subject_inside}?", clause.rest


def _object(clause: Clause) -> tuple[str, str] | None:
    """Ask for the object of a verb that says all of its objects, or of what happened once."""
    dated = _dated(clause)
    said, when = (dated[0], f" {dated[1]} {dated[2]}") if dated else (clause.rest, "")
    verb, _, thing = said.partition(" ")
    if verb == "consist" and thing.startswith("of "):
        verb, thing = "consist of", thing.removeprefix("of ")
    once = clause.auxiliary == "did" and clause.named
    if not clause.verb or clause.negated or clause.second_person or not thing:
        return None
    known = verb in _TELLING or (once and when and verb in wordlist("verbs"))
    if not known or tag(thing)[0].tag not in _STARTS_OBJECT:
        return None
    return f"What {_inverted(clause, verb + when)}?", thing


def _whether(clause: Clause) -> tuple[str, str] | None:
    said = clause.state(negate=clause.negated)
    if clause.verb:
        said = f"{clause.subject} {clause.predicate}."
    answer = f"{'No' if clause.negated else 'Yes'}, {_inside(clause, said)}"
    return clause.ask(), answer.rstrip(".")


def _inside(clause: Clause, said: str) -> str:
    if clause.second_person or not clause.named:
        return said[:1].lower() + said[1:]
    return said


_KINDS = {
    "date": _date,
    "definition": _definition,
    "object": _object,
    "whether": _whether,
}
"""By kind, how a clause is asked for; the plainest answers first."""
_ORDER = tuple(_KINDS)
