"""What a named thing does, takes, means or applies to, and how, where and what for it is done."""

import re
from collections.abc import Iterator

from uaeval.llm.rules.english import grammar
from uaeval.llm.rules.mining.clauses import PEOPLE, Clause, lower_first, names, noun_phrase, parse
from uaeval.llm.rules.mining.patterns import Fact, FactKind, Pattern, fact_of
from uaeval.llm.rules.mining.sentences import Sentence
from uaeval.llm.rules.mining.told import Told, told

_TAKES = (
    r"(?P<include>include|require|cover|contain|offer|support|replace|measure|provide|track|mean|"
    r"show|describe|govern|explain|outline|prohibit|define|need|recommend|produce|affect|store|"
    r"display|collect|combine|help|fund|exclude|cost|serve|use|encourage)"
)
_JOINED = {
    "apply": ("to",),
    "refer": ("to",),
    "report": ("to",),
    "consist": ("of",),
    "focus": ("on",),
    "work": ("on",),
    "depend": ("on",),
    "rely": ("on",),
    "come": ("with", "from"),
    "result": ("in",),
    "lead": ("to",),
    "start": ("with",),
    "begin": ("with",),
    "comply": ("with",),
    "run": ("on",),
    "integrate": ("with",),
    "belong": ("to",),
    "lie": ("in",),
    "end": ("with",),
    "specialize": ("in",),
    "assist": ("with",),
    "help": ("with",),
    "connect": ("to",),
    "map": ("to",),
    "look": ("for",),
}
_BROAD = frozenset(
    """tts gsa 18f we people team employee staff user project work thing government agency group
    member supervisor partner process page document section handbook guide list form tool way
    site website role""".split()
)
_TAIL = re.compile(
    r"(?:, (?:which|who|where|so|but|because|although|while|and (?:it|they|you|we|the))\b| because "
    r"| although | while | so that | but ).*$"
)


def takes(sentence: Sentence) -> Iterator[Fact]:
    """`The crate policy covers loans and gifts.` → what does the crate policy cover?"""
    said = told(sentence.plain)
    if said is None or said.helper not in {"does", "do", "did", "can"}:
        return
    found = _object(said)
    if found is None or not _special(said.subject):
        return
    tail, answer = found
    if not _whole(answer):
        return
    word = "Who" if tail == " to" and said.base == "report" else "What"
    yield fact_of(sentence, Clause(subject=said.subject, verb=said.base), FactKind.DEFINITION,
                  said.ask(word, tail), answer, topic=noun_phrase(said.subject),
                  gap=answer)  # fmt: skip


def _object(said: Told) -> tuple[str, str] | None:
    """Return the stranded preposition and what the verb takes."""
    rest = _TAIL.sub("", said.rest)
    first, _, more = rest.partition(" ")
    if first in _JOINED.get(said.base, ()):
        return f" {first}", more
    if re.fullmatch(_TAKES, said.base) and said.base not in {"help", "use", "need", "cost"}:
        return (
            ("", rest)
            if not re.match(r"(?:to|that|how|if|for|in|on|at|as|with|by|from|up|out)\b", rest)
            else None
        )
    return None


def _special(subject: str) -> bool:
    """Say whether a subject is one thing among many: a name, or a noun with its own modifier."""
    said = grammar.content(subject)
    if re.search(r"\b(?:it|they|you|each|most|many|some|my|or)\b", subject):
        return False
    if names(re.sub(r"^(?:the|an?) ", "", subject)):
        return bool(said - _BROAD)
    return len(said - _BROAD) >= 2 or (len(said) >= 3)


def _whole(answer: str) -> bool:
    """Say whether an answer is a phrase that is understood alone."""
    length = len(answer.split())
    clauses = re.search(
        r"\bgood example\b| and (?:[\w'-]+ ){1,4}(?:is|are|has|have|will|can|must|should)\b", answer
    )
    return (
        1 < length <= 22
        and not clauses
        and not re.search(
            r"^(?:it|them|you|us|this|that|more|much|many|some|all)\b$|\b(?:we|us|this|these|it)\b|:",
            answer,
        )
    )


_HOW = re.compile(
    r"^(?P<done>[a-z]+)(?P<mid>(?: [^,]+?)?) (?P<how>(?:through|via|using|by [a-z]+ing) [^,:]+)$"
)
_WHERE = re.compile(
    r"^(?P<done>found|located|stored|kept|posted|listed|documented|published|tracked|recorded|"
    r"maintained|hosted|held|shared|discussed|announced|submitted|managed|logged|done|housed) "
    r"(?P<how>(?:in|on|at) (?:the |a |an )?(?:[A-Z#][\w'&/.-]*|(?:\w+ ){1,3}(?:page|folder|drive|"
    r"channel|tracker|spreadsheet|repository|repo|board|desk|office|room|floor|calendar|site|"
    r"system|document|form|section|tool|tab))(?: [\w'&/-]+){0,5})$"
)
_LOOSE = re.compile(r"\b(?:it|its|they|them|their|this|these|we|us|our|you|your|he|she)\b")


