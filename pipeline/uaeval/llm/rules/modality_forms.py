"""Requests that text cannot serve, by what they need and by what they can be about."""

from uaeval.llm.rules.forms import Forms

_PAPERS = (
    "form|report|letter|certificate|contract|agreement|invoice|receipt|statement|application|"
    "authorization|voucher|timesheet|timecard|itinerary|waiver|questionnaire|transcript|lease|"
    "performance plan|purchase order|estimate|memo|resume|passport|visa|prescription"
)
_READS = "policy|guide|handbook|manual|checklist|brochure|leaflet|catalog|agreement|contract|lease"
_LESSONS = "training|class|course|workshop|webinar|orientation|lesson|briefing|exam"
_TALKS = "meeting|interview|call|session|conference|hearing|appointment|check-in|kickoff|demo"
_GATHERINGS = f"{_LESSONS}|{_TALKS}|conference|event|concert|festival|ceremony|open day|tour"
_GADGETS = "laptop|computer|phone|monitor|keyboard|headset|printer|machine|bike|bicycle|scooter"
_PASSES = "badge|PIV card|PIV|travel card|card|purchase card|fob|key"
_ROOMS = "building|conference room|room|office|campus|library|museum|gallery|lobby|gym|floor|lab"
_SITES = "app|website|tool|system|portal|software|dashboard|platform|intranet|kiosk|wiki|account"
_CHATS = "channel|mailing list|inbox|workspace"
_TICKETS = "request|ticket|pull request|order|claim|complaint|submission|issue"
_CLAIMS = "reimbursement|expense|purchase request|refund|travel expense|mileage|lodging|fee"
_AWAY = (
    "sick leave|annual leave|parental leave|paid parental leave|family leave|time off|telework|"
    "vacation|holidays|administrative leave|bereavement leave|medical leave|home working|leave|"
    "remote work|advanced sick leave"
)
_HOURS = "overtime|comp time|compensatory time|credit hours"
_PROCESS = "clearance|approval|background check|reservation|booking|permit|license|accommodation"
_TIMES = "deadline|due date|timeline"
_RULES = "requirement|guideline|procedure|rule|standard|deadline|due date|timeline"

IMAGE: Forms = {
    _PAPERS: (
        "Here's a photo of my {x}, did I fill {it} in properly?",
        "I took a picture of my {x} with my phone. Can you read what it says in the bottom corner?",
        "see the attached screenshot of my {x}, which box have I missed?",
        "Can you look at this scan of the {x} and tell me whose signature that is?",
    ),
    _READS: (
        "Can you turn the {x} into an infographic I can pin up by the coffee machine?",
        "Show me the {x} as one big picture I can use as my desktop wallpaper.",
        "I photographed one page of the {x} but it came out blurry, can you tell what it says?",
    ),
    _ROOMS: (
        "Can you draw me a floor plan of the {x} with the exits marked?",
        "Send me a photo of the way into the {x} so I recognise it when I get there.",
        "I'm standing in front of this door (photo attached), is this the {x}?",
    ),
    _SITES: (
        "Here's a screenshot of what I see in {the} {x}, where am I supposed to click?",
        "Could you show me a screenshot of the {x} settings page so I can compare it with mine?",
        "my {x} looks like this picture I'm attaching, is that normal?",
    ),
    _CHATS: (
        "I've pasted a screenshot from the {x} below. Who's being rude here, them or me?",
        "Can you make a banner image for the {x} with our logo in the middle?",
    ),
    _GADGETS: (
        "I've attached a picture of the crack in my {x}, is that bad enough for a new one?",
        "Which model is my {x}? Here's a photo of the sticker on the bottom.",
    ),
    _PASSES: (
        "Is this selfie OK for my {x}? I've attached it.",
        "Here's a picture of my {x}, can you make out the date on it?",
        "Show me a photo of what a new {x} looks like so I know what to look for in the mail.",
    ),
    _CLAIMS: (
        "Here's a photo of my receipt, does what's on it count for my {x}?",
        "I snapped all my receipts on the kitchen table. Can you read off the totals for my {x}?",
    ),
    _AWAY: (
        "Here's a picture of my wall calendar, can you see which days I marked for {x}?",
        "Make me a colourful year planner image with all of my {x} shaded in.",
        "Can you design a funny picture for my out-of-office while I'm on {x}?",
    ),
    _HOURS: (
        "I wrote down my {x} on a napkin, here's a photo, can you add it up?",
        "Turn my {x} since January into a bar chart picture for my {boss}.",
    ),
    _RULES: (
        "Can you draw the {x} as a comic strip for the new people on our team?",
        "I've uploaded a screenshot of an email about the {x}. What is the sender asking me to do?",
    ),
    _GATHERINGS: (
        "Here's the whiteboard photo from the {x}, can you type up what's on it?",
        "Who is the person on the left in the group photo I took at the {x}?",
        "Please make a poster with pictures for the {x} that I can print.",
    ),
    _TICKETS: (
        "I've attached a screenshot of my {x}, what does the red banner at the top say?",
        "what does the little icon next to my {x} mean? screenshot attached",
    ),
    "supervisor|account manager|facilitator|interviewer|mentor|buddy|coach|librarian|instructor": (
        "Show me a photo of {the} {x} so I know who to look for when I get there.",
        "Is this my {x} in the picture I just uploaded?",
    ),
    "password|PIN|access code|door code|token": (
        "I scribbled my {x} on a sticky note, here's a photo, can you make out the last letters?",
    ),
    "phone number|home address": (
        "I've got the {x} on a blurry photo of a business card, attached. Can you read it for me?",
    ),
    "org chart": (
        "Draw me the {x} with everyone's portrait in it, please.",
        "Can you generate the {x} as a PNG that I can drop on a slide?",
    ),
}

