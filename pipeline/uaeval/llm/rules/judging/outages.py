"""Whether a whole response is the message of a broken service: neither an answer nor a refusal."""

import re

_CURLY = str.maketrans({"’": "'", "‘": "'", "\u00a0": " "})
_PAGE = re.compile(r"\s*<(?:!doctype html|html|head|center|h1)\b", re.IGNORECASE)
_TAG = re.compile(r"<(style|script)\b.*?</\1>|<[^>]*>", re.IGNORECASE | re.DOTALL)
_NO_TEXT = re.compile(
    r"null|undefined|nan|\[object object\]|[\[{\"']\s*[\]}\"']|"
    r"\{\s*\"(?:error|errors|detail|fault)\"\s*:.*\}|traceback \(most recent call last\).*",
    re.IGNORECASE | re.DOTALL,
)
_CUT = re.compile(
    r"(?:[.!?;:]+|\s[-–—])(?:\s+|\Z)|\n+|,?\s+(?=(?:so |and )?(?:please |kindly )?"
    r"(?:try|retry)\b)|,\s*(?=please\b)",
    re.IGNORECASE,
)
_LEAD = re.compile(
    r"^(?:(?:(?:i'm|i am|we're|we are) (?:so |very |really |terribly )?sorry|sorry|apologies|"
    r"my apologies|oops|unfortunately|uh[- ]oh|whoops)\b[\s,]*(?:but |that |about that\b)?"
    r"|error\b[\s,]+)\s*",
    re.IGNORECASE,
)

_OURS = (
    r"(?:(?:the|our|this|your) )?(?:\w+ )?(?:service|server|system|site|website|assistant|chatbot|"
    r"bot|model|api|endpoint|backend|engine|application|app|upstream)s?"
)
_NOW = r"(?: (?:right now|at (?:the|this) moment|at this time|currently|temporarily))?"
_REASON = (
    r"(?: (?:due to|because of|for) (?:\w+ )?(?:maintenance|high (?:demand|load|traffic)|overload|"
    r"(?:technical |internal |server |unexpected )+(?:difficulties|errors?|problems?|issues?)))?"
)
_WHILE = (
    r"(?: (?:while|when|during|processing|generating|handling|on (?:our|the server)|"
    r"with your request|connecting)\b.*)?"
)
_KIND = r"(?:\w+ ){0,2}(?:error|exception|problem|issue|failure)s?"


def _whole(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns), re.IGNORECASE)


_FAULT = _whole(
    r"(?:(?:http|error|status|code) ?)*(?:[45]\d\d )?(?:bad gateway|(?:internal )?server error|"
    r"service (?:temporarily )?unavailable|gateway time-?out|too many requests)(?: error)?",
    r"(?:(?:http|error|status|code)(?:[ /]\d\.\d)? ?)+[45]\d\d(?: [a-z ]{3,30})?",
    r"[45]\d\d (?:unauthorized|forbidden|not found|bad request|error|request time-?out)",
    rf"{_OURS} (?:is|are|was) (?:\w+ly )?(?:un|not )(?:available|reachable|responding)"
    rf"{_NOW}{_REASON}",
    rf"{_OURS} (?:is|are|was) (?:\w+ly )?(?:down|overloaded|busy|offline|out of service|"
    rf"under maintenance|over capacity)(?: with other requests)?{_NOW}{_REASON}",
    rf"(?:{_OURS} is|we(?:'re| are)) (?:currently )?experiencing (?:technical|high|an outage|"
    r"issues|problems|server|heavy)\b.*",
    r"(?:(?:the|your|this|api|http) )*(?:request|connection|operation|query|call|response|server|"
    r"read|it)s? (?:has |have )?(?:timed out|time-?out|was aborted|(?:was )?reset(?: by peer)?|"
    rf"was refused|refused|error)(?: (?:after|while) .*)?{_NOW}",
    r"(?:your|the) (?:request|query) (?:failed|(?:could not|couldn't|cannot|can't) be "
    r"(?:processed|completed|handled)) (?:right now|at (?:the|this) (?:moment|time)|due to .*)",
    r"time-?out(?: error| exceeded)?|(?:the )?deadline exceeded",
    r"(?:\w+ )?(?:rate[- ]?limit|quota|usage limit)s? (?:has been |have been |was |is )?"
    r"(?:exceeded|reached|hit)(?: (?:for|by|on) .*)?",
    r"you(?:'ve| have)? (?:exceeded|reached|hit) your (?:current |\w+ )?(?:quota|rate[- ]?limit)"
    r"\b.*",
    rf"something (?:went|has gone|seems to have gone) wrong(?: on our (?:end|side))?{_WHILE}",
    rf"(?:an?|some) {_KIND} (?:has |have )?(?:just )?(?:occurred|happened){_WHILE}",
    rf"(?:there (?:was|has been)|(?:i|we)(?:'ve| have)? (?:encountered|ran into|run into|hit)) "
    rf"(?:an?|some) {_KIND}{_WHILE}",
    r"(?:i'm|i am|we're|we are) having (?:trouble|problems|issues) (?:connecting|responding|"
    r"processing|reaching)\b.*",
    r"(?:unexpected|unknown|internal|network|connection|system|server|runtime)(?: \w+)? error",
    r"(?:(?:i|we) )?(?:could not|couldn't|cannot|can't|failed to|was unable to|unable to) "
    r"(?:connect to|reach|contact) (?:the|our) (?:\w+ )?(?:service|server|system|model|backend|"
    r"database|api|endpoint|engine)(?: .*)?",
    r"no response (?:was )?(?:received )?from (?:the )?(?:\w+ )?(?:service|server|model|api|"
    r"upstream|backend)",
)
"""By itself the message of a broken service."""

