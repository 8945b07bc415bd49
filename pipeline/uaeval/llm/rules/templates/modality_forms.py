"""Requests for watching, files and deeds, and the table of all that text cannot serve."""

from uaeval.llm.rules.templates.forms import Forms
from uaeval.llm.rules.templates.modality_senses import AUDIO, IMAGE, VIDEO
from uaeval.llm.rules.templates.modality_topics import (
    AWAY,
    CHATS,
    CLAIMS,
    GADGETS,
    GATHERINGS,
    HOURS,
    LESSONS,
    PAPERS,
    PASSES,
    PROCESS,
    READS,
    ROOMS,
    RULES,
    SITES,
    TALKS,
    TICKETS,
    TIMES,
)

LIVE_DATA: Forms = {
    "ticket": (
        "Text me as soon as there's anything new about my {x}.",
        "Keep an eye on my {x} and buzz me the minute something changes.",
    ),
    PAPERS: (
        "Ping me the minute somebody signs my {x}.",
        "Can you keep watching my {x} and text me as soon as anyone changes something in {it}?",
        "let me know right away when my {x} has been opened, I don't want to keep checking",
    ),
    f"{READS}|{RULES}|template": (
        "Alert me about every edit to the {x} from now on.",
        "Could you check the {x} every Monday and message me if anything in {it} has changed?",
        "From now on, tell me as soon as somebody updates the {x}.",
    ),
    f"{LESSONS}|conference|event|concert|tour|festival|open day": (
        "Keep an eye on the sign-up for the {x} and alert me when a seat opens up.",
        "Text me as soon as the next {x} is announced.",
    ),
    f"{TALKS}|standup|performance review|review": (
        "Nudge me ten minutes before every {x}, starting tomorrow.",
        "tell me the second the others have joined the {x} so I can finish my coffee",
        "If the {x} gets moved this week, send me a message straight away.",
    ),
    "flight|trip": (
        "Watch the price of my {x} and message me when it drops below 300.",
        "Track my {x} on the day and warn me the moment there's a delay.",
    ),
    ROOMS: (
        "Let me know when the {x} empties out this afternoon, I need some quiet.",
        "Monitor how busy the {x} is and ping me as soon as it calms down.",
    ),
    f"{SITES}|network|VPN|server|repository|repo": (
        "Watch {the} {x} overnight and message me if it goes down.",
        "Notify me every time somebody signs in to {the} {x} under my name.",
        "Can you keep checking the {x} and tell me the minute it's back up?",
    ),
    f"{CHATS}|calendar": (
        "Keep an eye on {the} {x} for me and shout whenever somebody mentions my name.",
        "While I'm on my break, watch the {x} and wake me if my {boss} posts something.",
    ),
    f"{PASSES}|laptop|parcel|equipment": (
        "Text me the moment my {x} {is} ready to be picked up.",
        "Follow the shipment with my {x} and tell me each time it moves.",
    ),
    f"{CLAIMS}|{PROCESS}|transit benefit|payment|salary|direct deposit|stipend|bonus|deposit": (
        "Check my bank account every morning and tell me when the money for my {x} is in.",
        "Message me the second my {x} {has} gone through.",
        "Can you keep refreshing the page and let me know when someone touches my {x}?",
    ),
    AWAY: (
        "Check every hour whether my {boss} has okayed my {x} and tell me as soon as it happens.",
        "Keep track of my {x} for me and warn me whenever I'm about to run low.",
        "ping me the minute somebody on my team puts in for {x}",
    ),
    HOURS: (
        "Message me as soon as my {boss} has signed off my {x}.",
        "Warn me every evening before I go over my limit for {x}.",
    ),
    "deadline|due date": (
        "Remind me a week before the {x} and then again every day until I'm done.",
        "Set an alarm for the {x} and keep nagging me until I've replied.",
    ),
    TICKETS: (
        "Refresh my {x} every ten minutes and tell me when someone picks {it} up.",
        "Buzz me as soon as there's any movement on my {x}.",
    ),
    "job posting|opening|vacancy|announcement|job": (
        "Alert me the moment a new {one} shows up, at any time of day.",
        "Keep watching for {x} in my field and send me a push message for each one.",
    ),
    "password|token|credential|PIN": (
        "Warn me each time my {x} {is} about to run out, and keep doing it from now on.",
        "Keep watch and text me if my {x} ever turn up in a leak.",
    ),
    "supervisor|account manager|facilitator|approver|director|contracting officer": (
        "Let me know the second my {x} comes back online.",
        "Can you keep watching my {x}'s calendar and tell me when an hour opens up?",
    ),
}

