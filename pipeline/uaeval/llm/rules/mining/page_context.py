"""What a question has to say besides, to be understood away from the page that answers it."""

import re
from collections.abc import Iterator

from uaeval.llm.rules.choice import shuffled
from uaeval.llm.rules.english import grammar
from uaeval.llm.rules.english.meaning import CALENDAR
from uaeval.llm.rules.english.openings import LEADS
from uaeval.types import Passage

GENERIC = frozenset(
    """type overview guide guideline handbook manual page policy procedure process requirement step
    instruction information info resource link tip faq frequently ask question answer introduction
    intro general other misc about welcome how what when where who why do can get use using update
    work best practice appendix chapter section part play table content index list example note
    summary detail user help support contact common basic my your our everyone anyone it
    started rule make take guidance site see here there facility""".split()
)
"""Words of titles and headings that do not say what a page is about."""
_CAPITALS = re.compile(r"(?<![.?!] )(?<!^)\b[A-Z0-9][\w'&.-]*(?: [A-Z][\w'&.-]*)*")
_CASE = re.compile(r"\b(?:for|in|at|from|by|as|outside|inside)\b", re.IGNORECASE)
_EVENT = re.compile(r"\b(?:if|when|before|after|during|without)\b", re.IGNORECASE)
"""Words of a heading after which it says for whom, where or when its section holds."""
_LONGEST = 8
"""Words of a heading that can still be said before a question."""


def _stem(word: str) -> str:
    """Return one form for all forms of a word, and for the plural of one in no dictionary."""
    stem = grammar.stem(word)
    return stem if grammar.lemmas(stem) else stem.removesuffix("s")


def _content(text: str) -> frozenset[str]:
    return frozenset(_stem(word) for word in grammar.content(text))


def in_context(question: str, passage: Passage) -> str | None:
    """Return a question that says what its page is about, with a lead if it needs one.

    `Who can review a pull request?` holds for one page's pull requests only. A question is taken
    as it is if it shares with the title a word that tells the page from others, or names something
    that needs no page, and if it says the case that its heading is for. `None`: it does not, and
    no heading can be said before it.
    """
    if (_is_placed(question, passage) or _names(question, passage)) and _has_case(
        question, passage
    ):
        return question
    return next(
        (
            led
            for led in _led(question, passage)
            if _is_placed(led, passage) and _has_case(led, passage) and _has_part(led, passage)
        ),
        None,
    )


def _is_placed(question: str, passage: Passage) -> bool:
    """Say whether a question holds a word of the title that says what the page is about.

    Where the title says nothing, a heading has to.
    """
    said = _content(question)
    for title in (passage.title, *_headings(passage)):
        telling = _telling(title, passage.text)
        if telling:
            return bool(said & telling)
    return False


def _headings(passage: Passage) -> list[str]:
    """Return the headings above a passage, the narrowest first."""
    return [part for part in reversed(passage.heading.split(" › ")) if part]


def _telling(title: str, text: str) -> frozenset[str]:
    """Return the words of a title that tell its page from others: its names, if it has any.

    Of a title such as `Paid parental leave` the last word alone tells the kind and not the case.
    """
    words = _content(_MAIN.split(title)[0]) - GENERIC or _content(title) - GENERIC
    names = {
        _stem(word)
        for word in grammar.words(title)
        if word[0].isupper() and not word.isupper() and _is_name_in(word, text)
    }
    initials = "".join(word[0] for word in title.split() if word[0].isupper())
    short = {initials.lower()} if len(initials) > 1 else set()
    return frozenset(names or words - _kind(title, words) or words) | short


_MAIN = re.compile(r" (?:for|with|from|on|[-–—]) ")
"""Where the main part of a title ends: `Parking` of `Parking for visitors and staff`."""


def _is_name_in(word: str, text: str) -> bool:
    """Say whether a text writes a word with a capital inside its sentences, and never small."""
    if word.lower() in CALENDAR:
        return False
    inside = re.search(rf"[a-z,] (?:[A-Z]\w* )?{re.escape(word)}\b", text)
    return bool(inside) and not re.search(rf"\b{re.escape(word.lower())}\b", text)


def _kind(title: str, words: frozenset[str]) -> frozenset[str]:
    """Return the head of a title that has words before it: `leave` of `Paid parental leave`."""
    phrase = re.split(r"\s*[(:,]|\s+(?:for|of|in|at|to|with|from|on|and|&|-|–|—)\s+", title)[0]
    named = [word for word in grammar.words(phrase) if _stem(word) in words]
    return frozenset({_stem(named[-1])} if len(named) > 1 else ())