AUDIO: Forms = {
    f"{_READS}|{_RULES}|statement|performance plan": (
        "Can you read {the} {x} out loud to me while I drive?",
        "I'd like the {x} as an audio file I can listen to on the train.",
        "Please record the {x} as an MP3 in a nice calm voice.",
        "my eyes are tired, just play me the {x} as speech",
    ),
    _GATHERINGS: (
        "Play me the recording of the last {x}, I was out sick.",
        "Listen to this voice memo from the {x} and tell me who said they'd follow up.",
        "I've attached the audio from my {x}, at which point do I start mumbling?",
        "Can you play back the bit of the {x} where everybody laughed?",
    ),
    f"{_GADGETS}|alarm|thermostat|extinguisher": (
        "My {x} makes the noise in this recording, can you hear what's wrong with it?",
        "What is that rattling? I'm holding the mic up to the {x} so you can listen.",
    ),
    _SITES: (
        "Can you play me the sound the {x} makes when a message comes in?",
        "Talk me through the {x} with your voice, I can't look at the screen right now.",
    ),
    f"{_CHATS}|calendar": (
        "Read me everything new in {the} {x} out loud while I make breakfast.",
        "Someone left a voice message in the {x}, can you listen and tell me what it says?",
    ),
    f"{_CLAIMS}|{_TICKETS}|{_PROCESS}|{_PAPERS}|transit benefit|stipend": (
        "I'm forwarding the voicemail I got about my {x}. What does she want me to send?",
        "Can you listen to this voice note about my {x} and write down the number he gives?",
        "there's a two minute recording from the help line about my {x}, what do they say at the end?",
        "Say my {x} back to me out loud so I can check it while I type.",
    ),
    _AWAY: (
        "Listen to the voicemail my {boss} left about my {x} and tell me if it sounds like a yes.",
        "Can you tell me the rules for {x} out loud? I'm driving and can't read anything.",
        "Record a voicemail greeting for me that says I'm on {x} until Monday.",
    ),
    _HOURS: (
        "I dictated my {x} into this recording as I went along, can you type up the list?",
        "Read my {x} for this month out loud while I check it against my notes.",
    ),
    _ROOMS: (
        "Play me the announcement they use when the {x} has to be evacuated.",
        "I recorded a strange hum in the {x}, here's the clip, what am I hearing?",
    ),
    "supervisor|account manager|facilitator|interviewer|mentor|buddy|coach|librarian|instructor": (
        "Here's a voicemail from my {x}, does he sound annoyed to you?",
        "I've attached a recording of what my {x} said this morning, can you write it down for me?",
    ),
    "password|phone number|PIN|access code|door code": (
        "Somebody read the {x} out on this voicemail, can you listen and type it up for me?",
    ),
}

