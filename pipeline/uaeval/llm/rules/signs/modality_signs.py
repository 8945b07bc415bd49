"""Signs in a request that it gives or wants something other than text."""

import re

_PICTURE = (
    r"(?:photos?|photographs?|pictures?|pics?|images?|screenshots?|screen ?grabs?|scans?|selfies?|"
    r"diagrams?|infographics?|posters?|flyers?|logos?|banners?|floor ?plans?|maps?|comic strips?|"
    r"cartoons?|drawings?|sketch(?:es)?|illustrations?|paintings?|icons?|portraits?|wallpapers?|"
    r"png|jpe?g|flowcharts?|charts?|graphs?|plots?|memes?|gifs?|qr codes?|blueprints?|heat ?maps?|"
    r"mock-?ups?|renderings?|visuals?|visuali[sz]ations?|collages?|storyboards?)"
)
_SOUND = (
    r"(?:audio(?: \w+)?|mp3s?|wav|podcasts?|recordings?|voice ?mails?|voice (?:memos?|notes?|"
    r"messages?|"
    r"clips?|over)|sound (?:clips?|files?|bites?)|sounds?|songs?|jingles?|melody|tunes?|ringtones?|"
    r"greetings?|dictation|soundtrack|audiobook|speech)"
)
_FILM = (
    r"(?:videos?|clips?|footage|movies?|films?|animations?|screen ?(?:recordings?|casts?|"
    r"captures?)|"
    r"walkthrough|live ?streams?|webcam|time-?lapse|trailer|reels?|cctv|animated \w+|explainer)"
)
_FILES = (
    r"(?:pdfs?|word (?:files?|documents?|docs?)|docx|excel(?: \w+)?|spreadsheets?|xlsx|csvs?|zips?|"
    r"power ?points?|pptx|decks?|slides?|calendar files?|\.?ics|vcards?|download(?:able)?"
    r"(?: \w+)?|e-?books?|epub|attachments?|log ?files?|files?|visio|json|xml|google (?:docs?|"
    r"sheets?)|"
    r"template file|backup)"
)
_ANY = rf"(?:{_PICTURE}|{_SOUND}|{_FILM}|{_FILES})"
_ASK = (
    r"(?:^|[,;:]\s+|\b(?:please|kindly|then|just|and|go ahead and|hey|hi|ok|okay|so|now)[ ,]+|"
    r"\b(?:can|could|would|will|can't|won't)\s+you\s+(?:please\s+|kindly\s+|also\s+|just\s+|"
    r"quickly\s+)?"
    r"|\b(?:need|want|like|ask|love) (?:for )?you to\s+|\bmind\s+)"
)


def _any(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns), re.IGNORECASE)


GIVEN = _any(
    rf"\b(?:here(?:'s| is| are)|this is|these are|i(?:'m|'ve| am|"
    rf" have)? (?:just )?(?:attach(?:ed|ing)?|"
    r"upload(?:ed|ing)?|past(?:ed|ing)|shar(?:ed|ing)|send(?:ing)?|sent|record(?:ed|ing)?|"
    r"film(?:ed|ing)|"
    r"photographed|snapped|took|drew|scanned|forward(?:ed|ing))|see the|got a|have a)\b"
    rf"[^.?!]{{0,50}}?\b{_ANY}\b(?! (?:requirement|polic|rule|format|upload|guideline))",
    r"\b(?:attached|uploaded|attaching|enclosed)\b(?! to (?:the|a|an)\b)",
    rf"\b(?:in|on|from|at|of|hear|look at|listen to|watch|read|open|with) (?:this|these|my) "
    rf"(?:\w+ ){{0,2}}{_ANY}\b",
    r"\b(?:this|these) (?:\w+ ){0,2}(?:photos?|pictures?|images?|screenshots?|selfies?|scans?|"
    r"voice ?mails?|voice \w+|clips?|videos?|recordings?|pdfs?|sketch|diagram)\b",
    r"\b(?:photo|picture|screenshot|recording|video|clip|file|scan|audio)s? (?:is |are )?"
    r"(?:attached|below|above|here|coming)\b",
    r"\bholding (?:my|the|it)\b[^.?!]*\bup to\b|\bcan you (?:hear|see) (?:this|that|the|it|me)\b",
    r"\bi (?:photographed|scribbled|snapped|filmed)\b|\blook at (?:this|my screen)\b",
    rf"\b(?:the|a|an) (?:\w+ ){{0,3}}{_ANY} (?:that )?(?:i|we) (?:just |have )?(?:took|made|sent|"
    rf"shot|recorded|filmed|"
    r"uploaded|attached|drew)\b|\bthere's a (?:\w+ ){1,3}recording\b|\bcan you (?:listen|watch)\b|"
    r"\blisten (?:in )?to\b[^.?!]*\band\b|^(?:please )?(?:listen|watch|look)\b",
)
"""Hands over something that is not text."""

