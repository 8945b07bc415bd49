"""The forms of false presupposition queries.

`{clause}` is the false premise, `{vp}` its verb with what follows, `{gerund}` the same with -ing,
`{full}` the same with "the full", `{why}` the premise inverted, as it follows "why". `{subject}`,
`{object}`, `{do}`, `{be}` and `{modal}` agree with each other.
"""

MY_AMOUNT = (
    "Since {clause}, who do I ask for approval",
    "{clause}, so what is the first step",
    "Who do I talk to first, given that {clause}",
    "Given that {clause}, is there a form I have to fill out",
    "What paperwork do I need, since {clause}",
    "Because {clause}, how far ahead should I plan",
)
FULL_AMOUNT = (
    "How do I {full}",
    "What do I need to do to {full}",
    "Who do I talk to so that I can {full}",
    "What's the fastest way to {full}",
    "Which form do I fill out to {full}",
)
MY_DUTY_AMOUNT = (
    "Why do I {modal} {vp}",
    "How come {clause}",
    "Since {clause}, will I get a reminder",
    "Can you explain why {clause}",
)
ANY_AMOUNT = (
    "Why {why}",
    "Why {why}",
    "How come {clause}",
    "Can you explain why {clause}",
    "What's the reason that {clause}",
    "Is there a particular reason why {clause}",
    "Could you tell me why {clause}",
    "Since {clause}, what happens if I can't manage that",
    "Who can make an exception, given that {clause}",
)
FIGURE = (
    "Why {why}",
    "Why {why}",
    "How come {clause}",
    "Can you explain why {clause}",
    "What's the reason that {clause}",
    "Is there a particular reason why {clause}",
    "Could you tell me why {clause}",
)
PRICE = (
    "Why {why}",
    "Why {why}",
    "How come {clause}",
    "Since {clause}, what does that include",
    "Is there a discount, given that {clause}",
    "{clause}, so can I pay by card",
    "Do children pay less, given that {clause}",
    "What exactly do I get, since {clause}",
)
ALLOWED = (
    "Since I'm allowed to {vp}, is there anything I should keep in mind",
    "Now that {gerund} is allowed, what should I keep in mind",
    "Why am I allowed to {vp}",
    "When did {gerund} become allowed",
    "How come I can {vp}",
    "What's the best way to {vp}, since that's allowed",
    "I'm allowed to {vp}, so what do I need to watch out for",
)
THEY_ALLOWED = (
    "Why can {subject} {vp}",
    "Why {be} {subject} allowed to {vp}",
    "How come {clause}",
    "Since {clause}, who do I tell about it",
    "Can you explain why {clause}",
)
FREED = (
    "Why don't I have to {vp}",
    "Why is {gerund} optional",
    "Since {gerund} is optional, what happens if I skip it",
    "When did {gerund} become optional",
    "Since I don't have to {vp}, what happens instead",
    "How come I don't have to {vp}",
    "Who decided that I don't have to {vp}",
    "Can you explain why I don't have to {vp}",
    "Is there a reason why {gerund} is optional",
)
THEY_FREED = (
    "Why {do}n't {subject} have to {vp}",
    "Why {do}n't {subject} have to {vp}",
    "How come {clause}",
    "Can you explain why {clause}",
    "Since {clause}, what happens instead",
    "Who decided that {clause}",
    "When did it change that {clause}",
)
DENIED = (
    "Why can't I {vp}",
    "Why am I not allowed to {vp}",
    "Why is {gerund} not allowed",
    "Why is {gerund} against the rules",
    "Since I'm not allowed to {vp}, what can I do instead",
    "What are my options, since I can't {vp}",
    "Who can make an exception, given that I'm not allowed to {vp}",
    "When did {gerund} stop being allowed",
    "Is there a way around the ban on {gerund}",
    "I can't {vp}, so what is the alternative",
)
THEY_DENIED = (
    "Why can't {subject} {vp}",
    "Why {be}n't {subject} allowed to {vp}",
    "Since {clause}, who can make an exception",
    "How come {clause}",
    "Can you explain why {clause}",
)
ADVISED = ("Why should {subject} {vp}", "Since {clause}, what is the best way to do it")
ADVISED_AGAINST = (
    "Why shouldn't {subject} {vp}",
    "Why is it a bad idea for {object} to {vp}",
    "Since {clause}, what is the better way",
)
