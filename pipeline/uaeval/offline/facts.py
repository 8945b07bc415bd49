"""Find what a passage states, and ask for it: the questions that a passage answers by itself."""

import re
from collections.abc import Iterator, Set
from dataclasses import dataclass, replace
from functools import lru_cache

from uaeval.llm.replies import TwinDraft
from uaeval.offline.phrases import is_specific
from uaeval.text.amounts import Kind, amounts
from uaeval.text.clauses import Clause, as_asker
from uaeval.text.english import is_plural, runs, tag
from uaeval.text.lines import tidy
from uaeval.text.parsing import clauses, readable
from uaeval.text.sentences import sentences
from uaeval.text.wordlists import wordlist
from uaeval.text.words import stems
from uaeval.types import Passage

LONGEST_QUESTION = 24
"""Words."""
LONGEST_ANSWER = 25
FEWEST_OF_REST = 3
_PAST = frozenset({"was", "were", "did", "had"})
_OF_RULES = frozenset({"need", "have", "receive", "get", "earn", "qualify", "pay"})
_BE = frozenset({"is", "are", "was", "were"})
_TELLING = frozenset(
    "comprise contain include require mean represent measure return indicate produce "
    "denote specify handle determine hold".split()
)
_STARTS_OBJECT = frozenset({"DT", "NN", "NNS", "NNP", "NNPS", "JJ", "CD", "PRP$"})
_IN_PHRASE = _STARTS_OBJECT | {"CC", "POS"}


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
    around = stems(f"{passage.title} {passage.heading}")
    stated = [fact for clause in standing(passage) for fact in asked_of(clause)]
    good = [
        fact
        for fact in [*stated, *_plainly_told(passage)]
        if _is_good(fact) and _is_grounded(fact, around)
    ]
    return tuple(sorted(good, key=lambda fact: _ORDER.index(fact.kind)))


def _is_grounded(fact: Fact, around: frozenset[str]) -> bool:
    """Return whether a question rests neither on a text around it nor on a name of its code."""
    if _words(fact.question) & wordlist("leaning"):
        return False
    for run in runs(fact.question):
        alone = len(run.tokens) == 1 and run.text.islower()
        if alone and run.before == "the" and run.after not in {"of", "that", "who"}:
            return False
    code = stems(" ".join(re.findall(r"`([^`]*)`", fact.quote))) - around
    return not code & stems(fact.question)


_INSTRUCTION = re.compile(
    r"To ([a-z]+ [^,;:()]+), (?:(?:you|please) )?(?:(?:can|must|should|need to) )?([a-z]+ .+)\.$"
)
_NAMING = re.compile(
    r"((?:An?|The) .+?) (?:is|are) (?:called|known as|referred to as) "
    r"((?:an? |the )?(?:[\w'-]+ ){0,2}[\w'-]+)(?:\.|,? (?:and|which|because|in) .*)$"
)
_LEADING_TITLE = re.compile(r"\A\s*[^\n.!?:,|]{1,60}\n(?=\S)")


def body(passage: Passage) -> str:
    """Return the text of a passage without a title on its first line."""
    return _LEADING_TITLE.sub("", passage.text)


def _plainly_told(passage: Passage) -> Iterator[Fact]:
    """Yield `How do I …?` for each `To …, do …`, and `What is …?` for each `… is called …`."""
    for sentence in sentences(body(passage)):
        plain = tidy(sentence)
        if not readable(plain) or _words(plain) & wordlist("anaphora"):
            continue
        if (told := _INSTRUCTION.match(plain)) and _is_deed(*told.groups()):
            aim, deed = told.groups()
            question = f"How do I {as_asker(aim)}?"
            yield Fact(question=question, answer=deed, quote=sentence, subject=aim, kind="how")
        elif (named := _NAMING.match(plain)) and is_specific(named[2]):
            answer, name = named[1][:1].lower() + named[1][1:], named[2]
            question = f"What {'are' if is_plural(name) else 'is'} {name}?"
            yield Fact(question=question, answer=answer, quote=sentence, subject=name, kind="how")


def _is_deed(aim: str, deed: str) -> bool:
    """Return whether both are what somebody does, and the aim is specific."""
    starts = {aim.split()[0], deed.split()[0]}
    return starts <= wordlist("verbs") - {"need"} and _is_specific(aim, least=2)


def _words(text: str) -> set[str]:
    return set(re.findall(r"[a-z]+", text.lower()))


@lru_cache(maxsize=8192)
def standing(passage: Passage) -> tuple[Clause, ...]:
    """Return the clauses of a passage that can be understood without it."""
    around = f"{passage.title} {passage.heading}"
    read = (_named_by_title(clause, passage.title) for clause in clauses(body(passage)))
    return tuple(clause for clause in read if stands_alone(clause, around))


def _named_by_title(clause: Clause, title: str) -> Clause:
    """Return the clause with `the <noun>` replaced by the title that ends in that noun."""
    article, _, noun = clause.subject.partition(" ")
    kind = re.search(r"\(([a-z]+)[^()]*\)$", title)
    last = kind[1] if kind else (title.split() or [""])[-1].lower()
    if article != "The" or noun != last or not title[:1].isupper() or len(title.split()) < 2:
        return clause
    return replace(clause, subject=title, named=True)


