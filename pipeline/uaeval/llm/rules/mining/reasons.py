"""Why something is so, and what follows from something: `because`, `if`, `when`, `once`."""

import re
from collections.abc import Iterator

from uaeval.llm.rules.english import grammar
from uaeval.llm.rules.mining.agents import BACK
from uaeval.llm.rules.mining.clauses import Clause, lower_first, noun_phrase, parse, second_person
from uaeval.llm.rules.mining.patterns import Fact, FactKind, Pattern, fact_of
from uaeval.llm.rules.mining.sentences import Sentence
from uaeval.llm.rules.mining.told import Told, second_verb, told

_BECAUSE = re.compile(r"^(?P<what>[^:]+?),? (?P<why>(?:because|so that|in order to) [^:]+)\.$")
_LEANING = re.compile(r"\b(?:this|that is|these|those|we|us|our|above|below)\b")


def why(sentence: Sentence) -> Iterator[Fact]:
    """`The vault is kept cold because film decays.` → why is the vault kept cold?"""
    match = _BECAUSE.match(sentence.plain)
    if match is None or _LEANING.search(match["why"]) or len(match["why"].split()) < 4:
        return
    clause = parse(f"{match['what']}.")
    said = None if clause else told(f"{match['what']}.")
    if clause and not clause.modal.startswith(("can", "need not")) and not clause.condition:
        body, asked, negated = clause.rest, clause.ask, "not" in clause.modal
        question = f"Why {asked} {body}"
        if negated:
            question = question.replace("can ", "can't ", 1).replace("should ", "shouldn't ", 1)
    elif said and not said.lead and said.helper in {"does", "do", "is", "are", "did"}:
        body, question = said.rest, said.ask("Why", f" {said.rest}")
    else:
        return
    if re.search(r"\b(?:it|they|them|he|she|and)\b", body) or len(question.split()) > 18:
        return
    found = clause or Clause(subject=said.subject if said else "")
    yield fact_of(sentence, Clause(subject=found.subject), FactKind.REASON, question, match["why"],
                  topic=noun_phrase(body), gap=match["why"])  # fmt: skip


_IF = re.compile(
    r"^(?P<word>If|When|Once|After|Before) (?P<if>[^,]{8,90}), (?:then )?(?P<do>[^:]+)\.$"
)
_AFTER = re.compile(
    r"^(?P<do>[^:,]{10,110}?),? (?P<word>if|when|once|after|before) (?P<if>[^,:]{8,80})\.$"
)
_UNSURE = re.compile(
    r"\bI (?:wish|would|think|can)\b|\bstill\b|\b(?:questions?|trouble|issues|help|concerns?)$|"
    r"\b(?:necessary|needed|applicable|possible|desired|wrong)$|\bnot sure\b"
)
_YOU = re.compile(
    r"^you(?P<modal> can| may| must| should| need to| have to| will need to| will have to|"
    r"'ll need to|'ll have to| are required to)(?: always| also| then| still| just)? "
    r"(?P<step>[a-z]+ .+)$"
)
_WISH = re.compile(r"\bI (?:need|want|have|am (?:interested|looking)|would)\b|\bI'd\b")
_ASK = {
    "can": "What can I do",
    "may": "What can I do",
    "should": "What should I do",
    "must": "What do I have to do",
}


def conditional(sentence: Sentence) -> Iterator[Fact]:
    """`Once a loan ends, the desk sends a receipt.` → what happens once a loan ends?"""
    match = _IF.match(sentence.plain) or _AFTER.match(sentence.plain)
    lead = _lead(match["if"]) if match else None
    if match is None or lead is None:
        return
    word = match["word"].lower()
    if word in {"after", "before"} and told(f"{match['if']}.") is None and "I " not in lead:
        return
    step, question = _step(match["do"], f"{word} {lead}")
    if not question or not 3 <= len(step.split()) <= 24 or _BROKEN.search(step):
        return
    clause = Clause(subject="I", condition=f"{word} {lead}")
    yield fact_of(sentence, clause, FactKind.CONDITION, question,
                  step, topic=noun_phrase(lead.split(" ", 2)[-1]), gap=step)  # fmt: skip


_BROKEN = re.compile(r"\?|\b(?:or|and|when|if|to|the)$")


def _lead(text: str) -> str | None:
    """Return a condition in the first person; `None` if it is vague or leans on its context."""
    lead = grammar.first_person(text)
    if lead is None or _UNSURE.search(lead) or re.search(r"[\"()?]", lead):
        return None
    if re.match(r"(?:you|your)\b", text):
        leaning = re.search(r"\b(?:it|they|them|one|so|this|that|we|us|both)\b", lead)
        return None if leaning or len(grammar.content(lead)) < 2 else lower_first(lead)
    said = told(f"{text}.")
    if said is None or said.lead or BACK.search(re.sub(r"\b(?:you|your)\b", "", text)):
        return None
    return lower_first(lead)


def _step(text: str, condition: str) -> tuple[str, str]:
    """Return the answer and the question that asks for it; empty if there is none."""
    text = re.sub(
        r"^(?:[Pp]lease|then|still|also|just|be sure to|make sure to|[Rr]emember to) ", "", text
    )
    match = _YOU.match(lower_first(text))
    if match:
        ask = _ASK.get(match["modal"].split()[0], _ASK["must"])
        step = match["step"]
        vague = step.split()[0] in {"be", "see", "find", "have", "want", "feel", "notice", "get"}
        return ("", "") if vague else (step, f"{ask} {condition}")
    if imperative(text):
        return lower_first(text), f"What should I do {condition}"
    said = None if _WISH.search(condition) else told(f"{text[:1].upper()}{text[1:]}.")
    if said and said.helper and not said.lead and _outcome(said):
        return text, f"What happens {condition}"
    return "", ""


def _outcome(said: Told) -> bool:
    """Say whether a clause tells what comes of something, and not what somebody may do."""
    passive = said.helper in {"is", "are"} and bool(re.match(r"\w+ed\b", said.rest))
    acts = said.helper in {"does", "do"} and said.base not in {"have", "use", "include", "need"}
    return (passive or acts or said.helper == "will") and not re.search(
        r"\b(?:it|they|them|this|we|us)\b", said.rest
    )


_NO_STEP = frozenset(
    """be do have try note know see let welcome remember keep consider feel say think thank
    congratulations refer check look read welcome work travel project share time award leave
    contract""".split()
)


def imperative(text: str) -> bool:
    """Say whether a clause is a step to take: it begins with a verb and has no subject."""
    first, _, rest = text.partition(" ")
    if not grammar.starts_with_verb(first) or first.lower() in _NO_STEP or not rest:
        return False
    if re.match(r"(?:is|are|was|were|will|can|may|must|should|has|have|does|do)\b", rest):
        return False
    return not second_verb(rest) and told(f"{text[:1].upper()}{text[1:]}.") is None


REASON_PATTERNS: tuple[Pattern, ...] = (why, conditional)
__all__ = ["REASON_PATTERNS", "imperative", "second_person"]
