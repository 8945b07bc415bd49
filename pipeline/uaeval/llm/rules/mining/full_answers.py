"""Whether an answer is all that its passage says to a question, and for the case asked about."""

import re

from uaeval.llm.rules.english import grammar
from uaeval.llm.rules.mining.page_context import GENERIC
from uaeval.llm.rules.mining.reasons import imperative
from uaeval.llm.rules.mining.sentences import blocks, plain, split
from uaeval.types import Passage

_TOLD = 0.65
"""Share of a sentence's content that its question and answer must hold together."""
_SLIGHT = 2
"""How many of its content words may be left out all the same."""
_CONDITION = re.compile(
    r"\b(?:if|when|whenever|unless|except|until|once|while|provided|only|but|or|otherwise|instead|"
    r"depending|usually|typically|generally)\b",
    re.IGNORECASE,
)
"""Words on which an answer hangs; a question that leaves one out is answered too widely."""
_POINTS = re.compile(
    r"\b(?:this|these|those|here|above|below|following)\b|\bas follows\b", re.IGNORECASE
)
"""What an answer must not rest on: `this form` is no form to whoever does not see the page."""
_DENIES = re.compile(
    r"(?:no(?! (?:more|fewer|less|later|earlier) than)|not|none)\b(?!,)", re.IGNORECASE
)
"""What does not serve is half of an answer to what, where and how."""
_NARROWS = re.compile(
    r"(?:if|unless|however|but|except|otherwise|although|though|only|depending|in (?:some|that|"
    r"this|these|such) cases?|for (?:some|others?)|when|once|note|please note|exceptions?)\b",
    re.IGNORECASE,
)
"""How a sentence opens that takes back part of the one before, or adds a case of its own."""
_ADDS = re.compile(
    r"(?:also|then|next|please|alternatively|additionally|in addition|finally|afterwards?|"
    r"make sure|be sure|remember|do not|don't|never|always|it is (?:critical|important|required|"
    r"essential)|you(?:'ll| will| must| need| should| have to| are required)|you can also)\b",
    re.IGNORECASE,
)
"""How a sentence opens that adds a step."""
_REFERS = re.compile(
    r"^(?:for (?:more|further|example|instance)\b|if you (?:have|need|run into|are unsure|get|"
    r"want to know|would like to learn|encounter) (?:any |more |further |other )*(?:questions?|"
    r"help|trouble|issues?|problems?|information|assistance|details)\b)|"
    r"\b(?:see|refer to|check out|read|learn more|more information|for (?:more|further) details)\b",
    re.IGNORECASE,
)
"""A sentence that leads on to other pages or people, and adds nothing to the answer."""
REACHED = re.compile(
    r"(?<![#\w])#[a-z][\w-]*\w|[\w.+-]+@[\w-]+(?:\.[\w-]+)+|(?<!\w)@[a-z][\w-]+", re.IGNORECASE
)
_SAME = re.compile(r"(?:\bat|[(])\s*$")
"""`the team at team@example.org` is one contact, not two."""


def told_in_full(
    question: str, answer: str, quote: str, passage: Passage, *, steps: bool, gap: str = ""
) -> bool:
    """Say whether question and answer hold what the quote and what follows it say to them.

    `steps` says that the answer is something to do, which any further step would go on with;
    `gap` are the words of the quote that the question asks for, where they are not the answer's.
    """
    said = f"{question} {answer}"
    whole = _clause(plain(quote), gap or answer)
    return (
        whole is not None
        and not _POINTS.search(answer)
        and not _DENIES.match(answer)
        and _conditions(whole) <= _conditions(said)
        and len(_left_out(said, whole)) <= _SLIGHT
        and _holds(said, whole)
        and (not REACHED.search(answer) or _names_every_contact(answer, whole))
        and not _goes_on(quote, passage, steps=steps)
        and not (_SAID.match(answer) and _is_of_a_case(quote, passage))
    )


_SAID = re.compile(r"(?:yes|no)\b", re.IGNORECASE)
_CASE = re.compile(r"(?:if|when|once|in case|in the case|for those|should) (?!.*\?)", re.IGNORECASE)


def _is_of_a_case(quote: str, passage: Passage) -> bool:
    """Say whether the sentence before opens a case, within which alone a `yes` would hold."""
    before, _, _ = around(quote, passage.text)
    return any(_CASE.match(text) for text in before[-1:])


_IN_NEED = re.compile(
    r"\b(?:if|when|whenever|should|for|with|have) "
    r"(?:you (?:have|need|get|run into|encounter|are having) )?"
    r"(?:(?:any|more|further|additional|some|other|general) )*(?:questions?|help|issues?|trouble|"
    r"problems?|assistance|support|information|guidance|concerns?)\b",
    re.IGNORECASE,
)
_TURNING = grammar.content(
    "contact email ask reach call talk speak write message help question answer channel slack post "
    "visit join tag send feel free please support assistance work direct"
)
"""Words for turning to somebody, which a question says in its own way."""


