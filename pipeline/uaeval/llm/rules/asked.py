"""Plain statements turned into the question that each answers: who, when, how much, how long."""

import re
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from dataclasses import dataclass

from uaeval.llm.rules import grammar
from uaeval.llm.rules.sentences import plain, prose, split
from uaeval.types import Passage


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A statement, the question that it answers, and the words that answer it."""

    question: str
    answer: str
    quote: str
    """The statement, verbatim."""
    frame: str
    """What kind of statement it is: `cost`, `duration`, `count`, `person` …"""


Maker = Callable[[re.Match[str]], tuple[str, str] | None]

_N = (
    r"(?:\d[\d,.]*|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|"
    r"twenty|thirty|forty|fifty)"
)
_MONEY = rf"(?:[$£€]\s?\d[\d,]*(?:\.\d+)?(?: ?(?:million|thousand))?(?![\d.]*\d)|{_N} (?:dollars|pounds|euros|pence|cents))"
_UNIT = (
    r"(?:(?:business|calendar|working|work|school|full|consecutive|billable|credit) )?"
    r"(?:seconds?|minutes?|hours?|days?|weeks?|months?|years?|pay periods?)"
)
_BOUND = (
    r"(?:up to|at least|at most|a maximum of|a minimum of|no more than|no less than|about|around|"
    r"approximately|only|exactly|more than|less than)"
)
_SPAN = rf"(?:{_BOUND} )?{_N}(?: to {_N}|-{_N}| or {_N})? {_UNIT}"
_S = r"(?P<s>(?!(?:This|These|That|Those|It|They|He|She|There|Here|You|We|I)\b)[A-Z][\w'’&/ -]{2,75}?)"
_LEAD = r"(?:(?P<lead>(?:In|On|At|For|During|From|After) [\w'’ -]{2,40}),? (?=[a-zA-Z]))?"
_TAIL = r"(?P<t>(?: [^,;.:()]+)?)(?:[,;][^.]*)?\."
_PERSON = r"(?P<a>[A-Z][a-z'’-]+(?: [A-Z][a-z'’-]+){1,2})"
_REACH = (
    r"(?P<a>(?:extension \d+|[\w.+-]+@[\w.-]+\w|#[\w-]+|(?:the )?#[\w-]+ (?:Slack )?channel)"
    r"(?: or (?:extension \d+|[\w.+-]+@[\w.-]+\w|#[\w-]+))?)"
)
_DAY = (
    r"(?:(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|January|February|March|April|May|June|July|"
    r"August|September|October|November|December)"
)
_CLOCK = r"\d{1,2}(?::\d\d)?\s?(?:[ap]\.?m\.?)?"


def _do(subject: str, verb: str = "") -> str:
    if verb and not verb.endswith("s") and not grammar.is_plural(subject):
        return "did"
    return "do" if grammar.is_plural(subject) else "does"


def _base(verb: str) -> str:
    known = grammar.lemmas(verb).get("VERB", (verb,))
    return known[0]


def _cost(m: re.Match[str]) -> tuple[str, str] | None:
    return f"How much {_do(m['s'], m['v'])} {_np(m)} cost", m["a"]


def _due(m: re.Match[str]) -> tuple[str, str] | None:
    return f"How much is the {m['what']} {m['for']}", m["a"]


def _last(m: re.Match[str]) -> tuple[str, str] | None:
    return f"How long {_do(m['s'], m['v'])} {_np(m)} {_base(m['v'])}{m['t']}", m["a"]


def _state_for(m: re.Match[str]) -> tuple[str, str] | None:
    return f"How long {m['be']} {_np(m)} {m['adj']}{_after(m)}", m["a"]


def _can_be_for(m: re.Match[str]) -> tuple[str, str] | None:
    return f"How long {m['modal']} {_np(m)} be {m['vbn']} for{m['t']}", m["a"]


def _often(m: re.Match[str]) -> tuple[str, str] | None:
    subject = _np(m)
    if m["must"]:
        return f"How often {_do(m['s'])} {subject} have to be {m['vbn']}", m["a"]
    return f"How often {m['be']} {subject} {m['vbn']}", m["a"]


def _replaced(m: re.Match[str]) -> tuple[str, str] | None:
    return f"After how long {m['be']} {_np(m)} {m['vbn']}", m["a"]


def _advance(m: re.Match[str]) -> tuple[str, str] | None:
    what = m["vp"].strip()
    when = (m["when"] or "").strip()
    ask = "How far in advance" if when in {"in advance", "ahead"} else f"How long {when}"
    return f"{ask} {m['modal']} {_np(m)} {what}", m["a"]


def _within(m: re.Match[str]) -> tuple[str, str] | None:
    return f"How soon {_after_of(m)}{m['modal']} {_np(m)} {m['vp'].strip()}", m["a"]


def _within_is(m: re.Match[str]) -> tuple[str, str] | None:
    return f"How soon {_after_of(m)}{m['be']} {_np(m)} {m['vbn']}", m["a"]


def _after_of(m: re.Match[str]) -> str:
    return f"after {m['of'].strip()} " if m["of"] else ""


def _offset(m: re.Match[str]) -> tuple[str, str] | None:
    be = m["v"]
    subject = _np(m)
    if be in {"is", "are", "was", "were"}:
        return f"How long {m['when']} {be} {subject}", m["a"]
    return f"How long {m['when']} {_do(m['s'], be)} {subject} {_base(be)}", m["a"]


def _length(m: re.Match[str]) -> tuple[str, str] | None:
    return f"How long {m['be']} {_np(m)}", m["a"]


def _count(m: re.Match[str]) -> tuple[str, str] | None:
    noun = m["noun"].strip()
    if re.search(r"\b(?:and|or|that|which|who|percent|years? old|metres?|miles?)\b", noun):
        return None
    if not grammar.is_noun(noun.split()[-1]) or not _countable(m["a"], noun):
        return None
    many = f"How many {_plural(noun)} {_do(m['s'], m['v'])} {_np(m)} {_base(m['v'])}"
    return f"{many}{m['t']}", f"{m['a']} {noun}"


def _countable(amount: str, noun: str) -> bool:
    last = noun.split()[-1]
    return grammar.is_plural(noun) or amount.split()[-1] in {"1", "one"} and not last.endswith("s")


def _plural(noun: str) -> str:
    *rest, last = noun.split()
    return " ".join([*rest, last if grammar.is_plural(last) else grammar.inflect(last, "NNS")])


def _there(m: re.Match[str]) -> tuple[str, str] | None:
    if not grammar.is_plural(m["noun"]):
        return None
    return f"How many {m['noun']} are there {m['where']}", f"{m['a']} {m['noun']}"


def _at_most(m: re.Match[str]) -> tuple[str, str] | None:
    if not grammar.is_plural(m["noun"]):
        return None
    return f"How many {m['noun']} {m['modal']} {m['vp']}", f"{m['a']} {m['noun']}"


def _who_is(m: re.Match[str]) -> tuple[str, str] | None:
    return f"Who is {_np(m)}", m["a"]


def _who_does(m: re.Match[str]) -> tuple[str, str] | None:
    verb = grammar.lemmas(m["vbn"]).get("VERB", (m["vbn"],))[0]
    return f"Who {grammar.inflect(verb, 'VBZ')} {_np(m)}{m['more'] or ''}", m["a"]


def _reach(m: re.Match[str]) -> tuple[str, str] | None:
    return f"How can I reach {_np(m)}", m["a"]


def _extension(m: re.Match[str]) -> tuple[str, str] | None:
    return f"Which extension is {m['role']} on", m["a"]


def _send(m: re.Match[str]) -> tuple[str, str] | None:
    return f"Where should I send {_np(m)}", m["a"]


def _open(m: re.Match[str]) -> tuple[str, str] | None:
    return f"When {m['be']} {_np(m)} {m['adj']}", m["a"]


def _starts(m: re.Match[str]) -> tuple[str, str] | None:
    return f"What time {_do(m['s'], m['v'])} {_np(m)} {_base(m['v'])}{m['t']}", m["a"]


def _must_end(m: re.Match[str]) -> tuple[str, str] | None:
    return f"What time {m['modal']} {_np(m)} {m['vp']}", m["a"]


def _held(m: re.Match[str]) -> tuple[str, str] | None:
    if re.match(rf"(?:in|on) (?:\d|{_DAY})", m["a"]):
        return f"When {m['be']} {_np(m)} {m['vbn']}", m["a"]
    if re.search(r"\d (?:[a-z]+ )?(?:days|hours|weeks)|\b(?:first|second|third|last)\b", m["a"]):
        return None
    return f"Where {m['be']} {_np(m)} {m['vbn']}", m["a"]


def _ages(m: re.Match[str]) -> tuple[str, str] | None:
    return f"What ages {m['be']} {_np(m)} for", m["a"]


def _age(m: re.Match[str]) -> tuple[str, str] | None:
    return f"How old must {_np(m)} be", m["a"]


def _rate(m: re.Match[str]) -> tuple[str, str] | None:
    return f"What {m['be']} {_np(m)}", m["a"]


def _refunded(m: re.Match[str]) -> tuple[str, str] | None:
    return f"Up to what amount {m['be']} {_np(m)} {m['vbn']}", m["a"]


def _np(m: re.Match[str]) -> str:
    """Return the subject as it stands inside a question, in the user's voice."""
    text = m["s"].strip()
    first, _, rest = text.partition(" ")
    if first.lower() in {"our", "your"}:
        first = {"our": "the", "your": "my"}[first.lower()]
    elif first.lower() in _ARTICLES or (grammar.lemmas(first) and first[1:].islower()):
        kept = _is_name(text) or first in _NAMES.get()
        first = first if kept and not _OPENS_PHRASE.match(rest) else first.lower()
    return f"{first} {rest}".strip()


