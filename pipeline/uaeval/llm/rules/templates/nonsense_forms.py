"""Messages without a coherent reading: mixed-up fields, muddled dates, broken-off sentences."""

from uaeval.llm.rules.templates.forms import Forms

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
_MONEY = "budget|stipend"
_OWNED = (
    "badge|PIV card|PIV|laptop|phone|travel card|card|purchase card|computer|locker|license|permit"
)

CATEGORY_ERROR: Forms = {
    f"{_ABSTRACT}|{_TALKS}|{_PAGES}": (
        "is the {x} the due date or the approver, and what amount goes with it then",
        "whats the phone number of my {x} and {does} {they} close at noon, or is that the manager",
        "filling this in, is my {x} the department or the start date and who gets that as amount",
        "which department is my {x} due and is that the number or who it's approved as",
        "ok the form says name of {x}, is that the end date or do i put the hours as who",
        "do i put the {x} as manager or is that the address, and which date signs it",
        "what's the surname of my {x}, it wants that next to the amount or the reason for it",
        "in the drop down is the {x} the reason or the phone number, and what day does "
        "it report to",
        "for {x}, is the cost centre the day it ends or the person, and how many of those per name",
        "it asks for the {x} in days, is that the approver or the room, and whose number "
        "goes there",
        "my manager said the {x} is the end date, so is the name the amount or where do "
        "i sign it as",
        "is {x} a yes or a friday, and which approver do i put as the reason there",
    ),
    f"{_SYSTEMS}|:place": (
        "is the {x} my start date or who signs for it, and then what's the amount there",
        "what do i put as {x}, the hours or the surname, and does the date approve that",
        "it says location, is the {x} the approver for that or the number of days, and till who",
        "which date is the {x} under, and is that the manager's amount or mine as reason",
        "does the {x} go in as phone number or as reason, and how many names is that per day",
    ),
    f"{_OWNED}|password|PIN|passphrase|login|supervisor|team lead|account manager|director": (
        "is my {x} the reason or the end date, and what amount do i put as who approves",
        "the form wants my {x} in hours, is that the room or the approver, and signed as which day",
        "do i put my {x} under start date or under manager, and what number does that close at",
        "whats the deadline's name for my {x}, and is the amount the department or who it's to",
    ),
}

ILLOGICAL: Forms = {
    f"{_SENT}|{_PAGES}": (
        "my {x} from the 14th went in on the 9th, after i got it back on the 12th, so is "
        "that before",
        "i sent the {x} friday before i wrote it on monday, the day after, is that the "
        "first or still",
        "the {x} is due the 3rd, moved to the 1st after i was late on the 7th, so am i then or",
        "got the {x} back on tuesday the 2nd before it went out on the 5th, is that mine "
        "or the one",
        "i'm redoing the {x} i haven't done yet since the 8th, is the old one after it or when",
    ),
    f":absence|{_MONEY}|{_ABSTRACT}": (
        "i started {x} the 10th, came back the 6th before it, is the week i didn't go the first or",
        "my {x} ended the 4th and begins again the 2nd before, is that the same one still or",
        "so the {x} from last year i get next month, after i had it on the 1st, is that "
        "both or when",
        "half of my {x} is more than what i had on the 5th, before it was none, so which is the",
        "they said {x} counts from the 9th till the 3rd before, i'm on the 5th, so is "
        "that after or",
        "i used the {x} up on monday before i had any on friday the 1st, is the rest of it then or",
    ),
    _TALKS: (
        "the {x} on the 12th, moved to the 9th after i went on the 14th, so is that still before",
        "my {x} next week is the one i gave after it in march, so do i still before or",
        "i left the {x} monday before it started on friday the 3rd, was i the last or is that when",
        "for the {x} i land the 6th, on the flight after i was there on the 4th, so do "
        "they then or",
        "the second day of the one day {x}, is that the friday i didn't go or the one before the",
    ),
    f"{_OWNED}|{_SYSTEMS}|password|PIN|passphrase|login": (
        "i lost my {x} on the 8th, handed in on the 5th after they found it, is mine the "
        "one before or",
        "my {x} ran out the 2nd, on the one i never got till the 9th before, so which was that or",
        "gave the {x} back tuesday the 4th before i got it on the 7th, do i still have "
        "that or when",
        "they closed my {x} the 1st, after i opened it on the 6th, the week before, so "
        "is it then or",
    ),
    "supervisor|team lead|account manager|contractor|director|colleague|mentor|facilitator": (
        "my {x} left the 3rd, before she signed it on the 1st after i started, so is she still or",
        "he's my {x} since the 9th, i'm his till the 5th before, so is that letter after us or",
        "the {x} who isn't mine yet since the 2nd, after the one before on the 6th, is "
        "that still the",
    ),
}

GARBLED: Forms = {
    "*": (
        "hi so with the {x}, hang on, if it's the one where you, then it wouldn't, or is that the",
        "ok so the {x} one i need to, no wait, and the {y} is that when we",
        "hey {x}, we've got the {y} and it was, no start over, when they then or",
        "um so i'm on the {x}, and with {y} it's more if they, no hang on, when the",
        "with {x} can it, because the {y} was, no it's when you, or would that only be if the",
        "the {x} thing, so i was when she, sorry, and if it doesn't like the {y}, do they",
        "so for the {x} i'd, no wait {y} had the, and then do they or is it",
        "my manager said the {x}, well not the, hold on, she'd have to if the {y}, and then i'm",
        "wait is the {x} still, i did the {y} and now it's, no the other one, so should i the",
        "about {x}, since we're the {y} i, no it was the other, wait and would you",
        "so the {x}, i've got the, no so when it says that you, but for the {y} does",
        "ok {x} up to here, i did the, no wait the {y} was, and in there if that",
        "i know the {x} is in the, hold on {y}, no that's the one for when they",
        "for {x} is it, sorry typing on my phone, if the {y} then i would have to or the",
        "quick one, {x}, no scratch that, the {y} when it's not, do i still or was that only for",
        "is {x} also if you, hmm no, the {y} ones that they said, or only when the",
        "two things, the {x} and if the, no start over, with the {y} would i",
        "they told me {x} isn't, wait, is or isn't the {y} that i, so then who would the",
        "sorry me again, the {x} we talked about when the {y}, no hang on, was it if",
        "still on the {x} thing, it went, no that's {y}, and then before that do i",
        "trying to do the {x}, it wants the, no wait, {y} or when it's already, so would",
        "someone said with {x} you just, hang on, not the {y} but the one that, so is it for",
        "does it matter for {x} if the, hold on, because {y} never did the, and now i",
        "not sure if that's {x} or, no wait, i mean when the {y} has, would it then",
    ),
}

FORMS: dict[str, Forms] = {
    "category_error": CATEGORY_ERROR,
    "illogical": ILLOGICAL,
    "garbled": GARBLED,
}