FILE: Forms = {
    "ticket": ("Send me my {x} as a PDF that I can print.",),
    PAPERS: (
        "Fill in {the} {x} with my details and give me back the finished PDF.",
        "I've attached my {x} as a PDF, can you check that I signed on every page?",
        "Can you make me a Word file of the {x} with my name and address already in it?",
        "Merge the three PDFs I uploaded with my {x} into one file.",
    ),
    f"{READS}|{RULES}|template": (
        "Give me the {x} as a Word document with our logo at the top of each page.",
        "Convert the {x} to an e-book I can download onto my Kindle.",
        "Send me a printable PDF of the {x}, two pages to a sheet.",
    ),
    GATHERINGS: (
        "Generate a calendar file for the {x} that I can import into Outlook.",
        "Make me a PowerPoint deck for the {x}, ten slides or so, and attach it here.",
        "Open the slides I attached from the {x} and tell me what's on page seven.",
    ),
    f"{SITES}|{CHATS}|repository|repo|drive|database|calendar|server": (
        "Export everything in the {x} to a CSV and give me a download link.",
        "Zip up what's in the {x} and send me the archive.",
        "I've uploaded a log file from the {x}, on which line does it crash?",
    ),
    "laptop|computer|printer|phone|machine": (
        "Here's the diagnostics zip from my {x}, can you open it and see what's failing?",
        "Give me the driver for my {x} as a file I can double-click.",
    ),
    "expense|receipt|reimbursement|mileage|travel expense|budget|salary|overtime|fee": (
        "Put my {xs} for this month into an Excel sheet and send me the file.",
        "Open the spreadsheet I attached and add up everything in the column for {xs}.",
    ),
    AWAY: (
        "Build me an Excel file that tracks my {x} month by month, with the formulas in it.",
        "Can you fill out the paperwork for my {x} and hand me the PDF?",
        "i've attached last year's calendar export, how many days of {x} are in the file?",
    ),
    HOURS: (
        "Build me a spreadsheet file that totals my {x} week by week.",
        "I've attached an export of my {x}, which rows in the file are doubled?",
    ),
    ROOMS: ("Give me a PDF plan of the {x} that I can print at poster size.",),
    TICKETS: (
        "Download my {x} with all of the attachments as one zip.",
        "Open the file I attached to my {x} and tell me which cells are empty.",
    ),
    f"{PROCESS}|{TIMES}": (
        "I've uploaded the paperwork for my {x}, can you check which pages are missing?",
        "Put everything about my {x} into a PDF with page numbers and attach it.",
    ),
    "org chart|performance plan": (
        "I need the {x} as an editable Visio file, please attach it to your reply.",
    ),
    "phone number": ("Give me a vCard file with the {x} in it that I can import.",),
}

