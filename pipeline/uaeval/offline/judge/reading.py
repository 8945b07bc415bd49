"""Split a response into sentences, and mark what each does: decline, ask, deny, warn, conclude."""

import re
from dataclasses import dataclass

from uaeval.offline.tables import patterns
from uaeval.text.sentences import without_citations
from uaeval.text.spelling import contrasted, spell_out

_HEAD, _TAIL = 6000, 3000  # characters that are read at the start and the end of a response
_LONGEST = 600  # characters of a sentence that are searched for patterns
_BREAK = re.compile(r"(?<=[.!?])[\"')*]*\s+|\s*\n\s*")
_YES_NO = re.compile(
    r"(?:^|[.,;:] )(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|should|may)\b"
    r"(?! not\b)"
)


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


def _sentence(text: str) -> Sentence:
    plain = spell_out(text[:_LONGEST]).strip(" *_#>\"'")
    kinds = patterns("judge", "kinds").items()
    return Sentence(text, plain, frozenset(name for name, p in kinds if p.search(plain)))
