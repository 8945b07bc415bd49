"""Judge whether a response gives the reference answer, by figures, polarity, names and words."""

import re
from collections.abc import Sequence
from difflib import get_close_matches

from uaeval.llm.replies import YesNoJudgement
from uaeval.offline.judge.reading import Sentence, is_yes_no, read
from uaeval.offline.judge.verdict import verdict
from uaeval.offline.tables import patterns
from uaeval.text.amounts import Amount, without_amounts
from uaeval.text.english import listed_tag
from uaeval.text.figures import figures, is_given, new_figures
from uaeval.text.spelling import shared_stems, spell_out, stems

# Least shares of the reference's own words in a correct response:
_COVERED = 0.4
_COVERED_BRIEF = 0.5  # if the reference is brief
_AGREEING = 0.3  # if it agrees on yes or no
_UNDENIED = 0.6  # if the reference says neither yes nor no
_FEW = 2  # most own words of a reference that is little more than a figure
_BRIEF = 10  # most content words of a brief text
_POLAR = re.compile(r"^(?:final answer: )?(yes|no)\b|\bthe answer (?:\w+ ){0,6}is:? (yes|no)\b")
_ITEM_END = re.compile(r", (?:and |or )?|; | and | or |\s*\n[-*•\s]*")
_LONGEST_ITEM = 3  # content words
_PART_END = re.compile(r"[;,]\s|\b(?:and|but|while|whereas)\b")
_LIMITED = re.compile(r", not\b|\bonly\b|, (?:but|so|except)\b")
_ALIKE = 0.85  # least similarity of two spellings of a name
_NAME = re.compile(r"\b[A-Z][\w&-]*")
_UNCLEAR = YesNoJudgement(rationale="Too little to tell it from.", label="undecided")


def correct(question: str, reference: str, response: str) -> YesNoJudgement:
    """Return whether a response gives the reference answer; an abstention never does."""
    treated = verdict(question, response)
    if treated.label in {"refused", "clarified"}:
        return YesNoJudgement(rationale=f"It gives no answer. {treated.rationale}", label="no")
    if treated.label == "undecided":
        return YesNoJudgement(rationale=treated.rationale, label="undecided")
    asked = question.partition("?")[0] + "?"
    for compare in (_by_figures, _by_polarity, _by_denial, _by_items, _by_names, _by_words):
        if judged := compare(asked, question, reference, response):
            return judged
    return _UNCLEAR


def _by_figures(asked: str, question: str, reference: str, response: str) -> YesNoJudgement | None:
    """Compare figures if the reference is one, or the question asks for one."""
    if is_yes_no(asked) or _POLAR.search(spell_out(reference)):
        return None
    dated, asks = _asks("date", question), _asks("figure", question)
    found = figures(reference, dates=True) if dated else _own_figures(question, reference)
    wanted = [a for a in found if re.search(r"\d", a.text)] or list(found if asks else ())
    bare = len(_own_words(question, without_amounts(reference))) <= _FEW
    if not wanted or not (bare or asks):
        return None
    given = figures(response, dates=dated)
    missing = [amount for amount in wanted if not is_given(amount, given)]
    if not missing:
        if len(wanted) == 1 and _is_of_another(wanted[0], question, response):
            return _UNCLEAR
        return _judged("yes", "It gives the figure of the reference")
    if not given or len(missing) < len(wanted) or not bare:
        return None
    return _judged("no", "It gives other figures than the reference")


def _is_of_another(wanted: Amount, question: str, response: str) -> bool:
    """Return whether a response of one sentence gives another figure nearer to what is asked."""
    near, apart = [0], [0]
    for part in _PART_END.split(response):
        if (given := figures(part)) and len(read(response)) == 1 and " which " not in response:
            (near if is_given(wanted, given) else apart).append(shared_stems(question, part))
    return max(apart) > max(near)


def _by_polarity(asked: str, question: str, reference: str, response: str) -> YesNoJudgement | None:
    """Compare yes and no if the reference says either."""
    plain = bool(_POLAR.search(spell_out(reference)))
    share = _share(question, reference, response)
    if not plain:
        return None if share >= _UNDENIED or not is_yes_no(asked) else _UNCLEAR
    wanted = _polarity(asked, read(reference)[:1])
    sentences = read(response)
    given = _polarity(asked, [*sentences[:2], *sentences[-2:]])
    if not wanted or not given:
        return _UNCLEAR
    if wanted != given:
        return _judged("no", f"It says {given}, the reference says {wanted}")
    own, found = _own_figures(question, reference), figures(response)
    if any(is_given(amount, found) for amount in own):
        return _judged("yes", f"It says {given}, and gives a figure of it")
    if share >= (_COVERED if own and found else _AGREEING):
        return _judged("yes", f"It says {given}, as the reference does")
    return _UNCLEAR


