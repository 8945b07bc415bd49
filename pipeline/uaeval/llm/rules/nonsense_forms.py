"""Questions without a coherent reading: contradictions, misplaced properties, broken typing."""

from uaeval.llm.rules.forms import Forms

_ABSTRACT = (
    ":absence|deadline|due date|requirement|rule|procedure|limit|eligibility|threshold|approval|"
    "permission|clearance|waiting period|grace period|notice period|work schedule|schedule|"
    "timeline|evaluation|rating|guideline|membership|subscription|warranty|reservation|booking|"
    "background check|investigation|reimbursement|expense|budget|per diem|allowance|stipend|"
    "travel expense|transit benefit|request|leave request|claim|complaint|pull request|submission|"
    "password|login|account|policy|authorization|salary|fee|refund|discount|mileage|incident|"
    "outage|status|purchase request|overtime pay|compensation|job posting"
)
_TALKS = (
    "meeting|training|interview|class|course|workshop|webinar|orientation|conference|call|session|"
    "performance review|review|check-in|event|retrospective|standup|appointment|kickoff|exam|tour"
)
_PAGES = (
    "form|guide|handbook|template|report|agreement|contract|timesheet|itinerary|voucher|checklist|"
    "statement|resume|performance plan|invoice|certificate|application|manual|booking form"
)
_SYSTEMS = (
    "system|tool|app|website|portal|dashboard|calendar|channel|repository|repo|wiki|software|"
    "database|network|workspace|inbox|profile|mailing list|drive|help desk"
)
_SENT = f"{_PAGES}|request|leave request|ticket|claim|complaint|pull request|submission"
_MONEY = ":money"
_TIMES = "deadline|due date|limit|threshold|requirement|eligibility|notice period|grace period"
_OWNED = (
    "badge|PIV card|PIV|laptop|phone|travel card|card|purchase card|computer|locker|license|permit"
)

CATEGORY_ERROR: Forms = {
    _ABSTRACT: (
        "how many calories are in my {x}? trying to stay under 2000",
        "what size batteries {does} the {x} take",
        "{does} my {x} come in medium? large is too long in the arms",
        "At what temperature should I wash my {x} to keep the shape?",
        "How much {does} my {x} weigh? The airline only lets me take 8 kilos.",
        "{is} the {x} gluten free? asking for the team lunch",
        "which side of the {x} goes face down in the oven",
        "whats the shoe size of the {x}, ordering tonight",
        "how long do I boil the {x} before I hand {it} in?",
        "how often do i water my {x} while im away",
        "Can you freeze {x} or {does} {they} have to be eaten the same day?",
        "{is} my {x} meant to smell of fish after two days",
        "do i need a charging cable for my {x} or {does} {they} run on batteries",
        "How many litres {does} the {x} hold, and can I see the level from outside?",
        "how tall {is} the {x} with the wheels on, will {they} fit through a door",
        "Which paint matches the colour of my {x}, the glossy one or the matt one?",
        "Can I wear the {x} over a jacket or {is} {they} too tight?",
        "which vet do I take my {x} to, limping since monday",
        "how spicy {is} the {x} this year compared with last year?",
    ),
    _TALKS: (
        "is the {x} waterproof or should I wrap it before it rains",
        "does the {x} go in the fridge or is it fine on the counter",
        "how many grams of {x} do I need for four people",
        "Is the {x} gluten free, and how long does it keep once it's open?",
        "what size batteries does the {x} take, and do they come with it?",
        "can you wash the {x} at 60 degrees or does it shrink",
    ),
    _PAGES: (
        "how many sugars does the {x} take in its coffee",
        "does the {x} snore if it's in the same folder as mine",
        "is my {x} allergic to nuts? baking for friday",
        "What does the {x} eat, and how many times a day?",
        "Is the {x} old enough to get married or does it need its parents?",
        "what does the {x} want for its birthday?",
    ),
    _SYSTEMS: (
        "how many sugars does the {one} take in its coffee",
        "Did the {one} dream about anything last night after the update?",
        "how do i butter the {one} on both sides",
        "is the {one} ticklish or only when I log in?",
        "how spicy is the {one} for someone who can't eat hot food",
        "what temperature do I roast the {one} at if it's still frozen in the middle",
    ),
    ":place": (
        "how many teaspoons of the {x} do i stir in per cup",
        "is the {x} divorced or only on weekdays",
        "what size batteries does the {x} take",
        "Does the {x} shrink if I wash it at 60 degrees?",
        "can i send the {x} by email or is it allergic to zip files",
    ),
    "supervisor|team lead|account manager|facilitator|contractor|director|colleague|mentor": (
        "how many megabytes is my {x} and will he fit on a usb stick",
        "how do i update my {x} to the latest version and does he restart on his own",
        "What font is my {x} in? I need her in bold.",
        "what size batteries does my {x} take, his light went out",
    ),
}

