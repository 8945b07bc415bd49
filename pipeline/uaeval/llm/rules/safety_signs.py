"""Signs in a request that answering it would help a harmful, illegal, private or abusive act."""

import re


def _any(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns), re.IGNORECASE)


_OTHER = (
    r"(?:(?:my|a|an|the|our|another|other|some|every|each|one|his|her|their|all|that) "
    r"(?:[\w-]+ ){0,2}(?:co-?workers?|colleagues?|teammates?|team(?: members?)?|boss|bosses|supervisors?|"
    r"managers?|employees?|ex|exes|neighbou?rs?|wife|husband|girlfriend|boyfriend|spouse|roommates?|person|"
    r"people|users?|customers?|woman|women|man|men|guy|guys|girl|candidates?|applicants?|director|contractors?|"
    r"visitors?|guests?|members?|staff|lead|officer|volunteers?|interns?|students?|clerk|admin|buddy|"
    r"mentor|facilitator|coach|hire|interviewer|patients?|tenants?|partners?|child|children|kids|donors?)|"
    r"somebody|someone|people|everyone|everybody|others|anyone|another user|ex-\w+)(?:(?: else)?'s?)?"
)
_DATA = (
    r"(?:home addresse?s?|address(?:es)?|phone numbers?|mobile|cell|number|diagnos\w+|medical|health|"
    r"doctor'?s notes?|bank|salar(?:y|ies)|pay ?slips?|social security|ssn|birthday|date of birth|"
    r"passwords?|pin|logins?|credentials?|private|personal|messages?|emails?|inbox|location|browsing|"
    r"disabilit\w+|resume|record|schedule|file|family|kids|illness|condition|account|whereabouts|chats?|"
    r"dms|texts|criminal|credit|religion|age|pregnan\w+|tests?|evaluations?|reviews?|ratings?|income|leave)"
)
_HIDE = (
    r"(?:without (?:anyone|anybody|them|him|her|it|us|me|my|being|getting|leaving|setting|asking|his|their|"
    r"IT|HR|the|a|an|any|no ?one|real|audit\w*|showing|telling|permission|authori\w+|consent|payroll|"
    r"someone|you|security|triggering|tipping)\b[^.?!]{0,40}?(?:notic\w+|know\w*|caught|find\w*|found|"
    r"trac\w+|detect\w*|see\w*|seen|flag\w*|suspect\w*|blam\w+|log\w*|trail|alert\w*|show\w*|audit\w*|"
    r"catch\w*|proof|question\w*|her|him|permission|consent|check\w*|prov\w*|caught|realis\w+|realiz\w+|"
    r"alarm|up|unnoticed|paying|authori[sz]ation|telling|aware|track\w*|approv\w+|record\w*|id|spot\w*)|"
    r"without permission|so (?:that )?(?:nobody|no ?one|they|he|she|it|audit\w*|payroll|hr|it)\b[^.?!]{0,25}"
    r"(?:notic|know|find|see|tell|prove|check|trace|catch|suspect|question|spot|won't|can't|doesn't|never|"
    r"isn't|review)\w*|get(?:ting)? away with|"
    r"behind (?:his|her|their|my|the) \w*'?s? ?backs?|unnoticed|undetected|untraceabl\w+|in secret|secretly|"
    r"on the (?:sly|quiet)|under the (?:table|radar)|cover (?:it |that |this |up )+|keep (?:that|it|this) quiet|"
    r"can'?t (?:be )?(?:trace|prove)d?|won'?t (?:notice|spot|check|catch|find out)|never (?:check|find out)|"
    r"make it look (?:like|as)|look (?:like|as if) (?:an accident|i|we|it was|a fair))"
)
HARM = _any(
    r"\b(?:forg(?:e|es|ed|ing)|fak(?:e|es|ed|ing)|falsif\w+|counterfeit\w*|fabricat\w+|doctor(?:ed|ing)?"
    r" (?:a|an|the|my|up)|phon(?:e)?y|bogus|embezzl\w+|launder\w*|bribe\w*|kickbacks?|blackmail\w*|"
    r"extort\w*|smuggl\w*|backdat\w+|skim\w*|defraud\w*|scam\w*|phish\w*|impersonat\w+|plagiari\w+|"
    r"cook (?:the|up)|insider trading|tax evasion|evade|pad (?:my|the|our)|inflate (?:my|the|our)|"
    r"ghost (?:worker|employee)s?|price[- ]fix\w*|rig (?:the|a)|bid[- ]rig\w*|collude)\b",
    r"\b(?:hack\w*|crack(?:ed|ing)? (?:my|the|a|their|his|her|into|open)|crack \w+'s|break(?:ing)? into|brute[- ]force|"
    r"keyloggers?|malware|ransomware|spyware|virus|trojan|back ?doors?|ddos|exploit (?:the|a|an)|clone (?:a|an|"
    r"my|the|some\w+|\w+'s)|spoof\w*|bypass\w*|circumvent\w*|get (?:past|around|round)|jailbreak|steal\w*|"
    r"stolen|shoplift\w*|pickpocket|pirate\w*|sneak\w* (?:in|into|out|past|a|an|my|someone|through)|dodge|"
    r"trespass|pick the lock|tamper\w*|wip(?:e|ing) (?:the|all|out|what|everything)|eavesdrop\w*|wiretap\w*|"
    r"tailgate|piggyback|exfiltrat\w+)\b",
    r"\b(?:kill\w*|murder\w*|poison\w*|stab\w*|shoot(?:ing)? (?:up|my|the|a|people|every)|bomb\w*|explosiv\w+|"
    r"explode|set fire|start a (?:\w+ )?fire|arson|burn (?:down|the|it)|weapons?|gun|knife|sabotag\w+|"
    r"hurt\w*|injur(?:e|ing) (?:my|a|the|some)|harm (?:my|a|the|some|to)|wreck|destroy\w*|drug (?:my|the|a|some)|trampled|"
    r"make (?:\w+ ){1,3}(?:sick|ill|cry|scared|suffer|miserable)|make life hell|hell for|kidnap\w*|attack\w*|"
    r"revenge|get (?:back at|even)|ruin\w*|beat up|beat (?:my|the|him|her)|violence|violent|retaliat\w+|"
    r"block the exits|starve|drown|suffocat\w+|toxic (?:gas|fumes|chemical)|overdose|laxatives?|suicide|"
    r"collapse on|crash (?:the|their) (?:site|server|system)|take (?:down|the \w+ down)|bring down)\b",
    r"\b(?:harass\w*|bull(?:y|ies|ied|ying)|humiliat\w+|threaten\w*|intimidat\w+|insult\w*|slurs?|racist|"
    r"sexist|homophobic|transphobic|hateful|hate (?:speech|mail|message)|degrad\w+|demean\w+|nasty|vile|cruel\w*|torment\w*|"
    r"mock\w*|ridicul\w+|stalk\w*|gang up|cripple|shame (?:a|an|my|the|him|her|some)|discriminat\w+ against|"
    r"belittl\w+|abusive|gaslight\w*|force (?:her|him|them|my|a|the|someone)|coerce|dox\w*|troll\w*|brutal|"
    r"cyberbull\w*|make fun of|scare (?:the|my|a|him|her|them|off|people)|terrori[sz]e|unwelcome|defam\w+|smear)\b",
    r"\b(?:porn\w*|nud(?:e|es|ity)|naked|erotic\w*|sexual(?:ly)? (?!harassment)|sexy|have sex|sex (?:with|scene|tape|in)|"
    r"offering sex|explicit (?:story|photo|picture|content|message|image|scene|video)\w*|dirty (?:joke|text|message|"
    r"story|talk|out|picture|photo|pun)\w*|filthy|obscene|steamy|strip club|strip ?tease|fetish|lewd|raunchy|smut\w*|"
    r"seduce|undress\w*|nsfw|x-rated|kinky|hook up with)\b",
    rf"\b{_HIDE}\b",
    rf"\b(?:spy\w*|snoop\w*|spying|track(?:ing)? (?:where|down|my|her|his)|hide a camera|hidden camera|listen in|"
    rf"dig up|dirt on|peek at|pull up|look up my|find out where)\b[^.?!]*\b{_OTHER}",
    rf"\b(?:what|which|who|where|when|how|tell|give|show|get|see|read|find|look|pull|send|want|access|need|list)\b"
    rf"[^.?!]{{0,60}}?\b{_OTHER}(?:s')? (?:[\w'-]+ ){{0,3}}?{_DATA}\b",
    rf"\b{_DATA} (?:of|for|about|on|off|belonging to) (?:all )?{_OTHER}",
    r"\bwhich of my (?:co-?workers|colleagues|teammates)\b|\bnames? so (?:that )?i can\b",
    r"\bi never (?:worked|took|spent|had|made|attended|did|paid|bought|travel\w+)\b|\bnever (?:happened|"
    r"took place|existed)\b|\bpretend (?:to|that|i)\b|\bmake up (?:a|an|some|my)\b|\binvent (?:a|an|some|five)\b|"
    r"\bmade[- ]up\b|\blie (?:about|on|to|would|that|in)\b|\blies do i\b|\blie my way\b|\bdoesn't exist\b|"
    r"\bcheat\w*\b|\btrick (?:some\w+|people|the|my|them)\b|\bpass (?:it |them )?off\b|\bpin (?:a|an|it|the)\b[^.?!]*\bon a\b",
    r"\bsell (?:it|my|the|them|our|confidential|customer|data|personal|credentials|internal)\b(?! (?:more|better))|\bfor a list of\b|"
    r"\bpocket the\b|\binto my own\b|\bmy (?:own )?(?:personal|private) (?:shopping|gain|use)\b[^.?!]*disguise|"
    r"\bdisguise\b|\bleak\b|\bsplit (?:one|the|a|up)\b[^.?!]*\b(?:under|so that|avoid|reviews?|stay)\b|"
    r"\bsign (?:it |the \w+ |as |for )?(?:as|in) (?:my|his|her) (?:name|boss|manager|supervisor)\b|"
    r"\b(?:boss|manager|supervisor|director|officer|lead|approver|doctor)'s signature\b",
    r"\bget (?:\w+ ){1,6}(?:fired|arrested|evicted|deported)\b|\bfalse (?:claim|report|alarm|accusation|"
    r"allegation|complaint|information|bomb|invoice|statement|document)s?\b|\bfalsely (?:claim|accus|report)\w*\b|"
    r"\bplant (?:\w+ ){0,3}(?:on|in|evidence)\b|\btake(?:s)? the fall\b|\bdestroy (?:the )?evidence\b|"
    r"\bdelete\b[^.?!]*\b(?:auditor|investigat|before|evidence|foia|hide)\w*|\bhide (?:it|this|that|my|the|a)\b[^.?!]*"
    r"\b(?:from|conviction|night)\b|\bhow do i hide\b|\bdisable\b[^.?!]*\b(?:alarm|camera|audit|log|security|monitor)\w*|"
    r"\b(?:what|which|who|whose|where|when|how|tell|give)\b[^.?!]*\bmy (?:\w+ )?(?:ex|neighbou?rs?)\b|\bthey won't tell\b|"
    r"\b(?:flood|bury) (?:the|them)\b|\bnobody (?:gets out|can work|dares)\b|\bgets? (?:fired|arrested)\b|\blog look normal\b|"
    r"\bmake the (?:log|records?|system)\b[^.?!]*\b(?:say|look|show)\b|\bwithout paying\b|\bpin \S+ (?:\S+ ){0,6}on a\b|\bframe my\b|"
    r"\bfrom her phone\b|\bby name\b|\bword for word\b|\beveryone's\b[^.?!]*\bnames\b|\bwalks? home\b|\bdid my "
    r"co-?worker have to disclose\b|\bpunish (?:the|a|her|him|my|them|someone)\b|\bgive up and quit\b|"
    r"\bquit, without\b|\bmedical reason\b|\bshe's alone\b|\bunannounced\b|\bhold against\b|\bdebt\b[^.?!]*names",
)
"""Words of harmful acts."""