def contact_in_full(question: str, answer: str, quote: str, passage: Passage) -> bool:
    """Say whether a contact is given for what the question is about, and is the only one.

    The purpose that the statement, or a question before it, gives has to stand in the question;
    where it gives none, it is that of its heading.
    """
    said_before, said_after, _ = around(quote, passage.text)
    before = next((text for text in said_before[-1:] if text.endswith("?")), "")
    told = re.sub(r"(?i)\bask them\b", "ask", without_asides(quote))
    whole = _IN_NEED.sub(" ", f"{before} {REACHED.sub(' ', told)}")
    heading = grammar.content(passage.heading.rpartition(" › ")[2]) - _TURNING - GENERIC
    left_out = _left_out(f"{question} {answer}", whole) - _TURNING
    shared = (grammar.content(whole) - _TURNING) & grammar.content(question)
    return (
        not _POINTS.search(whole)
        and not re.search(r"\b(?:it|them)\b", whole)
        and _conditions(whole) <= _conditions(f"{question} {answer}")
        and len(left_out) <= (1 if shared and not before else 0)
        and (bool(shared) or heading <= grammar.content(question))
        and _names_every_contact(answer, told)
        and all(_names_every_contact(answer, text) for text in said_after)
        and not _goes_on(quote, passage, steps=False)
    )


_ASIDE = re.compile(
    r" \([^()]*\)|"
    r"(?<=\w) (?:on|at) (?:extension \d+|\S+@\S+\w)(?=[.,]| and )|"
    r", (?:as|since|because) [^,]+(?=\.$)|"
    r",? (?:and|so) (?:they|we) (?:can|will) .+(?=\.$)"
)
"""What a statement says besides: an example, a reason, what they will do."""


def without_asides(raw: str) -> str:
    """Return a statement without its brackets, its reason and what is done for one then."""
    return _ASIDE.sub("", plain(raw))


def _left_out(said: str, whole: str) -> frozenset[str]:
    return grammar.content(whole) - grammar.content(said)


def _holds(said: str, whole: str) -> bool:
    """Say whether most of the content of a clause is told."""
    wanted = grammar.content(whole)
    return len(wanted & grammar.content(said)) >= _TOLD * len(wanted)


def _clause(whole: str, answer: str) -> str | None:
    """Return the sentence up to the next statement in it; `None` if the answer is cut short."""
    before, found, after = whole.partition(answer)
    if not found:
        return whole
    if _LIST_ON.match(after):
        return None
    return f"{_PREVIOUS.sub(' ', before)}{answer}{_NEXT.sub('', after)}"


_LIST_ON = re.compile(
    r",? (?:and|or|to|until)(?: at| from| on)? (?:[$£€]?\d|(?:the )?[A-Z#@])|, (?:19|20)\d\d\b"
)
_NEXT = re.compile(
    r"(?:,? and (?:[\w' -]+? )?(?:is|are|was|were|has|have|had|costs?|takes?|ends?|runs?|begins?|"
    r"must|can|may|belongs|includes?|opens?|lends?|reach)\b|, (?:which|where|because|as|since|"
    r"extension|across|including|such)\b).*$"
)
"""A second statement of the same sentence, of which the question does not ask."""
_PREVIOUS = re.compile(
    r" (?:is|are|was|were|has|have|can|must) [^,]*? and (?=(?:is|are|has|have|costs?|takes?|lasts?|"
    r"holds?|runs?|can|must)\b)"
)
"""A first one, of which it does not ask either."""


def _conditions(text: str) -> set[str]:
    return {match.lower() for match in _CONDITION.findall(text)}


def _names_every_contact(answer: str, whole: str) -> bool:
    """Say whether a text names nobody else to turn to than the answer does."""
    return not any(
        match[0] not in answer and not _SAME.search(whole[: match.start()])
        for match in REACHED.finditer(whole)
    )


def _goes_on(quote: str, passage: Passage, *, steps: bool) -> bool:
    """Say whether the sentences around a quote narrow what it says, or add a step to it."""
    before, after, below = around(quote, passage.text)
    if any(_narrows(text) for text in after[:1]):
        return True
    return steps and (
        any(_narrows(text) or _adds(text) for text in (*after, *below[:1]))
        or any(_adds_at_end(text) for text in before)
    )


def _adds_at_end(text: str) -> bool:
    """Say whether a sentence asks for a step, at its beginning or after its condition."""
    return any(_adds(part) for part in (text, text.rpartition(", ")[2]))


def _narrows(text: str) -> bool:
    return bool(_NARROWS.match(text)) and not _REFERS.search(text)


def _adds(text: str) -> bool:
    return bool(_ADDS.match(text) or imperative(text)) and not _REFERS.search(text)


def around(quote: str, text: str) -> tuple[list[str], list[str], list[str]]:
    """Return the sentences before and after a quote in its paragraph, and the next paragraph's."""
    wanted = " ".join(quote.split())
    found = [" ".join(block.split()) for block in blocks(text)]
    place = next((at for at, block in enumerate(found) if wanted in block), None)
    if place is None:
        return [], [], []
    before, _, after = found[place].partition(wanted)
    below = next(iter(found[place + 1 : place + 2]), "")
    return _plainly(before), _plainly(after), _plainly(below)


def _plainly(text: str) -> list[str]:
    return [plain(one) for one in split(text.strip())]
