"""The nouns that a passage is about, each with what kind of thing it names."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from uaeval.llm.rules.english.grammar import lemmas
from uaeval.types import Passage


class Kind(StrEnum):
    """What can be done with a thing: read it, attend it, enter it, spend it."""

    DOCUMENT = "document"
    EVENT = "event"
    PLACE = "place"
    SYSTEM = "system"
    OBJECT = "object"
    MONEY = "money"
    ABSENCE = "absence"
    RULE = "rule"
    PERSON = "person"
    SECRET = "secret"
    QUEUE = "queue"


@dataclass(frozen=True, slots=True, kw_only=True)
class Thing:
    """A noun phrase of the passage without its article, for example `travel card`."""

    text: str
    head: str
    """The last word in the singular; whole compounds such as `sick leave` are one head."""
    kind: Kind
    plural: bool
    weight: int
    """How often the passage names it; a mention in the title or heading counts three times."""


HEADS: dict[Kind, str] = {
    Kind.DOCUMENT: (
        "form|policy|guide|handbook|document|template|report|memo|letter|certificate|contract|"
        "agreement|invoice|receipt|spreadsheet|checklist|statement|deck|presentation|resume|"
        "application|authorization|voucher|timesheet|timecard|itinerary|brochure|manual|diagram|"
        "flowchart|leaflet|waiver|questionnaire|transcript|lease|prescription|menu|catalog|"
        "catalogue|catalogues|passport|visa|diploma|syllabus|worksheet|slide|performance plan|"
        "org chart|"
        "purchase order|work order|packing slip|logbook|estimate|loan agreement|risk assessment|"
        "booking form|"
        "incident report|permit|ticket|leaflet|price list|rota|invoice|membership card"
    ),
    Kind.EVENT: (
        "meeting|training|class|course|workshop|interview|webinar|orientation|review|session|"
        "call|event|retrospective|standup|stand-up|conference|appointment|ceremony|tour|"
        "trip|flight|check-in|demo|inspection|visit|concert|lesson|consultation|assembly|exam|"
        "performance review|kickoff|all-hands|open day|briefing|screening|festival|drill|"
        "exhibition|school visit|guided tour|talk|party|match"
    ),
    Kind.PLACE: (
        "office|building|room|floor|desk|garage|lobby|campus|library|station|conference room|"
        "headquarters|parking lot|parking garage|gym|kitchen|warehouse|clinic|ward|museum|gallery|"
        "hall|theater|theatre|park|shelter|workshop floor|storeroom|depot|kitchenette|"
        "campsite|laboratory|lab|studio|shop|cafe|car park|archive|lighthouse|engine shed|quay|"
        "court|playground|apartment|lactation room|reading room"
    ),
    Kind.SYSTEM: (
        "account|system|tool|app|website|repository|repo|channel|workspace|software|database|"
        "dashboard|calendar|inbox|drive|server|network|portal|platform|intranet|VPN|wiki|"
        "self-service kiosk|kiosk|help desk|mailing list|profile"
    ),
    Kind.OBJECT: (
        "laptop|computer|badge|card|phone|keyboard|headset|printer|camera|"
        "bike|bicycle|locker|travel card|purchase card|PIV card|PIV|equipment|tent|boat|tool kit|"
        "scooter|alarm|thermostat|projector|fob|parcel|sensor|machine|meter|extinguisher|radio|"
        "audio guide|loan box|locker|camera"
    ),
    Kind.MONEY: (
        "reimbursement|expense|salary|payment|budget|per diem|pay|stipend|allowance|bonus|refund|"
        "deposit|subsidy|fee|fine|grant|discount|compensation|travel expense|transit benefit|"
        "overtime pay|purchase|purchase request|lodging|mileage|credit|rebate|cash|rent|donation"
    ),
    Kind.ABSENCE: (
        "leave|sick leave|annual leave|parental leave|paid parental leave|family leave|time off|"
        "comp time|compensatory time|overtime|credit hours|telework|vacation|"
        "holidays|administrative leave|bereavement leave|medical leave|home working|remote work|"
        "advanced sick leave"
    ),
    Kind.RULE: (
        "deadline|requirement|rule|procedure|limit|eligibility|threshold|approval|permission|"
        "clearance|waiting period|grace period|notice period|work schedule|schedule|timeline|"
        "due date|evaluation|rating|quota|standard|guideline|membership|subscription|warranty|"
        "license|permit|reservation|booking|background check|investigation|accommodation"
    ),
    Kind.PERSON: (
        "supervisor|manager|director|employee|contractor|candidate|applicant|new hire|colleague|"
        "teammate|customer|vendor|contracting officer|facilitator|mentor|coach|buddy|"
        "team lead|project manager|approver|interviewer|visitor|patient|student|tenant|guest|"
        "volunteer|member|librarian|instructor|traveler|account manager|administrator|admin"
    ),
    Kind.SECRET: (
        "password|passphrase|PIN|login|credential|token|API key|personal information|"
        "home address|phone number|social security number|medical record|personnel file|"
        "health information|bank account|salary history|PII|private key|access code|door code"
    ),
    Kind.QUEUE: (
        "request|leave request|ticket|order|submission|pull request|help ticket|waitlist|"
        "waiting list|"
        "opening|vacancy|job posting|announcement|incident|outage|claim|complaint|delivery|"
        "shipment|status|grade|result|queue|alert|notification|update"
    ),
}
"""Head nouns by kind; the longest that fits wins."""

_KINDS = {head: kind for kind, heads in HEADS.items() for head in heads.split("|")}
_BARE = frozenset(
    head
    for head in _KINDS
    if " " in head or _KINDS[head] is Kind.ABSENCE or head in {"timesheet", "badge", "password"}
) - {"leave"}
_ALL = "|".join(sorted(map(re.escape, _KINDS), key=len, reverse=True))
_DETERMINED = re.compile(
    r"\b(?:the|your|an?|our|each|any|this|every|their)\s+"
    rf"((?:[A-Za-z][\w'-]*\s+){{0,2}}?)((?:{_ALL})(?:e?s)?)\b",
    re.IGNORECASE,
)
_ALONE = re.compile(
    rf"\b((?:{'|'.join(sorted(map(re.escape, _BARE), key=len, reverse=True))})s?)\b", re.IGNORECASE
)
_CLOSED = frozenset(
    "and or but nor if when while because so as at by for from in into of on onto to with within "
    "without via through before after during until under over than that which who whose whom what "
    "where how why is are was were be been being am has have had do does did will would can could "
    "should must may might shall not no it its they you we he she this these those there here i "
    "also only just more most less least all any each every some such then the a an your our their "
    "my his her about above below between per up down out off again please see e.g i.e".split()
)
_VAGUE = frozenset(
    "own following same other appropriate next first last necessary correct right different "
    "relevant new specific certain original current particular above below various actual main "
    "entire whole additional single separate another given latest previous existing proper good "
    "great big small full further important key common several many few two three one second "
    "third such typical usual standard official general individual individuals potential possible "
    "possibly likely valid available blank completed approved signed updated required optional "
    "preferred best better whichever old short long old early late recurring future past upcoming "
    "simple real quick detailed overall initial final finalised existing formal informal local "
    "external internal higher lower related known interested affected lead related efficient large "
    "effective reasonable sufficient useful strong unique random recent similar normal testable "
    "collaborative primary wrong empty active explicit verbal generic highest widest maximum "
    "prospective temporary immediate robust meaningful successful couple hard".split()
)
_SINGLE = frozenset(
    {
        Kind.DOCUMENT,
        Kind.EVENT,
        Kind.PLACE,
        Kind.OBJECT,
        Kind.PERSON,
        Kind.QUEUE,
        Kind.SYSTEM,
    }
)
"""Kinds of which a user speaks in the singular, whatever the passage does."""
_ONE_AT_A_TIME = frozenset(
    "purchase request|purchase|license|permit|reservation|accommodation|password|passphrase|"
    "booking|"
    "repository|repo|dashboard|calendar|website|database|channel|phone number|home address|"
    "deadline|"
    "due date|approval|clearance|evaluation|rating|membership|subscription".split("|")
)
_BRANDS = frozenset("slack google zoom concur trello outlook teams github".split())
_GERUNDS = frozenset(
    "parking training hiring billing reading mailing meeting working conferencing housing building "
    "planning cleaning heating boarding shipping swimming".split()
)
_VAGUE_ALONE = frozenset(
    "form document guide policy report template system tool request card event application "
    "agreement statement account channel order room floor session profile status result license "
    "schedule rule requirement approval equipment package memo letter review call issue platform "
    "network procedure limit timeline standard guideline permission update notification alert "
    "member admin director coach manager claim submission machine credit purchase payment class "
    "course station desk hall menu slide quote application website server database review contract "
    "opening announcement budget permit evaluation grade quota demo visit workspace drive".split()
)
_EXCLUDED = re.compile(
    r"^(?:direct|role) reports?$|^(?:web|self service) app|package|executive order|"
    r"task order|life event|weather event|election event|(?:css|terminal) |resource library|"
    r"(?:support|opportunity|nationwide|personal|professional|social) network|human platform|"
    r"(?:back|communication) channel|"
    r"\b(?:program|front|privacy|cto|cfo|cio|house|field|microsoft) offices?$|"
    r"grants$|\bpays$|partner|interactive|executive director|invaluable|very |hours meeting|"
    r"legal issue|^aid |successful|^\W|\b[a-z]$|security (?:status|office)|example",
    re.IGNORECASE,
)
_MARKUP = re.compile(
    r"\{%.*?%\}|\{\{.*?\}\}|<[^>]*>|!\[[^\]]*\]\([^)]*\)|(?<=\])\([^)\s]*\)|[*`_#\[\]{}]|"
    r"https?://\S+|\S+@\S+",
    re.DOTALL,
)


def plain(text: str) -> str:
    """Return the text without Markdown marks, addresses and template tags, lines kept."""
    return _MARKUP.sub("", text)


def things(passage: Passage) -> tuple[Thing, ...]:
    """Return the things that the passage names, the most often named first."""
    spelled: dict[str, tuple[str, str]] = {}
    weights: dict[str, int] = {}
    for text, weight in _places(passage):
        for phrase, head in _phrases(text):
            key = phrase.lower()
            spelled.setdefault(key, (phrase, head))
            weights[key] = weights.get(key, 0) + weight
    named = [_thing(*spelled[key], weights[key]) for key in spelled]
    kept = [thing for thing in named if _specific(thing)]
    return tuple(sorted(kept, key=lambda thing: (-thing.weight, thing.text)))


def _places(passage: Passage) -> tuple[tuple[str, int], ...]:
    heading = passage.heading.rsplit("›", 1)[-1]
    running = re.sub(r"\n\s*\n|\n(?=\s*[-*+|#\d])", " . ", plain(passage.text))
    return (
        (" ".join(running.split()), 1),
        (f"the {plain(passage.title).strip()}.", 3),
        (f"the {plain(heading).strip()}.", 3),
    )


def _specific(thing: Thing) -> bool:
    if _EXCLUDED.search(thing.text):
        return False
    return len(thing.text) > len(thing.head) + 2 or thing.head not in _VAGUE_ALONE


def _phrases(text: str) -> Iterator[tuple[str, str]]:
    taken: set[int] = set()
    for match in _DETERMINED.finditer(text):
        before = _modifiers(match[1], after_heading=match.start() == 0)
        if before is not None and _ends(text, match.end()):
            taken.update(range(match.start(), match.end()))
            yield _tidy(f"{before} {match[2]}", running=match.start() > 0), match[2]
    for match in _ALONE.finditer(text):
        if match.start() not in taken and _ends(text, match.end()):
            yield _tidy(match[1], running=False), match[1]


def _modifiers(words: str, *, after_heading: bool) -> str | None:
    kept: list[str] = []
    for word in words.split():
        if not _modifies(word, after_heading=after_heading):
            return None
        if word.lower() not in _VAGUE:
            kept.append(word)
    return " ".join(kept)


def _modifies(word: str, *, after_heading: bool) -> bool:
    lower = word.lower()
    if lower in _GERUNDS:
        return True
    if lower in _CLOSED or lower.endswith(("ed", "ly", "ing", "'s")):
        return False
    known = lemmas(lower)
    if after_heading and "VERB" in known:
        return False
    if lower.endswith("s") and "VERB" in known:
        return False
    return "NOUN" in known or "ADJ" in known or (word[0].isupper() and not after_heading)


def _ends(text: str, end: int) -> bool:
    """Say whether the noun phrase ends here, rather than going on with another noun."""
    follow = re.match(r"\s*([.,;:!?)\"”|]|$)|\s+([A-Za-z']+)", text[end:])
    if follow is None:
        return False
    return follow[2] is None or follow[2].lower() in _CLOSED


def _tidy(phrase: str, *, running: bool) -> str:
    words = phrase.split()
    if running and words[-1].islower():
        return " ".join(words)
    return " ".join(word if _keeps_case(word) else word.lower() for word in words)


def _keeps_case(word: str) -> bool:
    """Say whether the word is written so on purpose: an acronym, a product, a proper name."""
    if len(word) > 1 and not word[1:].islower():
        return True
    if word.lower() in _BRANDS:
        return True
    return word[0].isupper() and not lemmas(word.lower())


def _thing(phrase: str, head: str, weight: int) -> Thing:
    singular, plural = _singular(head)
    kind = _KINDS[singular]
    if plural and (kind in _SINGLE or singular in _ONE_AT_A_TIME):
        phrase, plural = phrase[: len(phrase) - len(head)] + _as_spelled(singular, head), False
    return Thing(text=phrase, head=singular, kind=kind, plural=plural, weight=weight)


def _as_spelled(singular: str, head: str) -> str:
    return singular.lower() if head[1:].islower() and not _keeps_case(singular) else singular


def _singular(head: str) -> tuple[str, bool]:
    by_lower = {known.lower(): known for known in _KINDS}
    lower = head.lower()
    if lower in by_lower:
        return by_lower[lower], lower in {"credit hours", "holidays"}
    for cut in (1, 2):
        if lower[:-cut] in by_lower:
            return by_lower[lower[:-cut]], True
    return by_lower[f"{lower[:-3]}y"], True
