"""Messages without a coherent reading: broken off, begun anew, half of another chat inside."""

from uaeval.llm.rules.templates.forms import Forms

_LENT = "laptop|phone|badge|PIV card|travel card|purchase card|card|locker|equipment|radio|fob"
_SENT = (
    "form|request|leave request|absence request|claim|report|application|voucher|timesheet|"
    "certificate|agreement|waiver|invoice|receipt|pull request|complaint|submission|"
    "performance plan"
)
_MET = (
    "meeting|training|interview|class|course|workshop|webinar|orientation|session|event|tour|"
    "guided tour|school visit|open day|performance review|flight|trip|concert|drill"
)
_OPENED = "system|tool|app|website|portal|dashboard|calendar|repository|repo|wiki|drive|account"

GARBLED: Forms = {
    "*": (
        "hi quick one about {my} {x}, so they said if it's the, hang on, not that one, and then i",
        "sorry my phone died. so {my} {x}, if he's already, no wait, she hasn't even, so is it",
        "ok i was reading the {x} bit and then it, no hang on, it was before that when the",
        "hi me again, {my} {x}, so it did but then, no wait it didn't, because when you",
        "you know {my} {x}, well i thought if they, no sorry the other way round, so would that",
        "can i just, wait, with {my} {x} it's not that it's, it's more like when the",
        "morning! so {my} {x} came up and she was like no you have to, hang on, or was it him who",
        "does {my} {x} still, ugh autocorrect, no wait, once they've done the first, or is that",
        "ignore what i said before, so if {my} {x} is the, no wait, it isn't is it, so then",
        "um about {my} {x}. it's just that when i, hang on, ok so if they don't and i",
        "trying again, {my} {x}, they did it for him but not the, no wait, for him it was when",
        "you get what i mean with {my} {x} right, so not that but the, hang on, because if",
        "wait so is {my} {x} the one where, no that's the other thing, ok but then if",
        "someone at lunch said with {my} {x} you just have to, no wait, she meant when the",
        "not sure how to say this. {my} {x}, if it's not the same as, no hang on, as when they",
        "on the bus so, {my} {x}, it says it's been, hold on, no it doesn't say that, so is that",
        "did what you said about {my} {x} but it wasn't, oh wait, that was for the",
        "reading it out to you, so {my} {x} and then, sorry lost it, it goes if the",
        "last one i promise, {my} {x}, so if i didn't but they also, no wait, that can't, or when",
        "{my} {x}?? first it was yes then no then, hang on, that was the one with",
        "hello is this the right, ok so {my} {x}, no hang on, not mine, hers, well both but if",
        "basically {my} {x} and they want it, hold on there's someone at the, ok so if",
        "think this is about {my} {x}, or no, the one after that, sorry, so whoever has the",
        "long story but {my} {x}, he had it, hmm no, not had, but when she then",
        "what i meant was {my} {x} isn't, no wait it is, just not for the one who",
        "only asking because {my} {x}, last time it was, wait no, it wasn't us it was when",
        "kids are shouting sorry. so {my} {x}, it's either when you, hmm no, both but then if",
        "scrap my last message. {my} {x} has the, well had, no wait, if they want it then",
        "so like with {my} {x}, hang on let me, ok no, if they'd have said it before i",
        "my boss is asking about {my} {x} and if he can, no she, hang on it's when the",
        "thanks but i mean {my} {x}, the bit where you, hang on, no before that, when it's not the",
        "ah ok so then {my} {x} doesn't, hold on, but she said if it's the one with",
        "and {my} {x} too? because if that's, no wait that's what i, so not until the",
        "dictating this so bear with me, {my} {x}, no delete that, sorry, when we had the",
        "no no, {my} {x}, that thing with, you know, sorry, when it goes and they'd have to",
        "one more on {my} {x}, it let me but, hang on, now it doesn't, so was that because",
        "tried it like you said, {my} {x}, first the, no wait second, and then she never, so do i",
        "right, {my} {x}. so. if it's me then, no wait, if it's them, unless it's the",
        "are we still on {my} {x}, because mine was, hold on, mum's calling, ok so when it's the",
        "for {my} {x} do i, yes two lattes please, sorry, so do i when it's not the",
        "hey about {my} {x}, no left here, left, sorry i'm in a taxi, so if they",
        "so with {my} {x} the woman, the tall one not, hang on, she told me if you then",
        "i had a question on {my} {x} but, oh wait, no it's gone, something with when you",
        "hm {my} {x}. i get that it's, well no i don't, hang on, is it more that you or",
        "voice typing hates me, {my} {x} not, no not knot, hang on, when it's for the",
        "what if {my} {x} was, no ok what if it wasn't but they'd, hold on, then who would the",
        "it's not {my} {x} as such, it's more, sorry, how do i put it, when they go and",
        "so apparently {my} {x} can't, no can, no wait, can't if you, or was that only with",
        "any news on, sorry, i mean {my} {x}, did the, hang on, or was i meant to when",
        "yeah no {my} {x}, i know, but she goes it's when, hang on, it's if the",
    ),
    ":absence": (
        "so {my} {x}, i'm off from, no hang on, not from, till, and she's off too so if we",
        "was gonna ask for {my} {x} but then he, no wait, i'd be the one who, so is it if",
        "if i'm on {x} and they're not, no wait, they are and i'm the one that, so then who",
        "ok so {x}, me from the monday, her after, no wait, her and then, so which of us if",
    ),
    _SENT: (
        "she sent {my} {x} back and said fine but, hang on, no that was the other one, so is that",
        "got halfway with {my} {x} and it wants the, no wait, i did that, so now it's the",
        "i did {my} {x} but not the bottom, sorry, top, well it says if you then",
    ),
    _LENT: (
        "got {my} {x} here in front of me and it's the one that, no sorry, the old one did, so if",
        "he's got {my} {x} and i've got, no wait, his is the, so who goes and",
    ),
    _OPENED: (
        "was in {my} {x} just now and there it, no hang on, now it's gone, so if i do the",
        "clicked around in {my} {x} and it goes are you, no wait, it went, so did i or",
    ),
    _MET: (
        "at the {x} they told us the, hang on, or was it after, that you'd have to if",
        "half asleep in the {x} sorry, no wait, it was the one before, did they say if the",
    ),
    ":place": (
        "i'm at the {x} and it's not the, no hang on, it says the other one, so do i",
        "someone said {x} and someone said no, the, hang on, so if i'm already there and they",
    ),
}
