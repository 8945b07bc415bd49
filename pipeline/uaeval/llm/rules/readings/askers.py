"""The question that a matched statement answers, and the words that answer it."""

import re
from collections.abc import Callable
from contextvars import ContextVar

from uaeval.llm.rules.english import grammar

Maker = Callable[[re.Match[str]], tuple[str, str] | None]
"""From a match to question and answer; `None` where the words do not fit after all."""

_DAY = (
    r"(?:(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|January|February|March|April|May|June|July|"
    r"August|September|October|November|December)"
)


def auxiliary(subject: str, verb: str = "") -> str:
    """Return `do`, `does` or `did`, as the subject and the verb want it."""
    if verb and not verb.endswith("s") and not grammar.is_plural(subject):
        return "did"
    return "do" if grammar.is_plural(subject) else "does"


def base_form(verb: str) -> str:
    """Return the base form of a verb."""
    known = grammar.lemmas(verb).get("VERB", (verb,))
    return known[0]


def cost(m: re.Match[str]) -> tuple[str, str] | None:
    """Ask for the answer of a `cost` frame."""
    return f"How much {auxiliary(m['s'], m['v'])} {noun_phrase_of(m)} cost", m["a"]


def due(m: re.Match[str]) -> tuple[str, str] | None:
    """Ask for the answer of a `due` frame."""
    return f"How much is the {m['what']} {m['for']}", m["a"]


def lasts(m: re.Match[str]) -> tuple[str, str] | None:
    """Ask for the answer of a `lasts` frame."""
    ask = f"How long {auxiliary(m['s'], m['v'])} {noun_phrase_of(m)}"
    return f"{ask} {base_form(m['v'])}{m['t']}", m["a"]


def remains(m: re.Match[str]) -> tuple[str, str] | None:
    """Ask for the answer of a `remains` frame."""
    ask = f"How long {auxiliary(m['s'])} {noun_phrase_of(m)} remain"
    return f"{ask} {m['adj']}{tail(m)}", m["a"]


def state_for(m: re.Match[str]) -> tuple[str, str] | None:
    """Ask for the answer of a `state_for` frame."""
    return f"How long {m['be']} {noun_phrase_of(m)} {m['adj']}{tail(m)}", m["a"]


def can_be_for(m: re.Match[str]) -> tuple[str, str] | None:
    """Ask for the answer of a `can_be_for` frame."""
    return f"How long {m['modal']} {noun_phrase_of(m)} be {m['vbn']} for{m['t']}", m["a"]


def often(m: re.Match[str]) -> tuple[str, str] | None:
    """Ask for the answer of a `often` frame."""
    subject = noun_phrase_of(m)
    if m["must"]:
        return f"How often {auxiliary(m['s'])} {subject} have to be {m['vbn']}", m["a"]
    return f"How often {m['be']} {subject} {m['vbn']}", m["a"]


def replaced(m: re.Match[str]) -> tuple[str, str] | None:
    """Ask for the answer of a `replaced` frame."""
    return f"After how long {m['be']} {noun_phrase_of(m)} {m['vbn']}", m["a"]


def advance(m: re.Match[str]) -> tuple[str, str] | None:
    """Ask for the answer of a `advance` frame."""
    what = m["vp"].strip()
    when = (m["when"] or "").strip()
    ask = "How far in advance" if when in {"in advance", "ahead"} else f"How long {when}"
    return f"{ask} {m['modal']} {noun_phrase_of(m)} {what}", m["a"]


def within(m: re.Match[str]) -> tuple[str, str] | None:
    """Ask for the answer of a `within` frame."""
    return f"How soon {after_what(m)}{m['modal']} {noun_phrase_of(m)} {m['vp'].strip()}", m["a"]


def within_is(m: re.Match[str]) -> tuple[str, str] | None:
    """Ask for the answer of a `within_is` frame."""
    return f"How soon {after_what(m)}{m['be']} {noun_phrase_of(m)} {m['vbn']}", m["a"]


def after_what(m: re.Match[str]) -> str:
    """Return `after …`, if the statement says after what."""
    return f"after {m['of'].strip()} " if m["of"] else ""


def offset(m: re.Match[str]) -> tuple[str, str] | None:
    """Ask for the answer of a `offset` frame."""
    be = m["v"]
    subject = noun_phrase_of(m)
    if be in {"is", "are", "was", "were"}:
        return f"How long {m['when']} {be} {subject}", m["a"]
    return f"How long {m['when']} {auxiliary(m['s'], be)} {subject} {base_form(be)}", m["a"]


def length(m: re.Match[str]) -> tuple[str, str] | None:
    """Ask for the answer of a `length` frame."""
    return f"How long {m['be']} {noun_phrase_of(m)}", m["a"]


def count(m: re.Match[str]) -> tuple[str, str] | None:
    """Ask for the answer of a `count` frame."""
    noun = m["noun"].strip()
    if re.search(r"\b(?:and|or|that|which|who|percent|years? old|metres?|miles?)\b", noun):
        return None
    if not grammar.is_noun(noun.split()[-1]) or not countable(m["a"], noun):
        return None
    many = (
        f"How many {pluralised(noun)} {auxiliary(m['s'], m['v'])} {noun_phrase_of(m)} "
        f"{base_form(m['v'])}"
    )
    return f"{many}{m['t']}", f"{m['a']} {noun}"


def countable(amount: str, noun: str) -> bool:
    """Say whether the noun fits the number."""
    one = amount.split()[-1] in {"1", "one"} and not noun.endswith("s")
    return one or grammar.is_plural(noun)


