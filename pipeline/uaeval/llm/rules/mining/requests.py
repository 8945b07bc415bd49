"""What to use, whom to ask and where to send things: instructions and advice."""

import re
from collections.abc import Iterator
from dataclasses import replace

from uaeval.llm.rules.english import grammar
from uaeval.llm.rules.mining.clauses import Clause, is_object, noun_phrase, parse, second_person
from uaeval.llm.rules.mining.patterns import MODAL_PATTERNS, Fact, FactKind, Pattern, fact_of
from uaeval.llm.rules.mining.reasons import imperative
from uaeval.llm.rules.mining.sentences import Sentence

_POLITE = re.compile(
    r"^(?:Please|You (?:can|may|should|must|need to|have to|will need to|could)(?: also)?) "
)
_CHANNEL = r"(?:the )?#[a-z][\w-]+(?: (?:and|or) #[a-z][\w-]+)?(?: (?:Slack )?channels?)?"


def _order(text: str) -> str | None:
    """Return an instruction without its polite opening and full stop; `None` for the rest."""
    bare = _POLITE.sub("", text)
    bare = bare[:1].upper() + bare[1:]
    return bare.rstrip(".") if bare != text or imperative(bare.rstrip(".")) else None


def instruction(sentence: Sentence) -> Iterator[Fact]:
    """`Submit vouchers through Concur.` → how should I submit vouchers?"""
    text = sentence.plain
    if not imperative(text.rstrip(".")) or re.match(r"(?:Do not|Never|Please)\b", text):
        return
    ordered = replace(sentence, plain=f"You should {text[0].lower()}{text[1:]}")
    for pattern in MODAL_PATTERNS[:-1]:
        yield from pattern(ordered)


def channel(sentence: Sentence) -> Iterator[Fact]:
    """`Ask in #travel about refunds.` → which Slack channel should I use to ask about refunds?"""
    text = _order(sentence.plain)
    match = _IN_CHANNEL.match(text) if text else None
    about = grammar.first_person(match["about"]) if match else None
    if match is None or about is None or _vague(about):
        return
    verb, _, thing = match["deed"].partition(" ")
    whole = verb.lower() in _POSTED and is_object(thing) and not _LEANING.search(thing)
    goal = f"to {verb.lower()} {thing} " if whole else ""
    question = f"Which Slack channel should I use {goal}{about}"
    clause = Clause(subject="I", modal="should", verb="use", rest=match["where"])
    yield fact_of(sentence, Clause(subject=clause.subject), FactKind.CONTACT, question,
                  match["where"], topic=noun_phrase(about), gap=match["where"])  # fmt: skip


_POSTED = {"post", "request", "announce", "share", "report"}
_LEANING = re.compile(r"\b(?:it|them|you|your|this|us)\b")
_IN_CHANNEL = re.compile(
    rf"^(?P<deed>[A-Z][a-z]+(?: (?!(?:or|and|to|your)\b)[\w'-]+){{0,6}}?) "
    rf"(?:in|to|on|at|with|via)? ?(?P<where>{_CHANNEL}) "
    r"(?P<about>(?:for|about|if|to|when|with) [^,:]+)$"
)


def _vague(about: str) -> bool:
    """Say whether a purpose is no more than `for questions` or `if necessary`."""
    return len(grammar.content(about) - _GENERAL) < 2 or bool(
        re.search(r"\b(?:it|them|this|these|one|they|there|we|us|our)\b", about)
    )


_GENERAL = grammar.content(
    "questions help issues information details more any additional further necessary needed "
    "support assistance have know want feedback need concerns get ask learn about"
)


def addressee(sentence: Sentence) -> Iterator[Fact]:
    """`Reach out to the Depot for a crate.` → who should I reach out to for a crate?"""
    text = _order(sentence.plain)
    match = _ADDRESSED.match(text) if text else None
    why = grammar.first_person(match["why"]) if match else None
    if match is None or why is None or _vague(why):
        return
    who = match["who"]
    if why.startswith("to ") and not grammar.starts_with_verb(why[3:]):
        return
    if not (is_object(who) or "@" in who) or re.search(r"\b(?:them|us|me|you|someone)\b", who):
        return
    verb = match["verb"].lower()
    question = f"Who should I {verb} {why}"
    clause = Clause(subject="I", modal="should", verb=verb.split()[0])
    yield fact_of(sentence, Clause(subject=clause.subject), FactKind.CONTACT, question, who,
                  topic=noun_phrase(why.partition(" ")[2]), gap=who)  # fmt: skip