def _by_denial(asked: str, question: str, reference: str, response: str) -> YesNoJudgement | None:
    """Compare openings if the reference is only a denial."""
    first = read(reference)[:1]
    if not first or not first[0].does("negation") or len(_own_words(question, reference)) > 1:
        return None
    if any(s.does("negation") for s in read(response)[:2]):
        return _judged("yes", "It denies what the reference denies")
    return _judged("no", "It does not deny what the reference denies")


def _by_items(asked: str, question: str, reference: str, response: str) -> YesNoJudgement | None:
    """Compare the items of a reference that is a list of at least three."""
    items = [stems(item) - stems(question) for item in _ITEM_END.split(reference.strip(" ."))]
    if len(items) <= _FEW or not all(0 < len(item) <= _LONGEST_ITEM for item in items):
        return None
    given = stems(response)
    missing = sum(len(item & given) < len(item) / 2 for item in items)
    reason = f"It lacks {missing} of the {len(items)} items of the reference"
    return _judged("no" if missing else "yes", reason)


def _by_names(asked: str, question: str, reference: str, response: str) -> YesNoJudgement | None:
    """Compare the names of a reference if the question asks for one."""
    if not _asks("name", question):
        return None
    first = re.split(r"(?<=[a-z]{2}[.!?])\s", reference.strip())[0]
    known = stems(question)
    found = _NAME.findall(first)
    if found and first.startswith(found[0]) and listed_tag(found[0].lower()):
        found.pop(0)  # perhaps a common noun at the start of a sentence
    names = {stem for name in found for stem in stems(name) - known}
    if not names:
        return None
    given = {name for name in names if get_close_matches(name, stems(response), 1, _ALIKE)}
    if given == names:
        return _judged("yes", "It gives the names of the reference")
    return None if given else _judged("no", "It gives none of the names of the reference")


def _by_words(asked: str, question: str, reference: str, response: str) -> YesNoJudgement | None:
    """Compare the words that the reference has and the question has not."""
    own = _own_words(question, reference)
    share = _share(question, reference, response)
    if own and share >= (_COVERED_BRIEF if len(own) <= _BRIEF else _COVERED):
        return _judged("yes", f"It has {share:.0%} of the reference's own words")
    given = stems(response)
    near = share or any(get_close_matches(word, given, 1, _ALIKE) for word in own)
    if 0 < len(own) <= _FEW + 1 and not near and len(given) <= _BRIEF:
        return _judged("no", "It has none of the reference's own words")
    return None


def _own_figures(question: str, reference: str) -> list[Amount]:
    """Return the figures of a reference that its question does not give; if none, all."""
    return new_figures(reference, question) or list(figures(reference))


def _own_words(question: str, reference: str) -> set[str]:
    return {word for word in stems(reference) - stems(question) if not word[0].isdigit()}


def _share(question: str, reference: str, response: str) -> float:
    own = _own_words(question, reference)
    return len(own & stems(response)) / len(own) if own else 1.0


def _asks(kind: str, question: str) -> bool:
    """Return whether a question asks for a `figure`, a `date` or a `name`."""
    return bool(patterns("judge", "questions")[kind].search(spell_out(question)))


def _polarity(asked: str, sentences: Sequence[Sentence]) -> str | None:
    """Return whether sentences say yes or no to a question; `None` if they disagree."""
    for sentence in sentences:
        if match := _POLAR.search(sentence.plain):
            return match[1] or match[2]
    words = stems(asked)
    about = [s for s in sentences if len(words & stems(s.plain)) > 1]
    signs = {_sign(asked, s) for s in about if not _LIMITED.search(s.plain)}
    return signs.pop() if len(signs) == 1 else None


def _sign(asked: str, sentence: Sentence) -> str:
    opposed = _direction(spell_out(asked)) * _direction(sentence.plain) < 0
    return "no" if opposed != sentence.does("negation") else "yes"


def _direction(text: str) -> int:
    """Return 1 if a text is about more, -1 if about less, and 0 if about neither or both."""
    words = patterns("judge", "questions")
    more, less = (len(words[name].findall(text)) for name in ("more", "less"))
    return (more > less) - (less > more)


def _judged(label: str, reason: str) -> YesNoJudgement:
    return YesNoJudgement.model_validate({"rationale": f"{reason}.", "label": label})
