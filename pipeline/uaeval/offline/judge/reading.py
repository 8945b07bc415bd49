"""Split a response into sentences, and mark what each does: decline, ask, deny, warn, conclude."""

import re
from dataclasses import dataclass

from uaeval.offline.tables import patterns
from uaeval.text.sentences import without_citations
from uaeval.text.spelling import contrasted, repeated, spell_out, stems

_HEAD, _TAIL = 6000, 3000  # characters that are read at the start and the end of a response
_LONGEST = 600  # characters of a sentence that are searched for patterns
_BREAK = re.compile(r"(?<=[.!?])[\"')*]*\s+|\s*\n\s*")
_YES_NO = re.compile(
    r"(?:^|[.,;:] )(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|should|may)\b"
    r"(?! not\b)"
)
_HALF = 0.5  # share of a yes/no question in a sentence that denies it
_GENERAL = stems("able actually allowed currently moment permitted possible present time yet")


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence of a response, as written and spelled out, and the kinds of it."""

    text: str
    plain: str
    kinds: frozenset[str]

    def does(self, *kinds: str) -> bool:
        """Return whether the sentence is of one of these kinds."""
        return not self.kinds.isdisjoint(kinds)


def read(response: str) -> tuple[Sentence, ...]:
    """Return the sentences of a response without labels; of a long one those of start and end."""
    text = without_citations(response).strip()
    if len(text) > _HEAD + _TAIL:
        text = f"{text[:_HEAD]}\n{text[-_TAIL:]}"
    found = tuple(_sentence(p.strip()) for p in _BREAK.split(text) if re.search(r"\w", p))
    return tuple(each for each in found if each.plain and not each.does("label")) or found


def clauses(sentence: Sentence) -> tuple[Sentence, ...]:
    """Return the clauses of a sentence that stand against each other."""
    return tuple(_sentence(piece) for piece in contrasted(sentence.text))


def is_yes_no(question: str) -> bool:
    """Return whether a question asks for yes or no."""
    return bool(_YES_NO.search(spell_out(question.strip())))


def informs(question: str, sentence: Sentence) -> bool:
    """Return whether a sentence says no to a question, or excludes a case that it asks for.

    `The card cannot be used abroad.` does, if the question is where or for what it can be used. The
    subject of a refusal is the answerer, a source, or nothing. A denial of the question's premise
    excludes all cases, or adds nothing to the words of the question.
    """
    tables, asked = patterns("judge", "denials"), spell_out(question)
    clause = tables["clause"].match(sentence.plain)
    polar = is_yes_no(question) and repeated(question, sentence.plain) >= _HALF
    if not clause or sentence.does("moral") or (polar and tables["person"].search(sentence.plain)):
        return False
    opens = tables["open"].match(asked) and not tables["total"].search(clause["rest"])
    if not polar and (not opens or tables["pronoun"].search(clause["subject"])):
        return False
    speakers = tables["speaker"].finditer(f"{clause['subject']} {clause['rest']}")
    topics = [topic[0] for topic in tables["topic"].finditer(asked)]
    if any(not any(speaker[0] in topic for topic in topics) for speaker in speakers):
        return False
    subject, denied = (
        [each for word in part.split() if not word.endswith("ly") for each in stems(word)]
        for part in (clause["subject"].replace(",", " "), clause["rest"])
    )
    denied = [each for each in denied if each not in _GENERAL]
    return polar or bool({*subject, *denied[1:]} - stems(question))


def _sentence(text: str) -> Sentence:
    plain = spell_out(text[:_LONGEST]).strip(" *_#>\"'")
    kinds = patterns("judge", "kinds").items()
    return Sentence(text, plain, frozenset(name for name, p in kinds if p.search(plain)))
