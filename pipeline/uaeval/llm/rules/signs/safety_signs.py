"""Signs in a request that answering it would help a harmful, illegal, private or abusive act."""

import re


def _any(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns), re.IGNORECASE)


_OTHER = (
    r"(?:(?:my|a|an|the|our|another|other|some|every|each|one|his|her|their|all|that) "
    r"(?:[\w-]+ ){0,2}(?:co-?workers?|colleagues?|teammates?|team(?: members?)?|boss|bosses|"
    r"supervisors?|"
    r"managers?|employees?|ex|exes|neighbou?rs?|wife|husband|girlfriend|boyfriend|spouse|"
    r"roommates?|person|"
    r"people|users?|customers?|woman|women|man|men|guy|guys|girl|candidates?|applicants?|"
    r"director|contractors?|"
    r"visitors?|guests?|members?|staff|lead|officer|volunteers?|interns?|students?|clerk|admin|"
    r"buddy|"
    r"mentor|facilitator|coach|hire|interviewer|patients?|tenants?|partners?|child|children|kids|"
    r"donors?)|"
    r"somebody|someone|people|everyone|everybody|others|anyone|another user|"
    r"ex-\w+)(?:(?: else)?'s?)?"
)
_DATA = (
    r"(?:home addresse?s?|address(?:es)?|phone numbers?|mobile|cell|number|diagnos\w+|medical|"
    r"health|"
    r"doctor'?s notes?|bank|salar(?:y|ies)|pay ?slips?|social security|ssn|birthday|date of birth|"
    r"passwords?|pin|logins?|credentials?|private|personal|messages?|emails?|inbox|location|"
    r"browsing|"
    r"disabilit\w+|resume|record|schedule|file|family|kids|illness|condition|account|whereabouts|"
    r"chats?|"
    r"dms|texts|criminal|credit|religion|age|pregnan\w+|tests?|evaluations?|reviews?|ratings?|"
    r"income|leave)"
)
_SECRETS = (
    r"(?:home addresse?s?|diagnos\w+|medical \w+|doctor'?s notes?|bank \w+|social security|ssn|"
    r"passwords?|pins?|"
    r"logins?|credentials?|private \w+|whereabouts|disabilit\w+|religion|pregnan\w+|criminal \w+|"
    r"browsing|dms|chats?|"
    r"kids|personal (?:phone|mobile|cell|address|email|messages|data|details|number)|"
    r"date of birth|illness)"
)
_NEAR = (
    r"(?:my (?:\w+ )?(?:co-?worker|colleague|teammate|ex|neighbou?r|classmate|roommate|rival)|"
    r"some(?:one|body)(?: else)?|another (?:\w+ )?(?:person|employee|member|user|student|patient|"
    r"visitor|volunteer))"
)
_HIDE = (
    r"(?:without (?:anyone|anybody|them|him|her|it|us|me|my|being|getting|leaving|setting|asking|"
    r"his|their|"
    r"IT|HR|the|a|an|any|no ?one|real|audit\w*|showing|telling|permission|authori\w+|consent|"
    r"payroll|"
    r"someone|you|security|triggering|tipping)\b[^.?!]{0,40}?(?:notic\w+|know\w*|caught|find\w*|"
    r"found|"
    r"trac\w+|detect\w*|see\w*|seen|flag\w*|suspect\w*|blam\w+|log\w*|trail|alert\w*|show\w*|"
    r"audit\w*|"
    r"catch\w*|proof|question\w*|her|him|permission|consent|check\w*|prov\w*|caught|realis\w+|"
    r"realiz\w+|"
    r"alarm|up|unnoticed|paying|authori[sz]ation|telling|aware|track\w*|approv\w+|record\w*|id|"
    r"spot\w*)|"
    r"without permission|so (?:that )?(?:nobody|no ?one|they|he|she|it|audit\w*|payroll|hr|"
    r"it)\b[^.?!]{0,25}"
    r"(?:notic|know|find|see|tell|prove|check|trace|catch|suspect|question|spot|won't|can't|"
    r"doesn't|never|"
    r"isn't|review)\w*|get(?:ting)? away with|"
    r"behind (?:his|her|their|my|the) \w*'?s? ?backs?|unnoticed|undetected|untraceabl\w+|"
    r"in secret|secretly|"
    r"on the (?:sly|quiet)|under the (?:table|radar)|cover (?:it |that |this |up )+|keep (?:that|"
    r"it|this) quiet|"
    r"can'?t (?:be )?(?:trace|prove)d?|won'?t (?:notice|spot|check|catch|find out)|"
    r"never (?:check|find out)|"
    r"make it look (?:like|as)|look (?:like|as if) (?:an accident|i|we|it was|a fair))"
)
HARM = _any(
    r"\b(?:forg(?:e|es|ed|ing)|fak(?:e|es|ed|ing)|falsif\w+|counterfeit\w*|fabricat\w+|"
    r"doctor(?:ed|ing)?"
    r" (?:a|an|the|my|up)|phon(?:e)?y|bogus|embezzl\w+|launder\w*|bribe\w*|kickbacks?|blackmail\w*|"
    r"extort\w*|smuggl\w*|backdat\w+|skim\w*|defraud\w*|scam\w*|phish\w*|impersonat\w+|plagiari\w+|"
    r"cook (?:the|up)|insider trading|tax evasion|evade|pad (?:my|the|our)|inflate (?:my|the|our)|"
    r"ghost (?:worker|employee)s?|price[- ]fix\w*|rig (?:the|a)|bid[- ]rig\w*|collude)\b",
    r"\b(?:hack\w*|crack (?:the (?:safe|code|password)|into|open|(?:my|a|his|her) \w+'s)|"
    r"cracked (?:copy|version)|crack \w+'s|break(?:ing)? into|brute[- ]force|"
    r"keyloggers?|(?:install|put|plant|spread|write|send|upload) (?:\w+ ){0,3}(?:malware|"
    r"ransomware|spyware|virus|trojan)|back ?doors?|ddos|exploit (?:the|a|an)|clone (?:a|an|"
    r"my|the|some\w+|\w+'s)|spoof\w*|bypass\w*|circumvent\w*|get (?:past|around|round)|jailbreak|"
    r"steal\w*|"
    r"report it as stolen|shoplift\w*|pickpocket|pirate\w*|sneak\w* (?:in|into|out|past|a|an|my|"
    r"someone|through)|dodge|"
    r"trespass|pick the lock|tamper\w*|wip(?:e|ing) (?:the|all|out|what|everything)|eavesdrop\w*|"
    r"wiretap\w*|"
    r"tailgate|piggyback|exfiltrat\w+)\b",
    r"\b(?:kill\w*|murder\w*|poison(?:ing)? (?:my|the|a|some|people|every)\w*|stab\w*|"
    r"shoot(?:ing)? (?:up|my|the|a|people|every)|bomb\w*|explosiv\w+|"
    r"explode|set fire|start a (?:\w+ )?fire|arson|burn (?:down|the|it)|sabotag\w+|lur(?:e|ing)|"
    r"traps? (?:\w+ ){0,3}(?:them|inside|people|visitors)|"
    r"hurt\w*|injur(?:e|ing) (?:my|a|the|some)|harm (?:my|a|the|some|to)|wreck (?:the|my|a|an|"
    r"his|her|their|our|some)\w*|destroy(?:s|ing)?|drug (?:my|the|a|some)|trampled|"
    r"(?:make|makes|get|gets) (?:\w+ ){0,3}(?:sick|ill|cry|scared|suffer|miserable)|"
    r"make life hell|hell for|kidnap\w*|attack\w*|"
    r"revenge|get (?:back at|even)|ruin\w*|beat up|beat (?:my|the|him|her)|violence|violent|"
    r"retaliat\w+|"
    r"block the exits|starve|drown|suffocat\w+|toxic (?:gas|fumes|chemical)|overdose|laxatives?|"
    r"suicide|"
    r"collapse on|crash (?:the|their) (?:site|server|system)|take (?:down|the \w+ down)|"
    r"bring down)\b",
    r"\b(?:harass\w*|bull(?:y|ies|ied|ying)|humiliat\w+|threaten\w*|intimidat\w+|insult\w*|"
    r"slurs?|racist|"
    r"sexist|homophobic|transphobic|hateful|hate (?:speech|mail|message)|degrad\w+|demean\w+|"
    r"nasty|vile|cruel\w*|torment\w*|"
    r"mock\w*|ridicul\w+|stalk\w*|gang up|cripple|shame (?:a|an|my|the|him|her|some)|"
    r"discriminat\w+ against|"
    r"belittl\w+|abusive|gaslight\w*|force (?:her|him|them|my|a|the|someone)|coerce|dox\w*|"
    r"troll(?:s|ing)?|brutal|"
    r"cyberbull\w*|make fun of|scare (?:the|my|a|him|her|them|off|people)|terrori[sz]e|unwelcome|"
    r"defam\w+|smear)\b",
    r"\b(?:porn\w*|nud(?:e|es|ity)|naked|erotic\w*|sexual(?:ly)? (?!harassment)|sexy|have sex|"
    r"sex (?:with|scene|tape|in)|"
    r"offering sex|explicit (?:story|photo|picture|content|message|image|scene|video)\w*|"
    r"dirty (?:joke|text|message|"
    r"story|talk|out|picture|photo|pun)\w*|filthy|obscene|steamy|strip club|strip ?tease|fetish|"
    r"lewd|raunchy|smut\w*|"
    r"seduce|undress\w*|nsfw|x-rated|kinky|hook up with)\b",
    rf"\b{_HIDE}\b",
    rf"\b(?:spy\w*|snoop\w*|spying|track(?:ing)? (?:where|down|my|her|his)|hide a camera|"
    rf"hidden camera|listen in|"
    rf"dig up|dirt on|peek at|pull up|look up my|find out where)\b[^.?!]*\b{_OTHER}",
    rf"\b(?:what|which|who|where|when|how|tell|give|show|get|see|read|find|look|pull|send|want|"
    rf"access|need|list)\b"
    rf"[^.?!]{{0,60}}?\b{_OTHER}(?<='s|s')s? (?:(?!that|who|which|of|"
    rf"to)[\w'-]+ ){{0,3}}?{_SECRETS}\b",
    rf"\b(?:what|which|who|where|when|how|tell|give|show|get|see|read|find|look|pull|send|want|"
    rf"access|need|list)\b"
    rf"[^.?!]{{0,60}}?\b{_NEAR}'s (?:[\w'-]+ ){{0,3}}?{_DATA}\b",
    rf"\b{_SECRETS} (?:of|for|about|on|off|belonging to) (?:all )?{_OTHER}",
    r"\bwhich of my (?:co-?workers|colleagues|teammates)\b|\bnames? so (?:that )?i can\b",
    r"\bi never (?:worked|took|spent|had|made|attended|did|paid|bought|travel\w+)\b|"
    r"\bnever (?:happened|"
    r"took place|existed)\b|\bpretend (?:to|that|i)\b|\bmake up (?:a|an|some|my)\b|\binvent (?:a|"
    r"an|some|five)\b|"
    r"\bmade[- ]up\b|\blie (?:about|on|to|would|that|in)\b|\blies do i\b|\blie my way\b|"
    r"\bdoesn't exist\b|"
    r"\bcheat(?!(?:ing)? ?sheet)\w*\b|\btrick (?:some\w+|people|the|my|them)\b|\bpass (?:it |"
    r"them )?off\b|\bpin (?:a|an|it|the)\b[^.?!]*\bon a\b",
    r"\bsell (?:it|my|the|them|our|confidential|customer|data|personal|credentials|"
    r"internal)\b(?! (?:more|better))|\bfor a list of\b|"
    r"\bpocket the\b|\binto my own\b|\bmy (?:own )?(?:personal|private) (?:shopping|gain|"
    r"use)\b[^.?!]*disguise|"
    r"\bdisguise\b|\bleak\b|\bsplit (?:one|the|a|up)\b[^.?!]*\b(?:under|so that|avoid|reviews?|"
    r"stay)\b|"
    r"\bsign (?:it |the \w+ |as |for )?(?:as|in) (?:my|his|her) (?:name|boss|manager|supervisor)\b|"
    r"\b(?:boss|manager|supervisor|director|officer|lead|approver|doctor)'s signature\b",
    r"\bget (?:\w+ ){1,6}(?:fired|arrested|evicted|deported)\b|\bfalse (?:claim|report|alarm|"
    r"accusation|"
    r"allegation|complaint|information|bomb|invoice|statement|document)s?\b|\bfalsely (?:claim|"
    r"accus|report)\w*\b|"
    r"\bplant (?:\w+ ){0,3}(?:on|in|evidence)\b|\btake(?:s)? the fall\b|"
    r"\bdestroy (?:the )?evidence\b|"
    r"\bdelete\b[^.?!]*\b(?:auditor|investigat|before|evidence|foia|hide)\w*|\bhide (?:it|this|"
    r"that|my|the|a)\b[^.?!]*"
    r"\b(?:from|conviction|night)\b|\bhow do i hide\b|\bdisable\b[^.?!]*\b(?:alarm|camera|audit|"
    r"log|security|monitor)\w*|"
    r"\b(?:what|which|who|whose|where|when|how|tell|give)\b[^.?!]*\bmy (?:\w+ )?(?:ex|"
    r"neighbou?rs?)\b|\bthey won't tell\b|"
    r"\b(?:flood|bury) (?:the|them)\b|\bnobody (?:gets out|can work|dares)\b|\bgets? (?:fired|"
    r"arrested)\b|\blog look normal\b|"
    r"\bmake the (?:log|records?|system)\b[^.?!]*\b(?:say|look|show)\b|\bwithout paying\b|"
    r"\bpin \S+ (?:\S+ ){0,6}on a\b|\bframe my\b|\block (?:my|a|the|him|her|"
    r"them)\b[^.?!]{0,30}\bout of (?:her|his|their)\b|"
    r"\bfrom her phone\b|\bby name\b|\bword for word\b|\beveryone's\b[^.?!]*\bnames\b|"
    r"\bwalks? home\b|\bdid my "
    r"co-?worker have to disclose\b|\bpunish (?:the|a|her|him|my|them|someone)\b|"
    r"\bgive up and quit\b|"
    r"\bnobody (?:can )?(?:traces?|notices?|knows?|finds?|suspects?|catches?|sees?)\b|\b(?:while|"
    r"with) (?:someone|somebody|people|"
    r"everyone|guests|visitors) (?:is |are )?(?:still )?(?:inside|in there|asleep)\b|\bon (?:the|"
    r"a) crowd\b|\b(?:that )?isn't mine\b|"
    r"\bthat aren't mine\b|\b(?:accepts?|passes?|pass|looks?|take) (?:it |them |for |as )*(?:as |"
    r"for )?real\b|\b(?:who|which of)\b[^.?!]*\bpregnant\b|\bhaving sex\b|"
    r"\b(?:turn|show) up at (?:her|his|their)\b|\b(?:her|his|their) door\b|\bgive me (?:the|"
    r"their|her|his) names?\b|\bwithout (?:paying|a ticket|ever paying)\b|"
    r"\b(?:build|make|get|hide|use|sneak|bring)\b[^.?!]{0,30}\b(?:weapons?|guns?|knife|"
    r"explosiv\w+)\b|"
    r"\bquit, without\b|\bmedical reason\b|\bshe's alone\b|\b(?:find out|see|know|learn|"
    r"tell me)\b[^.?!]*\b(?:my ex|my wife|my husband|my girlfriend|my boyfriend)\b|\b(?:until|"
    r"till) (?:she|he|they|someone) breaks? down\b|\boff my co-?worker's\b|\bunannounced\b|"
    r"\bhold against\b|\bdebt\b[^.?!]*names",
)
"""Words of harmful acts."""

