"""Parse plain English statements into a subject, a verb and the rest.

Only one form is parsed: a noun phrase, its verb group, and the words after it. A condition or a
place before the subject is moved to the end. Other sentences give no clause, so that texts written
from clauses are grammatical.
"""

import itertools
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from uaeval.text.clauses import Clause
from uaeval.text.english import (
    MODALS,
    Token,
    base,
    can_be_verb,
    inflect,
    is_verb_only,
    lemmas,
    listed_noun,
    tag,
)
from uaeval.text.sentences import sentences, tidy
from uaeval.text.words import wordlist

FEWEST, MOST = 5, 32
"""Fewest and most words of a sentence that is parsed."""
LONGEST_SUBJECT = 7
"""Most words of a subject."""
_BE = frozenset("is are was were".split())
_CUT = re.compile(
    r"\s*(?:[;(]|:(?=\s)|\s[–—]\s|\bso that\b|, (?:which|who|whose|where|but|so|as|because|since"
    r"|while|although|though|including|such|like|for example|e\.g\.|i\.e\.|unless|if|when|with|even"
    r"|using|making|allowing)\b)"
)
_BRACKETS = re.compile(r" ?\((?!partly\)|mostly\)|usually\))[^()]*\)")
_UNREADABLE = re.compile(
    r"https?:|www\.|[<>{}\[\]|\\=#@\"+]|::|\.\.\.|…|\?|\w\(\)|[a-z]_[a-z]|\b(?:[A-Z][a-z]+){3}"
    r"|[A-Z]{3}[-_][A-Z]{3}|(?<!\w)[-./]\w|--|/(?!\w)|\b[A-Z]\.$|\d:\d"
    r"|__|[a-z]\. [a-z]|\bnor\b|\bthat's\b|\bshall mean\b|[A-Z]{3,} [A-Z]{2,} [A-Z]{2,}"
    r"|[→➤►▸]|\bnot (?:just|only|merely|solely) |\((?:partly|mostly|usually)\)|[a-z]{2}\.[A-Z][a-z]"
    r"|\s:\w|\bbe (?:send|use|make|give|take)\b|\b(?:where|when) (?:can|must|is|are)\b"
)
_CONNECTIVE = re.compile(
    r"^(?:(?:for (?:example|instance)|in (?:fact|addition|short)|of course|as (?:a result|such)"
    r"|additionally|furthermore|moreover|indeed|however|therefore|thus|hence|consequently"
    r"|accordingly|similarly|likewise|nevertheless), |note that )(\w)",
    re.I,
)
"""Words that connect a statement with the one before it."""
_LIST_END = re.compile(r"\b(?:and|or)\b")
_QUOTED = re.compile(r"\"([\w' -]{2,30})\"")
_FRONT = re.compile(
    r"(After|At|Before|By|During|For|From|If|In|On|Once|Under|Unless|Until|Upon|When|With|Within"
    r"|Without) ([^,;:.]{2,60}), (?:then )?(?=[A-Za-z])"
)
"""A condition, a place or a time before a statement."""
_EXTRA_SPACE = re.compile(
    r" (?=[,.;:)%!](?:\s|$)|'s\b|n't\b|'\s|'$)|(?<=[($£€]) |(?<=\d) (?=-)|(?<=\d -) (?=[a-z])"
    r"|(?<=-) (?=\d)"
)
_JOINS = frozenset({"of", "and", "for", "in", "on", "from", "with", "between"})
"""Words that may join the nouns of a noun phrase."""
_WISHES = frozenset("be encounter find get have like need notice prefer see want wish".split())
"""Verbs after which `you may` expresses no permission."""


def clauses(text: str) -> Iterator[Clause]:
    """Return the clause of each sentence that can be parsed."""
    return filter(None, (clause(sentence, text) for sentence in sentences(text)))


