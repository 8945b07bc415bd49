"""Tell denials that answer a question from refusals, by the subject of the negated verb."""

from uaeval.offline.judge.reading import Sentence, patterns, spell_out
from uaeval.offline.judge.unreadable import stems

_GENERAL = stems("able actually allowed currently moment permitted possible present time yet")


def informs(question: str, sentence: Sentence) -> bool:
    """Return whether a sentence denies something about the topic of a question, and adds to it.

    `The card cannot be used abroad.` does. The subject of a refusal is the answerer, a source, or
    nothing, and a denial of the question's premise adds nothing to the words of the question.
    """
    tables, asked = patterns("judge", "denials"), spell_out(question)
    clause = tables["clause"].match(sentence.plain)
    if not clause or sentence.does("moral") or tables["pronoun"].search(clause["subject"]):
        return False
    speakers = tables["speaker"].finditer(f"{clause['subject']} {clause['rest']}")
    topics = [topic[0] for topic in tables["topic"].finditer(asked)]
    if any(not any(speaker[0] in topic for topic in topics) for speaker in speakers):
        return False
    words = [word for word in clause["rest"].split() if not word.endswith("ly")]
    denied = [stem for word in words for stem in stems(word) - _GENERAL]
    return bool({*stems(clause["subject"]), *denied[1:]} - stems(question))