def stands_alone(clause: Clause, around: str) -> bool:
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
        return is_specific(clause.subject_inside)
    return _is_known(clause.subject, around)


def _is_rule(clause: Clause) -> bool:
    """Return whether a clause tells readers what they can or must do."""
    return clause.auxiliary in {"can", "must"} or (
        clause.auxiliary in {"do", "will"} and clause.rest.split()[0] in _OF_RULES
    )


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
    dates = [amount for amount in amounts(clause.rest) if amount.kind is Kind.DATE]
    last = dates[-1] if dates else None
    if last is None or not (last.end == len(clause.rest) or _follows_deed(clause, last.start)):
        return None
    said, _, preposition = clause.rest[: last.start].strip().rpartition(" ")
    return (said, preposition, last.text) if preposition in {"in", "on"} and said else None


def _follows_deed(clause: Clause, place: int) -> bool:
    """Return whether nothing but a participle stands before a date: `was founded in 1999 by …`."""
    before = tag(clause.rest[:place])
    return not clause.verb and [token.tag for token in before] == ["VBN", "IN"]


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


def _object(clause: Clause, verbs: Set[str] = _TELLING) -> tuple[str, str] | None:
    """Ask for the object of a verb that says all of its objects, or of what happened once."""
    dated = _dated(clause)
    said, when = (dated[0], f" {dated[1]} {dated[2]}") if dated else (clause.rest, "")
    verb, _, thing = re.sub(r"^(consist|refer) (of|to) ", r"\1_\2 ", said).partition(" ")
    once = clause.auxiliary == "did" and clause.named
    if not clause.verb or clause.negated or clause.second_person or not thing:
        return None
    known = verb in verbs | {"consist_of", "refer_to"} or (once and when and verb in wordlist("verbs"))
    if not known or tag(thing)[0].tag not in _STARTS_OBJECT:
        return None
    return f"What {_inverted(clause, verb.replace('_', ' ') + when)}?", thing


def _means(clause: Clause) -> tuple[str, str] | None:
    """Ask for what serves a purpose: `by …`, or `use … to …`."""
    if clause.auxiliary != "can" or not clause.second_person or clause.negated:
        return None
    if used := re.match(r"use (.+?) to ([a-z]+) (.+)$", clause.rest):
        if used[2] in wordlist("verbs") and _is_specific(used[3], least=2):
            return f"What can I use to {as_asker(f'{used[2]} {used[3]}')}?", used[1]
    if way := re.match(r"((?!use )[a-z]+ .+) (by [a-z]+ing .+)$", clause.rest):
        if _is_specific(way[1], least=2):
            return f"How can I {as_asker(way[1])}?", way[2]
    return None


def _purpose(clause: Clause) -> tuple[str, str] | None:
    """Ask what a thing is used for, or what it lets its user do."""
    if clause.negated or clause.second_person:
        return None
    used = re.match(r"used (to|for) (.+)$", clause.rest)
    if used and clause.auxiliary in _BE:
        return f"What {_inverted(clause, 'used for')}?", used[0].removeprefix("used ")
    lets = re.match(r"(let|allow|enable|help) you (?:to )?(.+)$", clause.rest)
    if lets and clause.verb:
        do = "do" if lets[1] in {"let", "help"} else "to do"
        return f"What {_inverted(clause, f'{lets[1]} me {do}')}?", lets[2]
    return None


def _done(clause: Clause) -> tuple[str, str] | None:
    """Ask where, by whom or of what something is done."""
    done = re.match(r"([a-z]+) (of|on|with|from|by|in|at) ([^,]+)$", clause.rest)
    if not done or clause.negated or clause.auxiliary not in _BE or len(done[3].split()) > 8:
        return None
    if tag(clause.rest)[0].tag != "VBN" or {token.tag for token in tag(done[3])} - _IN_PHRASE:
        return None
    if done[2] in {"by", "in", "at"}:
        if not re.match(r"(?:the )?[A-Z]", done[3]) or re.search(r"\d", done[3]):
            return None
        how = "Who {} by" if done[2] == "by" else "Where {}"
        return how.format(_inverted(clause, done[1])) + "?", f"{done[2]} {done[3]}"
    return f"What {_inverted(clause, f'{done[1]} {done[2]}')}?", done[3]


def _does(clause: Clause) -> tuple[str, str] | None:
    """Ask for any object of what a thing does."""
    return _object(clause, wordlist("verbs")) if clause.auxiliary in {"do", "does"} else None


def _reason(clause: Clause) -> tuple[str, str] | None:
    said, because, why = clause.rest.partition(" because ")
    if not because or clause.negated or re.match(r"\S+$|(?:an?|the) ", said):
        return None
    return f"Why {_inverted(clause, said)}?", f"because {why}"


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
    "purpose": _purpose,
    "means": _means,
    "done": _done,
    "reason": _reason,
    "whether": _whether,
    "does": _does,
}
"""By kind, how a clause is asked for; the plainest answers first."""
_ORDER = ("how", *_KINDS)