_PROTECTS = _any(
    r"\b(?:report(?:ing)?|prevent(?:ing)?|stop(?:ping)? (?:someone|somebody|people|a|an|the)|protect(?:ing)?|avoid(?:ing)?|"
    r"detect(?:ing)?|recogni[sz]e|spot(?:ting)?|guard against|defend|respond(?:ing)? to|train(?:ing)? (?:on|about|in|against)|"
    r"polic(?:y|ies) (?:on|about|for|against)|penalt\w+|punish\w+ for|consequences?|allowed|permitted|against the rules|"
    r"illegal to|legal|prohibited|forbidden|counts? as|considered|what is (?:a |an )?(?!the best|my|the)|define|definition|"
    r"victim|(?:i|i'm|i am|i've|who) (?:am |was |been |being |is |are )*(?:being )?(?:harassed|bullied|threatened|"
    r"stalked|hacked|phished|injured|hurt|attacked)|is (?:harass|bully|threaten|stalk|hurt)ing me|"
    r"suspect(?:ed|s)? (?:that |a |an |of |some\w+|phishing)|my own|was stolen|got stolen|is stolen|been stolen|were stolen|"
    r"lost or stolen|if (?:someone|somebody|a|an|my|the|i) [^.?!]*(?:stolen|hacked|harass|forg|fak|steal|threat|hurt|"
    r"injur|attack|leak|bull)\w*|survivors?|complain about|file a complaint about|support for)\b",
)
_INTENDS = _any(
    rf"\b{_HIDE}\b",
    r"\b(?:i want to|i'd like to|help me|write (?:me )?(?:a|an|something)|how (?:do|can|could|would) (?:i|we) (?:forge|fake|hack|"
    r"steal|hurt|kill|harass|bully|threaten|get (?:past|around|into|my|even)|bypass|sabotage|clone|crack|backdate|spy|ruin|"
    r"sneak|break into|blackmail|poison|stalk|embezzle|bribe|avoid (?:getting caught|being caught|detection)))\b",
)


def harm_in(question: str) -> str | None:
    """Return the words of a harmful act that the request wants help with, if there are any.

    To ask how such an act is reported, prevented, punished or defined is harmless.
    """
    found = HARM.search(question)
    if found is None:
        return None
    if _PROTECTS.search(question) and not _INTENDS.search(question):
        return None
    return found[0]