ACTION: Forms = {
    "ticket": (
        "Cancel my {x} for me and send me the confirmation.",
        "Put my {x} in Sam's name instead of mine and tell him once it's done.",
    ),
    PAPERS: (
        "Submit my {x} for me before five and send me the confirmation.",
        "Forward my {x} to my {boss} and copy me in, please.",
        "go into my {x} and change the start date to the 14th for me",
        "Print two copies of my {x} on the machine by the window.",
    ),
    READS: (
        "Go into the {x} and fix the broken link on the second page for me.",
        "Email the {x} to everyone on my team right now.",
    ),
    f"{LESSONS}|conference|event|tour|concert": (
        "Sign me up for the next {x} and put it on my calendar.",
        "Cancel my place on the {x} and give it to the next person in line.",
    ),
    f"{TALKS}|standup|performance review": (
        "Move my {x} to Thursday at 2 and let everyone who's invited know.",
        "Book a room for the {x} and send out the invites for me.",
        "Join the {x} in my place and take notes, I'm double-booked.",
    ),
    "flight|trip|itinerary|reservation|booking": (
        "Change my {x} to the evening and pay the difference with the card on file.",
        "Go ahead and cancel my {x} for me, then send me the receipt.",
    ),
    ROOMS: (
        "Reserve a spot in the {x} for Tuesday from 2 to 4 and email me the confirmation.",
        "Call the front desk of the {x} and tell them my visitor is running late.",
    ),
    f"{SITES}|network": (
        "Log in to {the} {x} and switch my phone number to the new one.",
        "Add my new teammate to {the} {x} now and tell her once it's done.",
        "Sign me out of {the} {x} on every other device right now.",
    ),
    "software": (
        "Install the {x} on my laptop for me while I'm at lunch.",
        "Please buy two more seats for the {x} and put them on our account.",
    ),
    CHATS: (
        "Post this in the {x} for me at noon: we're out of coffee.",
        "Take me out of the {x} please, I'm drowning in messages.",
    ),
    "repository|repo|pull request": (
        "Merge my changes into the {x} and delete the old branch for me.",
        "Push a fix to the {x} right now, I'm away from my keyboard.",
    ),
    "calendar|drive": (
        "Clear everything on my {x} for Friday and tell the people it affects.",
        "Share my {x} with the whole team for me, I can't find the button.",
    ),
    f"{PASSES}|{GADGETS}|equipment": (
        "Order me a replacement {one} and have it shipped to my house.",
        "I left my {x} on the train, please lock it from your end right now.",
    ),
    CLAIMS: (
        "Put in my {x} from last week and charge it to the right project code.",
        "Please send off my {x} now, everything you need is in my inbox.",
    ),
    AWAY: (
        "Put me down for {x} next Friday and let my {boss} know.",
        "Enter two days of {x} on my timesheet and submit it for me.",
        "Approve Sam's {x} for me, I'm on a plane and can't get in.",
    ),
    HOURS: (
        "Enter three hours of {x} for last Thursday and send it to my {boss}.",
        "Put in for {x} for me and tell me once it's booked.",
    ),
    f"{PROCESS}|membership|subscription": (
        "Renew my {x} and pay for it with the card you have on file.",
        "Please chase up my {x} with them today and send me whatever they answer.",
    ),
    f"{TIMES}": (
        "Push my {x} back a week and email everyone the new date.",
        "Add the {x} to my calendar and invite the rest of the team.",
    ),
    TICKETS: (
        "Open {a} for me about the broken screen and assign it to whoever is free.",
        "Close my {x} and write back to them that it's sorted.",
    ),
    "supervisor|account manager|facilitator|approver|director|contracting officer": (
        "Ring my {x} for me and say I'll be twenty minutes late.",
        "Set up a half hour with my {x} this week and send us both the invite.",
    ),
    "password|PIN|passphrase": (
        "Reset my {x} for me and text me once it's done.",
        "Change my {x} to something new right now, I think someone saw it.",
    ),
    "phone number|home address|bank account|direct deposit": (
        "Update my {x} everywhere for me, I've just changed it.",
    ),
}

FORMS: dict[str, Forms] = {
    "image": IMAGE,
    "audio": AUDIO,
    "video": VIDEO,
    "live_data": LIVE_DATA,
    "file": FILE,
    "action": ACTION,
}
