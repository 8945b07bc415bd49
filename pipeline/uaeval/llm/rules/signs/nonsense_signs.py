"""Signs that a question has no coherent reading."""

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

from uaeval.llm.rules.english.grammar import lemmas
from uaeval.llm.rules.signs.torn_signs import torn
from uaeval.types import Passage


def _any(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns), re.IGNORECASE)


_PROPERTY = _any(
    r"\b(?:weighs?|how heavy|kilos?|kilograms?|grams?|ounces|pounds? does|litres?|liters?|"
    r"gallons?|teaspoons?|"
    r"calories|tast(?:e|es|y)|smells?|flavou?rs?|colou?rs?|odou?r|scent|temperature|"
    r"degrees (?:celsius|fahrenheit)|"
    r"boil(?:ing|s)?|melt(?:ing|s)?|freez\w+|fry|bake|roast|grill|iron (?:the|my)|wash(?:ed|"
    r"ing)? (?:the|my)|rinse|"
    r"shrink|shoe size|blood (?:type|pressure)|hungry|thirsty|asleep|sleep(?:s|y)?|snores?|"
    r"dreams?|allergic|married|"
    r"divorced|pregnant|for its birthday|batteries|ripe|plant the|water the|watered|"
    r"butter(?:ed)?|peel|bones|legs?|tooth|"
    r"teeth|tails?|wings|fur|feathers|swim|swims|vet\b|sugars|sauce|spicy|sour|salty|crunchy|"
    r"chewy|swallow|uphill|"
    r"waterproof|fridge|oven|microwave|refrigerat\w+|ticklish|left-handed|right-handed|megabytes|"
    r"font is my|latest version|"
    r"come in (?:small|medium|large|blue|red|green)|gluten free|water my|fold the seats|"
    r"wheels on|glossy|matt one|on the counter|"
    r"eaten|over a jacket|roast|from outside|wash it at|charging cable|"
    r"how (?:tall|spicy|loud|heavy|deep|thick|soft|sharp|wet|sweet|bright|warm|cold|hot|"
    r"old in dog)|favou?rite|lonely|"
    r"jealous|moods?|feelings|feel(?:s|ing)? (?:sad|happy|about|lonely|tired)|sing|dance|cries|"
    r"cry|laughs?|hobbies|star sign|zodiac|perfume|"
    r"texture|density|voltage|wavelength|musical key|diet|eats?|drinks?|pets?|hug|breathe|"
    r"haircut|horoscope|"
    r"wear|wears|pockets?|staple the|stir|school did|on both sides|cubic|square (?:metres|meters|"
    r"feet) of|"
    r"ph of|pitch|humidity|shoe|hat size|gluten|vegan|vegetarian|barks?|bite|itchy|left elbow|"
    r"elbow|knees?|stomach)\b"
)
"""What a body, a food or a thing of matter has."""
_ALIVE = (
    r"(?:marr(?:y|ies|ied)|divorc\w+|pregnant|its birthday|vot(?:e|es)|resigns?|retires?|"
    r"hatch(?:es)?|snor\w+|dream(?:s|t|ing)?|ticklish|sneez\w+|"
    r"blush\w*|jealous|lonely|hungry|thirsty|asleep|allergic|teeth|tooth|elbow|knees?|stomach|"
    r"wings|tail|feelings|"
    r"grandmothers?|cousins?|swims?|barks?|limp(?:s|ing)?|divorced|ticklish|apologi[sz]es?|"
    r"whispers?|forgives?|"
    r"graduates?|boiling point|verbs?|adjectives?|shoe size|blood type|star sign|ripe|dissolves?|"
    r"melts?|evaporates?|"
    r"yawns?|digests?|swallows?|chews?|pets?|homesick|hug|kiss(?:es)?|reincarnat\w+|souls?|"
    r"left-handed|unborn|afraid|shy)"
)
"""What only the living, food or language does; nothing that an organisation's rules speak of."""
_ODD = re.compile(rf"\b{_ALIVE}\b", re.IGNORECASE)
_SOMEONE = re.compile(
    r"\b(?:i|we|he|she|who|people|anyone|someone|everyone|employees?|staff|visitors?|guests?|"
    r"members?|children|child|"
    r"dogs?|cats?|animals?|birds?|pets|partner|wife|husband|son|daughter|horses?|colleagues?|"
    r"volunteers?|my|our)\b"
    rf"(?: \w+){{0,2}} {_ALIVE}\b|\b{_ALIVE} to (?:nuts|gluten|dairy|\w+)\?$",
    re.IGNORECASE,
)
_MEASURED = re.compile(
    r"\b(?:litres?|liters?|kilos?|grams?|metres?|meters?|kilomet\w+|miles|gallons?|degrees|volts|"
    r"inches|slices|spoons?|teaspoons?|"
    r"hours|minutes) of (?:\w*day|january|february|march|april|may|june|july|august|september|"
    r"october|november|december|"
    r"polic\w+|leave|deadlines?|approvals?|permission|membership|"
    r"password)\b(?<!hours of leave)(?<!minutes of leave)|"
    r"\b(?:\w+day|january|february|march|april|june|july|august|september|october|november|"
    r"december) (?:has|have|wears?|weighs?|tastes?|likes?|needs? a)\b",
    re.IGNORECASE,
)
_BEARERS = _any(
    r"\b(?:bags?|baggage|luggage|suitcase|parcels?|packages?|boxes|food|meals?|lunch|snacks?|"
    r"milk|coffee (?:machine|maker)|"
    r"dogs?|cats?|animals?|cars?|vehicles?|bikes?|badges?|lanyards?|stickers?|logos?|icons?|"
    r"paint|walls?|doors?|shirts?|"
    r"uniforms?|clothes|clothing|dress|paper|ink|carpets?|calendar entries|labels?|tags?|flags?|"
    r"lights?|heating|thermostat|"
    r"rooms?|kitchen|fridges?|plants? in|baby|child|children|kids|person|people|employees?|staff|"
    r"visitors?|headphones|"
    r"laptops?|phones?|screens?|slides?|buttons?|charts?|cells?|text|page|website)\b"
)
_ABSTRACT = _any(
    r"\b(?:leave|overtime|time off|telework|vacation|holidays?|absences?|deadlines?|due dates?|"
    r"polic(?:y|ies)|rules?|"
    r"requirements?|eligibility|approvals?|permissions?|procedures?|process(?:es)?|limits?|"
    r"thresholds?|clearances?|"
    r"background checks?|investigations?|accommodations?|reservations?|bookings?|reimbursements?|"
    r"expenses?|budgets?|"
    r"per diem|allowances?|stipends?|benefits?|requests?|claims?|complaints?|tickets?|passwords?|"
    r"logins?|accounts?|"
    r"authori[sz]ations?|salar(?:y|ies)|fees?|refunds?|discounts?|mileage|incidents?|outages?|"
    r"meetings?|trainings?|"
    r"interviews?|class(?:es)?|courses?|workshops?|webinars?|orientations?|conferences?|calls?|"
    r"sessions?|reviews?|"
    r"check-ins?|events?|forms?|guides?|handbooks?|templates?|reports?|agreements?|contracts?|"
    r"timesheets?|"
    r"itinerar(?:y|ies)|vouchers?|checklists?|statements?|resumes?|plans?|invoices?|"
    r"certificates?|applications?|"
    r"manuals?|systems?|tools?|apps?|portals?|dashboards?|calendars?|channels?|repositor(?:y|"
    r"ies)|repos?|wikis?|"
    r"software|databases?|networks?|workspaces?|inbox|profiles?|buildings?|offices?|supervisors?|"
    r"numbers?|hours?|"
    r"programs?|schedules?|evaluations?|ratings?|memberships?|subscriptions?|warrant(?:y|ies)|"
    r"insurance|licen[cs]es?|"
    r"permits?|pages?|websites?|emails?|address(?:es)?|projects?|teams?|feedback|waivers?|status|"
    r"quotas?|threshold|"
    r"signatures?|purchase|purchases|extensions?|periods?|grants?|museums?|librar(?:y|ies)|tour|"
    r"exam|codes?)\b"
)
_BOUND = re.compile(
    rf"\b(?:the|my|of|freeze|your) (?:[\w-]+ ){{0,2}}?{_ABSTRACT.pattern}"
    rf"(?! (?:{_BEARERS.pattern}))(?: [\w-]+){{0,4}}? {_PROPERTY.pattern}|"
    rf"{_PROPERTY.pattern} (?:(?!than\b)[\w-]+ ){{0,2}}?(?:the |my |of )(?:[\w-]+ ){{0,2}}?"
    rf"{_ABSTRACT.pattern}(?! (?:{_BEARERS.pattern}))",
    re.IGNORECASE,
)
"""The property is asked of the thing itself."""
_NEXT = (
    r"(?:tomorrow|next (?:week|month|year|\w+day|quarter|summer|winter|spring|january|february|"
    r"march|april|may|june|"
    r"july|august|september|october|november|december)|in (?:two|three|\d+) (?:days|weeks|months|"
    r"years)|"
    r"the day after tomorrow|in the future|this coming \w+)"
)
_LAST = (
    r"(?:yesterday|last (?:week|month|year|\w+day|quarter|summer|winter|spring|january|february|"
    r"march|april|may|june|"
    r"july|august|september|october|november|december|night)|\w+ (?:days|weeks|months|years) ago|"
    r"the day before yesterday|in the past)"
)
_FUTURE = r"(?:will|'ll|won't|going to|(?:am|'m|is|are) (?:\w+ing)|shall|do i (?:have|need) to)"
_PAST = (
    r"(?:did|was|were|had|handed|sent|gave|took|went|submitted|attended|returned|approved|"
    r"finished|expired|ended|asked|"
    r"started|missed|used|received|got)"
)
CONTRADICTION = _any(
    rf"\b{_PAST}\b (?:\w+ ){{0,6}}?{_NEXT}\b(?! (?:and|be|is|will|to|would|as))",
    rf"\b{_NEXT}(?:'s)? (?:\w+ ){{0,2}}?(?:did|was|were|had)\b",
    rf"\b{_NEXT}\b[^.?!]{{0,40}}\b(?:did|was|were|had) (?:i|my|the|we|you|it|they|he|"
    rf"she)\b[^.?!]{{0,40}}",
    rf"\b{_FUTURE}\b (?:\w+ ){{0,6}}?{_LAST}\b(?!'s)",
    rf"\b{_LAST}\b,? (?:\w+ )?(?:will|shall|going to|i'll)\b",
    rf"\b(?:{_LAST})\b[^.?!]{{0,50}}\btomorrow\b|\b(?:tomorrow|"
    rf"next \w+)\b[^.?!]{{0,50}}\byesterday\b",
    r"\bbefore (?:i|it|they|he|she|we|you|the \w+) (?:was|were|is|are|had been) (?:ever |"
    r"even )?(?:born|made|set|invented|created|founded|hired)\b",
    r"\bbefore (?:i|it|they|he|she|we) (?:ever |even )?(?:exists?|existed|sent it|asked|"
    r"started it)\b",
    r"\bnever (?:have |been |will |had )?[^.?!,]{0,40}(?:,| and| but| so)[^.?!]{0,40}\b(?:when|"
    r"which|what|how|who|where) (?:\w+ ){0,4}?(?:did|was|were|do|does)\b",
    r"\b(?:nobody|no one|none of (?:them|us))\b[^.?!]{0,40}, (?:what|which|who|when|where|"
    r"how)\b[^.?!]*\b(?:they|it|did|was|one)\b",
    r"\b(?:than|from|before|after|as|to|inside|of|behind|above|without|by) (?:it|them|him|her|my|"
    r"your)sel(?:f|ves)\b",
    r"\b(?:zero|none|no) (?:of |remaining |left |more )?[^.?!]{0,40}\b(?:which|what|how many|who|"
    r"when) (?:\w+ )?(?:one|of them|of those|is the|do i use|expires?|comes?)\b",
    r"\b(?:which|what|how many) (?:\w+ )?of (?:the|my) (?:zero|no|none|nonexistent|"
    r"non-existent)\b|\bthat i have none of\b|\bi only have none\b",
    r"\b(?:less|fewer|smaller|earlier|sooner|shorter|cheaper) than (?:nothing|zero|none|never|"
    r"no time)\b|\bmore than all\b|\blater than never\b|\btwice as (?:\w+) as itself\b",
    r"\b(?:minus|negative) (?:\d+|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|"
    r"\w+teen|\w+ty) (?:adults|tickets|pupils|visitors|guests|members|minutes|hours?|days?|"
    r"weeks?|months?|years?|people|employees|forms|dollars|copies)\b",
    r"\b(?:third|fourth) (?:half|of (?:the )?(?:two|both))\b|\bboth halves\b|\bbigger half\b|"
    r"\bof the two\b[^.?!]*\b(?:third|fourth)\b",
    r"\bon a day (?:when|that) (?:i'm|i am|it|it's|there) (?:not|isn't|is no)\b|"
    r"\band not\b[^.?!]{0,30}\bat the same time\b|\bonly (?:\w+ )?(?:while|when|if) (?:it|"
    r"they)(?:'s|'re| is| are)? ?(?:not|never|closed|doesn't|don't|isn't)\b",
    r"\bincluding itself\b|\b(?:larger|bigger|longer|older|more) than (?:all of|the whole of|"
    r"everyone|both of)\b[^.?!]*\btogether\b|"
    r"\b(?:inside|outside) that is (?:inside|outside)\b|\bsounds? silently\b|\b(?:above|below|"
    r"before|after|open|closed|full|empty|early|late|inside|"
    r"outside)\b[^.?!]{0,40}\b(?:and|but) (?:\w+ ){0,2}(?:above|below|before|after|open|closed|"
    r"full|empty|early|late|inside|outside)\b[^.?!]{0,25}"
    r"\bat the same time\b|\b(?:open|closed) (?:\w+ )?(?:while|when|because) (?:it|they) (?:is|"
    r"are) (?:closed|open|shut)\b|\balready (?:\w+ )?not \w+ing\b|"
    r"\bnobody (?:hears|sees|attends|reads|gets)\b[^.?!]*\b(?:which|what|who|when|how)\b|"
    r"\bwhile (?:not|never) (?:being|doing|having)\b|"
    r"\bafter the last\b[^.?!]*\bbefore the first\b|"
    r"\bwill have (?:\w+ )?(?:been )?\w+ (?:\w+ ){0,3}(?:before|until|last|"
    r"yesterday)\b[^.?!]{0,50}\b(?:yesterday|last|born|was|next|tomorrow)\b",
    r"\b(?:before|after) (?:it|i|they|he|she) (?:starts?|began|begins?|leaves?|left|"
    r"opens?)\b[^.?!]{0,30}\b(?:after|last one out|still|before)\b[^.?!]{0,30}",
    r"\bthe only one who isn't\b|\bhave only one and it's the other\b|"
    r"\bonly have one and\b[^.?!]*\bother one\b|\babove the top\b|\bunder the lowest\b|"
    r"\bstart at neither\b",
    r"\buntil (?:last|yesterday)\b|\bthe (?:year|day|week|month) before (?:it|they) (?:was|were|"
    r"is)\b|\bbefore the first\b[^.?!]*\bnever\b|\bwasn't there tomorrow\b",
    r"\bafter the (\w+(?: \w+)?) is it still the day before the \1\b|"
    r"\bfrom the ([\w -]+) to the \2\b|\bwhich comes first\b[^.?!]*\bneither\b",
    r"\b(?:married bachelor|square circle|round square|february 3[01]|june 31|april 31|"
    r"september 31|november 31|(?:3[3-9]|[4-9]\d)(?:th|st|nd|rd) of|25:\d\d|13th month|"
    r"eighth day of the week)\b",
    r"\bif (?:i|it|my \w+|the \w+) (?:never|doesn't|don't|didn't|isn't|wasn't|hasn't|"
    r"haven't) (?:ever )?[^,?.!]{0,50}, (?:how|when|where|why|which|what) (?:\w+ ){0,3}(?:did|"
    r"was|were|does|is)\b[^?.!]{0,30}\b(?:finish|end|return|arrive|submit|expire|approve|change|"
    r"last|same)\w*\b",
)
"""Times, amounts or conditions that rule each other out."""