def passive(sentence: Sentence) -> Iterator[Fact]:
    """`Crates are booked through the Depot.` → how are crates booked?"""
    said, clause = told(sentence.plain), parse(sentence.plain)
    if clause and clause.verb == "be" and clause.modal in {"can", "must", "should", "have to",
                                                           "need to"}:  # fmt: skip
        subject, head, rest, tail = clause.subject, clause.ask, clause.rest, clause.tail
    elif said and not said.base and said.helper in {"is", "are"} and not said.lead:
        subject, head, rest, tail = said.subject, f"{said.helper} {said.subject}", said.rest, ""
    else:
        return
    if subject == "I" or not _special(subject):
        return
    rest = _TAIL.sub("", rest)
    how, where = _HOW.match(rest), _WHERE.match(rest)
    match = where or how
    if match is None or _LOOSE.search(rest) or not _participle(match["done"]):
        return
    mid = match["mid"] if match is how else ""
    if len((mid or "").split()) > 6:
        return
    kind = FactKind.PLACE if where else FactKind.PROCEDURE
    question = f"{'Where' if where else 'How'} {head} {match['done']}{mid}{tail}"
    yield fact_of(sentence, Clause(subject=subject), kind, question, match["how"],
                  topic=noun_phrase(subject), gap=match["how"])  # fmt: skip


def _participle(word: str) -> bool:
    bases = grammar.lemmas(word).get("VERB", ())
    return any(word == grammar.inflect(base, "VBN") for base in bases)


_NOT_DEFINED = re.compile(
    r"^(?:way|place|example|reason|idea|time|thing|part|result|lot|chance|opportunity|must|"
    r"requirement|point|fact|question|goal|case|step|few|couple|bit|challenge|matter|list)$"
)


def described(sentence: Sentence) -> Iterator[Fact]:
    """`A shadow loan is a loan that no one signs.` → what is a shadow loan?"""
    match = re.match(
        r"^(?P<what>(?:The |An? )?[A-Za-z][\w&/'-]*(?: [\w&/'-]+){0,4}?) (?P<be>is|are) "
        r"(?P<as>(?:(?:an?|the) )?[A-Za-z][^:]+)\.$",
        sentence.plain,
    )
    if match is None or BAD_VIEW.search(match["as"]) or len(match["as"].split()) < 5:
        return
    article = re.match(r"(?:an?|the) (?:[\w-]+ ){0,4}?(?P<head>[a-z-]+)\b", match["as"])
    if match["be"] == "is" and (article is None or not _definable(match["as"])):
        return
    if match["be"] == "are" and not _class(match["as"]):
        return
    what = lower_first(match["what"])
    bare = re.sub(r"^(?:the|an?) ", "", what)
    if PEOPLE.search(bare) and match["what"].startswith("The"):
        return
    if len(grammar.content(bare) - _BROAD) < 1 or re.search(r"ing$", bare.split()[0]):
        return
    if not (names(bare) or len(bare.split()) >= 2) or told(sentence.plain) is None:
        return
    yield fact_of(sentence, Clause(subject=what, verb="be", rest=match["as"]),
                  FactKind.DEFINITION, f"What {match['be']} {what}", match["as"], topic=bare,
                  gap=match["as"])  # fmt: skip


BAD_VIEW = re.compile(
    r"\b(?:not|good|great|best|important|perfect|key|big|huge|one|same|only|lot|first|better|"
    r"excellent|essential|critical|crucial|useful|vital|this|these|it's|great|easy|hard|we)\b"
)


def _definable(text: str) -> bool:
    said = re.split(r"\b(?:that|which|who|for|of|to|in|where|with|used|designed|on)\b", text)[0]
    words = said.split()
    return len(words) > 1 and grammar.is_noun(words[-1]) and not _NOT_DEFINED.match(words[-1])


def _class(text: str) -> bool:
    """Say whether a plural predicate names a class and says which: `tools that …`."""
    match = re.match(r"(?:[a-z-]+ ){0,2}(?P<head>[a-z]+s) (?:that|which|who|used|designed) ", text)
    return bool(match) and grammar.is_noun(match["head"]) if match else False


_LATER = re.compile(
    r"^(?P<when>(?:On|In|Since|By) (?:(?:January|February|March|April|May|June|July|August|"
    r"September|October|November|December)(?: \d{1,2}(?:st|nd|rd|th)?)?(?:,? \d{4})?|\d{4})),? "
    r"(?P<what>.+)$"
)


def dated(sentence: Sentence) -> Iterator[Fact]:
    """`On May 3, 2031, the desk published a map.` → when did the desk publish a map?"""
    match = _LATER.match(sentence.plain)
    text = match["what"] if match else ""
    said = told(f"{text[:1].upper()}{text[1:]}")
    if match is None or said is None or said.lead or said.helper not in {"did", "was", "were"}:
        return
    rest = _TAIL.sub("", said.rest)
    if _LOOSE.search(rest) or not 1 <= len(rest.split()) <= 13 or "," in rest:
        return
    when = lower_first(match["when"])
    yield fact_of(sentence, Clause(subject=said.subject), FactKind.DATE,
                  said.ask("When", f" {rest}"), when, topic=noun_phrase(said.subject),
                  gap=when)  # fmt: skip


OBJECT_PATTERNS: tuple[Pattern, ...] = (dated, takes, passive, described)