VIDEO: Forms = {
    _GATHERINGS: (
        "Can you show me the video of the {x}? I only need the last ten minutes.",
        "I filmed myself practising for the {x}, can you watch it and tell me if I fidget?",
        "Film the {x} for me tomorrow and upload it somewhere I can watch it later.",
        "At what minute of the attached video of the {x} does the demo begin?",
    ),
    f"{_PAPERS}|timesheet": (
        "Make me a short screen recording of somebody filling in {a}.",
        "Can you show me a clip of a person completing the {x} so I can pause and copy along?",
        "I recorded my screen while I filled in my {x}. Watch it and tell me where I went wrong.",
    ),
    f"{_READS}|{_RULES}|{_PROCESS}": (
        "Can you turn the {x} into a one minute animated video for new starters?",
        "I need a cartoon clip about the {x} that I can play at our next all-hands.",
        "Edit the webcam video I attached so that the part on the {x} comes first.",
    ),
    _SITES: (
        "Can you share your screen and show me live where to click in {the} {x}?",
        "Here's a screen recording of {the} {x} freezing on me, at which second does the error pop up?",
        "Please put together a video walkthrough of the {x} with arrows and captions burned in.",
    ),
    f"{_CHATS}|calendar|repository|repo|drive|database": (
        "Record a quick video of you setting up the {x} and post the clip here.",
        "In the screen recording I attached, what did I click in {the} {x} just before it broke?",
    ),
    _ROOMS: (
        "Give me a video tour of the {x}, I'd like to see it before my first day.",
        "Can you film the walk from the train to the {x} so I don't get lost?",
    ),
    f"{_GADGETS}|{_PASSES}|locker|alarm|projector": (
        "Show me a clip of how the {x} gets set up, I learn better when I can watch someone do it.",
        "Here's a video of my {x} acting up, what is the light doing twelve seconds in?",
    ),
    f"{_CLAIMS}|{_TICKETS}": (
        "Make a screen capture of you putting in {a} so that I can copy the clicks.",
        "Is there a mistake in the way I enter my {x} in this video? It's about a minute long.",
    ),
    _AWAY: (
        "I need an animated explainer about {x} for our team page, can you produce one?",
        "Cut together a fun video for the team about how to ask for {x}.",
        "Watch the clip I uploaded from the HR talk: what does the man say about {x} near the end?",
    ),
}

