"""Questions without a coherent reading: contradictions, misplaced properties, broken typing."""

from uaeval.llm.rules.forms import Forms

_ABSTRACT = (
    ":absence|:rule|reimbursement|expense|budget|per diem|allowance|stipend|travel expense|"
    "transit benefit|request|leave request|claim|complaint|ticket|pull request|submission|"
    "password|login|account|policy|authorization|approval|salary|fee|refund|discount|mileage|"
    "incident|outage|status|purchase request|overtime pay|compensation|RA request|job posting"
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
_SENT = f"{_PAGES}|request|leave request|ticket|claim|complaint|pull request|submission|order|RA request"
_MONEY = ":money"
_TIMES = "deadline|due date|limit|threshold|requirement|eligibility|notice period|grace period"
_OWNED = "badge|PIV card|PIV|laptop|phone|travel card|card|purchase card|computer|locker|license|permit"

CATEGORY_ERROR: Forms = {
    _ABSTRACT: (
        "how many calories are in my {x}? trying to stay under 2000",
        "what size batteries {does} the {x} take",
        "do I have to feed the {x} over the weekend or can {they} wait till monday",
        "At what temperature should I wash the {x} so {they} won't shrink?",
        "How much {does} my {x} weigh with the lid on?",
        "{is} the {x} allergic to nuts? I'm baking for Friday",
        "which side of the {x} goes face down in the oven",
        "What's the shoe size of the {x}? I'm ordering tonight.",
        "how long do I boil the {x} before I hand {it} in?",
        "how deep do i plant the {x} so {they} can come up by spring",
        "How do I get the bones out of the {x} before I send {it} off?",
        "Is there a way to tell if the {x} {is} ripe, or do I leave {it} on the windowsill?",
        "Do I iron the {x} before or after I swallow {it}?",
        "what colour {was} the smell of my {x} last time?",
        "How many legs {does} the {x} have if I apply online?",
        "Can the {x} swim, or should I put {it} in the car first?",
        "which vet do I take my {x} to, limping since monday",
        "what's the boiling point of {x} at sea level?",
    ),
    _TALKS: (
        "is the {x} waterproof or should I wrap it before it rains",
        "Which shelf of the fridge does the {x} go on?",
        "How do I fold the {x} so that it fits in my coat pocket?",
        "how many grams of {x} do I need for four people",
        "What does the {x} like to eat before bed?",
        "My {x} has lost a tooth, does it grow back by Thursday?",
    ),
    _PAGES: (
        "what does the {x} want for its birthday?",
        "How many sugars does the {x} take in its coffee?",
        "does the {x} snore if I put it in the same folder as me",
        "Who is the {x} married to at the moment?",
        "is my {x} left-handed? it keeps avoiding me",
        "Which school did the {x} go to when it was little?",
    ),
    _SYSTEMS: (
        "how many sugars {does} the {x} take in coffee",
        "What did the {x} dream about last night, and is that covered?",
        "Which leg {does} the {x} stand on after an update?",
        "how do i butter the {x} on both sides",
        "{is} the {x} ticklish or only when I log in?",
    ),
    ":place": (
        "how do i staple the {x} to my email",
        "Which pocket of my bag does the {x} go in when I fly?",
        "is the {x} divorced, or only on weekdays?",
        "How many teaspoons of the {x} should I stir in?",
    ),
    "supervisor|team lead|account manager|facilitator|contractor|director|colleague|mentor": (
        "how many megabytes is my {x} and will he fit on a usb stick",
        "Which drawer do I save my {x} in so that the formatting stays?",
        "how do i update my {x} to the latest version and does he restart on his own",
        "What font is my {x} in? I need her in bold.",
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
        "When will last year's {x} have been paid before next year's, if they're the same day twice?",
    ),
    _OWNED: (
        "I gave back my {x} next Tuesday, so why don't I get it until last month?",
        "If my {x} expires the year before it was made, which of the two comes last?",
        "which of my {xs} did I lose if I only have one and it's the other one?",
    ),
    _SYSTEMS: (
        "How do I log out of the {x} before I've ever been in it, once I'm not in it again?",
        "What did the {x} tell me tomorrow, before I asked it last week?",
        "if the {x} only opens while it's closed, do I open it before or after it never opens?",
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
        "who was my {x} before the first one I never had, if she starts last month",
    ),
}

GARBLED: Forms = {
    "*": (
        "can i approve my {x} into the {y} before it was born",
        "so for the {x} is it the or do i the one they {y} with",
        "how do i {x} my {boss} for the until it's {y} on the friday of",
        "the when of my {x} if {y} didn't but only the",
        "hi quick one the {x} does it {y} or has been from two the",
        "is the {x} still whether or the {y} to who exactly is",
        "ok so if {x} then how many is the {y} because until it",
        "do I have to the {x} when {y} is but not if it only the",
        "{x} when of {y} which it cant do the ???? asap",
        "whst {x} ;;;;lkj lkj sdfg {y} 0000000 is tehn or",
        "{x} mmmmmmm how mcuh jjjjjj;; the {y} ,,,,,,bvvvv",
        "Does my {x} count the {y} that it wasn't or just when of?",
        "what if the {x} and i were {y} to which but he said no the",
        "how long {x} who {y} where the please",
        "which {x} is the my {y} under if not until they",
        "need too no weather my {x} our the {y} four two of",
        "My {x} said the {y} is already before what do I the",
        "why is {y} in my {x} not the how of it and to which",
        "okay so the {x} comma is that the new line {y} question mark who do I to",
        "{x} no wait delete that {y} no the other scratch that how many is",
        "Can the {x} be more {y} than before the did it, or how?",
        "i was going to the my {x} with {y} but is that which or",
        "For {x} it's if you the {y} first and then don't, right, or from when to the?",
        "whne i {y} the {x} does to my {boss} or is only of the",
        "and the {x} goes where it {y} so what's the of my",
        "what {boss} is my {x} if the {y} has or not been when",
    ),
}

FORMS: dict[str, Forms] = {
    "category_error": CATEGORY_ERROR,
    "illogical": ILLOGICAL,
    "garbled": GARBLED,
}