WANTED = _any(
    rf"{_ASK}(?:draw|sketch|paint|illustrate|photograph|film|animate|sing|stream|broadcast|"
    rf"livestream|hum|whistle|play|beep|"
    r"pronounce)\b(?! (?:up|a role|by|on the idea))",
    rf"{_ASK}(?:show|send|give|get|make|create|generate|produce|design|build|render|put together|"
    r"cut together|record|turn|convert|export|find|pull up|display|need|plot|print|text|email|post|"
    rf"save|draft|prepare|share|upload|provide|edit|merge|fill (?:in|out)|"
    rf"put)\b[^.?!]{{0,90}}?\b(?:a|an|"
    rf"the|some|as|into|to|in|one|your|every|any|short|quick|with|own|me|of)?\s?(?:[\w-]+ ){{0,4}}?"
    rf"{_ANY}\b",
    rf"\bi(?:'d| would)? (?:need|want|like|love|prefer)\b[^.?!]{{0,60}}?\b{_ANY}\b",
    r"\b(?:out loud|aloud|with your voice|as speech|in a (?:\w+ ){1,3}voice|by voice|"
    r"spoken version)\b",
    r"\bshare your screen\b|\bscreen[- ]share\b|\bvideo[- ]?call\b|\bface ?time\b|"
    r"\bcome on camera\b",
    r"\bsay (?:it|them|that|my|the)\b[^.?!]*\b(?:so i can hear|back to me)\b|"
    r"\btalk me through\b[^.?!]*voice",
    rf"^{_ANY} (?:of|tour|showing)\b|\b(?:video|virtual|visual) tour\b",
    r"\bshow me (?:on|in) (?:a|the|my|street) (?:map|satellite|screen|view)\b|\bshow me what\b"
    r"[^.?!]*\blooks? like\b|\blet me (?:see|hear|watch)\b",
    rf"^(?:can|could|may) i (?:see|hear|watch|get|have|download)\b[^.?!]*\b{_ANY}\b",
    rf"{_ASK}(?:zip|download)\b|\bas (?:one|a) zip\b|\bdownload link\b",
)
"""Asks for something to be seen, heard, watched or downloaded."""

_WHEN = (
    r"(?:when(?:ever)?|as soon as|once|the (?:very )?(?:moment|minute|second|instant|day)|"
    r"every ?time|"
    r"each time|if|every|each|right away|straight away|immediately|before|until|ahead of|"
    r"(?:a|an|one|two|ten|five|\d+) (?:minutes?|hours?|days?|weeks?) before|daily|live)"
)
WATCHED = _any(
    rf"(?:^|[.,;:?!] |\b(?:you|please|and|then|just|or|also|to|me|will|so) )(?:notify|alert|ping|"
    rf"text|message|warn|nudge|buzz|remind|wake|email|e-mail|call|page|dm|"
    rf"push|shout|signal|beep)(?: me| us)?\b[^.?!]{{0,80}}?\b{_WHEN}\b",
    r"\b(?:tell|let) (?:me|us)(?: know)?\b[^.?!]{0,60}?\b(?:as soon as|the (?:very )?(?:moment|"
    r"minute|"
    r"second|instant)|whenever|every ?time|each time|right away|straight away|immediately)\b",
    r"\b(?:keep|keeps|keeping) (?:an eye|watch|watching|track|checking|refreshing|monitoring|"
    r"looking|"
    r"tabs|me (?:posted|updated)|nagging|following|pinging)\b",
    r"\b(?:monitor|watch|track|follow|poll|refresh|check)\b[^.?!]{0,80}?\b(?:and|then) (?:\w+ )?"
    r"(?:tell|let|text|message|ping|alert|warn|notify|shout|wake|email|call|flag)\b",
    r"\b(?:live (?:feed|updates?|view|ticker|counter|tracker|data|status|map)|real[- ]time|"
    r"stream the|"
    r"from now on|around the clock|push (?:message|notification)s? (?:me|for each|when))\b",
    r"\b(?:minute by minute|hour by hour|second by second|until i (?:tell|say|ask)|day and night|"
    r"constantly|continuously|in the background|"
    r"every (?:\w+ )?(?:minutes?|hours?|morning|evening|day) (?:and|until|for|from))\b|"
    r"^(?:please )?(?:track|monitor|watch|observe|poll)\b|"
    r"\bset (?:an?|up an?) (?:alarm|reminder|alert|timer|watch)\b",
    r"\blet me know when\b[^.?!]*\b(?:someone|somebody|anyone|anybody|changes?|frees? up|empties|"
    r"opens? up|"
    r"is ready|has been|comes? back|arrives?|lands?|goes (?:up|down|live)|gets?|drops?|my)\b",
)
"""Asks to watch, poll or notify."""