LIVE_DATA: Forms = {
    _PAPERS: (
        "Ping me the minute somebody signs my {x}.",
        "Can you keep watching my {x} and text me as soon as anyone changes something in {it}?",
        "let me know right away when my {x} has been opened, I don't want to keep checking",
    ),
    f"{_READS}|{_RULES}|template": (
        "Alert me about every edit to the {x} from now on.",
        "Could you check the {x} every Monday and message me if anything in {it} has changed?",
        "From now on, tell me as soon as somebody updates the {x}.",
    ),
    f"{_LESSONS}|conference|event|concert|tour|festival|open day": (
        "Keep an eye on the sign-up for the {x} and alert me when a seat opens up.",
        "Text me as soon as the next {x} is announced.",
    ),
    f"{_TALKS}|standup|performance review|review": (
        "Nudge me ten minutes before every {x}, starting tomorrow.",
        "tell me the second the others have joined the {x} so I can finish my coffee",
        "If the {x} gets moved this week, send me a message straight away.",
    ),
    "flight|trip": (
        "Watch the price of my {x} and message me when it drops below 300.",
        "Track my {x} on the day and warn me the moment there's a delay.",
    ),
    _ROOMS: (
        "Let me know when the {x} empties out this afternoon, I need some quiet.",
        "Monitor how busy the {x} is and ping me as soon as it calms down.",
    ),
    f"{_SITES}|network|VPN|server|repository|repo": (
        "Watch {the} {x} overnight and message me if it goes down.",
        "Notify me every time somebody signs in to {the} {x} under my name.",
        "Can you keep checking the {x} and tell me the minute it's back up?",
    ),
    f"{_CHATS}|calendar": (
        "Keep an eye on {the} {x} for me and shout whenever somebody mentions my name.",
        "While I'm on my break, watch the {x} and wake me if my {boss} posts something.",
    ),
    f"{_PASSES}|laptop|parcel|equipment": (
        "Text me the moment my {x} {is} ready to be picked up.",
        "Follow the shipment with my {x} and tell me each time it moves.",
    ),
    f"{_CLAIMS}|{_PROCESS}|transit benefit|payment|salary|direct deposit|stipend|bonus|deposit": (
        "Check my bank account every morning and tell me when the money for my {x} is in.",
        "Message me the second my {x} {has} gone through.",
        "Can you keep refreshing the page and let me know when someone touches my {x}?",
    ),
    _AWAY: (
        "Check every hour whether my {boss} has okayed my {x} and tell me as soon as it happens.",
        "Keep track of my {x} for me and warn me whenever I'm about to run low.",
        "ping me the minute somebody on my team puts in for {x}",
    ),
    _HOURS: (
        "Message me as soon as my {boss} has signed off my {x}.",
        "Warn me every evening before I go over my limit for {x}.",
    ),
    "deadline|due date": (
        "Remind me a week before the {x} and then again every day until I'm done.",
        "Set an alarm for the {x} and keep nagging me until I've replied.",
    ),
    _TICKETS: (
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
    _PAPERS: (
        "Fill in {the} {x} with my details and give me back the finished PDF.",
        "I've attached my {x} as a PDF, can you check that I signed on every page?",
        "Can you make me a Word file of the {x} with my name and address already in it?",
        "Merge the three PDFs I uploaded with my {x} into one file.",
    ),
    f"{_READS}|{_RULES}|template": (
        "Give me the {x} as a Word document with our logo at the top of each page.",
        "Convert the {x} to an e-book I can download onto my Kindle.",
        "Send me a printable PDF of the {x}, two pages to a sheet.",
    ),
    _GATHERINGS: (
        "Generate a calendar file for the {x} that I can import into Outlook.",
        "Make me a PowerPoint deck for the {x}, ten slides or so, and attach it here.",
        "Open the slides I attached from the {x} and tell me what's on page seven.",
    ),
    f"{_SITES}|{_CHATS}|repository|repo|drive|database|calendar|server": (
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
    _AWAY: (
        "Build me an Excel file that tracks my {x} month by month, with the formulas in it.",
        "Can you fill out the paperwork for my {x} and hand me the PDF?",
        "i've attached last year's calendar export, how many days of {x} are in the file?",
    ),
    _HOURS: (
        "Build me a spreadsheet file that totals my {x} week by week.",
        "I've attached an export of my {x}, which rows in the file are doubled?",
    ),
    _ROOMS: ("Give me a PDF plan of the {x} that I can print at poster size.",),
    _TICKETS: (
        "Download my {x} with all of the attachments as one zip.",
        "Open the file I attached to my {x} and tell me which cells are empty.",
    ),
    f"{_PROCESS}|{_TIMES}": (
        "I've uploaded the paperwork for my {x}, can you check which pages are missing?",
        "Put everything about my {x} into a PDF with page numbers and attach it.",
    ),
    "org chart|performance plan": (
        "I need the {x} as an editable Visio file, please attach it to your reply.",
    ),
    "phone number": ("Give me a vCard file with the {x} in it that I can import.",),
}

ACTION: Forms = {
    _PAPERS: (
        "Submit my {x} for me before five and send me the confirmation.",
        "Forward my {x} to my {boss} and copy me in, please.",
        "go into my {x} and change the start date to the 14th for me",
        "Print two copies of my {x} on the machine by the window.",
    ),
    _READS: (
        "Go into the {x} and fix the broken link on the second page for me.",
        "Email the {x} to everyone on my team right now.",
    ),
    f"{_LESSONS}|conference|event|tour|concert": (
        "Sign me up for the next {x} and put it on my calendar.",
        "Cancel my place on the {x} and give it to the next person in line.",
    ),
    f"{_TALKS}|standup|performance review": (
        "Move my {x} to Thursday at 2 and let everyone who's invited know.",
        "Book a room for the {x} and send out the invites for me.",
        "Join the {x} in my place and take notes, I'm double-booked.",
    ),
    "flight|trip|itinerary|reservation|booking": (
        "Change my {x} to the evening and pay the difference with the card on file.",
        "Go ahead and cancel my {x} for me, then send me the receipt.",
    ),
    _ROOMS: (
        "Reserve a spot in the {x} for Tuesday from 2 to 4 and email me the confirmation.",
        "Call the front desk of the {x} and tell them my visitor is running late.",
    ),
    f"{_SITES}|network": (
        "Log in to {the} {x} and switch my phone number to the new one.",
        "Add my new teammate to {the} {x} now and tell her once it's done.",
        "Sign me out of {the} {x} on every other device right now.",
    ),
    f"{_CHATS}": (
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
    f"{_PASSES}|{_GADGETS}|equipment": (
        "Order me a replacement {one} and have it shipped to my house.",
        "I left my {x} on the train, please lock it from your end right now.",
    ),
    f"{_CLAIMS}": (
        "Put in my {x} from last week and charge it to the right project code.",
        "Please send off my {x} now, everything you need is in my inbox.",
    ),
    _AWAY: (
        "Put me down for {x} next Friday and let my {boss} know.",
        "Enter two days of {x} on my timesheet and submit it for me.",
        "Approve Sam's {x} for me, I'm on a plane and can't get in.",
    ),
    _HOURS: (
        "Enter three hours of {x} for last Thursday and send it to my {boss}.",
        "Put in for {x} for me and tell me once it's booked.",
    ),
    f"{_PROCESS}|membership|subscription": (
        "Renew my {x} and pay for it with the card you have on file.",
        "Please chase up my {x} with them today and send me whatever they answer.",
    ),
    f"{_TIMES}": (
        "Push my {x} back a week and email everyone the new date.",
        "Add the {x} to my calendar and invite the rest of the team.",
    ),
    _TICKETS: (
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
