"""Requests that give or want something to look at or to listen to."""

from uaeval.llm.rules.templates.forms import Forms
from uaeval.llm.rules.templates.modality_topics import (
    AWAY,
    CHATS,
    CLAIMS,
    GADGETS,
    GATHERINGS,
    HOURS,
    PAPERS,
    PASSES,
    PROCESS,
    READS,
    ROOMS,
    RULES,
    SITES,
    TICKETS,
)

IMAGE: Forms = {
    "ticket": (
        "Here's a photo of my {x}, can you make out the number at the bottom?",
        "I've attached a screenshot of my {x}, what does the red banner at the top say?",
    ),
    PAPERS: (
        "Here's a photo of my {x}, did I fill {it} in properly?",
        "I took a picture of my {x} with my phone. Can you read what it says in the bottom corner?",
        "see the attached screenshot of my {x}, which box have I missed?",
        "Can you look at this scan of the {x} and tell me whose signature that is?",
    ),
    READS: (
        "Can you turn the {x} into an infographic I can pin up by the coffee machine?",
        "Show me the {x} as one big picture I can use as my desktop wallpaper.",
        "I photographed one page of the {x} but it came out blurry, can you tell what it says?",
    ),
    ROOMS: (
        "Can you draw me a floor plan of the {x} with the exits marked?",
        "Send me a photo of the way into the {x} so I recognise it when I get there.",
        "I'm standing in front of this door (photo attached), is this the {x}?",
    ),
    SITES: (
        "Here's a screenshot of what I see in {the} {x}, where am I supposed to click?",
        "Could you show me a screenshot of the {x} settings page so I can compare it with mine?",
        "my {x} looks like this picture I'm attaching, is that normal?",
    ),
    "software": (
        "Here's a screenshot of the error I get from the {x}, what did I do wrong?",
        "Draw me a picture that shows how the {x} hangs together, with boxes and arrows.",
    ),
    CHATS: (
        "I've pasted a screenshot from the {x} below. Who's being rude here, them or me?",
        "Can you make a banner image for the {x} with our logo in the middle?",
    ),
    GADGETS: (
        "I've attached a picture of the crack in my {x}, is that bad enough for a new one?",
        "Which model is my {x}? Here's a photo of the sticker on the bottom.",
    ),
    PASSES: (
        "Is this selfie OK for my {x}? I've attached it.",
        "Here's a picture of my {x}, can you make out the date on it?",
        "Show me a photo of what a new {x} looks like so I know what to look for in the mail.",
    ),
    CLAIMS: (
        "Here's a photo of my receipt, does what's on it count for my {x}?",
        "I snapped all my receipts on the kitchen table. Can you read off the totals for my {x}?",
    ),
    AWAY: (
        "Here's a picture of my wall calendar, can you see which days I marked for {x}?",
        "Make me a colourful year planner image with all of my {x} shaded in.",
        "Can you design a funny picture for my out-of-office while I'm on {x}?",
    ),
    HOURS: (
        "I wrote down my {x} on a napkin, here's a photo, can you add it up?",
        "Turn my {x} since January into a bar chart picture for my {boss}.",
    ),
    RULES: (
        "Can you draw the {x} as a comic strip for the new people on our team?",
        "I've uploaded a screenshot of an email about the {x}. What is the sender asking me to do?",
    ),
    GATHERINGS: (
        "Here's the whiteboard photo from the {x}, can you type up what's on it?",
        "Who is the person on the left in the group photo I took at the {x}?",
        "Please make a poster with pictures for the {x} that I can print.",
    ),
    TICKETS: (
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
    "ticket": (
        "I'm forwarding a voicemail about my {x}, can you write down what she says?",
        "Read the small print of my {x} out loud, I've lost my glasses.",
    ),
    f"{READS}|{RULES}|statement|performance plan": (
        "Can you read {the} {x} out loud to me while I drive?",
        "I'd like the {x} as an audio file I can listen to on the train.",
        "Please record the {x} as an MP3 in a nice calm voice.",
        "my eyes are tired, just play me the {x} as speech",
    ),
    GATHERINGS: (
        "Play me the recording of the last {x}, I was out sick.",
        "Listen to this voice memo from the {x} and tell me who said they'd follow up.",
        "I've attached the audio from my {x}, at which point do I start mumbling?",
        "Can you play back the bit of the {x} where everybody laughed?",
    ),
    f"{GADGETS}|alarm|thermostat|extinguisher": (
        "My {x} makes the noise in this recording, can you hear what's wrong with it?",
        "What is that rattling? I'm holding the mic up to the {x} so you can listen.",
    ),
    SITES: (
        "Can you play me the sound the {x} makes when a message comes in?",
        "Talk me through the {x} with your voice, I can't look at the screen right now.",
    ),
    f"{CHATS}|calendar": (
        "Read me everything new in {the} {x} out loud while I make breakfast.",
        "Someone left a voice message in the {x}, can you listen and tell me what it says?",
    ),
    f"{CLAIMS}|{TICKETS}|{PROCESS}|{PAPERS}|transit benefit|stipend": (
        "I'm forwarding the voicemail I got about my {x}. What does she want me to send?",
        "Can you listen to this voice note about my {x} and write down the number he gives?",
        "there's a two minute recording from the help line about my {x}, what do they say at the "
        "end?",
        "Say my {x} back to me out loud so I can check it while I type.",
    ),
    AWAY: (
        "Listen to the voicemail my {boss} left about my {x} and tell me if it sounds like a yes.",
        "Can you tell me the rules for {x} out loud? I'm driving and can't read anything.",
        "Record a voicemail greeting for me that says I'm on {x} until Monday.",
    ),
    HOURS: (
        "I dictated my {x} into this recording as I went along, can you type up the list?",
        "Read my {x} for this month out loud while I check it against my notes.",
    ),
    ROOMS: (
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
    "ticket": ("Here's a clip of me trying to open my {x}, where does it go wrong?",),
    GATHERINGS: (
        "Can you show me the video of the {x}? I only need the last ten minutes.",
        "I filmed myself practising for the {x}, can you watch it and tell me if I fidget?",
        "Film the {x} for me tomorrow and upload it somewhere I can watch it later.",
        "At what minute of the attached video of the {x} does the demo begin?",
    ),
    f"{PAPERS}|timesheet": (
        "Make me a short screen recording of somebody filling in {a}.",
        "Can you show me a clip of a person completing the {x} so I can pause and copy along?",
        "I recorded my screen while I filled in my {x}. Watch it and tell me where I went wrong.",
    ),
    PROCESS: (
        "Make a short video with arrows and captions that shows how to get {a}.",
        "I filmed my screen while I applied for {a}, watch it and tell me what I skipped.",
    ),
    f"{READS}|{RULES}": (
        "Can you turn the {x} into a one minute animated video for new starters?",
        "I need a cartoon clip about the {x} that I can play at our next all-hands.",
        "Edit the webcam video I attached so that the part on the {x} comes first.",
    ),
    SITES: (
        "Can you share your screen and show me live where to click in {the} {x}?",
        "Here's a screen recording of {the} {x} freezing on me, at which second does the error "
        "pop up?",
        "Please put together a video walkthrough of the {x} with arrows and captions burned in.",
    ),
    f"{CHATS}|calendar|repository|repo|drive|database": (
        "Record a quick video of you setting up the {x} and post the clip here.",
        "In the screen recording I attached, what did I click in {the} {x} just before it broke?",
    ),
    ROOMS: (
        "Give me a video tour of the {x}, I'd like to see it before my first day.",
        "Can you film the walk from the train to the {x} so I don't get lost?",
    ),
    f"{GADGETS}|{PASSES}|locker|alarm|projector": (
        "Show me a clip of how the {x} gets set up, I learn better when I can watch someone do it.",
        "Here's a video of my {x} acting up, what is the light doing twelve seconds in?",
    ),
    f"{CLAIMS}|{TICKETS}": (
        "Make a screen capture of you putting in {a} so that I can copy the clicks.",
        "Is there a mistake in the way I enter my {x} in this video? It's about a minute long.",
    ),
    AWAY: (
        "I need an animated explainer about {x} for our team page, can you produce one?",
        "Cut together a fun video for the team about how to ask for {x}.",
        "Watch the clip I uploaded from the HR talk: what does the man say about {x} near the end?",
    ),
}