_OPENS_PHRASE = re.compile(r"(?:of|for|to|at|in|on|from|with|the|an?|my|your) ")
_NAMES: ContextVar[frozenset[str]] = ContextVar("names", default=frozenset())
"""Words that the passage writes with a capital inside its sentences."""
_ARTICLES = frozenset("the a an all each every most any no some both".split())


def _is_name(text: str) -> bool:
    """Say whether a text is a proper name: every word but the small ones is capitalised."""
    words = [word for word in text.split() if word.lower() not in {"of", "the", "and", "for"}]
    named = sum(word[0].isupper() for word in words)
    return len(words) > 1 and named == len(words)


def _after(m: re.Match[str]) -> str:
    return m["t"].rstrip()


_VBN = r"(?P<vbn>[a-z-]+(?:ed|en|ld|pt|nt|un|id|ne|ft|ut|lt|ght|own|awn|ade|ead))"
_BE = r"(?P<be>is|are|was|were)"
_MODAL = r"(?P<modal>must|can|may|should)"
_WHEN = r"(?P<when>in advance|ahead|before [^,;.]+)"
_FRAMES: tuple[tuple[str, str, Maker], ...] = (
    ("cost", rf"{_S} (?P<v>costs?) (?P<a>{_MONEY}(?: (?:an?|per|for) [^,;.]+?)?)(?= and |[,;.]).*", _cost),
    ("due", rf"An? (?P<what>(?:[\w-]+ )?(?:deposit|fee|fine|charge|charges)) of (?P<a>{_MONEY}) "
            rf"(?:is|was) (?P<for>(?:due|charged|taken|required|payable)[^,;.]*)[,;.].*", _due),
    ("duration", rf"{_S} (?P<v>lasts?|takes?|lasted|took) (?P<a>{_SPAN}){_TAIL}", _last),
    ("duration", rf"{_S} {_BE} (?P<adj>valid|open|kept|lent|available|stored|held|good|granted|"
                 rf"loaned|retained|saved|paid) for (?P<a>{_SPAN}){_TAIL}", _state_for),
    ("duration", rf"{_S} (?P<be>remain|remains) (?P<adj>valid|open|available) for "
                 rf"(?P<a>{_SPAN}){_TAIL}", lambda m: (
                     f"How long {_do(m['s'])} {_np(m)} remain {m['adj']}{_after(m)}", m["a"])),
    ("duration", rf"{_S} {_MODAL} be {_VBN} for (?P<a>{_SPAN}){_TAIL}", _can_be_for),
    ("often", rf"{_S} (?:(?P<must>has to be|have to be|must be|need to be|needs to be)|{_BE}) {_VBN} "
              rf"(?P<a>every {_N} {_UNIT}|every (?:year|month|week|quarter|day)){_TAIL}", _often),
    ("replaced", rf"{_S} {_BE} {_VBN} (?P<a>after {_SPAN}){_TAIL}", _replaced),
    ("advance", rf"{_LEAD}{_S} {_MODAL} (?P<vp>[a-z][\w' -]+?) (?P<a>(?:(?:at least|up to|no later "
                rf"than|about) )?{_N} {_UNIT}) {_WHEN}(?:[,;][^.]*)?\.", _advance),
    ("within", rf"{_S} {_MODAL} (?P<vp>[a-z][\w' -]+?) (?P<a>within {_N} {_UNIT})"
               rf"(?: (?:of|after) (?P<of>[^,;.]+))?(?:[,;][^.]*)?\.", _within),
    ("within", rf"{_S} {_BE} (?P<vbn>[a-z]+ed|paid|sent|given|made) (?P<a>within {_N} {_UNIT})"
               rf"(?: (?:of|after) (?P<of>[^,;.]+))?(?:[,;][^.]*)?\.", _within_is),
    ("offset", rf"{_S} (?P<v>is|are|closes?|opens?|ends?|starts?) (?P<a>{_N} {_UNIT}) "
               rf"(?P<when>(?:before|after) [^,;.]+)(?:[,;][^.]*)?\.", _offset),
    ("length", rf"(?P<s>The [\w' -]*(?:period|term|limit|break|leave|loan|shift|time|course)"
               rf"(?: (?:for|of|at|in) [\w' -]+)?) {_BE} (?P<a>{_SPAN}){_TAIL}", _length),
    ("count", rf"{_S} (?P<v>has|have|had|receives?|gets?|earns?|accrues?|holds?|contains?|includes?|carry|carries|"
              rf"seats?) (?P<a>(?:{_BOUND} )?{_N}) (?P<noun>[a-z][a-z'-]*(?: [a-z'-]+){{0,3}}?)"
              rf"(?P<t>(?: (?:a|an|per|each|every|at|in|for|of|when|to|on|over) [^,;.]+)?)"
              rf"(?: and [^.]+|[,;][^.]*)?\.", _count),
    ("count", rf"There are (?P<a>(?:{_BOUND} )?{_N}) (?P<noun>[a-z][a-z'-]*(?: [a-z'-]+){{0,3}}?) "
              rf"(?P<where>(?:at|in|on|beside|for) [^,;.]+)(?:[,;][^.]*)?\.", _there),
    ("count", rf"(?P<a>No more than {_N}|Up to {_N}|At least {_N}|At most {_N}) (?P<noun>[a-z'-]+(?: [a-z'-]+)?) "
              rf"{_MODAL} (?P<vp>[^,;.]+)(?:[,;][^.]*)?\.", _at_most),
    ("person", rf"(?P<s>(?:The|Your|Our) [\w' -]{{3,60}}?) is {_PERSON}(?:[,.]| and ).*", _who_is),
    ("person", rf"{_S} (?:is|are) (?P<vbn>run|led|headed|managed|owned|handled|issued|organi[sz]ed|"
               rf"approved|granted|decided|booked|maintained|supervised|overseen|administered|made|answered|"
               rf"coordinated) by (?P<a>(?:the |your )?[\w' &-]+?)(?P<more>)(?:,[^.]*| (?:and|who|at|in|on|under|for) [^.]*)?\.",
     _who_does),
    ("reach", rf"{_S} (?:can|may) be (?:reached|contacted) (?:on|at|by|in|via|through) (?:the )?{_REACH}.*", _reach),
    ("extension", rf"{_PERSON.replace('?P<a>', '?P<name>')}, (?P<role>the [\w' -]+), is on (?P<a>extension \d+).*", _extension),
    ("send", rf"{_S} (?:should|must|can|may) (?:go|be sent|be emailed|be submitted|be addressed|be directed) to {_REACH}.*", _send),
    ("open", rf"{_S} {_BE} (?P<adj>open) (?P<a>(?:every|from|between|on|daily|Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday|24)[^;.]+?)\.", _open),
    ("starts", rf"{_S} (?P<v>starts?|begins?|ends?|closes?|opens?) (?P<a>at {_CLOCK}(?: and {_CLOCK})?)"
               rf"{_TAIL}", _starts),
    ("starts", rf"{_S} (?P<modal>must|should) (?P<vp>end|start|begin|finish|stop) (?P<a>at {_CLOCK})(?:[,;][^.]*)?\.", _must_end),
    ("held", rf"{_S} {_BE} (?P<vbn>held|kept|located|taught|stored|booked|collected|found|hosted|requested|issued|parked|"
             rf"displayed) (?P<a>(?:at|in|on|inside|beside|behind|next to) (?:the |your )?[\w' /&.@-]+?)(?:,[^.]*)?\.", _held),
    ("ages", rf"{_S} {_BE} (?:meant |suitable |designed )?for (?P<a>ages {_N} to {_N})(?:[,;][^.]*| and [^.]*)?\.", _ages),
    ("age", rf"{_S} must be (?P<a>at least {_N} years old)(?:[,;][^.]*)?\.", _age),
    ("rate", rf"(?P<s>The [\w' -]*(?:rate|price|limit|fee|deposit|maximum|minimum|threshold|allowance|salary|fine|"
             rf"budget|cap|charge)(?: (?:for|of|on|at|in) [\w' -]+?)?) {_BE} (?P<a>(?:{_BOUND} )?(?:{_MONEY}|\d[\d.,]* ?%|{_N} [a-z]+)"
             rf"(?: (?:an?|per) [\w' -]+?)?)(?: in [^,;.]+)?(?:[,;][^.]*)?\.", _rate),
    ("refunded", rf"{_S} {_BE} (?P<vbn>refunded|reimbursed|paid|covered) (?P<a>up to {_MONEY}(?: an? \w+)?)"
                 rf"(?: in [^,;.]+)?(?:[,;][^.]*)?\.", _refunded),
)
_COMPILED = tuple((name, re.compile(pattern), make) for name, pattern, make in _FRAMES)
_FINITE = (
    r"(?:is|are|was|were|has|have|holds?|costs?|lasts?|takes?|carr(?:y|ies)|can|must|may|contains?|"
    r"starts?|begins?|opens?|closes?|ends?|belongs?|receives?|gets?|goes|stands?|lies|will|should|does)"
)
_DOUBLE = re.compile(
    rf"^(?P<s>(?!(?:There|If|When|This|These|It|They)\b)[A-Z][\w'’& -]{{2,60}}?) (?P<first>{_FINITE} [^;]+?),? and (?P<second>(?:is|are|was|were|has|have|"
    rf"costs?|lasts?|takes?|carries|can|must|may|contains|receives?|gets?) .+)$"
)
_VERBAL = re.compile(
    r"\b(?:is|are|was|were|has|have|had|must|can|may|should|will|costs?|goes|lasts|takes|holds|that|"
    r"which|who|if|when|because|and the|it|they|you|we)\b"
)
_YEAR = re.compile(r"^(?P<lead>(?:In|During|For|On|At) [\w'’ -]{2,30}?),? (?P<rest>(?:a|an|the|full|hotel|breakfast|lunch|dinner|employees|members|volunteers|seasonal|part-time|full-time|visitors|staff|your)\b.*)$")