_ADDRESSED = re.compile(
    r"^(?P<verb>Contact|Email|Call|Notify|Message|Reach out to|Work with|Talk to|Speak with|"
    r"Get in touch with|Check with|Consult|Coordinate with|Consult with|Talk with|Speak to|Tell|"
    r"Inform) (?P<who>(?:the |your |our |a |an )?[\w@&'./-]+(?: [\w@&'.()-]+){0,5}?) "
    r"(?P<why>(?:for|about|if|with|when|to|before|after|regarding|at least|within) [^,:]+)$"
)
_FOR = re.compile(
    r"^(?P<for>(?:For|To) [^,:]{6,80}), (?:please |you (?:can|should|must|need to|may) )?"
    r"(?P<verb>contact|email|call|ask|notify|use|choose|select|visit|follow|complete|review|"
    r"reach out to|consult|fill out|enter|refer to|read|install|work with|talk to) "
    r"(?P<what>[^,:]+)$"
)
_NAMED_AFTER = re.compile(
    r" (?:to|and|for|in order|by|via|at|so|which|that|where|or|with|when)\b.*$"
)


def purpose(sentence: Sentence) -> Iterator[Fact]:
    """`For a lost card, contact the porter.` → who should I contact for a lost card?"""
    match = _FOR.match(sentence.plain.rstrip("."))
    why = grammar.first_person(match["for"]) if match else None
    if match is None or why is None or _vague(why):
        return
    person = match["verb"] in _PERSONAL
    if why.startswith("To ") and not grammar.starts_with_verb(why[3:]):
        return
    what = match["what"] if not person else _NAMED_AFTER.sub("", match["what"])
    what = re.sub(r" (?:since|because|so that|which)\b.*$", "", what)
    if re.search(r"\b(?:them|us|it|this|these|below|following)\b", what) or len(what.split()) > 14:
        return
    word = "Who" if person else "What"
    question = f"{word} should I {match['verb']} {why[0].lower()}{why[1:]}"
    yield fact_of(sentence, Clause(subject="I"), FactKind.CONTACT if person else
                  FactKind.PROCEDURE, question, what, topic=noun_phrase(why), gap=what)  # fmt: skip


_PERSONAL = {"contact", "email", "call", "ask", "notify", "reach out to", "consult", "work with",
             "talk to"}  # fmt: skip


def tool_for(sentence: Sentence) -> Iterator[Fact]:
    """`Use the crate form for loans abroad.` → what should I use for loans abroad?"""
    text = _order(sentence.plain)
    match = re.match(
        r"^Use (?P<what>(?:the |a |an |your |our )?[^,:]{3,50}?) "
        r"(?P<for>(?:to|for|when|if|as) [^,:]+)$", text or "")  # fmt: skip
    why = grammar.first_person(match["for"]) if match else None
    if match is None or why is None or _vague(why) or not is_object(match["what"]):
        return
    if why.startswith("to ") and not grammar.starts_with_verb(why[3:]):
        return
    yield fact_of(sentence, Clause(subject="I"), FactKind.PROCEDURE, f"What should I use {why}",
                  second_person(match["what"]), topic=noun_phrase(why),
                  gap=match["what"])  # fmt: skip


_SEND = re.compile(
    r"^(?P<verb>send|submit|forward|email|upload|return|mail|post|add|route|report|deliver|ship) "
    r"(?P<what>[^,:]{3,50}?) (?:directly )?(?P<where>to [^,:]+)$"
)


def sent(sentence: Sentence) -> Iterator[Fact]:
    """`Send the signed form to the Depot.` → where should I send the signed form?"""
    clause = parse(sentence.plain)
    text = _order(sentence.plain)
    if clause is None and text is None:
        return
    body = text or ""
    match = _SEND.match(body[:1].lower() + body[1:])
    what = grammar.first_person(match["what"]) if match else None
    if match is None or what is None or not is_object(what):
        return
    where = _NAMED_AFTER.sub("", match["where"][3:])
    if re.search(r"\b(?:them|us|it|this|these)\b", f"{what} {where}"):
        return
    if not re.match(r"(?:the|your|[A-Z#@]|\S+@)", where):
        return
    if len(grammar.content(what)) < 2 or len(where.split()) > 9:
        return
    yield fact_of(sentence, Clause(subject="I"), FactKind.PLACE,
                  f"Where should I {match['verb']} {what}", f"to {where}",
                  topic=noun_phrase(what), gap=where)  # fmt: skip


REQUEST_PATTERNS: tuple[Pattern, ...] = (channel, addressee, purpose, tool_for, sent, instruction)