def clause(sentence: str, text: str = "") -> Clause | None:
    """Return the clause of a sentence; `None` if it has another form.

    `text` is the passage around the sentence, which shows whether a word is a name.
    """
    bare = _QUOTED.sub(r"\1", _BRACKETS.sub("", tidy(sentence)))
    plain = _CONNECTIVE.sub(lambda lead: lead[1].upper(), bare)
    if not readable(plain):
        return None
    tokens = _first_verb_group_only(tag(_with_front_last(plain.rstrip(". "))))
    if not FEWEST - 1 <= len(tokens) <= MOST or not _is_finished(tokens):
        return None
    for number, token in enumerate(tokens[: LONGEST_SUBJECT + 2]):
        if number and (group := _verb_at(tokens, number)):
            return _built(sentence, tokens, number, group, text)
        if token.tag in {"MD", "TO", "WDT", "WP", "WRB", "EX", ",", "."}:
            return None
    return None


def _with_front_last(text: str) -> str:
    """Return the main part of a sentence, followed by the condition or place before it."""
    front = _FRONT.match(text)
    if not front or tag(front[0])[1].tag in {"VBN", "VBD", "VBG", "RB"}:
        return _main_part(text)
    main = _main_part(text[front.end() :])
    return f"{main[:1].upper()}{main[1:]} {front[1].lower()} {front[2]}"


def _main_part(text: str) -> str:
    """Return a sentence without the optional part at its end; lists stay complete."""
    text = _CUT.split(text, maxsplit=1)[0]
    comma = text.find(",")
    while comma > 0 and re.match(r", ?[A-Z\d]|,\d", text[comma:]):
        comma = text.find(",", comma + 1)
    if comma > 0 and not _LIST_END.search(text, comma + 1):
        text = text[:comma]
    return text


def _first_verb_group_only(tokens: Sequence[Token]) -> Sequence[Token]:
    """Drop a second predicate or statement: `… and is paid`, `… and the unit must be kept`."""
    for number, token in enumerate(tokens):
        if token.word not in {"and", "or", "but"} or number < 3:
            continue
        front, comma = tokens[:number], tokens[number - 1].word == ","
        if _starts_predicate(tokens[number + 1 :], comma=comma):
            return front[:-1] if comma else front
    return tokens


def _starts_predicate(tokens: Sequence[Token], *, comma: bool) -> bool:
    """Return whether tokens start with a predicate, or with a subject and its verb."""
    if not tokens:
        return False
    first = tokens[0]
    if first.tag in {"VBZ", "MD", "VBD"} or first.word.lower() in _BE:
        return True
    verb_form = first.word.endswith("s") and base(first.word) in wordlist("verbs")
    if verb_form and any(t.tag in {"DT", "CD", "PRP$"} or t.word in "$£€" for t in tokens[1:2]):
        return True
    finite = [token.tag in {"MD", "VBZ"} or token.word.lower() in _BE for token in tokens[1:7]]
    if comma and any(token.tag == "VBD" for token in tokens[1:5]):
        return True
    return first.tag in {"DT", "PRP", "PRP$", "CD"} and any(finite)


def _is_finished(tokens: Sequence[Token]) -> bool:
    """Return whether a sentence is complete, and does not end where a noun should follow."""
    before, last = tokens[-2].tag, tokens[-1].tag
    if before == "RB" and last == "JJ":
        before = tokens[-3].tag
    cut = tokens[-1].word.islower() and last in {"JJ", "RB", "VBN", "VBD"}
    return last not in {"IN", "DT", "TO", "CC"} and not (cut and before in {"IN", "DT"})


def readable(text: str) -> bool:
    """Return whether a text is one complete plain sentence."""
    if not re.match(r"[A-Z\"'(]?[A-Za-z]", text) or _UNREADABLE.search(text):
        return False
    return text.rstrip("\"'").endswith(".") and FEWEST <= len(text.split()) <= MOST