def asked(passage: Passage) -> tuple[Asked, ...]:
    """Return every statement of a passage that a plain question asks for."""
    inside = re.findall(r"(?<=[a-z,] )[A-Z][a-z]+", f"{passage.text} {passage.heading}")
    token = _NAMES.set(frozenset(inside))
    try:
        return tuple(found for raw in _statements(passage.text) for found in _read(raw))
    finally:
        _NAMES.reset(token)


def _statements(text: str) -> Iterator[str]:
    for paragraph in prose(text):
        yield from split(paragraph)
    for line in text.splitlines():
        item = re.match(r"^\s*[-*+]\s+(?P<item>[A-Z].*)$", line)
        if item:
            yield from split(item["item"])


def _read(raw: str) -> Iterator[Asked]:
    text, lead = plain(raw), ""
    if not 4 <= len(text.split()) <= 40:
        return
    moved = _YEAR.match(text)
    if moved:
        rest = moved["rest"]
        text, lead = f"{rest[0].upper()}{rest[1:]}", f" {moved['lead'][0].lower()}{moved['lead'][1:]}"
    for clause in _clauses(text):
        for name, pattern, make in _COMPILED:
            match = pattern.fullmatch(clause)
            made = make(match) if match and _subject(match) else None
            if made and _clean(made[0]):
                question = _tidy(f"{made[0].strip()}{lead}")
                yield Asked(question=question, answer=made[1].strip(" ,"), quote=raw, frame=name)
                break


def _clauses(text: str) -> Iterator[str]:
    """Yield the sentence, or each of its two predicates with the subject that they share."""
    double = _DOUBLE.match(text)
    if double is None:
        yield text
        return
    yield f"{double['s']} {double['first']}."
    yield f"{double['s']} {double['second']}"


def _subject(match: re.Match[str]) -> bool:
    """Say whether the subject is a noun phrase and no clause."""
    text = match.groupdict().get("s") or ""
    return not _VERBAL.search(text)


def _clean(question: str) -> bool:
    """Say whether a question points at nothing outside itself."""
    return 4 <= len(question.split()) <= 22 and not re.search(
        r"\b(?:it|its|they|their|them|this|that|these|those|he|she|his|her|such|same|here|above|"
        r"below|following|each other|other|others|which|who)\b(?! (?:month|year|week))",
        question.removeprefix("Who ").removeprefix("Which "),
    )


def _tidy(question: str) -> str:
    text = re.sub(r"\b[Yy]our\b", "my", question)
    text = re.sub(r"\b[Oo]ur\b", "the", text)
    return f"{' '.join(text.split())}?"