_SMALL = (
    r"(?:or|and|is|are|was|were|to|of|if|when|do|does|did|how|who|whom|which|for|with|by|until|"
    r"not|but|"
    r"then|they|because|the|a|my|been|whether|than|into|from|it|i|has|have|can|will|what|where|"
    r"why|be|at)"
)
_NUMBER = (
    r"(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|"
    r"sixty|seventy|eighty|ninety|\w+ty-\w+)"
)
_BROKEN = _any(
    rf"\b(?:may|can|could|should|must|will|would|do|does|whom|whose|the because|"
    rf"is not how) (?:{_NUMBER}|of|until|because|than|whom|whose|abroad)\b",
    rf"\b(?:if|of|because|until|whether|between) {_NUMBER} (?:the|a|an|is|are|of|whom|whose|if)\b",
    r"\b(?:until|because|unless|if|or|and|of the|the) (?:whom|whose|which|because|"
    r"until)\b(?! (?:one|of|it|they|i|the|we))|\bwhom (?!(?:i|we|you|he|she|they|do|does|did|can|"
    r"should|must|will|would|is|are|the|to|it|may|my)\b)\w+",
    r"\bwhose (?:of|is|are|the|if|for|to|in)\b|\bpercents\b|\b(?:are|were) (?:a|an)\b(?! (?:few|"
    r"lot|number|hour|extra|additional))",
    rf"\b(?:the|a|an|my|your) {_SMALL}\b",
    r"\b(?:the|a|an|my|if|until|or|and|because|than|whether|when)\s*[?.!,;]*$",
    r"\b(?:do|does|did|can|could|should|must|may|will|would) (?:i|we|you|they|it|he|she) (?:the|"
    r"my|a|an|of|to|with|for|is|are|"
    r"was|when|if|in|on|by|at|from|or|but|who|how|which|what)\b",
    r"\bhow (?:many|much|long|often) (?:is|the|of the is|to|who|where|when|because|if|or|that|"
    r"my)\b(?! (?:it|that|this|those|these|the (?:fee|cost|price|charge)|my))",
    r"\bhow (?:who|where|when|what|which|why|the|is|are|my|was|can do)\b(?! (?:the|my|a|an|it|i|"
    r"this|that|we|leave|time)\b)|\b(?:of|to|for|with|by) (?:is|are|was|if|or|but|when|does|did|"
    r"because)\b",
    r"\b(?:is|are|was|were|does|did|has|have) (?:or|but|of|because|whether or the|been when|"
    r"and to)\b|\bor has been\b|\bof it cant\b",
    r"\b(?:and|or|but|if|of|because|until|from|is|the|with|at) (?:and|or|but|until|of|because|"
    r"than|the the|at)\b(?! (?:if|when|not))|\bto who exactly is\b|"
    r"\b(\w+) \1\b(?<!that that)(?<!had had)(?<!bye bye)",
    r"\b[b-df-hj-np-tv-xz]{5,}\b|([a-z])\1{3,}|[;,.?]{4,}|;;|0{5,}|[\]\[{}\\]{2,}|(?:lkj|sdf|asd|"
    r"qwe|jkl|dfg|fgh)\w*",
    r"\b(?:scratch that|delete that|new line|question mark|comma is)\b|"
    r"\binto the \w+(?: \w+)? before it was born\b|\bwhich it cant\b|\bwhen of\b|\bwhich but\b|"
    r"\bwhich or\b|\bdo i to\b|\bif not until they\b|\bthe of\b|\bwhich of the is\b|"
    r"\bneed too no\b|\bbefore what\b|\bwhere the please\b",
)
"""Word pairs that no English sentence has, and what falls on a keyboard."""