class VerbGroup(NamedTuple):
    """The finite verb of a clause; `rest` is the index of the token after the auxiliary."""

    auxiliary: str
    negated: bool
    verb: str
    rest: int


def _verb_at(tokens: Sequence[Token], place: int) -> VerbGroup | None:
    word = tokens[place].word.lower()
    following = [token.word.lower() for token in tokens[place + 1 : place + 3]] + ["", ""]
    if word in _BE or word in MODALS:
        no = following[0] in {"not", "n't", "never"} or word == "cannot"
        allows = word == "may" and following[no] not in _WISHES
        allows = allows and [token.word.lower() for token in tokens[:place]] == ["you"]
        auxiliary = "can" if allows or word == "cannot" else "must" if word == "shall" else word
        return VerbGroup(auxiliary, no, "", place + 1 + (no and word != "cannot"))
    no = following[0] in {"not", "n't"}
    perfect = word in {"has", "have", "had"} and any(
        token.tag in ({"VBN", "VBD", "VB"} if before.tag == "RB" else {"VBN", "VBD"})
        for before, token in itertools.pairwise(tokens[place : place + 3])
    )
    if perfect or (no and word in {"does", "do", "did"}):
        return VerbGroup(word, no, "", place + 1 + no)
    if _is_finite(tokens, place):
        forms = {base(word): "do", inflect(base(word), "VBZ"): "does"}
        return VerbGroup(forms.get(word, "did"), False, tokens[place].word, place)
    return None


def _is_finite(tokens: Sequence[Token], place: int) -> bool:
    token, after = tokens[place], tokens[place + 1] if place + 1 < len(tokens) else None
    plain = base(token.word)
    known = plain in wordlist("verbs") or (token.tag in {"VBZ", "VBD"} and is_verb_only(token.word))
    if not known or after is None or not token.word.islower():
        return False
    if tokens[place - 1].tag in {"DT", "PRP$", "JJ", "IN", "TO", "POS", "CC"}:
        return False
    used_to = (token.word, after.word) == ("used", "to")
    if used_to or after.word.lower() in _BE or after.tag in {"MD", "VBZ", "VBD", "POS"}:
        return False
    plural = _plural(tokens[place - 1])
    may_be_noun = _is_noun_too(token.word) and after.tag not in {"DT", "PRP$", "CD", "NNP"}
    if token.word == plain:
        plural = plural and not (may_be_noun and _is_verb_of_name(tokens, place - 1))
        return plural or tokens[0].word.lower() == "you"
    if may_be_noun:
        return False
    if token.word.endswith("s") and not plural:
        return after.tag in {"DT", "PRP$", "JJ", "NN", "NNS", "NNP", "CD", "IN", "TO", "RB", "VBG"}
    past = token.word == inflect(plain, "VBD") and token.tag in {"VBD", "VBN"}
    attribute = after.tag in {"IN", "JJ", "NN"}  # `software defined radio`
    return past and not attribute and not _is_noun_too(token.word)


def _is_verb_of_name(tokens: Sequence[Token], place: int) -> bool:
    """Return whether a sentence starts with a name and this verb: `Acme gains support for …`."""
    name, token = tokens[place - 1].word, tokens[place].word
    return place == 1 and not name.islower() and token.islower() and bool(lemmas(token).get("VERB"))


def _is_noun_too(word: str) -> bool:
    return listed_noun(word) and word not in {"has", "does", "uses", "means"}


def _plural(token: Token) -> bool:
    return token.tag in {"NNS", "NNPS"} or (
        token.word.endswith("s") and not token.word.endswith(("ss", "us", "is"))
    )


