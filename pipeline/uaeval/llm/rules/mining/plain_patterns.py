"""Patterns of sentences without a modal verb: steps, definitions, offices, places, amounts."""

import re
from collections.abc import Iterator
from dataclasses import replace

from uaeval.llm.rules.english import grammar
from uaeval.llm.rules.mining.clauses import PEOPLE, Clause, lower_first, noun_phrase, subject_of
from uaeval.llm.rules.mining.patterns import Fact, FactKind, Pattern, fact_of
from uaeval.llm.rules.mining.sentences import Sentence

_PLEASE = re.compile(
    r"^(?:please|you (?:can|must|should|need to|have to|will need to)|you'll need to) ", re.I
)


def procedure(sentence: Sentence) -> Iterator[Fact]:
    """`To submit a timesheet, open HR Links.` → how do I submit a timesheet?"""
    match = re.match(
        r"^(?:In order to|To) (?P<goal>[a-z]+ [^,:]{4,70}), (?P<do>[^:]+)\.$", sentence.plain
    )
    goal = grammar.first_person(match["goal"]) if match else None
    if match is None or goal is None or not grammar.starts_with_verb(goal):
        return
    step = _PLEASE.sub("", match["do"])
    if not grammar.starts_with_verb(step) or re.match(r"(?i)(?:have|be|do)\b", step):
        return
    if goal.split()[0] in _NO_GOAL:
        return
    verb, _, rest = goal.partition(" ")
    clause = Clause(subject="I", modal="can", verb=verb, rest=rest)
    yield fact_of(sentence, clause, FactKind.PROCEDURE, f"How do I {goal}", step,
                  topic=noun_phrase(rest), gap=step)  # fmt: skip


_NO_GOAL = frozenset(
    """be help ensure make avoid achieve summarize begin do have see learn provide assist support
    start keep know understand prevent reduce show illustrate""".split()
)


_UNSURE = re.compile(
    r"\bI (?:want|wish|would|think|can)\b|\bstill\b|\b(?:questions?|trouble|issues|help)$"
)


_SUBJECT = re.compile(
    r"\w+(?: \w+){0,2} (?:is|are|was|were|will|can|must|should|may|has|have)\b", re.IGNORECASE
)
"""A clause that has a subject, and is no step to take: `award leave is not paid out`."""


def condition(sentence: Sentence) -> Iterator[Fact]:
    """`If you lose your badge, call Security.` → what should I do if I lose my badge?"""
    match = re.match(
        r"^(?P<if>(?:If|When) you [^,]{8,80}), (?:then )?(?P<do>[^:]+)\.$", sentence.plain
    )
    lead = grammar.first_person(match["if"]) if match else None
    if match is None or lead is None or _UNSURE.search(lead):
        return
    if re.search(r"\b(?:you can|you may|feel free)\b", match["do"]):
        return
    step = _PLEASE.sub("", match["do"])
    if not grammar.starts_with_verb(step) or step.split()[0].lower() in {"try", "note", "be"}:
        return
    if _SUBJECT.match(step):
        return
    clause = Clause(subject="I", modal="should", verb="do", condition=lower_first(lead))
    yield fact_of(sentence, clause, FactKind.CONDITION, f"What should I do {clause.condition}",
                  step, topic=noun_phrase(lead.split(" ", 3)[-1]), gap=step)  # fmt: skip


def contact(sentence: Sentence) -> Iterator[Fact]:
    """`Contact the Travel team about refunds.` → who should I contact about refunds?"""
    match = re.match(
        r"^(?:Please )?(?P<verb>[Cc]ontact|[Ee]mail|[Cc]all|[Aa]sk|[Nn]otify) "
        r"(?P<who>(?:the |your |our |a |an )?[\w@&'.-]+(?: [\w@&'.-]+){0,5}?) "
        r"(?P<why>(?:for|about|if|with|when) [^,]+)\.$",
        sentence.plain,
    )
    why = grammar.first_person(match["why"]) if match else None
    if match is None or why is None or re.search(r"\bor (?:contact|call|email|visit)\b", why):
        return
    if match["who"].lower() in {"them", "us", "me", "you", "someone", "it"}:
        return
    if re.match(r"(?:for|about|with) (?:any |more |further |additional )?"
                r"(?:questions?|issues?|help|information|details|assistance)$", why):  # fmt: skip
        return
    verb = match["verb"].lower()
    clause = Clause(subject="I", modal="should", verb=verb, rest=f"{match['who']} {why}")
    yield fact_of(sentence, clause, FactKind.CONTACT, f"Who should I {verb} {why}", match["who"],
                  topic=noun_phrase(why.partition(" ")[2]), gap=match["who"])  # fmt: skip


_OFFICE = frozenset(
    """approve manage own maintain run lead oversee handle review process issue coordinate
    administer decide assign sign organise organize arrange host supervise provide fund""".split()
)


