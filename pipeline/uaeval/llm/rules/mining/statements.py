"""Plain statements: who did what, when, where and how much of it."""

import re
from collections.abc import Iterator
from dataclasses import replace

from uaeval.llm.rules.english import grammar
from uaeval.llm.rules.mining.clauses import PEOPLE, Clause, noun_phrase
from uaeval.llm.rules.mining.patterns import Fact, FactKind, Pattern, fact_of
from uaeval.llm.rules.mining.sentences import Sentence
from uaeval.llm.rules.mining.told import CUT, Told, told

_ABOUT = (
    r"(?:about |around |approximately |more than |over |up to |at least |nearly |almost |only |"
    r"roughly )?"
)
_COUNT = re.compile(
    rf"^(?P<count>{_ABOUT}(?:\d[\d,]*|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve))"
    r" (?P<thing>(?:[a-z-]+ ){0,2}?[a-z]+)(?P<tail>(?: (?:of|for|in|at|on|from|to|with|by|per|each|"
    r"every|a|an|during|within|before|after|when|if|between) .*)?)$"
)
_MONEY = re.compile(
    rf"^(?P<sum>{_ABOUT}(?:[£$€]\d[\d,]*(?:\.\d+)?(?: (?:million|billion))?|\d[\d,.]* (?:pence|"
    r"euros|dollars|pounds|cents)))(?P<tail>(?: .*)?)$"
)
_SIZE = re.compile(
    rf"^(?P<size>{_ABOUT}\d[\d,.]* (?P<unit>[a-z]+)) (?P<how>high|long|wide|deep|old|tall|away)"
    r"(?P<tail>(?: .*)?)$"
)
_MONTHS = (
    r"(?:January|February|March|April|May|June|July|August|September|October|November|December)"
)
_DATE = (
    rf"(?:(?:on|until|by|from|since|before|after) (?:\d{{1,2}} {_MONTHS}(?: \d{{4}})?|{_MONTHS} "
    rf"\d{{1,2}}(?:, \d{{4}})?|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?)|in (?:{_MONTHS}(?: "
    r"\d{4})?|\d{4}|spring|summer|autumn|winter)|at \d{1,2}[:.]\d\d|every (?:Mon|Tues|Wednes|Thurs|"
    r"Fri|Satur|Sun)day(?: [a-z]+)?)"
)


def _fact(
    sentence: Sentence, said: Told, kind: FactKind, question: str, answer: str, rest: str
) -> Fact:
    clause = Clause(subject=said.subject, verb=said.base or "be", rest=rest)
    fact = fact_of(sentence, clause, kind, question, answer,
                   topic=noun_phrase(said.subject), gap=answer)  # fmt: skip
    lead = f" {said.lead}" if said.lead else ""
    stated = " ".join(f"{said.subject} {said.verb} {rest}{lead}".split())
    return replace(fact, stated=stated, helper=said.helper)


def figures(sentence: Sentence) -> Iterator[Fact]:
    """`The car park has 140 spaces.` → how many spaces does the car park have?"""
    said = told(sentence.plain)
    if said is None or said.base in {"", "be", "exceed"}:
        return
    rest = CUT.sub("", said.rest)
    money, count = _MONEY.match(rest), _COUNT.match(rest)
    if money:
        tail = money["tail"]
        each = re.match(r" (?:an? \w+|per \w+|each|apiece)\b", tail)
        extra = each[0] if each else ""
        question, answer = said.ask("How much", tail[len(extra) :]), f"{money['sum']}{extra}"
        yield _fact(sentence, said, FactKind.AMOUNT, question, answer, rest)
    elif count and _countable(count["thing"]):
        counted = _counted(said, count)
        if counted:
            answer = f"{count['count']} {count['thing']}"
            yield _fact(sentence, said, FactKind.AMOUNT, counted, answer, rest)


def _counted(said: Told, count: re.Match[str]) -> str | None:
    thing, tail = count["thing"], count["tail"]
    span = thing.split()[-1] in _SPANS
    if said.base == "weigh":
        return said.ask("How much")
    if span and said.base in {"last", "take"}:
        return said.ask("How long", tail)
    if span and re.match(r" (?:before|after|in)\b", tail):
        return None
    of = re.match(
        r" of [\w' -]+?(?= (?:in|at|for|from|to|with|by|per|each|every|a|an|over)\b|$)", tail
    )
    more = of[0] if of else ""
    return said.ask(f"How many {thing}{more}", tail[len(more) :])


_SPANS = frozenset("hours minutes days weeks months years seconds hour".split())


def _countable(thing: str) -> bool:
    last = thing.split()[-1]
    return last == "people" or (grammar.is_noun(last) and last.endswith("s") and last != "times")