def contradiction(question: str) -> str | None:
    """Return the words that rule each other out."""
    found = CONTRADICTION.search(question)
    return found[0].strip() if found else None


def misplaced(question: str, passages: Sequence[Passage]) -> str | None:
    """Return the property that the thing asked about cannot have."""
    measured = _MEASURED.search(question)
    if measured:
        return measured[0]
    odd = _ODD.search(question)
    if odd and not _SOMEONE.search(question) and not _stands(odd[0], passages):
        return odd[0]
    found = _PROPERTY.search(question)
    if found is None or not _ABSTRACT.search(question):
        return None
    if _BEARERS.search(question) and not _BOUND.search(question):
        return None
    return None if _stands(found[0], passages) else found[0]


def _stands(words: str, passages: Sequence[Passage]) -> bool:
    """Say whether a passage itself speaks of the property."""
    word = re.compile(rf"\b{re.escape(words.lower().split()[-1])}", re.IGNORECASE)
    return any(word.search(passage.text) for passage in passages)


def breaks(question: str) -> tuple[str, ...]:
    """Return the places at which the sentence falls apart."""
    found = [match[0] for match in _BROKEN.finditer(question)]
    spoken = re.findall(r"[A-Za-z']+", question)
    for before, word in pairwise(spoken):
        if before.lower() in _BEFORE_NOUN and _is_finite(word):
            found.append(f"{before} {word}")
    found += _salad(spoken)
    return (*found, *torn(question))


