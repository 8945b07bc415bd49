"""The parts of a sentence with a modal verb, and how they are put together again as questions."""

import re
from dataclasses import dataclass

from uaeval.llm.rules.english import grammar

_MODAL = re.compile(
    r"^(?P<lead>(?:If|When|Before|After|Once|During|While|For|At|On|In|Within|Unless)\b"
    r"[^,]{4,80}, )?"
    r"(?P<subject>[Yy]ou|[A-Za-z][\w'/&-]*(?: [\w'/&-]+){0,5}?) "
    r"(?P<modal>can(?:not| not)?|may(?: not)?|must(?: not)?|should(?: not)?|"
    r"(?:will )?(?:need|have) to|(?:are|is) (?:not )?(?:required|allowed|permitted|able|eligible|"
    r"entitled) to|(?:needs|has) to|(?:do not|don't|does not|doesn't) (?:need|have) to|can't|"
    r"shouldn't|mustn't) "
    r"(?P<adverb>(?:also|always|only|first|still|simply|just|generally|usually|"
    r"typically|immediately|never) )?"
    r"(?P<verb>[a-z-]+)(?P<rest>(?: .*)?)\.$"
)
_PLAIN_MODAL = {
    "may": "can",
    "can not": "cannot",
    "can't": "cannot",
    "may not": "cannot",
    "mustn't": "must not",
    "shouldn't": "should not",
    "will need to": "need to",
    "will have to": "have to",
    "needs to": "need to",
    "has to": "have to",
} | {
    f"{be} {word} to": modal
    for be in ("is", "are")
    for word, modal in (
        ("required", "must"),
        ("allowed", "can"),
        ("permitted", "can"),
        ("able", "can"),
        ("eligible", "can"),
        ("entitled", "can"),
        ("not required", "need not"),
        ("not allowed", "cannot"),
        ("not permitted", "cannot"),
        ("not able", "cannot"),
        ("not eligible", "cannot"),
        ("not entitled", "cannot"),
    )
}
_ASK = {
    "can": ("can", ""),
    "should": ("should", ""),
    "must": ("do", " have to"),
    "have to": ("do", " have to"),
    "need to": ("do", " need to"),
    "need not": ("do", " have to"),
    "cannot": ("can", ""),
    "must not": ("can", ""),
    "should not": ("should", ""),
}
_DETERMINER = re.compile(r"^(?:the|an?|my|your|our|all|each|every|any|only|most|no)\b ?", re.I)
_NO_SUBJECT = re.compile(
    r"\b(?:that|which|who|if|when|we|there|and|or|it|they|this|is|are|was|not|to|also|their|his|"
    r"her|its|as|because|so|he|she|what|how|you|do|does|will|has|have|than|earliest|i)\b|'ll|'re|'ve",
    re.IGNORECASE,
)
PEOPLE = re.compile(
    r"\b(?:employees?|supervisors?|managers?|staff|members?|contractors?|leads?|applicants?|users?|"
    r"visitors?|customers?|guests?|drivers?|students?|parents?|officers?|directors?|candidates?|"
    r"volunteers?|teachers?|adults?|children|people|colleagues?|partners?|owners?|holders?|"
    r"travell?ers?|teammates?|reviewers?|participants?|vendors?|agencies|agency|teams?|groups?|"
    r"schools?|lenders?|borrowers?|hirers?|speakers?|organi[sz]ers?|administrators?|admins?|"
    r"assistants?|engineers?|designers?|writers?|authors?|clients?|patients?|residents?|tenants?|"
    r"developers?|veterans?|cors?|requestors?|requesters?|travelers?|offices?|officials?|"
    r"mothers?|fathers?|pupils?|readers?|exhibitors?|photographers?|interviewers?|mentors?|coordinators?|stewards?|curators?|keepers?|wardens?)$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Clause:
    """A modal sentence in its parts, in the first person."""

    subject: str
    modal: str = ""
    verb: str = ""
    rest: str = ""
    condition: str = ""

    @property
    def ask(self) -> str:
        """Return the inverted head: `can I request`, `do I have to request`."""
        auxiliary, more = _ASK[self.modal]
        if auxiliary == "do" and not plural(self.subject):
            auxiliary = "does"
        return f"{auxiliary} {self.subject}{more} {self.verb}"

    @property
    def tail(self) -> str:
        """Return the condition as it follows a question."""
        return f" {self.condition}" if self.condition else ""


def plural(subject: str) -> bool:
    """Say whether a subject takes `do` and `have`; `I` does too."""
    return subject == "I" or grammar.is_plural(subject)


def parse(text: str) -> Clause | None:
    """Read a modal sentence; `None` if it is another kind of sentence or a doubtful one."""
    text = re.sub(r"\b([Yy])ou'll (need|have) to\b", r"\1ou \2 to", text)
    ban = re.match(
        r"^(?:Please )?(?:Do not|Don't|Never) (?P<verb>[a-z]+) (?P<rest>[^,:]+)\.$", text
    )
    if ban:
        text = f"You must not {ban['verb']} {ban['rest']}."
    match = _MODAL.match(text)
    if match is None or match["adverb"] in {"either ", "then ", "only "}:
        return None
    modal = match["modal"].replace("don't", "do not").replace("doesn't", "does not")
    modal = "need not" if modal.startswith("do") else _PLAIN_MODAL.get(modal, modal)
    subject = subject_of(match["subject"])
    lead = grammar.first_person(match["lead"].rstrip(", ")) if match["lead"] else ""
    rest = grammar.first_person(match["rest"].strip())
    if modal not in _ASK or not subject or lead is None or rest is None:
        return None
    if not grammar.is_base_verb(match["verb"]) or re.search(r"\b(?:we|us|let's)\b", rest + lead):
        return None
    if re.search(
        r"\b(?:and|or|but) (?:should|must|can|may|will|then|they|it|you|I|is|are)\b", rest
    ):
        return None
    if match["adverb"] == "never ":
        modal = "must not"
    lead = lower_first(lead)
    return Clause(condition=lead, subject=subject, modal=modal, verb=match["verb"], rest=rest)


def subject_of(text: str) -> str | None:
    """Return a noun phrase in the first person; `None` if it is none or a doubtful one."""
    if text.lower() == "you":
        return "I"
    found = grammar.first_person(text)
    if found is None or _NO_SUBJECT.search(text):
        return None
    bare = _DETERMINER.sub("", text)
    if not bare or not named(bare.split()[-1]):
        return None
    if bare == text and bare.split()[0].lower().endswith("ing"):
        return None
    if bare == text and not grammar.is_plural(text) and not names(text):
        return None
    return lower_first(found)


def named(word: str) -> bool:
    """Say whether a noun phrase can end in `word`."""
    return grammar.is_noun(word) or not grammar.lemmas(word)


def names(text: str) -> bool:
    """Say whether a phrase is a proper name: capitals beyond the first word, or an acronym."""
    said = [word for word in text.split() if word.lower() not in grammar.STOP]
    if not said:
        return False
    acronym = sum(letter.isupper() for letter in said[0]) > 1 or said[0][0].isdigit()
    return acronym or (len(said) > 1 and all(word[0].isupper() for word in said))


def lower_first(text: str) -> str:
    """Lower the first letter unless the word is a name or an acronym."""
    first = text.split(" ")[0].rstrip(",") if text else ""
    if first in {"", "I"} or any(letter.isupper() for letter in first[1:]):
        return text
    common = any(grammar.lemmas(part) for part in {first, first.split("-")[0]})
    common = common or first.lower() in grammar.STOP or first.endswith(("s", "ble", "ed"))
    second = text.split(" ")[1] if " " in text else ""
    proper = second[:1].isupper() and first.lower() not in grammar.STOP | {"all", "each", "every"}
    proper = proper and not (second.isupper() and first.endswith("ed"))
    return text if proper or not common else text[0].lower() + text[1:]


def finish(question: str) -> str:
    """Capitalise and end a question."""
    text = " ".join(question.split()).rstrip(" .,")
    return f"{text[0].upper()}{text[1:]}?"


def second_person(text: str) -> str:
    """Rewrite `I` to `you` again, for answers."""
    text = re.sub(r"\bI am\b", "you are", text)
    text = re.sub(r"\bI was\b", "you were", text)
    text = re.sub(r"\b(?:I|me)\b", "you", text)
    text = re.sub(r"\bmyself\b", "yourself", text)
    return re.sub(r"\bmy\b", "your", text)


_CUT = re.compile(
    r"[,;(]|\s(?:to|for|before|after|from|with|by|when|if|on|at|in|that|which|who|and|or|as|until|"
    r"during|via|using|through|within|once|about|into|prior|because|while|unless|where|per|is|are)\b"
)


def noun_phrase(text: str) -> str:
    """Return the first noun phrase of `text`, without its article."""
    text = re.sub(r"^(?:to|for|about|on|in|with|of) ", "", text.strip())
    text = re.sub(r"^(?:the|an?|my|your|any|all|each|every|up to|at least) ", "", text)
    return _CUT.split(text)[0].strip()


def is_object(text: str) -> bool:
    """Say whether `text` is one plain noun phrase, which may hold `of` or `for`."""
    if len(text.split()) > 8 or re.search(r"[,;:]|\b(?:and|or|that|which|who|to|if|not)\b", text):
        return False
    last = text.split()[-1].strip("\"'") if text else ""
    return bool(last) and named(last) and last.lower() not in grammar.STOP
