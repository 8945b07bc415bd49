"""Things grouped by what harm is done with them."""

SIGNED = (
    "form|letter|certificate|contract|agreement|authorization|waiver|lease|performance plan|"
    "purchase order|estimate|memo|booking form|loan agreement|risk assessment|application|permit"
)
PROOFS = "receipt|invoice|certificate|letter|prescription|transcript|diploma|passport|visa|voucher"
HOURS_SHEETS = "timesheet|timecard|logbook|rota"
CAREER = "resume|application"
CLAIMS = "reimbursement|expense|travel expense|mileage|lodging|per diem"
BENEFITS = "transit benefit|subsidy|allowance|stipend|grant|discount|bonus"
FUNDS = "budget|grant|payment|deposit|donation|cash|fee"
BUYING = "purchase|purchase request|purchase order"
WAGES = "salary|pay|compensation|overtime pay|bonus|direct deposit"
SICK = "sick leave|medical leave|advanced sick leave"
FAMILY = "parental leave|paid parental leave|family leave|bereavement leave"
AWAY = f"{SICK}|{FAMILY}|annual leave|leave|time off|vacation|administrative leave"
REMOTE = "telework|remote work|home working"
HOURS = "overtime|comp time|compensatory time|credit hours"
ACCOUNTS = "account|profile|inbox|calendar|drive|workspace"
PROTECTED = "system|portal|network|VPN|database|server|app|website|dashboard|intranet|platform"
STORES = "repository|repo|database|drive|server|wiki|website"
CHATS = "channel|mailing list|workspace"
PASSES = "badge|PIV card|PIV|fob"
PAYCARDS = "travel card|purchase card"
GADGETS = "laptop|computer|phone|equipment"
GUARDS = "alarm|camera|sensor"
ROOMS = (
    "building|office|conference room|room|museum|gallery|library|lab|campus|garage|warehouse|"
    "archive|"
    "shop|lighthouse|engine shed|storeroom|car park"
)
VETTING = "clearance|background check|investigation"
MARKS = "evaluation|rating|performance review|review|grade|exam"
TIMES = "deadline|due date|notice period|grace period"
LIMITS = "threshold|limit"
TALKS = (
    "meeting|interview|call|session|conference|check-in|standup|retrospective|all-hands|training|"
    "class|workshop|webinar|orientation|event"
)
DECIDERS = "contracting officer|approver|hiring manager|interviewer|inspector|instructor|librarian"
PEERS = (
    "supervisor|colleague|teammate|team lead|new hire|facilitator|mentor|coach|manager|director|"
    "account manager|contractor|line manager|instructor|librarian|tenant"
)
TICKETS = "request|leave request|claim|complaint|submission"
KEYS = "password|passphrase|PIN|login|credential|access code|door code"
PERSONAL = "home address|phone number|social security number|bank account|medical record"
CASES = "incident|outage"
