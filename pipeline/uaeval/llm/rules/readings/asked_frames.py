"""Frames of plain statements: what is said of something, and which words answer."""

import re

from uaeval.llm.rules.readings import askers

_N = (
    r"(?:\d[\d,.]*|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|"
    r"twenty|thirty|forty|fifty)"
)
_MONEY = (
    rf"(?:[$£€]\s?\d[\d,]*(?:\.\d+)?(?: ?(?:million|thousand))?(?![\d.]*\d)|{_N} (?:dollars|"
    r"pounds|euros|pence|cents))"
)
_UNIT = (
    r"(?:(?:business|calendar|working|work|school|full|consecutive|billable|credit) )?"
    r"(?:seconds?|minutes?|hours?|days?|weeks?|months?|years?|pay periods?)"
)
_BOUND = (
    r"(?:up to|at least|at most|a maximum of|a minimum of|no more than|no less than|about|around|"
    r"approximately|only|exactly|more than|less than)"
)
_SPAN = rf"(?:{_BOUND} )?{_N}(?: to {_N}|-{_N}| or {_N})? {_UNIT}"
_S = (
    r"(?P<s>(?!(?:This|These|That|Those|It|They|He|She|There|Here|You|We|I)\b)[A-Z][\w'’&/ "
    r"-]{2,75}?)"
)
_LEAD = r"(?:(?P<lead>(?:In|On|At|For|During|From|After) [\w'’ -]{2,40}),? (?=[a-zA-Z]))?"
_TAIL = r"(?P<t>(?: [^,;.:()]+)?)(?:[,;][^.]*)?\."
_PERSON = r"(?P<a>[A-Z][a-z'’-]+(?: [A-Z][a-z'’-]+){1,2})"
_REACH = (
    r"(?P<a>(?:extension \d+|[\w.+-]+@[\w.-]+\w|#[\w-]+|(?:the )?#[\w-]+ (?:Slack )?channel)"
    r"(?: or (?:extension \d+|[\w.+-]+@[\w.-]+\w|#[\w-]+))?)"
)
_CLOCK = r"\d{1,2}(?::\d\d)?\s?(?:[ap]\.?m\.?)?"


