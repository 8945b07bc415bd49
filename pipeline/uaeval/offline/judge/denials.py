"""Tell denials that answer a question from refusals, by the subject of the negated verb."""

from uaeval.offline.judge.reading import Sentence, is_yes_no
from uaeval.offline.tables import patterns
from uaeval.text.spelling import repeated, spell_out, stems

_HALF = 0.5  # share of a yes/no question in a sentence that denies it
_GENERAL = stems("able actually allowed currently moment permitted possible present time yet")


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
