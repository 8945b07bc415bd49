"""Which facts make a good answerable question: named, whole, and answered in full."""

import re
from dataclasses import replace
from functools import lru_cache

from uaeval.llm.rules.english import grammar
from uaeval.llm.rules.evidence import answers
from uaeval.llm.rules.mining.facts import stated
from uaeval.llm.rules.mining.full_answers import contact_in_full, told_in_full
from uaeval.llm.rules.mining.page_context import in_context
from uaeval.llm.rules.mining.patterns import Fact, FactKind
from uaeval.llm.rules.stance import Stance
from uaeval.types import Passage

_EMPTY_ANSWER = re.compile(
    r"^(?:yes, |no, )?(?:please )?(?:follow|see|use|read|review|refer to|consult|check|complete|"
    r"visit|go to|keep in mind|be|note|discuss)?(?: that)? ?(?:the |our |these |those |any |"
    r"general |same )+(?:[\w'-]+ ){0,3}(?:guidance|guidelines?|instructions?|process(?:es)?|steps?|"
    r"procedures?|information|links?|pages?|sections?|documentation|details|number|following)\b|"
    r"\b(?:instructions|as (?:appropriate|follows|described)|keep in mind|mindful|aware)\b|"
    r"\b(?:my|I|me|we|our|us|listed|section)\b| and (?:has|have|is|are|was|can|costs?|will)\b|"
    r"^(?:on|in|at) \w+ing\b|\btimes\b|^the \w+$|"
    r"^(?:additional|various|an? (?:\w+ )?(?:number|variety|range|selection) of)\b|"
    r"^(?:by|in|on|at|to|for|of|with)$|:(?!\d)|[(](?!(?-i:[A-Z][\w&]*)[)])|\b(?:and|or|the|to|of|a)$",
    re.IGNORECASE,
)
_POINTED = (
    r"form|leave|request|tool|system|process|project|program|policy|page|team|document|agreement|"
    r"meeting|event|review|phase|step|table|group|airport|application|reimbursement|participants?|"
    r"card|list|option|change|work|role|position|task|call|session|partner|user|client|issue|"
    r"assessment|interview|candidate|employee|information|data|file|folder|channel|template|"
    r"spreadsheet|repository|repo|branch|site|website|app|account|button|box|field|plan|package|"
    r"course|class|training|schedule|building|office|room|floor|research|contract|order|item|"
    r"person|manager|author|organizer|facilitator|lead|researcher|product|service|feature|"
    r"period|case|rule|rules|requirement|requirements|answer|response|approval|accommodation|"
    r"statement|number|title|name|status|material|materials|content|proposal|budget|invoice|"
    r"ticket|visit|exhibition|lender|borrower|school|gallery|object|objects|shop|workshop|"
    r"deposit|fee|price|box|hirer|caterer|form|claim|advance|manager|report|guidance|guide|"
    r"deadline|announcement|due date|certificate|probation|onboarding|"
    r"offboarding|move|email|message|detail|details|new hire|conversation|feedback|agency"
)
_BARE = re.compile(
    rf"\b(?:the|my|both|each|these|such|that) (?:(?:[a-z]+ed|"
    rf"initial|first|second|final|current|core|new|"
    rf"old|last|next|whole|same|other|annual|approved|signed|completed|main|full|correct|relevant|"
    rf"appropriate|original|entire|documentation|research|project|two|three|four|following) )*"
    rf"(?:{_POINTED})s?\b(?! (?:for|of|to|on|that|from|with|about) )(?! [A-Z])"
    rf"(?! (?!and\b|or\b|is\b|are\b|be\b|in\b|"
    rf"at\b|before\b|after\b|by\b|if\b|when\b|have\b|has\b|can\b|should\b|as\b|within\b|without\b|"
    rf"during\b|until\b|only\b|do\b|does\b|will\b|must\b|need\b|via\b|through\b|using\b|\w+ed\b)[a-z]+)"
)
"""`the form`, of which nothing says what form it is."""
_UNNAMED = re.compile(
    r"\b(?:[Pp]hase|[Ss]tep|[Oo]ption|[Tt]ier|[Ll]evel|[Pp]art|[Pp]lay) \w\b|\bfields?\b|"
    r"\bthe (?:call|day|week|month|year|end|start|beginning|rest|others?|public|area|city|"
    r"station)\b(?! of\b| [a-z]+\b)|\b(?:any|some) (?:issues?|changes?|problems?|"
    r"questions?|of the)\b|"
    r"\b(?:too|as well|also|otherwise|either|etc|respectively|correctly|properly|appropriate|"
    r"certain|various|particular|respective|several|multiple)\b|"
    r"\bthe leave\b(?! of| to| for)|\b(?:(?-i:it)|itself|them|they|anything|something|someone|"
    r"full version|if eligible)\b|"
    r"\bothers\b|\b(?:further|more) (?:details|information)\b(?! (?:on|about)\b)|"
    r"\b(?:a|an|the) (?:license|second time|recipient|confirmation)\b(?! (?:for|of|to)\b)|"
    r"\b(?:want|wish|like|trying|run into|encounter|anticipate|feel|inadvertently)\b",
    re.IGNORECASE,
)
_UNGRAMMATICAL = re.compile(
    r"^Who (?:should|can|do|must) I (?:have to |need to )?\w+ (?:of|with)\b|^What can I do\b|"
    r"\bto my \w+ to\b|^Do I have to be\b|\bif I have access\b|\bI need isn't\b|\bto to\b|"
    r"^Who \w+ (?:a|an) (?:number|variety|set|list|range|detailed)\b|\bbut\b|"
    r"^Who .* between \d|^What happens\b|^What should I do if I am (?:on|in|at)\b|"
    r"\bmy my\b|\bI are\b|\?.*\?|^(?:What|Which) do(?:es)? .* (?:mean|look for)\?$|"
    r"\b(?:and/or|I/we|his/her)\b|[a-z]\(s\)|[\"“”]|^(?:Should|Can|Do|Does) (?:a|an) .* and .*\?$|"
    r"^What (?:does|do) .* (?:provide|offer|encourage|recommend|rely on|support|promote)\?$|"
    r"\bin order\?|^Who is .* is\b|\bas a guide\b|"
    r"\b(?:One|Two|Three|Four|Five|Six|Seven|Eight|Nine|Ten) [a-z]|"
    r"^When\b.*\bwhen\b|^When did .* and \w+ed\b|\bdo (?:have|need)\b",
)
_NOBODY = re.compile(
    r"(?:after|in|on|at|for|with|by|from|under|before|trains|buses)\b", re.IGNORECASE
)
_ADDRESSEE = re.compile(
    r"(?:(?:the|your|a|an) )?(?!(?:questions|information|help)\b)"
    r"(?:(?!to\b|about\b|who\b|with\b)\S+ ?){1,7}"
)