def _has_case(question: str, passage: Passage) -> bool:
    """Say whether a question says for whom or when its section holds, if a heading does."""
    said = _content(question)
    cases = [_case_of(heading) for heading in _headings(passage)]
    cases.append(frozenset(_YEAR.findall(f"{passage.title} {passage.heading}")))
    return all(said & case for case in cases if case)


def _has_part(question: str, passage: Passage) -> bool:
    """Say whether a question, with its lead, says which part of the page it is about."""
    narrow = next(iter(_headings(passage)), "")
    words = _content(narrow) - GENERIC
    return not words or bool(words & _content(question))


_YEAR = re.compile(r"\b(?:19|20)\d\d\b")


def _case_of(heading: str) -> frozenset[str]:
    match = _EVENT.search(heading)
    if match is None and "?" not in heading:
        match = _CASE.search(heading)
    case = re.sub(r"\b[A-Z]{2,5}\b", " ", heading[match.end() :]) if match else ""
    return _content(case) - GENERIC


def _names(question: str, passage: Passage) -> bool:
    """Say whether a question names something: no plain word, and not only an abbreviation."""
    _, _, rest = question.partition(" ")
    found = (match[0].split() for match in _CAPITALS.finditer(f"_ {rest}"))
    return any(_is_name(words, passage) for words in found)


def _is_name(words: list[str], passage: Passage) -> bool:
    mixed = [word for word in words if re.search(r"[A-Z]", word) and re.search(r"[a-z]", word)]
    if len(words) > 1 and mixed:
        known = " ".join(words) in passage.heading
        return known or len(mixed) < len(words) or len(words) > 2
    return any(
        re.search(r"[a-z][A-Z]", word)
        or (word[1:].islower() and _is_name_in(word.removesuffix("'s"), passage.text))
        for word in mixed
    )


def _led(question: str, passage: Passage) -> Iterator[str]:
    """Yield the question with headings before it that can be said so, the narrowest first."""
    own = question.startswith(("I ", "I'"))
    opened = question if own else question[0].lower() + question[1:]
    form = shuffled(LEADS, question)[0]
    said = _content(question)
    narrow = next((one for one in _headings(passage) if _sayable(one, passage.text)), "")
    part = _sayable(narrow, passage.text) or ""
    for wide in (*_headings(passage), passage.title):
        topic = _sayable(wide, passage.text)
        if topic and not _content(narrow) <= said | _content(wide):
            yield form.format(topic=f"{topic}, {part}", question=opened)
        if topic:
            yield form.format(topic=topic, question=opened)


_NUMBERING = re.compile(
    r"^(?:(?:chapter|section|part|appendix|play|step|annex|rfc)\s+)?(?:[\dA-Z]{1,3}|[ivx]+)"
    r"\s*[-–—.:)]\s+|\s*\([^)]*\)",
    re.IGNORECASE,
)


def _sayable(heading: str, text: str) -> str | None:
    """Return a heading as it can stand after `about`: a noun phrase, or something that is done."""
    pieces = re.split(r" [-–—|] |: ", _NUMBERING.sub("", heading.strip()))
    title = ", ".join(piece for piece in pieces if _content(piece) - GENERIC)
    title = title.replace(" & ", " and ")
    title = re.sub(r"\b[Oo]ur\b", "the", title)
    words = title.split()
    if not 1 <= len(words) <= _LONGEST or re.search(r"[^\w '’.,/-]|\b(?:your|you|we)\b", title):
        return None
    first, last = words[0], words[-1].lower()
    if not _telling(title, text) or last in grammar.STOP:
        return None
    if first.lower() in grammar.STOP and not first.isupper():
        return f"the {title[4:]}" if title.startswith("The ") else None
    named = title.istitle() and len(words) > 1
    doing = first.lower().endswith("ing") and not grammar.is_base_verb(first) and not named
    known = grammar.lemmas(last) and (last == words[-1] or len(words) == 1)
    if not doing and (_tells_to_do(words) or (known and not grammar.is_noun(last))):
        return None
    return f"{first.lower()} {' '.join(words[1:])}".strip() if doing else title


def _tells_to_do(words: list[str]) -> bool:
    """Say whether a heading is a step: `Download the form`, and not `Work schedules`."""
    object_follows = words[1:2] and words[1].lower() in {"the", "a", "an", "my", "all", "any"}
    verb = grammar.is_base_verb(words[0])
    return verb and bool(object_follows or grammar.lemmas(words[0]).keys() <= {"VERB", "AUX"})
