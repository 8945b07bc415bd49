"""Signs that a question has no coherent reading."""

import re
from collections.abc import Sequence
from functools import lru_cache

from uaeval.llm.rules.grammar import lemmas
from uaeval.types import Passage


def _any(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns), re.IGNORECASE)


_PROPERTY = _any(
    r"\b(?:weighs?|how heavy|kilos?|kilograms?|grams?|ounces|pounds? does|litres?|liters?|gallons?|teaspoons?|"
    r"calories|tast(?:e|es|y)|smells?|flavou?rs?|colou?rs?|odou?r|scent|temperature|degrees (?:celsius|fahrenheit)|"
    r"boil(?:ing|s)?|melt(?:ing|s)?|freez\w+|fry|bake|roast|grill|iron (?:the|my)|wash(?:ed|ing)? (?:the|my)|rinse|"
    r"shrink|shoe size|blood (?:type|pressure)|hungry|thirsty|asleep|sleep(?:s|y)?|snores?|dreams?|allergic|married|"
    r"divorced|pregnant|birthday|batteries|ripe|plant the|water the|watered|butter(?:ed)?|peel|bones|legs?|tooth|"
    r"teeth|tails?|wings|fur|feathers|swim|swims|vet\b|sugars|sauce|spicy|sour|salty|crunchy|chewy|swallow|uphill|"
    r"waterproof|fridge|oven|microwave|refrigerat\w+|ticklish|left-handed|right-handed|megabytes|font is my|latest version|"
    r"how (?:tall|loud|heavy|deep|thick|soft|sharp|wet|sweet|bright|warm|cold|hot|old in dog)|favou?rite|lonely|"
    r"jealous|moods?|feelings|feel(?:s|ing)? (?:sad|happy|about|lonely|tired)|sing|dance|cries|cry|laughs?|hobbies|star sign|zodiac|perfume|"
    r"texture|density|voltage|wavelength|musical key|diet|eats?|drinks?|pets?|hug|breathe|haircut|horoscope|"
    r"wear|wears|pockets?|staple the|stir|school did|on both sides|cubic|square (?:metres|meters|feet) of|"
    r"ph of|pitch|humidity|shoe|hat size|gluten|vegan|vegetarian|barks?|bite|itchy|left elbow|elbow|knees?|stomach)\b"
)
"""What a body, a food or a thing of matter has."""
_BEARERS = _any(
    r"\b(?:bags?|baggage|luggage|suitcase|parcels?|packages?|boxes|food|meals?|lunch|snacks?|milk|coffee (?:machine|maker)|"
    r"dogs?|cats?|animals?|cars?|vehicles?|bikes?|badges?|lanyards?|stickers?|logos?|icons?|paint|walls?|doors?|shirts?|"
    r"uniforms?|clothes|clothing|dress|paper|ink|carpets?|calendar entries|labels?|tags?|flags?|lights?|heating|thermostat|"
    r"rooms?|kitchen|fridges?|plants? in|baby|child|children|kids|person|people|employees?|staff|visitors?|headphones|"
    r"laptops?|phones?|screens?|slides?|buttons?|charts?|cells?|text|page|website)\b"
)
_ABSTRACT = _any(
    r"\b(?:leave|overtime|time off|telework|vacation|holidays?|absences?|deadlines?|due dates?|polic(?:y|ies)|rules?|"
    r"requirements?|eligibility|approvals?|permissions?|procedures?|process(?:es)?|limits?|thresholds?|clearances?|"
    r"background checks?|investigations?|accommodations?|reservations?|bookings?|reimbursements?|expenses?|budgets?|"
    r"per diem|allowances?|stipends?|benefits?|requests?|claims?|complaints?|tickets?|passwords?|logins?|accounts?|"
    r"authori[sz]ations?|salar(?:y|ies)|fees?|refunds?|discounts?|mileage|incidents?|outages?|meetings?|trainings?|"
    r"interviews?|class(?:es)?|courses?|workshops?|webinars?|orientations?|conferences?|calls?|sessions?|reviews?|"
    r"check-ins?|events?|forms?|guides?|handbooks?|templates?|reports?|agreements?|contracts?|timesheets?|"
    r"itinerar(?:y|ies)|vouchers?|checklists?|statements?|resumes?|plans?|invoices?|certificates?|applications?|"
    r"manuals?|systems?|tools?|apps?|portals?|dashboards?|calendars?|channels?|repositor(?:y|ies)|repos?|wikis?|"
    r"software|databases?|networks?|workspaces?|inbox|profiles?|buildings?|offices?|supervisors?|numbers?|hours?|"
    r"programs?|schedules?|evaluations?|ratings?|memberships?|subscriptions?|warrant(?:y|ies)|insurance|licen[cs]es?|"
    r"permits?|pages?|websites?|emails?|address(?:es)?|projects?|teams?|feedback|waivers?|status|quotas?|threshold|"
    r"signatures?|purchase|purchases|extensions?|periods?|grants?|museums?|librar(?:y|ies)|tour|exam|codes?)\b"
)
_NEXT = (
    r"(?:tomorrow|next (?:week|month|year|\w+day|quarter|summer|winter|spring|january|february|march|april|may|june|"
    r"july|august|september|october|november|december)|in (?:two|three|\d+) (?:days|weeks|months|years)|"
    r"the day after tomorrow|in the future|this coming \w+)"
)
_LAST = (
    r"(?:yesterday|last (?:week|month|year|\w+day|quarter|summer|winter|spring|january|february|march|april|may|june|"
    r"july|august|september|october|november|december|night)|\w+ (?:days|weeks|months|years) ago|the day before yesterday|in the past)"
)
_FUTURE = r"(?:will|'ll|won't|going to|(?:am|'m|is|are) (?:\w+ing)|shall|do i (?:have|need) to)"
_PAST = (
    r"(?:did|was|were|had|handed|sent|gave|took|went|submitted|attended|returned|approved|finished|expired|ended|asked|"
    r"started|missed|used|received|got)"
)
CONTRADICTION = _any(
    rf"\b{_PAST}\b (?:\w+ ){{0,6}}?{_NEXT}\b(?! (?:and|be|is|will|to|would|as))",
    rf"\b{_NEXT}(?:'s)? (?:\w+ ){{0,2}}?(?:did|was|were|had)\b",
    rf"\b{_NEXT}\b[^.?!]{{0,40}}\b(?:did|was|were|had) (?:i|my|the|we|you|it|they|he|she)\b[^.?!]{{0,40}}",
    rf"\b{_FUTURE}\b (?:\w+ ){{0,6}}?{_LAST}\b(?!'s)",
    rf"\b{_LAST}\b[^.?!,]{{0,25}}\b(?:will|shall|going to|'ll)\b",
    rf"\b(?:{_LAST})\b[^.?!]{{0,50}}\btomorrow\b|\b(?:tomorrow|next \w+)\b[^.?!]{{0,50}}\byesterday\b",
    r"\bbefore (?:i|it|they|he|she|we|you|the \w+) (?:was|were|is|are|had been) (?:ever |even )?(?:born|made|set|invented|created|founded|hired)\b",
    r"\bbefore (?:i|it|they|he|she|we) (?:ever |even )?(?:exists?|existed|sent it|asked|started it)\b",
    r"\bnever (?:have |been |will |had )?[^.?!,]{0,40}(?:,| and| but| so)[^.?!]{0,40}\b(?:when|which|what|how|who|where) (?:\w+ ){0,4}?(?:did|was|were|do|does)\b",
    r"\b(?:nobody|no one|none of (?:them|us))\b[^.?!]{0,40}, (?:what|which|who|when|where|how)\b[^.?!]*\b(?:they|it|did|was|one)\b",
    r"\b(?:than|from|before|after|as|to|inside|of|behind|above|without|by) (?:it|them|him|her|my|your)sel(?:f|ves)\b",
    r"\b(?:zero|none|no) (?:of |remaining |left |more )?[^.?!]{0,40}\b(?:which|what|how many|who|when) (?:\w+ )?(?:one|of them|of those|is the|do i use|expires?|comes?)\b",
    r"\b(?:which|what|how many) (?:\w+ )?of (?:the|my) (?:zero|no|none|nonexistent|non-existent)\b|\bthat i have none of\b|\bi only have none\b",
    r"\b(?:less|fewer|smaller|earlier|sooner|shorter|cheaper) than (?:nothing|zero|none|never|no time)\b|\bmore than all\b|\blater than never\b|\btwice as (?:\w+) as itself\b",
    r"\b(?:minus|negative) (?:\d+|one|two|three|four|five|ten|\w+teen|\w+ty) (?:hours?|days?|weeks?|months?|years?|people|employees|forms|dollars|copies)\b",
    r"\b(?:third|fourth) (?:half|of (?:the )?(?:two|both))\b|\bboth halves\b|\bbigger half\b|\bof the two\b[^.?!]*\b(?:third|fourth)\b",
    r"\bon a day (?:when|that) (?:i'm|i am|it|it's|there) (?:not|isn't|is no)\b|\band not\b[^.?!]{0,30}\bat the same time\b|\bonly (?:\w+ )?(?:while|when|if) (?:it|they)(?:'s|'re| is| are)? ?(?:not|never|closed|doesn't|don't|isn't)\b",
    r"\bafter the last\b[^.?!]*\bbefore the first\b|\bwill have (?:\w+ )?(?:been )?\w+ (?:\w+ ){0,3}(?:before|until|last|yesterday)\b[^.?!]{0,50}\b(?:yesterday|last|born|was|next|tomorrow)\b",
    r"\b(?:before|after) (?:it|i|they|he|she) (?:starts?|began|begins?|leaves?|left|opens?)\b[^.?!]{0,30}\b(?:after|last one out|still|before)\b[^.?!]{0,30}",
    r"\bthe only one who isn't\b|\bhave only one and it's the other\b|\bonly have one and\b[^.?!]*\bother one\b|\babove the top\b|\bunder the lowest\b|\bstart at neither\b",
    r"\buntil (?:last|yesterday)\b|\bthe (?:year|day|week|month) before (?:it|they) (?:was|were|is)\b|\bbefore the first\b[^.?!]*\bnever\b|\bwasn't there tomorrow\b",
    r"\bafter the (\w+(?: \w+)?) is it still the day before the \1\b|\bfrom the ([\w -]+) to the \2\b|\bwhich comes first\b[^.?!]*\bneither\b",
    r"\b(?:married bachelor|square circle|round square|february 3[01]|june 31|april 31|september 31|november 31|(?:3[3-9]|[4-9]\d)(?:th|st|nd|rd) of|25:\d\d|13th month|eighth day of the week)\b",
    r"\bif (?:i|it|my \w+|the \w+) (?:never|doesn't|don't|didn't|isn't|wasn't|hasn't|haven't) (?:ever )?[^,?.!]{0,50}, (?:how|when|where|why|which|what) (?:\w+ ){0,3}(?:did|was|were|does|is)\b[^?.!]{0,30}\b(?:finish|end|return|arrive|submit|expire|approve|change|last|same)\w*\b",
)
"""Times, amounts or conditions that rule each other out."""