def _salad(spoken: Sequence[str]) -> list[str]:
    """Return numbers before a singular noun, and plural verbs before a bare one."""
    found = []
    for before, word, after in zip(spoken, spoken[1:], [*spoken[2:], ""], strict=False):
        if re.fullmatch(_NUMBER, before.lower()) and _is_single_noun(word):
            if not _is_noun(after):
                found.append(f"{before} {word}")
        elif before.lower() in {"are", "were"} and _is_single_noun(word) and not _is_noun(after):
            found.append(f"{before} {word}")
    return found


def _is_noun(word: str) -> bool:
    return "NOUN" in lemmas(word)


@lru_cache(maxsize=8192)
def _is_single_noun(word: str) -> bool:
    known = lemmas(word)
    return (
        set(known) == {"NOUN"} and word.lower() in known["NOUN"] and word.lower() not in _UNCOUNTED
    )


_UNCOUNTED = frozenset(
    "pm am people percent hundred thousand million dozen staff children men women o'clock".split()
)
_BEFORE_NOUN = frozenset("the a an my your his her their of with for from into about".split())


@lru_cache(maxsize=8192)
def _is_finite(word: str) -> bool:
    """Say whether a word can only be a verb, and no participle."""
    known = set(lemmas(word))
    return known == {"VERB"} and not word.lower().endswith(("ing", "ed", "en", "wn", "ne"))