@lru_cache(maxsize=4096)
def twin_facts(passage: Passage) -> tuple[Fact, ...]:
    """Return the facts of a passage that make twins, their questions complete, best first.

    Each is asked well, told in full, and can be understood by whoever does not see the page.
    """
    found = (_complete(fact, passage) for fact in stated(passage) if apt(fact, passage))
    return tuple(fact for fact in found if fact)


def _complete(fact: Fact, passage: Passage) -> Fact | None:
    if fact.kind is FactKind.EXPANSION:
        return fact
    question = in_context(fact.question, passage)
    if question is None or answers(question, fact.answer, passage) is not Stance.SUPPORTS:
        return None
    return replace(fact, question=question)


def apt(fact: Fact, passage: Passage) -> bool:
    """Say whether somebody would ask the question, and the answer is all there is to say."""
    return (
        _asked_well(fact)
        and not _in_passing(fact, passage)
        and not _EMPTY_ANSWER.search(_bare_answer(fact))
        and (fact.kind is FactKind.EXPANSION or _in_full(fact, passage))
    )


def _in_passing(fact: Fact, passage: Passage) -> bool:
    """Say whether a page only mentions what is asked: a thing it is not about, its own year."""
    above = f"{passage.title} {passage.heading}"
    if re.match(r"What (?:is|are) ", fact.question) and fact.kind is FactKind.DEFINITION:
        return not grammar.content(fact.topic) & grammar.content(above)
    return bool(re.fullmatch(r"in \d{4}", fact.answer)) and fact.answer[3:] in above


def _in_full(fact: Fact, passage: Passage) -> bool:
    steps = fact.kind in {FactKind.PROCEDURE, FactKind.CONDITION} and not fact.yes_no
    turned = fact.kind is FactKind.CONTACT and not fact.yes_no
    if turned and not contact_in_full(fact.question, fact.answer, fact.sentence, passage):
        return False
    return told_in_full(
        fact.question, fact.answer, fact.sentence, passage, steps=steps, gap=fact.gap
    )


def _asked_well(fact: Fact) -> bool:
    question = fact.question
    return not (
        _UNGRAMMATICAL.search(question)
        or _BARE.search(question)
        or _UNNAMED.search(question)
        or (fact.kind is FactKind.PERSON and _NOBODY.match(fact.answer))
        or (fact.kind is FactKind.CONTACT and not _ADDRESSEE.fullmatch(fact.answer))
    )


def _bare_answer(fact: Fact) -> str:
    return re.sub(r"^(?:Yes|No), ", "", fact.answer)