_DO = (
    r"(?:book|reserve|cancel|submit|send|e-?mail|forward|order|pay|reset|change|update|move|"
    r"reschedule|"
    r"sign me|register|enrol+|log (?:in|on|into)|add|delete|remove|post|call|ring|phone|print|lock|"
    r"unlock|restart|reboot|merge|push|approve|put (?:in|me|down|my|through)|enter|set up|"
    r"schedule|renew|"
    r"extend|transfer|turn (?:on|off|up|down|the)|switch|deactivate|activate|open|create|invite|"
    r"share|"
    r"assign|close|clear|join|take me|chase|escalate|upload|file|request|apply|buy|purchase|"
    r"install|"
    r"message|text|contact|arrange|charge|refund|return|go (?:in|into|ahead|to)|ship|mail|fax|sign|"
    r"connect|unsubscribe|subscribe|mark|rsvp|swap|enable|disable|block|copy|archive|rename|"
    r"check me)"
)
_MINE = r"\b(?:for me|for us|my|me|us|our|right now|this (?:week|afternoon))\b"
_WORDS_ONLY = (
    r"(?! me (?:the|a|an|some|any|all|more|your|this)? ?(?:[\w-]+ ){0,2}(?:link|list|summary|"
    r"steps?|"
    r"details?|information|info|address|number|rules?|names?|text|explanation|example|definition|"
    r"instructions?|overview|options?|answer)\b)"
)
DONE = _any(
    rf"^(?:please[ ,]+|kindly |hey,? |ok,? |so,? |now,? |just |go ahead and )*{_DO}\b{_WORDS_ONLY}"
    r"[^?]*[.!]?$",
    rf"\b(?:can|could|would|will) you (?:please |kindly |just |also |"
    rf"go ahead and )*{_DO}\b{_WORDS_ONLY}"
    rf"[^.?!]*{_MINE}",
    rf"\b(?:need|want|like) you to {_DO}\b|\bplease (?:go ahead and |just )?{_DO}\b{_WORDS_ONLY}",
    r"\b(?:on my behalf|in my place|in my name)\b",
    rf"\bi[^.?!]*[,;] (?:please |so )?{_DO}\b[^.?!]*{_MINE}",
)
"""Asks for something to be done in the world."""

_ABOUT = _any(
    r"^(?:and |so |but |hi,? |hey,? )?(?:how (?:do|can|should|would|to|many|much|long|often|far|"
    r"early)|"
    r"where|who|whom|whose|when|why|what|which|is|are|am|do|does|did|was|were|has|have|should|"
    r"must|may|"
    r"can (?:i|we|my|a|an|the|employees|anyone|someone)|could (?:i|we)|will (?:i|the|my)|"
    r"shall i)\b",
    r"\b(?:describe|explain|summari[sz]e|in (?:plain )?words|in writing|tell me (?:about|how|"
    r"what|whether|"
    r"if|where|who|which|why))\b",
)
"""Asks about something; words would do."""


def needs_other_form(question: str) -> str | None:
    """Return the words that show the need for another form than text, if there are any."""
    given = GIVEN.search(question)
    if given and not _how_to(question):
        return given[0]
    for sentence in re.split(r"(?<=[.?!])\s+", question):
        found = _wanted(sentence.strip())
        if found:
            return found
    return None


def _how_to(question: str) -> bool:
    """Say whether every sentence asks how to handle a picture or a file, with none at hand."""
    return bool(
        re.match(r"(?:how|where|who|when|why|do|does|should|must|can) (?:i|we|do|can|should|to)\b",
                 question, re.IGNORECASE)
    ) and not re.search(r"\b(?:this|here's|i've|attached)\b", question, re.IGNORECASE)  # fmt: skip


def _wanted(sentence: str) -> str | None:
    watched = WATCHED.search(sentence)
    if _ABOUT.match(sentence) and not re.match(
        r"(?:can|could|may) i (?:see|hear|watch)", sentence, re.I
    ):
        return None
    found = watched or WANTED.search(sentence) or DONE.search(sentence)
    return found[0] if found else None
