"""Find what a passage states, and ask for it: the questions that a passage answers by itself."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from uaeval.llm.replies import TwinDraft
from uaeval.offline.phrases import is_specific
from uaeval.records import Passage
from uaeval.text.amounts import Kind, amounts
from uaeval.text.clauses import Clause, as_asker
from uaeval.text.english import MODALS, is_plural, runs, tag
from uaeval.text.parsing import clauses, joined, readable
from uaeval.text.sentences import sentences, tidy
from uaeval.text.wordlists import wordlist
from uaeval.text.words import stems

LONGEST_QUESTION = 20
LONGEST_ANSWER = 25
FEWEST_OF_REST = 3
_PAST = frozenset({"was", "were", "did", "had"})
_BE = frozenset({"is", "are", "was", "were"})
_TELLING = frozenset(
    "comprise contain include require mean represent measure return indicate produce "
    "denote specify handle determine hold".split()
)
_DEEDS = wordlist("verbs") - {"need", "see", "learn"}
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
    """A key of `_KINDS`, for example `date` or `whether`, or `how`."""

    @property
    def twin(self) -> TwinDraft:
        """The fact as the answerable half of a pair."""
        return TwinDraft(question=self.question, answer=self.answer, quote=self.quote)


@lru_cache(maxsize=8192)
def facts(passage: Passage) -> tuple[Fact, ...]:
    """Return the facts that a passage states, those with the plainest answers first."""
    stated = [fact for clause in standing(passage) for fact in asked_of(clause)]
    good = [
        fact for fact in [*stated, *_instructions(passage)] if _is_good(fact) and _is_grounded(fact)
    ]
    return tuple(sorted(good, key=lambda fact: _ORDER.index(fact.kind)))


def _is_grounded(fact: Fact) -> bool:
    """Return whether a question has nothing that only a text around it explains."""
    if _words(fact.question) & wordlist("leaning") or _OWNED.search(fact.question):
        return False
    alone = [run for run in runs(fact.question) if len(run.tokens) == 1 and run.text.islower()]
    return not any(run.before == "the" and run.after not in {"of", "that"} for run in alone)


_CAUSING = frozenset("allow be cause enable have help let make permit recommend want".split())
_CIRCUMSTANCES = frozenset(
    "after at before between by during for from in on per through to under via within".split()
)
_OPEN_ENDS = frozenset("a and as at for from in of on or the to with".split())
_DOUBLED = re.compile(r"\b(\w{3,}) \1\b", re.I)
_OWNED = re.compile(
    r"\b[Tt]he [\w -]+'s? |\beven\b"
    r"|\b(?:at|by|for|from|in|of|on|to|with) (?:that|those|this|these) | that [a-z]+\?$"
)
"""Somebody or something that only the text around has introduced."""
_SPAN = re.compile(
    r"(.+?) (for|within|after|every) (\w+) ((?:[a-z]+ )?[a-z]+s)( (?:of|from|before) .+)?$"
)
_INSTRUCTION = re.compile(
    r"To ([a-z]+ [^,;:()]+), (?:(?:you|please) )?(?:(?:can|must|should|need to) )?([a-z]+ .+)\.$"
)
_LEADING_TITLE = re.compile(r"\A\s*[^\n.!?:,|]{1,60}\n(?=\S)")


def body(passage: Passage) -> str:
    """Return the text of a passage without a title on its first line."""
    return _LEADING_TITLE.sub("", passage.text.removeprefix(f"{passage.title}\n"))


def _instructions(passage: Passage) -> Iterator[Fact]:
    """Yield `How do I …?` for each `To …, do …`."""
    for sentence in sentences(body(passage)):
        plain = tidy(sentence)
        if not readable(plain) or _words(plain) & wordlist("anaphora"):
            continue
        told = _INSTRUCTION.match(plain)
        starts = {part.split()[0] for part in told.groups()} if told else set()
        if told and starts <= _DEEDS and _is_specific(told[1], least=2):
            question = f"How do I {as_asker(told[1])}?"
            yield Fact(
                question=question, answer=told[2], quote=sentence, subject=told[1], kind="how"
            )


def _words(text: str) -> set[str]:
    return set(re.findall(r"[a-z]+", text.lower()))


def nearest_fact(text: str, passages: Sequence[Passage]) -> tuple[int, Passage, Fact] | None:
    """Return how many stems the nearest fact shares with a question, its passage, and the fact.

    The question itself is left out.
    """
    wanted = stems(text)
    near = [
        (len(wanted & stems(f"{fact.question} {fact.answer}")), passage, fact)
        for passage in passages
        for fact in facts(passage)
        if not text.startswith(fact.question)
    ]
    return max(near, key=lambda shared: shared[0], default=None)


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
    if rest[0] in wordlist("about_text") or len(rest) < FEWEST_OF_REST:
        return False
    if clause.auxiliary in _PAST and not re.search(r"[A-Z]", clause.subject_inside + clause.rest):
        return False
    if clause.second_person:
        return clause.auxiliary in {"can", "must"} and _is_specific(clause.rest)
    if not clause.subject.lower().startswith("the "):
        return is_specific(clause.subject_inside)
    return _is_known(clause.subject, around)


def _is_specific(rest: str, least: int = 4) -> bool:
    """Return whether words hold enough of content; with a name, one less is enough."""
    tokens = tag(rest)
    names = any(token.word[:1].isupper() and token.word != "I" for token in tokens[1:])
    content = [token for token in tokens if token.tag[:2] in {"NN", "JJ", "CD"}]
    return len(content) >= least - names


def _is_known(subject: str, around: str) -> bool:
    """Return whether `the …` names a thing that a reader knows: by a name, or as the topic."""
    kernel = subject.partition(" ")[2]
    if re.search(r"[A-Z\d_.]", kernel):
        return True
    return " " in kernel and kernel.lower() in around.lower()


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
            )


def _is_good(fact: Fact) -> bool:
    question, answer = fact.question.split(), fact.answer.split()
    if question[-1].rstrip("?") in _OPEN_ENDS or _DOUBLED.search(fact.question):
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
    first = next((token.tag for token in tag(said) if token.tag != "RB"), "")
    if amounts(said) or not (clause.verb or first.startswith("VB")):
        return None
    return f"When {_inverted(clause, said)}?", date


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
    verb, _, thing = re.sub(r"^(consist|refer) (of|to) ", r"\1_\2 ", said).partition(" ")
    once = clause.auxiliary == "did" and clause.named
    if not clause.verb or clause.negated or clause.second_person or not thing:
        return None
    known = verb in _TELLING | {"consist_of", "refer_to"} or (
        once and when and verb in wordlist("verbs")
    )
    if not known or tag(thing)[0].tag not in _STARTS_OBJECT:
        return None
    return f"What {_inverted(clause, verb.replace('_', ' ') + when)}?", thing


def _span(clause: Clause) -> tuple[str, str] | None:
    """Ask for the number after a preposition: `Within how many days …?`."""
    parts = _SPAN.match(clause.rest)
    if not parts or clause.negated or not amounts(parts[3]):
        return None
    said, preposition, number, unit, tail = parts.groups(default="")
    question = f"{preposition} how many {unit}{tail} {_inverted(clause, said)}?"
    return question, f"{preposition} {number} {unit}"


def _means(clause: Clause) -> tuple[str, str] | None:
    """Ask for what serves a purpose: `by …`, or `use … to …`."""
    if clause.auxiliary != "can" or not clause.second_person or clause.negated:
        return None
    used = re.match(r"use (.+?) to ([a-z]+ (.+))$", clause.rest)
    if used and used[2].split()[0] in wordlist("verbs") and _is_specific(used[3], least=2):
        return f"What can I use to {as_asker(used[2])}?", used[1]
    way = re.match(r"((?!use )[a-z]+ .+) (by [a-z]+ing .+)$", clause.rest)
    if way and _is_specific(way[1], least=2):
        return f"How can I {as_asker(way[1])}?", way[2]
    return None


def _whether(clause: Clause) -> tuple[str, str] | None:
    said = clause.state(negate=clause.negated)
    if clause.verb:
        said = f"{clause.subject} {clause.predicate}."
    if clause.second_person or not clause.named:
        said = said[:1].lower() + said[1:]
    return clause.ask(), f"{'No' if clause.negated else 'Yes'}, {said.rstrip('.')}"


def _part(clause: Clause) -> tuple[str, str] | None:
    """Ask for the object of a verb, or for how many there are, where more is said of the deed.

    `It keeps three copies for a week` gives `How many copies does it keep for a week?`.
    """
    tokens, phrases = tag(clause.rest), runs(clause.rest)
    acts = clause.verb or (clause.auxiliary in MODALS and tokens[0].word in _DEEDS)
    if not acts or clause.negated or not phrases or tokens[0].word in _CAUSING:
        return None
    if clause.second_person and clause.auxiliary == "can":
        return None  # much else can be done
    thing, end = phrases[0], phrases[0].place + len(phrases[0].tokens)
    before, tail = [token.tag for token in tokens[1 : thing.place]], tokens[end:]
    if before not in ([], ["DT"], ["CD"], ["PRP$"]) or thing.place == 0:
        return None
    if tail and (tail[0].word not in _CIRCUMSTANCES or len(tail) < 3):
        return None
    verb = joined([token.word for token in (tokens[0], *tail)])
    if before == ["CD"] and is_plural(thing.text):
        return f"How many {thing.text} {_inverted(clause, verb)}?", f"{tokens[1].word} {thing.text}"
    if not tail or not is_specific(thing.text):
        return None
    return f"What {_inverted(clause, verb)}?", joined([token.word for token in tokens[1:end]])


_KINDS = {
    "date": _date,
    "definition": _definition,
    "object": _object,
    "span": _span,
    "part": _part,
    "means": _means,
    "whether": _whether,
}
"""By kind, how a clause is asked for; the plainest answers first."""
_ORDER = ("how", *_KINDS)