_STALL = _whole(
    r"",
    r"(?:i|we)(?:'m| am|'re| are)? (?:unable to|not able to|can ?not|can't|could not|couldn't) "
    r"(?:respond|answer|(?:process|complete|handle) (?:your|this|the) request|help you)"
    r"(?: (?:right now|at (?:the|this) (?:moment|time)))?",
    r"(?:your|the) (?:request|query) (?:failed|(?:could not|couldn't|cannot|can't) be "
    r"(?:processed|completed|handled))",
)
"""The message of a broken service if it asks to try again."""

_RETRY = re.compile(
    r"(?:so |and )?(?:please |kindly )?(?:try|retry)(?: (?:again|later|your request|the request|"
    r"in|after|an?|few|couple|of|some|time|moments?|minutes?|seconds?|\d+|shortly|soon|"
    r"once more|sending))*",
    re.IGNORECASE,
)
_FILLER = _whole(
    r"so|and|please|kindly|error(?: code)?|(?:http )?[45]\d\d",
    r"(?:please )?check your (?:plan|billing|connection|internet)\b.*",
    r"(?:we(?: sincerely)? apologi[sz]e|i apologi[sz]e|sorry|apologies)"
    r"(?: for (?:the|any|this) (?:\w+ )?(?:inconvenience|delay|trouble))?",
    r"for (?:the|any|this) (?:\w+ )?inconvenience",
    r"(?:if (?:the|this) (?:problem|issue|error)s? (?:persists?|continues?),? ?)?"
    r"(?:please )?contact (?:\w+ ){0,3}(?:support|administrator|team|desk)(?: .*)?",
    r"if (?:the|this) (?:problem|issue|error)s? (?:persists?|continues?).*",
    r"(?:thank you|thanks) for your (?:patience|understanding)",
    r"we(?:'re| are) working (?:on|to) .*",
    r"(?:request|reference|trace|ray|error|incident) ?(?:id|code|number)?[ #]*[\w-]*\d[\w-]*",
    r"(?:nginx|apache|openresty|cloudflare)[/\d. \w()-]*",
)


def is_outage(response: str) -> bool:
    """Say whether all of `response` is the message of a broken service.

    An answer that speaks of an outage among other things is not.
    """
    text = response.translate(_CURLY).strip()
    if _NO_TEXT.fullmatch(text):
        return True
    page = bool(_PAGE.match(text))
    pieces = [piece.strip(" \t\"'`*#.,()") for piece in _CUT.split(_TAG.sub("\n", text))]
    said = [piece for piece in pieces if piece]
    if page:
        return any(_FAULT.fullmatch(piece) for piece in said)
    return bool(said) and _is_all_outage(said)


def _is_all_outage(pieces: list[str]) -> bool:
    kinds = [_kind(piece) for piece in pieces]
    if None in kinds:
        return False
    return _FAULT in kinds or {_STALL, _RETRY} <= set(kinds)


def _kind(piece: str) -> re.Pattern[str] | None:
    """Return the pattern that the whole of a piece fits, with or without an apology before it."""
    core = _LEAD.sub("", piece)
    fitting = (each for each in (_FAULT, _STALL, _RETRY, _FILLER) if each.fullmatch(core))
    return next(fitting, None) or (_FILLER if _FILLER.fullmatch(piece) else None)