def sizes(sentence: Sentence) -> Iterator[Fact]:
    """`The lighthouse is 29 metres high.` → how high is the lighthouse?"""
    said = told(sentence.plain)
    match = _SIZE.match(CUT.sub("", said.rest)) if said and not said.base else None
    if said is None or match is None:
        return
    how = {"away": "far away"}.get(match["how"], match["how"])
    answer = f"{match['size']} {match['how']}"
    question = said.ask(f"How {how}", match["tail"])
    yield _fact(sentence, said, FactKind.AMOUNT, question, answer, CUT.sub("", said.rest))


def done(sentence: Sentence) -> Iterator[Fact]:
    """`Hector was built in 1902 by a foundry.` → when was Hector built?"""
    said = told(sentence.plain)
    if said is None or said.base:
        return
    rest = CUT.sub("", said.rest)
    match = re.match(
        rf"^(?P<done>[a-z]+)(?P<mid>(?: [^,]+?)?) (?P<when>{_DATE})(?P<tail>.*)$", rest
    )
    if match and _participle(match["done"]) and _middle(match["mid"]):
        question = said.ask("When", f" {match['done']}{match['mid']}")
        yield _fact(sentence, said, FactKind.DATE, question, match["when"], rest)
        return
    match = re.match(r"^(?P<done>[a-z]+) by (?P<who>(?:the |a |an )?[^,]+?)(?: in \d{4})?$", rest)
    if match and _participle(match["done"]) and _agent(match["who"]):
        question = f"Who {said.verb} {said.subject} {match['done']} by"
        yield _fact(sentence, said, FactKind.PERSON, question, match["who"], rest)


def _middle(text: str) -> bool:
    """Say whether what stands between verb and date can stay in the question."""
    return len(text.split()) <= 6 and not re.search(r"\bby\b|\d", text)


def _participle(word: str) -> bool:
    bases = grammar.lemmas(word).get("VERB", ())
    return any(word == grammar.inflect(base, "VBN") for base in bases)


def _agent(who: str) -> bool:
    short = len(who.split()) <= 7
    named = bool(re.search(r"[A-Z]\w+", who)) or bool(PEOPLE.search(who))
    return short and named and not re.search(r"\d|ing\b", who.split()[0])


def happened(sentence: Sentence) -> Iterator[Fact]:
    """`The shooting began on 2 March.` → when did the shooting begin?"""
    said = told(sentence.plain)
    if said is None or not said.base or said.base in {"say", "have", "report"}:
        return
    rest = CUT.sub("", said.rest)
    match = re.match(rf"^(?P<mid>(?:[^,]+? )?)(?P<when>{_DATE})$", rest)
    if match and len(match["mid"].split()) <= 7:
        question = said.ask("When", f" {match['mid']}".rstrip())
        yield _fact(sentence, said, FactKind.DATE, question, match["when"], rest)


_NAME = r"(?:[A-Z][a-z]+(?:-[A-Z][a-z]+)?|Dr|Sir)(?: (?:[A-Z][\w'-]+|de|van|of)){1,3}"
_ROLE = (
    r"(?:director|manager|head|chair|chairman|chairwoman|leader|president|curator|master|captain|"
    r"mayor|councillor|inspector|coordinator|officer|owner|founder|secretary|spokesperson|chief|"
    r"editor|architect|engineer|keeper|warden|librarian|archivist|supervisor|lead|minister|governor|"
    r"commissioner|administrator|treasurer|conservator|buyer|designer|CEO)"
)


def office_holder(sentence: Sentence) -> Iterator[Fact]:
    """`The director of the museum, Ada Finch, said …` → who is the director of the museum?"""
    patterns = (
        rf"^(?P<role>The (?:[\w-]+ )*?{_ROLE}(?: (?:of|for|at) [^,]{{3,50}})?), (?P<who>{_NAME}),",
        rf"^(?P<who>{_NAME}), (?P<role>the (?:[\w-]+ )*?{_ROLE} (?:of|for|at) [^,]{{3,50}}),",
        rf"^(?P<role>The (?:[\w-]+ )*?{_ROLE}(?: (?:of|for|at) [^,]{{3,50}})?) is (?P<who>{_NAME})"
        r"(?=[,.]| and )",
        rf"^(?P<who>{_NAME}) is (?P<role>the (?:[\w-]+ )*?{_ROLE} (?:of|for|at) [^,]{{3,50}})\.$",
    )
    match = next(filter(None, (re.match(pattern, sentence.plain) for pattern in patterns)), None)
    if match is None:
        return
    role = match["role"][0].lower() + match["role"][1:]
    clause = Clause(subject=role, verb="be", rest=match["who"])
    yield fact_of(sentence, clause, FactKind.PERSON, f"Who is {role}", match["who"],
                  topic=noun_phrase(role), gap=match["who"])  # fmt: skip