def pluralised(noun: str) -> str:
    """Return a noun phrase with its last word in the plural."""
    *rest, last = noun.split()
    return " ".join([*rest, last if grammar.is_plural(last) else grammar.inflect(last, "NNS")])


def there_are(m: re.Match[str]) -> tuple[str, str] | None:
    """Ask for the answer of a `there_are` frame."""
    if not grammar.is_plural(m["noun"]):
        return None
    return f"How many {m['noun']} are there {m['where']}", f"{m['a']} {m['noun']}"


def at_most(m: re.Match[str]) -> tuple[str, str] | None:
    """Ask for the answer of a `at_most` frame."""
    if not grammar.is_plural(m["noun"]):
        return None
    return f"How many {m['noun']} {m['modal']} {m['vp']}", f"{m['a']} {m['noun']}"


def who_is(m: re.Match[str]) -> tuple[str, str] | None:
    """Ask for the answer of a `who_is` frame."""
    return f"Who is {noun_phrase_of(m)}", m["a"]


def who_does(m: re.Match[str]) -> tuple[str, str] | None:
    """Ask for the answer of a `who_does` frame."""
    verb = grammar.lemmas(m["vbn"]).get("VERB", (m["vbn"],))[0]
    return f"Who {grammar.inflect(verb, 'VBZ')} {noun_phrase_of(m)}{m['more'] or ''}", m["a"]


def reach(m: re.Match[str]) -> tuple[str, str] | None:
    """Ask for the answer of a `reach` frame."""
    return f"How can I reach {noun_phrase_of(m)}", m["a"]


def extension(m: re.Match[str]) -> tuple[str, str] | None:
    """Ask for the answer of a `extension` frame."""
    return f"Which extension is {m['role']} on", m["a"]


def send(m: re.Match[str]) -> tuple[str, str] | None:
    """Ask for the answer of a `send` frame."""
    return f"Where should I send {noun_phrase_of(m)}", m["a"]


def is_open(m: re.Match[str]) -> tuple[str, str] | None:
    """Ask for the answer of a `is_open` frame."""
    return f"When {m['be']} {noun_phrase_of(m)} {m['adj']}", m["a"]


def starts(m: re.Match[str]) -> tuple[str, str] | None:
    """Ask for the answer of a `starts` frame."""
    ask = f"What time {auxiliary(m['s'], m['v'])} {noun_phrase_of(m)}"
    return f"{ask} {base_form(m['v'])}{m['t']}", m["a"]


def must_end(m: re.Match[str]) -> tuple[str, str] | None:
    """Ask for the answer of a `must_end` frame."""
    return f"What time {m['modal']} {noun_phrase_of(m)} {m['vp']}", m["a"]


def held(m: re.Match[str]) -> tuple[str, str] | None:
    """Ask for the answer of a `held` frame."""
    if re.match(rf"(?:in|on) (?:\d|{_DAY})", m["a"]):
        return f"When {m['be']} {noun_phrase_of(m)} {m['vbn']}", m["a"]
    if re.search(r"\d (?:[a-z]+ )?(?:days|hours|weeks)|\b(?:first|second|third|last)\b", m["a"]):
        return None
    return f"Where {m['be']} {noun_phrase_of(m)} {m['vbn']}", m["a"]


def ages(m: re.Match[str]) -> tuple[str, str] | None:
    """Ask for the answer of a `ages` frame."""
    return f"What ages {m['be']} {noun_phrase_of(m)} for", m["a"]


def age(m: re.Match[str]) -> tuple[str, str] | None:
    """Ask for the answer of a `age` frame."""
    return f"How old must {noun_phrase_of(m)} be", m["a"]


def rate(m: re.Match[str]) -> tuple[str, str] | None:
    """Ask for the answer of a `rate` frame."""
    return f"What {m['be']} {noun_phrase_of(m)}", m["a"]


def refunded(m: re.Match[str]) -> tuple[str, str] | None:
    """Ask for the answer of a `refunded` frame."""
    return f"Up to what amount {m['be']} {noun_phrase_of(m)} {m['vbn']}", m["a"]


def noun_phrase_of(m: re.Match[str]) -> str:
    """Return the subject as it stands inside a question, in the user's voice."""
    text = m["s"].strip()
    first, _, rest = text.partition(" ")
    if first.lower() in {"our", "your"}:
        first = {"our": "the", "your": "my"}[first.lower()]
    elif first.lower() in _ARTICLES or (grammar.lemmas(first) and first[1:].islower()):
        kept = is_name(text) or first in NAMES.get()
        first = first if kept and not _OPENS_PHRASE.match(rest) else first.lower()
    return f"{first} {rest}".strip()


_OPENS_PHRASE = re.compile(r"(?:of|for|to|at|in|on|from|with|the|an?|my|your) ")
NAMES: ContextVar[frozenset[str]] = ContextVar("names", default=frozenset())
"""Words that the passage writes with a capital inside its sentences."""
_ARTICLES = frozenset("the a an all each every most any no some both".split())


def is_name(text: str) -> bool:
    """Say whether a text is a proper name: every word but the small ones is capitalised."""
    words = [word for word in text.split() if word.lower() not in {"of", "the", "and", "for"}]
    named = sum(word[0].isupper() for word in words)
    return len(words) > 1 and named == len(words)


def tail(m: re.Match[str]) -> str:
    """Return what follows the answer."""
    return m["t"].rstrip()