_VBN = r"(?P<vbn>[a-z-]+(?:ed|en|ld|pt|nt|un|id|ne|ft|ut|lt|ght|own|awn|ade|ead))"
_BE = r"(?P<be>is|are|was|were)"
_MODAL = r"(?P<modal>must|can|may|should)"
_WHEN = r"(?P<when>in advance|ahead|before [^,;.]+)"
_WRITTEN: tuple[tuple[str, str, askers.Maker], ...] = (
    (
        "cost",
        rf"{_S} (?P<v>costs?) (?P<a>{_MONEY}(?: (?:an?|per|for) [^,;.]+?)?)(?= and |[,;.]).*",
        askers.cost,
    ),
    (
        "due",
        rf"An? (?P<what>(?:[\w-]+ )?(?:deposit|fee|fine|charge|charges)) of (?P<a>{_MONEY}) "
        rf"(?:is|was) (?P<for>(?:due|charged|taken|required|payable)[^,;.]*)[,;.].*",
        askers.due,
    ),
    ("duration", rf"{_S} (?P<v>lasts?|takes?|lasted|took) (?P<a>{_SPAN}){_TAIL}", askers.lasts),
    (
        "duration",
        rf"{_S} {_BE} (?P<adj>valid|open|kept|lent|available|stored|held|good|granted|"
        rf"loaned|retained|saved|paid) for (?P<a>{_SPAN}){_TAIL}",
        askers.state_for,
    ),
    (
        "duration",
        rf"{_S} (?P<be>remain|remains) (?P<adj>valid|open|available) for "
        rf"(?P<a>{_SPAN}){_TAIL}",
        askers.remains,
    ),
    ("duration", rf"{_S} {_MODAL} be {_VBN} for (?P<a>{_SPAN}){_TAIL}", askers.can_be_for),
    (
        "often",
        rf"{_S} (?:(?P<must>has to be|have to be|must be|need to be|needs to be)|{_BE}) {_VBN} "
        rf"(?P<a>every {_N} {_UNIT}|every (?:year|month|week|quarter|day)){_TAIL}",
        askers.often,
    ),
    ("replaced", rf"{_S} {_BE} {_VBN} (?P<a>after {_SPAN}){_TAIL}", askers.replaced),
    (
        "advance",
        rf"{_LEAD}{_S} {_MODAL} (?P<vp>[a-z][\w' -]+?) (?P<a>(?:(?:at least|up to|no later "
        rf"than|about) )?{_N} {_UNIT}) {_WHEN}(?:[,;][^.]*)?\.",
        askers.advance,
    ),
    (
        "within",
        rf"{_S} {_MODAL} (?P<vp>[a-z][\w' -]+?) (?P<a>within {_N} {_UNIT})"
        rf"(?: (?:of|after) (?P<of>[^,;.]+))?(?:[,;][^.]*)?\.",
        askers.within,
    ),
    (
        "within",
        rf"{_S} {_BE} (?P<vbn>[a-z]+ed|paid|sent|given|made) (?P<a>within {_N} {_UNIT})"
        rf"(?: (?:of|after) (?P<of>[^,;.]+))?(?:[,;][^.]*)?\.",
        askers.within_is,
    ),
    (
        "offset",
        rf"{_S} (?P<v>is|are|closes?|opens?|ends?|starts?) (?P<a>{_N} {_UNIT}) "
        rf"(?P<when>(?:before|after) [^,;.]+)(?:[,;][^.]*)?\.",
        askers.offset,
    ),
    (
        "length",
        rf"(?P<s>The [\w' -]*(?:period|term|limit|break|leave|loan|shift|time|course)"
        rf"(?: (?:for|of|at|in) [\w' -]+)?) {_BE} (?P<a>{_SPAN}){_TAIL}",
        askers.length,
    ),
    (
        "count",
        rf"{_S} (?P<v>has|have|had|receives?|gets?|earns?|accrues?|holds?|contains?|includes?|"
        r"carry|carries|"
        rf"seats?) (?P<a>(?:{_BOUND} )?{_N}) (?P<noun>[a-z][a-z'-]*(?: [a-z'-]+){{0,3}}?)"
        rf"(?P<t>(?: (?:a|an|per|each|every|at|in|for|of|when|to|on|over) [^,;.]+)?)"
        rf"(?: and [^.]+|[,;][^.]*)?\.",
        askers.count,
    ),
    (
        "count",
        rf"There are (?P<a>(?:{_BOUND} )?{_N}) (?P<noun>[a-z][a-z'-]*(?: [a-z'-]+){{0,3}}?) "
        rf"(?P<where>(?:at|in|on|beside|for) [^,;.]+)(?:[,;][^.]*)?\.",
        askers.there_are,
    ),
    (
        "count",
        rf"(?P<a>No more than {_N}|Up to {_N}|At least {_N}|At most {_N}) (?P<noun>[a-z'-]+(?: "
        r"[a-z'-]+)?) "
        rf"{_MODAL} (?P<vp>[^,;.]+)(?:[,;][^.]*)?\.",
        askers.at_most,
    ),
    (
        "person",
        rf"(?P<s>(?:The|Your|Our) [\w' -]{{3,60}}?) is {_PERSON}(?:[,.]| and ).*",
        askers.who_is,
    ),
    (
        "person",
        rf"{_S} (?:is|are) (?P<vbn>run|led|headed|managed|owned|handled|issued|organi[sz]ed|"
        r"approved|granted|decided|booked|maintained|supervised|overseen|administered|made|"
        r"answered|"
        r"coordinated) by (?P<a>(?:the |your )?[\w' &-]+?)(?P<more>)(?:,[^.]*| (?:and|who|at|"
        r"in|on|under|for) [^.]*)?\.",
        askers.who_does,
    ),
    (
        "reach",
        rf"{_S} (?:can|may) be (?:reached|contacted) (?:on|at|by|in|via|through) (?:the "
        rf")?{_REACH}.*",
        askers.reach,
    ),
    (
        "extension",
        rf"{_PERSON.replace('?P<a>', '?P<name>')}, (?P<role>the [\w' -]+), is on "
        r"(?P<a>extension \d+).*",
        askers.extension,
    ),
    (
        "send",
        rf"{_S} (?:should|must|can|may) (?:go|be sent|be emailed|be submitted|be addressed|be "
        rf"directed) to {_REACH}.*",
        askers.send,
    ),
    (
        "open",
        rf"{_S} {_BE} (?P<adj>open) (?P<a>(?:every|from|between|on|daily|Monday|Tuesday|"
        r"Wednesday|Thursday|Friday|Saturday|Sunday|24)[^;.]+?)\.",
        askers.is_open,
    ),
    (
        "starts",
        rf"{_S} (?P<v>starts?|begins?|ends?|closes?|opens?) (?P<a>at {_CLOCK}(?: and {_CLOCK})?)"
        rf"{_TAIL}",
        askers.starts,
    ),
    (
        "starts",
        rf"{_S} (?P<modal>must|should) (?P<vp>end|start|begin|finish|stop) (?P<a>at "
        rf"{_CLOCK})(?:[,;][^.]*)?\.",
        askers.must_end,
    ),
    (
        "held",
        rf"{_S} {_BE} (?P<vbn>held|kept|located|taught|stored|booked|collected|found|hosted|"
        r"requested|issued|parked|"
        r"displayed) (?P<a>(?:at|in|on|inside|beside|behind|next to) (?:the |your )?[\w' "
        r"/&.@-]+?)(?:,[^.]*)?\.",
        askers.held,
    ),
    (
        "ages",
        rf"{_S} {_BE} (?:meant |suitable |designed )?for (?P<a>ages {_N} to {_N})(?:[,;][^.]*| "
        r"and [^.]*)?\.",
        askers.ages,
    ),
    ("age", rf"{_S} must be (?P<a>at least {_N} years old)(?:[,;][^.]*)?\.", askers.age),
    (
        "rate",
        r"(?P<s>The [\w' -]*(?:rate|price|limit|fee|deposit|maximum|minimum|threshold|"
        r"allowance|salary|fine|"
        rf"budget|cap|charge)(?: (?:for|of|on|at|in) [\w' -]+?)?) {_BE} (?P<a>(?:{_BOUND} "
        rf")?(?:{_MONEY}|\d[\d.,]* ?%|{_N} [a-z]+)"
        rf"(?: (?:an?|per) [\w' -]+?)?)(?: in [^,;.]+)?(?:[,;][^.]*)?\.",
        askers.rate,
    ),
    (
        "refunded",
        rf"{_S} {_BE} (?P<vbn>refunded|reimbursed|paid|covered) (?P<a>up to {_MONEY}(?: an? \w+)?)"
        rf"(?: in [^,;.]+)?(?:[,;][^.]*)?\.",
        askers.refunded,
    ),
)
FRAMES = tuple((name, re.compile(pattern), make) for name, pattern, make in _WRITTEN)
"""Kind of statement, its pattern, and what makes the question; the first that fits wins."""
