"""Plain statements in their parts: who, did, what."""

import re
from dataclasses import dataclass
from itertools import pairwise

from uaeval.llm.rules.english import grammar
from uaeval.llm.rules.mining.clauses import plural, subject_of

_LEAD = re.compile(
    r"^(?P<lead>(?:(?:In|From|Since|Until|During|On|At|For|After|Before|Outside|Inside) "
    r"[^,]{3,40}, |(?:In|Since) \d{4} ))(?P<rest>.+)$"
)
_BE = {"is": "is", "are": "are", "was": "was", "were": "were"}
_HELPERS = {"will": "will", "can": "can", "must": "must", "may": "can", "should": "should"}
CUT = re.compile(
    r"(?:, |(?<!between)(?<!between \d)(?<!between \d\d) and | but | because | although | while |"
    r" so that | which | who | where ).*$"
)

_ADVERB = re.compile(
    r"(?:also|always|only|generally|usually|typically|strongly|normally|currently|primarily|"
    r"mainly|mostly|automatically|formally|directly|now|regularly|jointly|officially|initially)$"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """A statement in its parts; `helper` inverts it, `base` is the main verb after the helper."""

    subject: str
    helper: str
    base: str
    verb: str
    """The verb as it stands, with its helper where it has one."""
    rest: str
    lead: str

    def ask(self, word: str, tail: str = "", extra: str = "") -> str:
        """Return a question that begins with `word`."""
        lead = f" {self.lead}" if self.lead else ""
        main = f" {self.base}" if self.base else ""
        return f"{word} {self.helper} {self.subject}{extra}{main}{tail}{lead}"


def told(text: str) -> Told | None:
    """Split a statement into subject, verb and rest; `None` if that is in doubt."""
    match = _LEAD.match(text.rstrip("."))
    lead, body = (match["lead"].strip(" ,"), match["rest"]) if match else ("", text.rstrip("."))
    said = body.split() if not lead or grammar.first_person(lead) == lead else []
    rest_has_verb = re.compile(r"\b(?:is|are|was|were|has|have|had)\b")
    for place in range(1, min(len(said) - 1, 12)):
        if place + 1 >= len(said):
            return None
        subject, word = " ".join(said[:place]), said[place]
        if "," in subject or not word.islower():
            continue
        if place + 2 < len(said) and _ADVERB.match(word):
            del said[place]
            word = said[place]
        parts = _verb(subject, word, said[place + 1])
        if parts is None:
            continue
        found = subject_of(subject) if place > 0 else None
        if found is None or found == "I" or _trails(subject):
            continue
        helper, base, used = parts
        rest = " ".join(said[place + used :])
        if rest_has_verb.search(CUT.sub("", rest)) or second_verb(rest):
            return None
        lead = lead[:1].lower() + lead[1:]
        verb = " ".join(said[place : place + used])
        return Told(subject=found, helper=helper, base=base, verb=verb, rest=rest, lead=lead)
    return None


def second_verb(rest: str) -> bool:
    """Say whether a word that can only be a verb follows: `sold in 2025 remain valid`."""
    said = CUT.sub("", rest).split()
    return any(
        set(grammar.lemmas(word)) == {"VERB"} and grammar.is_base_verb(word)
        for before, word in pairwise(said)
        if word.islower() and before not in {"to", "not", "and", "or", "that", "who", "which"}
    )


def _trails(subject: str) -> bool:
    """Say whether a subject breaks off: its last word is no noun or name."""
    last = subject.split()[-1]
    return last.lower() in grammar.STOP or (last.islower() and not grammar.is_noun(last))


def _verb(subject: str, word: str, following: str) -> tuple[str, str, int] | None:
    """Return the inverting helper, the base form and how many words the verb takes."""
    if word in _BE:
        return word, "", 1
    if word in _HELPERS:
        return (word, following, 2) if grammar.is_base_verb(following) else None
    many = plural(subject)
    bases = grammar.lemmas(word).get("VERB", ())
    for base in bases:
        if word == grammar.inflect(base, "VBD") and word != base:
            return "did", base, 1
        if not many and word == base == grammar.inflect(base, "VBD"):
            return "did", base, 1
        if not many and word == grammar.inflect(base, "VBZ"):
            return "does", base, 1
        if many and word == base:
            return "do", base, 1
    return None