def _built(
    sentence: str, tokens: Sequence[Token], place: int, group: VerbGroup, text: str
) -> Clause | None:
    """Return the clause; `None` if the subject is no noun phrase or the rest is too short."""
    before = list(tokens[:place])
    adverbs: list[str] = []
    while len(before) > 1 and before[-1].tag == "RB":
        adverbs.insert(0, before.pop().word)
    rest = [token.word for token in tokens[group.rest :]]
    if group.verb and rest:
        rest[0] = base(group.verb)
    named = _is_name(before, text)
    if (
        named is None
        or not _is_noun_phrase(before)
        or len(rest) < 2
        or (
            group.auxiliary in MODALS
            and tokens[group.rest].tag != "RB"
            and not can_be_verb(rest[0])
        )
        or not _is_one_predicate(tokens[group.rest + 1 :])
        or set(adverbs) - wordlist("adverbs")
    ):
        return None
    kept = [adverb for adverb in adverbs if adverb not in {"also", "never"}]
    return Clause(
        sentence=sentence,
        subject=joined([token.word for token in before]),
        auxiliary=group.auxiliary,
        negated=group.negated or "never" in adverbs,
        verb=group.verb,
        rest=joined([*kept, *[word for word in rest if word != "also"]]),
        named=named,
    )


def _is_one_predicate(tokens: Sequence[Token]) -> bool:
    """Return whether a second finite verb follows only in a subordinate clause."""
    for token in tokens:
        if token.tag in {"WDT", "WP", "WRB"} or token.word.lower() in wordlist("subordinators"):
            return True
        verbal = token.tag == "VBZ" and not listed_noun(token.word)
        if verbal or token.tag == "MD" or token.word.lower() in {*_BE, "not"}:
            return False
    return True


def _is_name(tokens: Sequence[Token], text: str) -> bool | None:
    """Return whether the first word of a sentence is a name; `None` if the text leaves it open."""
    word = tokens[0].word
    if not word[1:].islower() or (tokens[1:] and tokens[1].word[:1].isupper()):
        return tokens[0].tag != "DT" and len(word) > 1
    if tokens[1:] and re.search(rf"\b{re.escape(f'{word.lower()} {tokens[1].word}')}", text):
        return False
    if tokens[0].tag != "DT" and re.search(rf"(?<=[a-z,] ){re.escape(word)}\b", text):
        return True
    common = tokens[0].tag in {"DT", "PRP", "PRP$", "CD", "JJ", "NNS"} or word.endswith("ing")
    if common or re.match(r"of [^A-Z]+$", " ".join(token.word for token in tokens[1:])):
        return False
    lowered = word.lower()
    again = re.search(rf"(?<![\w'./-]){re.escape(lowered)}s?\b(?![./])", text)
    if again or _plural(Token(lowered, tokens[0].tag)):
        return False
    return None if listed_noun(lowered) else True


def _is_noun_phrase(tokens: Sequence[Token]) -> bool:
    """Return whether tokens are a noun phrase that can be understood without other sentences."""
    if not tokens or len(tokens) > LONGEST_SUBJECT:
        return False
    lowered = [token.word.lower() for token in tokens]
    if lowered == ["you"]:
        return True
    if lowered[0] in wordlist("pointers") | _JOINS or set(lowered) & wordlist("pointers_anywhere"):
        return False
    inner = {"DT", "JJ", "JJR", "JJS", "NN", "NNS", "NNP", "NNPS", "VBN", "VBG", "CD", "POS"}
    if tokens[0].tag == "VBG" or re.search(r"'(?:ve|re|ll|d|m)$", lowered[0]):
        return False
    if any(t.tag == "DT" and before.word not in _JOINS for before, t in itertools.pairwise(tokens)):
        return False
    if any(token.tag not in inner and token.word.lower() not in {*_JOINS, "&"} for token in tokens):
        return False
    return tokens[-1].tag in {"NN", "NNS", "NNP", "NNPS", "CD"} or tokens[-1].word[:1].isupper()


def joined(tokens: list[str]) -> str:
    """Join tokens into text, without spaces before punctuation."""
    return _EXTRA_SPACE.sub("", " ".join(tokens))
