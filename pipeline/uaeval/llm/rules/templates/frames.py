"""The forms of false presupposition queries: a wrong belief in passing, and what comes next.

`{clause}` is the false premise, `{vp}` its verb with what follows, `{gerund}` the same with -ing,
`{full}` the same with "the full". `{do}` and `{are}` agree with `{subject}`. `{new}` is the
wrong amount, `{those}` the wrong amount as a thing of its own (`the 54 objects that it contains`).
"""

MINE = r"\b(?:I|me|my|myself)\b"
"""What does not go with a form that asks for all: `why aren't we allowed to …`."""

FULL_AMOUNT = (
    "How do I {full}",
    "What do I need to do to {full}",
    "Who do I talk to so that I can {full}",
    "What's the fastest way to {full}",
    "How far ahead do I have to ask to {full}",
)
MY_AMOUNT = (
    "What do I have to do to {vp}",
    "How do I {vp}",
    "What's the easiest way to {vp}",
)
MY_DUTY_AMOUNT = (
    "{clause}, so who checks that",
    "Since {clause}, who do I send the proof to",
)
THEIR_DEADLINE = (
    "{clause}, so what happens if I'm late",
    "Since {clause}, who do I ask for more time",
    "Who do I tell if I can't make it in time, given that {clause}",
    "{clause}, so what do I do if I forgot",
)
THEIR_AMOUNT = (
    "{clause}, so who do I ask about it",
    "Since {clause}, how do I go about it",
    "Who do I ask, given that {clause}",
    "{clause}, so what's the first step",
)
THEIR_DUTY_AMOUNT = (
    "{clause}, so what other rules are there",
    "Since {clause}, what else do I have to watch out for",
    "{clause}, so who checks that",
)
PRICE = (
    "How do I pay the {new} for {subject}",
    "Where do I pay the {new} for {subject}",
    "When do I have to pay the {new} for {subject}",
)
CONTAINED = (
    "Where can I find a list of {those}",
    "I'm missing one of {those}, who do I tell",
    "How do I get to see all of {those}",
)
RECEIVED = (
    "When {do} {subject} get the {gap}",
    "How {do} {subject} get the {gap}",
)
HELD_PEOPLE = (
    "How do I book {subject} for the {gap} that it holds",
    "{clause}, so who do I talk to about booking it",
)
PLACES = (
    "Where do I go if {those} are all taken",
    "I'd like one of {those}, who do I ask",
)
CLIMBED = (
    "{clause}, so is there a lift",
    "Where can I sit down for a moment on {those}",
)
TAKEN_TIME = (
    "{clause}, so when should I set off",
    "{clause}, so how early do I have to leave",
    "Since {clause}, what's the latest I can start",
)
LASTING = (
    "{clause}, so what happens after that",
    "Since {clause}, who reminds me when it's over",
    "Who do I contact once that time is up, given that {clause}",
)
REQUIRED_TIME = (
    "{clause}, so how early do I have to hand things in",
    "Since {clause}, when do I have to start",
)
MET = (
    "{clause}, so how do I sign up",
    "Since {clause}, where do I find the details",
    "What do I need to bring, given that {clause}",
)
BOUGHT = ("{clause}, so where do I get one", "Since {clause}, who do I ask to keep one for me")
PAID_OUT = ("{clause}, so who do I turn to when nothing arrives",)
DUE_THEN = ("{clause}, so what do I need to have ready by then",)
ALLOWED = (
    "How do I {vp}",
    "What's the easiest way to {vp}",
    "What's the best way to {vp}",
    "Which steps do I take to {vp}",
)
THEY_ALLOWED = (
    "How can {subject} {vp}",
    "What's the easiest way for {subject} to {vp}",
    "Where can {subject} {vp}",
)
FREED = (
    "Why don't I have to {vp}",
    "How come we don't have to {vp}",
    "Since I don't have to {vp}, what do I do next",
    "I don't have to {vp}, so what's the next step",
    "I skipped {gerund} because it's optional, so what comes next",
    "I don't have to {vp}, why is that",
)
THEY_FREED = (
    "Why {do}n't {subject} have to {vp}",
    "How come {clause}",
    "{clause}, why is that",
    "{clause}, so what's the next step",
)
DENIED = (
    "Why am I not allowed to {vp}",
    "How come I'm not allowed to {vp}",
    "Why aren't we allowed to {vp}",
    "Since when am I not allowed to {vp}",
    "I'm not allowed to {vp}, why is that",
    "Is there a reason I'm not allowed to {vp}",
    "What's the reason I'm not allowed to {vp}",
    "Since I'm not allowed to {vp}, what should I do instead",
    "I'm not allowed to {vp}, so what's the other way to do it",
    "What do I do instead of {gerund}, since that's not allowed",
)
USE_DENIED = (
    "Why am I not allowed to {vp}",
    "How come I'm not allowed to {vp}",
    "Why aren't we allowed to {vp}",
    "I'm not allowed to {vp}, why is that",
    "What's the reason I'm not allowed to {vp}",
    "Since when am I not allowed to {vp}",
    "Since I'm not allowed to {vp}, what should I use instead",
    "I know I'm not allowed to {vp}, so what am I supposed to use",
)
DONE_FOR_ME = (
    "Why am I not allowed to {vp} myself",
    "How come I'm not allowed to {vp}",
    "Why aren't we allowed to {vp}",
    "Since when am I not allowed to {vp}",
    "Is there a reason I'm not allowed to {vp}",
    "What's the reason I'm not allowed to {vp}",
    "I'm not allowed to {vp}, so who can do it for me",
)
THEY_DENIED = (
    "Why {are}n't {subject} allowed to {vp}",
    "How come {subject} {are}n't allowed to {vp}",
    "Since {subject} {are}n't allowed to {vp}, what's the alternative",
)
ADVISED = (
    "When should {subject} {vp}",
    "How should {subject} {vp}",
)
MADE_PAID = ("{clause}, so how do I pay", "Since {clause}, where do I pay for it")
OTHER_OPPOSITE = (
    "{clause}, so what do I have to do differently",
    "Since {clause}, what should I keep in mind",
)
MY_REGULAR_DUTY = (
    "Why do I have to {vp}",
    "{clause}, so what happens if I'm late",
    "{clause}, so what happens if I forget",
)
COUNTED_DAYS = ("{clause}, so do weekends count",)
THEIR_LIMIT = (
    "{clause}, so what happens if it's more than that",
    "Since {clause}, who do I ask if I need more",
)
PRICE_EACH = (
    "{clause}, so how do I pay",
    "{clause}, so when do I have to pay",
    "Since {clause}, where do I pay",
)
BEGUN = (
    "{clause}, so what happens if I'm late",
    "Since {clause}, what's the latest I can turn up",
)
DONE_INSTEAD = (
    "Why {are}n't {subject} allowed to {vp}",
    "How come {subject} {are}n't allowed to {vp}",
    "{subject} {are}n't allowed to {vp}, so who else can do it",
)
