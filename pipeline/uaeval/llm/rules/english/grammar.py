"""English without a tagger: a dictionary of forms, and rules that decline when they are unsure."""

import re
from functools import cache

import lemminflect

MODALS = ("can", "could", "may", "might", "must", "shall", "should", "will", "would", "cannot")
_PREPOSITIONS = frozenset(
    """about above across after against along among around at before behind below beside between
    beyond by concerning despite during for from in inside into like near of off on onto outside
    over past per regarding since through throughout to toward towards under until up upon via
    with within without""".split()
)
_AUXILIARIES = frozenset("am is are was were be been being do does did have has had".split())
STOP = frozenset(
    """a an the and or but nor so if then than that this these those there here of in on at by for
    with about against between into through during before after above below to from up down out off
    over under again further once is are was were be been being am do does did doing have has had
    having can could may might must shall should will would cannot not no i me my mine myself we us
    our ours you your yours yourself he him his she her it its they them their who whom whose which
    what when where why how all any both each few more most other some such only own same too very
    just also every another as while until because per via within upon""".split()
)


@cache
def lemmas(word: str) -> dict[str, tuple[str, ...]]:
    """Return the dictionary's lemmas of `word` by part of speech; empty if it is unknown."""
    found: dict[str, tuple[str, ...]] = lemminflect.getAllLemmas(word.lower())
    return found


def is_base_verb(word: str) -> bool:
    """Say whether `word` can be the base form of a verb."""
    lower = word.lower()
    return lower in lemmas(lower).get("VERB", ()) or lower in {"be", "do", "have"}


def is_noun(word: str) -> bool:
    """Say whether `word` can be a noun."""
    return "NOUN" in lemmas(word) or "PROPN" in lemmas(word)


@cache
def inflect(verb: str, tag: str) -> str:
    """Return `verb` (a base form) inflected to a Penn tag: VBZ, VBD, VBN, VBG."""
    forms: tuple[str, ...] = lemminflect.getInflection(verb, tag)
    return forms[0] if forms else verb


def is_plural(noun_phrase: str) -> bool:
    """Say whether a noun phrase's head (the word before `of`, or the last) is plural."""
    if re.search(r"\w,? and \w", noun_phrase):
        return True
    head = re.split(r"\s(?:of|in|for|on|from|with|at|to|who|that)\s", noun_phrase)[0].split()[-1]
    nouns = lemmas(head).get("NOUN", ())
    if head.lower() in {"people", "staff", "employees", "children"}:
        return True
    return bool(nouns) and head.lower() not in nouns and head.lower().endswith("s")


@cache
def stem(word: str) -> str:
    """Return one form for all forms of a word."""
    lower = word.lower().strip("'").removesuffix("'s")
    for part in ("VERB", "NOUN", "ADJ"):
        found = lemmas(lower).get(part)
        if found:
            return min(found, key=lambda lemma: (len(lemma), lemma))
    return lower


def words(text: str) -> list[str]:
    """Return the words and numbers of `text`."""
    return re.findall(r"\d[\d,.:]*\d|\d|[A-Za-z][\w'’-]*", text.replace("’", "'"))


def content(text: str) -> frozenset[str]:
    """Return the stems of the words of `text` that carry meaning."""
    return frozenset(
        stem(word) for word in words(text) if word.lower() not in STOP and len(word) > 1
    )


def first_person(text: str) -> str | None:
    """Rewrite `you` to `I` or `me`; `None` when a pronoun's role is unclear."""
    text = re.sub(r"\b[Yy]ou(?:'re| are)\b", "I am", text)
    text = re.sub(r"\b[Yy]ou were\b", "I was", text)
    text = re.sub(r"\b[Yy]ou(?='(?:ll|ve|d)\b)", "I", text)
    text = re.sub(r"\b[Yy]ourself\b", "myself", text)
    text = re.sub(r"\b[Yy]ours\b", "mine", text)
    text = re.sub(r"\b[Yy]our\b", "my", text)
    text = re.sub(r"\b[Oo]ur\b", "the", text)
    pieces = re.split(r"\b([Yy]ou)\b", text)
    for position in range(1, len(pieces), 2):
        role = _role(pieces[position - 1], pieces[position + 1])
        if role is None:
            return None
        pieces[position] = role
    return "".join(pieces)


def _role(before: str, after: str) -> str | None:
    """Choose between `I` and `me` from the words on both sides."""
    last = before.split()[-1].lower() if before.split() else ""
    following = after.split()[0].lower().strip(",.") if after.split() else ""
    if re.match(r"\s*([,.;?!)]|$)", after) or following in {
        "to",
        "with",
        "from",
        "in",
        "for",
        "and",
    }:
        return "me"
    if last.strip(",") in _PREPOSITIONS - {"before", "after", "until", "since"}:
        return "me"
    adverb = following in {
        "already",
        "also",
        "still",
        "do",
        "don't",
        "have",
        "haven't",
        "not",
        "no",
    }
    if adverb or following in MODALS or following.endswith("ly") or is_base_verb(following):
        if last and is_base_verb(last) and last not in {"if", "when", "that", "time", "like"}:
            return None
        return "I"
    if following.endswith("ed"):
        return "I"
    return None


def starts_with_verb(text: str) -> bool:
    """Say whether `text` starts like an imperative or an infinitive."""
    first = text.split()[0].strip(",") if text.split() else ""
    return is_base_verb(first) and first.lower() not in _AUXILIARIES - {"be", "do", "have"}