def validity(sentence: Sentence) -> Iterator[Fact]:
    """`A parking permit is valid for two years.` → how long is a parking permit valid?"""
    said = told(sentence.plain)
    if said is None or said.base:
        return
    rest = CUT.sub("", said.rest)
    match = re.match(
        rf"^(?P<state>valid|stored|kept|open|closed|reserved|available|held|limited) "
        rf"(?P<how>(?:for|to) {_ABOUT}[\w,]+ (?:hours?|days?|weeks?|months?|years?|minutes?))$",
        rest,
    )
    if match and re.search(rf"\d|\b(?:{'|'.join(_NUMBERS)})\b", match["how"]):
        word = "How long"
        state = "limited to" if match["state"] == "limited" else match["state"]
        if match["state"] == "limited":
            word, state = "To how many hours", "limited"
            if "hour" not in match["how"]:
                return
        question = said.ask(word, f" {state}")
        yield _fact(sentence, said, FactKind.AMOUNT, question, match["how"], match[0])


_NUMBERS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "twelve")


def there_are(sentence: Sentence) -> Iterator[Fact]:
    """`There are four galleries at Gannet Quay.` → how many galleries are there at …?"""
    match = re.match(
        rf"^There are (?P<count>{_ABOUT}(?:\d[\d,]*|two|three|four|five|six|seven|eight|nine|ten))"
        r" (?P<thing>(?:[a-z-]+ ){0,2}[a-z]+s|people)(?P<tail> (?:in|at|on|for|of) [^,;:]+)\.$",
        sentence.plain,
    )
    if match is None or not _countable(match["thing"]):
        return
    tail = re.sub(r" and .*$", "", match["tail"])
    if grammar.first_person(tail) != tail:
        return
    thing, count = match["thing"], match["count"]
    clause = Clause(subject="there", verb="be", rest=f"{count} {thing}{tail}")
    fact = fact_of(sentence, clause, FactKind.AMOUNT, f"How many {thing} are there{tail}",
                   f"{count} {thing}", topic=thing, gap=f"{count} {thing}")  # fmt: skip
    yield replace(fact, stated=f"there are {count} {thing}{tail}", helper="are")


_STRANDED = re.compile(
    r"^(?P<how>(?:mostly |mainly |usually )?(?:composed of|made up of|made of|made from|based on|"
    r"divided into|written in|authored in|hosted on|named after|meant for|intended for|"
    r"required for|needed for|reserved for|limited to|linked to|equipped with|covered by|"
    r"funded by|paid by|built on|designed for|stored in|kept in|published on|preferred over|"
    r"aimed at|open to)) (?P<what>.+)$"
)


def stranded(sentence: Sentence) -> Iterator[Fact]:
    """`Teams are composed of employees and vendors.` → what are teams composed of?"""
    said = told(sentence.plain)
    match = _STRANDED.match(said.rest) if said and not said.base else None
    if said is None or match is None or len(match["what"].split()) > 18:
        return
    if re.search(r"\b(?:you|your|it|we|our|they)\b", match["what"]):
        return
    word = "Who" if PEOPLE.search(CUT.sub("", match["what"])) else "What"
    question = said.ask(word, f" {match['how']}")
    yield _fact(sentence, said, FactKind.DEFINITION, question, match["what"], said.rest)


def needed(sentence: Sentence) -> Iterator[Fact]:
    """`A permit requires a signature.` → what does a permit require?"""
    said = told(sentence.plain)
    if said is None or said.base not in {"require", "cover", "include", "contain"}:
        return
    rest = said.rest
    if len(grammar.content(said.subject)) < 2 or re.search(r"\b(?:you|your|it|we|our)\b", rest):
        return
    if 1 < len(rest.split()) <= 20:
        yield _fact(sentence, said, FactKind.DEFINITION, said.ask("What"), rest, rest)


def rhythm(sentence: Sentence) -> Iterator[Fact]:
    """`The council meets weekly for an hour.` → how often does the council meet?"""
    said = told(sentence.plain)
    match = _RHYTHM.match(CUT.sub("", said.rest)) if said else None
    if said is None or match is None:
        return
    question = said.ask("How often", f" {match['done'] or ''}".rstrip())
    if bool(match["done"]) != bool(said.base):
        yield _fact(sentence, said, FactKind.DATE, question, match["when"], match[0])


_RHYTHM = re.compile(
    r"^(?:(?P<done>held|updated|published|reviewed|checked|paid|sent|tested|cleaned|inspected|run|"
    r"emptied|serviced|made|renewed) )?(?P<when>daily|weekly|monthly|quarterly|annually|yearly|"
    r"(?:every|once an?|twice an?) (?:\w+ )?(?:day|week|month|year|quarter|weeks|months|years))"
    r"(?=$| (?:at|in|on|for|by|with|via)\b)"
)

STATEMENT_PATTERNS: tuple[Pattern, ...] = (
    office_holder,
    rhythm,
    figures,
    sizes,
    validity,
    done,
    happened,
    there_are,
    stranded,
    needed,
)
