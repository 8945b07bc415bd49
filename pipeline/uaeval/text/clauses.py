"""A statement as subject, verb and rest, from which questions and statements are made."""

import re
from dataclasses import dataclass

from uaeval.text.english import base, can_be_verb, inflect, is_plural, listed_tag

_DO = {"do": "VBP", "does": "VBZ", "did": "VBD"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Clause:
    """A statement: `subject` + `auxiliary` (or the verb) + `rest`."""

    sentence: str
    """The sentence of the passage."""
    subject: str
    auxiliary: str
    """The finite auxiliary; `do`, `does` or `did` if the finite verb is a full verb."""
    negated: bool
    verb: str
    """The finite full verb as written; empty if the finite verb is an auxiliary."""
    rest: str
    """The words after the auxiliary; a finite full verb is in its base form."""
    named: bool
    """Whether the first word of the subject has a capital inside sentences too."""

    @property
    def second_person(self) -> bool:
        """Whether the subject is the reader."""
        return self.subject.lower() == "you"

    @property
    def subject_inside(self) -> str:
        """Return the subject as the asker writes it inside a sentence."""
        if self.second_person:
            return "I"
        return self.subject if self.named else self.subject[:1].lower() + self.subject[1:]

    @property
    def predicate(self) -> str:
        """Return the predicate, which starts with the finite verb."""
        if self.negated:
            return f"{negated(self.auxiliary)} {self.rest}"
        if not self.verb:
            return f"{self.auxiliary} {self.rest}"
        return re.sub(rf"\b{base(self.verb)}\b", self.verb, self.rest, count=1)

    @property
    def _finite(self) -> str:
        """Return the rest, which starts with a base form, with its verb in the tense of `do`."""
        words = self.rest.split()
        verb = next((number for number, word in enumerate(words) if can_be_verb(word)), 0)
        words[verb] = inflect(words[verb], _DO[self.auxiliary])
        return " ".join(words)

    @property
    def _need_not(self) -> str:
        thing = re.split(r" (?:of|in|on|for|from|with|between) ", self.subject)[0]
        several = self.second_person or is_plural(thing) or " and " in thing
        return "don't" if several else "doesn't"

    def ask(self) -> str:
        """Return the clause as a yes-or-no question; `must not` becomes a question with `may`."""
        forbidden = self.negated and self.auxiliary == "must"
        auxiliary = "May" if forbidden else self.auxiliary.capitalize()
        return f"{auxiliary} {self.subject_inside} {as_asker(self.rest)}?"

    def ask_why(self, *, negate: bool) -> str:
        """Return the clause as a question that takes it, or its negation, for granted."""
        auxiliary = negated(self.auxiliary) if negate else self.auxiliary
        if negate and self.auxiliary == "must":
            return f"why {self._need_not} {self.subject_inside} have to {as_asker(self.rest)}"
        if self.negated and auxiliary == "must":
            auxiliary = "may"
        return f"why {auxiliary} {self.subject_inside} {as_asker(self.rest)}"

    def state(self, *, negate: bool) -> str:
        """Return the clause, or its negation, as a statement."""
        must = self.auxiliary == "must"
        if self.auxiliary in _DO and not negate:
            return f"{self.subject} {self._finite}."
        if not negate:
            auxiliary = "may" if must and self.negated else self.auxiliary
        elif must:
            auxiliary = "must not" if self.negated else f"{self._need_not} have to"
        else:
            auxiliary = negated(self.auxiliary)
        return f"{self.subject} {auxiliary} {self.rest}."


def negated(auxiliary: str) -> str:
    """Return the short negation of an auxiliary: `can't`, `won't`."""
    irregular = {"can": "can't", "will": "won't", "may": "may not", "might": "might not"}
    return irregular.get(auxiliary, f"{auxiliary}n't")


_SWAPS = {"your": "my", "yours": "mine", "yourself": "myself"}
_OBLIQUE = re.compile(
    r"\b(for|to|with|by|of|from|upon|on|at|about|against|(?:give|get|keep|let|allow|help)s?) you\b",
    re.I,
)


def as_asker(text: str) -> str:
    """Return a text addressed to a reader in the first person: `your car` as `my car`."""
    text = re.sub(r"\byou're\b", "I'm", text, flags=re.I)
    text = re.sub(r"\byou(?='(?:d|ll|ve)\b)", "I", text, flags=re.I)
    text = _OBLIQUE.sub(r"\1 me", text)
    return re.sub(r"\b(yours?|yourself|you)\b(?: (\w+))?", _swapped, text, flags=re.I)


def _swapped(match: re.Match[str]) -> str:
    """Return the pronoun in the first person: for `you`, `I` before a verb or adverb, else `me`."""
    word, following = match[1].lower(), match[2] or ""
    finite = {"are": "am", "were": "was"}.get(following.lower(), following)
    verbal = can_be_verb(following) or (listed_tag(following) or "")[:2] in {"RB", "VB", "MD"}
    pronoun = _SWAPS.get(word) or ("I" if verbal or finite != following else "me")
    return f"{pronoun} {finite if pronoun == 'I' else following}".strip()