_SMALL = (
    r"(?:or|and|is|are|was|were|to|of|if|when|do|does|did|how|who|whom|which|for|with|by|until|not|but|"
    r"then|they|because|the|a|my|been|whether|than|into|from|it|i|has|have|can|will|what|where|why|be|at)"
)
_BROKEN = _any(
    rf"\b(?:the|a|an|my|your) {_SMALL}\b",
    r"\b(?:the|a|an|my|if|until|or|and|because|than|whether|when)\s*[?.!,;]*$",
    r"\b(?:do|does|did|can|could|should|must|may|will|would) (?:i|we|you|they|it|he|she) (?:the|my|a|an|of|to|with|for|is|are|"
    r"was|when|if|in|on|by|at|from|or|but|who|how|which|what)\b",
    r"\bhow (?:many|much|long|often) (?:is|are|the|of the is|to|who|where|when|because|if|or|that|my)\b(?! (?:it|that|this|those|these|the (?:fee|cost|price|charge)|my))",
    r"\bhow (?:who|where|when|what|which|why|the|is|are|my|was|can do)\b(?! (?:the|my|a|an|it|i|this|that|we|leave|time)\b)|\b(?:of|to|for|with|by) (?:is|are|was|if|or|but|when|does|did|because)\b",
    r"\b(?:is|are|was|were|does|did|has|have) (?:or|but|of|because|whether or the|been when|and to)\b|\bor has been\b|\bof it cant\b",
    r"\b(?:and|or|but|if|of|because|until|from|is|the|with|at) (?:and|or|but|until|of|because|than|the the|at)\b(?! (?:if|when|not))|\bto who exactly is\b|\b(\w+) \1\b(?<!that that)(?<!had had)(?<!bye bye)",
    r"\b[b-df-hj-np-tv-xz]{5,}\b|([a-z])\1{3,}|[;,.?]{4,}|;;|0{5,}|[\]\[{}\\]{2,}|(?:lkj|sdf|asd|qwe|jkl|dfg|fgh)\w*",
    r"\b(?:scratch that|delete that|new line|question mark|comma is)\b|\binto the \w+(?: \w+)? before it was born\b|\bwhich it cant\b|\bwhen of\b|\bwhich but\b|"
    r"\bwhich or\b|\bdo i to\b|\bif not until they\b|\bthe of\b|\bwhich of the is\b|\bneed too no\b|\bbefore what\b|\bwhere the please\b",
)
"""Word pairs that no English sentence has, and what falls on a keyboard."""


