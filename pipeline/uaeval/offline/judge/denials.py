"""Tell denials that answer a question from refusals, by the subject of the negated verb."""

from uaeval.offline.judge.reading import Sentence, patterns, spell_out
from uaeval.offline.judge.unreadable import stems

_GENERAL = stems("able actually allowed currently moment permitted possible present time yet")


def informs(question: str, sentence: Sentence) -> bool:
    """Return whether a sentence excludes a case that a question asks for, and names it.

    `The card cannot be used abroad.` does, if the question is where or for what it can be used. The
    subject of a refusal is the answerer, a source, or nothing. A denial of the question's premise
    excludes all cases, or adds nothing to the words of the question.
    """
    tables, asked = patterns("judge", "denials"), spell_out(question)
    clause = tables["clause"].match(sentence.plain)
    if not clause or sentence.does("moral") or tables["pronoun"].search(clause["subject"]):
        return False
    if not tables["open"].match(asked) or tables["total"].search(clause["rest"]):
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
    return bool({*subject, *denied[1:]} - stems(question))