def office(sentence: Sentence) -> Iterator[Fact]:
    """`The Travel team approves vouchers.` → who approves vouchers?"""
    match = re.match(
        r"^(?P<who>[A-Z][\w&'/-]*(?: [\w&'/-]+){0,5}?) "
        r"(?P<does>(?:is|are) responsible for|[a-z]+)(?P<what> [^,:]+)\.$",
        sentence.plain,
    )
    what = grammar.first_person(match["what"]) if match else None
    if match is None or what is None or not _holder(match["who"]):
        return
    if match["does"].endswith("responsible for"):
        verb, does = "be", "is responsible for"
    else:
        bases = grammar.lemmas(match["does"]).get("VERB", ("",))
        verb, does = bases[0], grammar.inflect(bases[0], "VBZ") if bases[0] else ""
        if verb not in _OFFICE or match["does"] not in {verb, does}:
            return
    if not re.search(r"[a-z]{3}", what) or len(what.split()) < 2:
        return
    if what.split()[0] in {"and", "or"} or any(_is_finite(word) for word in what.split()):
        return
    rest = f"responsible for {what.strip()}" if verb == "be" else what.strip()
    clause = Clause(subject=lower_first(match["who"]), verb=verb, rest=rest)
    yield fact_of(sentence, clause, FactKind.PERSON, f"Who {does}{what}", match["who"],
                  topic=noun_phrase(what), gap=match["who"])  # fmt: skip


def _is_finite(word: str) -> bool:
    """Say whether a word can only be a verb with `he` or `it`."""
    bases = grammar.lemmas(word).get("VERB", ())
    finite = any(word == grammar.inflect(base, "VBZ") for base in bases)
    return word.islower() and finite and not grammar.is_noun(word)


def _holder(who: str) -> bool:
    if re.match(r"(?:Most|Many|Some|Few)\b", who):
        return False
    if subject_of(who) in {None, "I"}:
        return False
    return bool(PEOPLE.search(who)) or who.split()[-1][0].isupper()


def use(sentence: Sentence) -> Iterator[Fact]:
    """`Tock is used to track time.` → what is Tock used for?"""
    match = re.match(
        r"^(?P<what>[A-Z][\w&/'-]*(?: [\w&/'-]+){0,6}?) (?P<be>is|are) used "
        r"(?P<how>(?P<by>to|for|as) [^:]+)\.$",
        sentence.plain,
    )
    what = subject_of(match["what"]) if match else None
    how = grammar.first_person(match["how"]) if match else None
    if match is None or what in {None, "I"} or how is None or how != match["how"]:
        return
    clause = Clause(subject=str(what), verb="be", rest=f"used {how}")
    word = "as" if match["by"] == "as" else "for"
    yield fact_of(sentence, clause, FactKind.DEFINITION, f"What {match['be']} {what} used {word}",
                  how, topic=noun_phrase(str(what)), gap=how)  # fmt: skip


def enabling(sentence: Sentence) -> Iterator[Fact]:
    """`The program allows employees to donate leave.` → what does the program let them do?"""
    match = re.match(
        r"^(?P<what>[A-Z][\w&/'-]*(?: [\w&/'()-]+){0,6}?) (?:allows|enables|lets) "
        r"(?P<whom>you|[\w' -]{3,30}?) (?:to )?(?P<do>[a-z]+ [^:]+)\.$",
        sentence.plain,
    )
    what = subject_of(re.sub(r" \([^)]*\)", "", match["what"])) if match else None
    if match is None or what in {None, "I"} or not grammar.starts_with_verb(match["do"]):
        return
    whom = "me" if match["whom"] == "you" else match["whom"]
    clause = Clause(subject=str(what), verb="let", rest=f"{whom} {match['do']}")
    yield fact_of(sentence, clause, FactKind.DEFINITION, f"What does {what} allow {whom} to do",
                  match["do"], topic=noun_phrase(str(what)), gap=match["do"])  # fmt: skip


def stands_for(sentence: Sentence) -> Iterator[Fact]:
    """`AWS stands for Alternative Work Schedule.` → what does AWS stand for?"""
    match = re.match(r"^(?P<what>[A-Z][A-Z&/]{1,7}) stands for (?P<as>[^:]+)\.$", sentence.plain)
    if match:
        clause = Clause(subject=match["what"], verb="stand", rest=f"for {match['as']}")
        question = f"What does {match['what']} stand for"
        yield fact_of(sentence, clause, FactKind.DEFINITION, question, match["as"],
                      topic=match["what"], gap=match["as"])  # fmt: skip


_PRAISE = re.compile(
    r"\b(?:you|your|we|us|our|not|good|great|best|important|perfect|key|big|huge|one|same|only|lot|"
    r"first)\b"
)