def contradiction(question: str) -> str | None:
    """Return the words that rule each other out."""
    found = CONTRADICTION.search(question)
    return found[0].strip() if found else None


def misplaced(question: str, passages: Sequence[Passage]) -> str | None:
    """Return the property that the thing asked about cannot have."""
    found = _PROPERTY.search(question)
    if found is None or not _ABSTRACT.search(question) or _BEARERS.search(question):
        return None
    word = found[0].lower().split()[-1]
    if any(re.search(rf"\b{re.escape(word)}", passage.text, re.IGNORECASE) for passage in passages):
        return None
    return found[0]


def breaks(question: str) -> tuple[str, ...]:
    """Return the places at which the sentence falls apart."""
    found = [match[0] for match in _BROKEN.finditer(question)]
    spoken = re.findall(r"[A-Za-z']+", question)
    for before, word in zip(spoken, spoken[1:], strict=False):
        if before.lower() in _BEFORE_NOUN and _is_finite(word):
            found.append(f"{before} {word}")
    return tuple(found)


_BEFORE_NOUN = frozenset("the a an my your his her their of with for from into about".split())


@lru_cache(maxsize=8192)
def _is_finite(word: str) -> bool:
    """Say whether a word can only be a verb, and no participle."""
    known = set(lemmas(word))
    return known == {"VERB"} and not word.lower().endswith(("ing", "ed", "en", "wn", "ne"))