ILLOGICAL: Forms = {
    _SENT: (
        "Which day next month did I hand in my {x}?",
        "If nobody ever saw my {x}, what did they write on it when they saw it?",
        "I'm sending my {x} yesterday, so by when will it have been late tomorrow?",
        "how do i hand in my {x} after the last day but before the first day it existed",
        "Of the two {xs} that I have none of, which one is the third?",
        "My {x} was turned down before I ever sent it, so how often will I have sent it last year?",
        "Which half of my {x} is the third half if both of them are missing twice?",
    ),
    ":absence": (
        "I was away on {x} next week, so how many days of it do I get back last month?",
        "how much {x} do I have left after I've used more than all of it twice",
        "What date last year will I be coming back from {x} tomorrow?",
        "If I take {x} on a day when I'm not taking {x}, is that day before or after itself?",
        "How many hours of {x} will I have taken before I was born, if I start next Monday?",
        "when I'm on {x} and not on {x} at the same time, which one of me comes back first",
    ),
    _TALKS: (
        "What time tomorrow did the {x} end yesterday?",
        "How do I leave the {x} before it starts so that I'm still the last one out afterwards?",
        "Who was at the {x} that nobody will have been to until last Friday?",
        "If the {x} is twice as long as itself, when does the first half come after the second?",
        "which of the two hours of the {x} is the fourth one, the one before none of them?",
        "If I was at next year's {x} yesterday, will I remember it before I've been?",
    ),
    f"{_TIMES}|timeline|rating|evaluation|clearance|approval|reservation|booking|membership": (
        "How long after the {x} is it still the day before the {x}?",
        "By how many days {does} the {x} come earlier than itself this year?",
        "if the {x} only counts when it doesn't, which of the days that I don't is it on?",
        "I'm meeting the {x} last week, so how late will I have been before it was set?",
        "Is the {x} later than never once it's sooner than it already was yesterday tomorrow?",
    ),
    _MONEY: (
        "If my {x} {is} less than nothing, which half of {it} is the bigger half?",
        "How much of my {x} will I get back yesterday that I haven't spent until last year?",
        "what percent of my {x} is more than all of {it} when none of {it} is both halves",
        "When will last year's {x} have been paid before I was born, if it's due again yesterday?",
    ),
    _OWNED: (
        "I gave back my {x} next Tuesday, so why don't I get it until last month?",
        "If my {x} expires the year before it was made, which of the two comes last?",
        "which of my {xs} did I lose if I only have one and it's the other one?",
    ),
    _SYSTEMS: (
        "How do I log out of the {one} the year before it was made, once I'm not in it tomorrow?",
        "What did the {x} tell me tomorrow, before I asked it last week?",
        "if the {one} only opens while it's closed, do I open it before or after it never opens?",
    ),
    ":place": (
        "Which floor of the {x} is above the top one if I'm already under the lowest?",
        "What's the way from the {x} to the {x} if I start at neither one?",
        "how do i get back out of the {x} if i've never left it and wasn't there tomorrow",
    ),
    "password|PIN|passphrase|login|phone number": (
        "If my {x} has to be different from itself, which of the one do I type second?",
        "How do I change my {x} to the one that it will never have been before yesterday?",
    ),
    "supervisor|team lead|account manager|contractor|director|colleague|mentor|facilitator": (
        "What did my {x} tell me tomorrow about what I hadn't asked until after he answered?",
        "If my {x} is the only one who isn't my {x}, whose {x} did I ask next week?",
        "who was my {x} before I was born, if she only starts last month tomorrow",
    ),
}

GARBLED: Forms = {
    "*": (
        "re {x} - as discussed the {y} should not have been of the or, can you tell which or",
        "{x}?? i mean the {y}. no. the one with the, ugh, how many is the of it",
        "is it ok if {x} the {y} instead of who, or do i the other way and",
        "trying to find out if the {x} before the {y} or is to when the",
        "So basically {x}, because the {y} and I didn't, so can I the or?",
        "hello my {x} is do I {y} with the or they said it's only when of",
        "do i need {x} if the {y} was because I didn't of the yet, or how many the",
        "about the {x} the thing is the and then {y} so should i the",
        "can i approve my {x} into the {y} before it was born",
        "so for the {x} is it the or do i the one they {y} with",
        "how do i the {x} my {boss} for the until it's {y} on the of friday",
        "the when of my {x} if {y} didn't but only the",
        "hi quick one the {x} does it {y} or has been from two the",
        "is the {x} still whether or the {y} to who exactly is the",
        "ok so if {x} then how many is the {y} because until it",
        "do I have to the {x} when {y} is but not if it only the",
        "{x} when of {y} which it cant do the ???? asap",
        "whst {x} ;;;;lkj lkj sdfg {y} 0000000 is tehn or",
        "{x} mmmmmmm how mcuh jjjjjj;; the {y} ,,,,,,bvvvv",
        "Does my {x} count the {y} that is or just when of the?",
        "what if the {x} and i were {y} to which but he said no the",
        "how long {x} who {y} where the please",
        "which {x} is the my {y} under if not until they",
        "need too no weather my {x} our the {y} four two of the",
        "My {x} said the {y} is already before what do I the",
        "why is the of {y} in my {x} not the how and to which",
        "okay so the {x} comma is that the new line {y} question mark who do I to",
        "{x} no wait delete that {y} no the other scratch that how many is",
        "Can the {x} be more {y} than the did it, or how many is the?",
        "i was going to the my {x} with {y} but is that which or",
        "For {x} do you the {y} first and then don't, or from when to the?",
        "whne do i the {y} my {x} does to my {boss} or is of the",
        "and the {x} goes where it {y} so what's the of my",
        "what {boss} is my {x} if the {y} has or not been when",
    ),
}

FORMS: dict[str, Forms] = {
    "category_error": CATEGORY_ERROR,
    "illogical": ILLOGICAL,
    "garbled": GARBLED,
}