def definition(sentence: Sentence) -> Iterator[Fact]:
    """`The Employee Assistance Program is a free …` → what is the Employee Assistance Program?"""
    match = re.match(
        r"^(?P<what>(?:The |An? )?[A-Z][\w&/'-]*(?: [A-Z][\w&/'-]*){0,4}(?: \([A-Z][\w&-]+\))?) is "
        r"(?P<as>(?:an?|the) [A-Za-z][^:]+)\.$",
        sentence.plain,
    )
    if match is None or _PRAISE.search(match["as"]):
        return
    what = match["what"]
    if what.split()[0] in {"The", "A", "An"}:
        what = lower_first(what)
    elif len(what.split()) == 1 and grammar.lemmas(what) and not what.isupper():
        return
    if re.match(r"(?:the|an?) [a-z]", what) or what.split()[0].endswith("ing"):
        return
    clause = Clause(subject=what, verb="be", rest=match["as"])
    yield fact_of(sentence, clause, FactKind.DEFINITION, f"What is {what}", match["as"],
                  topic=what, gap=match["as"])  # fmt: skip


def attribute(sentence: Sentence) -> Iterator[Fact]:
    """`The deadline for nominations is March 3.` → what is the deadline for nominations?"""
    match = re.match(
        r"^(?P<what>The (?:[a-z]+ )?(?:purpose|goal|deadline|cost|price|fee|limit|maximum|minimum|"
        r"length|duration|fine|rate|charge|deposit|capacity|penalty|aim|weight limit|allowance|"
        r"default|standard|number|address|code|name|theme|frequency|schedule|budget|term|period|"
        r"notice period)(?: [a-z]+)? (?:of|for|to|on) [^,:]{3,50}?|The [\w -]{3,30} "
        r"(?:deadline|fee|limit|charge|deposit|price|rate|allowance|address|password|budget)) "
        r"is (?P<as>[^:]+)\.$",
        sentence.plain,
    )
    what = grammar.first_person(match["what"]) if match else None
    if match is None or what is None or re.match(r"(?:not|also|only|often|very)\b", match["as"]):
        return
    what = lower_first(what)
    number = re.search(r"[$£€]?\d", match["as"])
    kind = FactKind.AMOUNT if number else FactKind.DEFINITION
    clause = Clause(subject=what, verb="be", rest=match["as"])
    fact = fact_of(sentence, clause, kind, f"What is {what}", match["as"],
                   topic=noun_phrase(what), gap=match["as"])  # fmt: skip
    yield replace(fact, stated=f"{what} is {match['as']}", helper="is")


_STATE = re.compile(
    r"^(?P<what>[A-Z][\w&'/-]*(?: [\w&'/-]+){0,6}?) (?P<be>is|are) "
    r"(?P<done>located|held|stored|kept|open|closed|due|posted|listed|published|available|paid|"
    r"issued|charged|sent|delivered|collected|announced|released) "
    r"(?P<how>(?P<by>in|on|at|from|by|every|within|until|between|near|next to|behind|to) [^,:]+)\.$"
)


def state(sentence: Sentence) -> Iterator[Fact]:
    """`The gym is located on the third floor.` → where is the gym located?"""
    match = _STATE.match(sentence.plain)
    what = subject_of(match["what"]) if match else None
    how = grammar.first_person(match["how"]) if match else None
    if match is None or what is None or what == "I" or how is None:
        return
    kind = _state_kind(match["by"], match["how"])
    if kind is None:
        return
    word = "When" if kind is FactKind.DATE else "Where"
    question = f"{word} {match['be']} {what} {match['done']}"
    clause = Clause(subject=what, verb="be", rest=f"{match['done']} {match['how']}")
    fact = fact_of(sentence, clause, kind, question, match["how"],
                   topic=noun_phrase(what), gap=match["how"])  # fmt: skip
    yield replace(fact, stated=f"{what} {match['be']} {clause.rest}", helper=match["be"])


_TIME = re.compile(
    r"\b(?:\d{1,2}(?::\d\d)? ?[ap]\.?m|\d{1,2}[:.]\d\d|days?|weeks?|months?|years?|quarters?|"
    r"mon|tues|wednes|thurs|fri|satur|sun|january|february|march|april|may|june|july|august|"
    r"september|october|november|december|spring|summer|autumn|winter|morning|noon|midnight)",
    re.IGNORECASE,
)


def _state_kind(preposition: str, text: str) -> FactKind | None:
    if _TIME.search(text):
        return FactKind.DATE
    if preposition in {"in", "on", "at", "near", "next to", "behind"}:
        detail = re.search(r"\b(?:request|person|advance|addition|time|basis|case|order)\b", text)
        return None if detail else FactKind.PLACE
    return None


PLAIN_PATTERNS: tuple[Pattern, ...] = (
    procedure,
    condition,
    contact,
    office,
    use,
    enabling,
    stands_for,
    attribute,
    state,
    definition,
)