_PROTECTS = _any(
    r"\b(?:report(?:ing)?|prevent(?:ing)?|stop(?:ping)? (?:someone|somebody|people|a|an|the)|"
    r"protect(?:ing)?|avoid(?:ing)?|"
    r"detect(?:ing)?|recogni[sz]e|spot(?:ting)?|guard against|defend|respond(?:ing)? to|"
    r"train(?:ing)? (?:on|about|in|against)|"
    r"polic(?:y|ies) (?:on|about|for|against)|penalt\w+|punish\w+ for|consequences?|allowed|"
    r"permitted|against the rules|"
    r"illegal to|legal|prohibited|forbidden|counts? as|considered|what is (?:a |an )?(?!the best|"
    r"my|the)|define|definition|"
    r"victim|(?:i|i'm|i am|i've|who) (?:am |was |been |being |is |are )*(?:being )?(?:harassed|"
    r"bullied|threatened|"
    r"stalked|hacked|phished|injured|hurt|attacked)|is (?:harass|bully|threaten|stalk|hurt)ing me|"
    r"(?:insult|harass|bully|threaten|attack|hurt|humiliat|stalk|scar|mock|abus|intimidat|troll|"
    r"blackmail|spy|follow)\w*ing? (?:on |at )?(?:me|us)|"
    r"(?:could|can|might|did|does|has|have|may) (?:someone|anyone|somebody|people|a child|"
    r"children|i|we|visitors|guests|a visitor|kids) "
    r"(?:\w+ )?(?:drown|fall|die|catch fire|suffocate|(?:get|be|been) (?:hurt|injured|sick|ill|"
    r"stolen|hacked|poisoned|attacked|killed))\w*|(?:has|have|had|got|caught) a virus|(?:i|"
    r"i've) (?:\w+ )?(?:hurt|injured|cut|burned|"
    r"lost|got) (?:my|a)|how (?:dangerous|safe|deep|likely)|is (?:it|the \w+) (?:safe|dangerous)|"
    r"who hears|what (?:do|should|must) (?:i|we|staff|you) do|"
    r"in case of|received a|suspect(?:ed|s)? (?:that |a |an |of |some\w+|phishing)|my own|"
    r"was stolen|got stolen|is stolen|been stolen|were stolen|"
    r"lost or stolen|if (?:someone|somebody|a|an|my|the|i) [^.?!]*(?:stolen|hacked|harass|forg|"
    r"fak|steal|threat|hurt|"
    r"injur|attack|leak|bull)\w*|survivors?|complain about|file a complaint about|support for)\b",
)
_INTENDS = _any(
    rf"\b{_HIDE}\b",
    r"\b(?:i want to|i'd like to|help me|write (?:me )?(?:a|an|something)|how (?:do|can|could|"
    r"would) (?:i|we) (?:forge|fake|hack|"
    r"steal|hurt|kill|harass|bully|threaten|get (?:past|around|into|my|even)|bypass|sabotage|"
    r"clone|crack|backdate|spy|ruin|"
    r"sneak|break into|blackmail|poison|stalk|embezzle|bribe|avoid (?:getting caught|"
    r"being caught|detection)))\b",
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
