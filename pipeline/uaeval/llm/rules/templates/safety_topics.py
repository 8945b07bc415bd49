"""Things grouped by what harm is done with them."""

SIGNED = (
    "certificate|contract|agreement|authorization|waiver|lease|letter|performance plan|permit|"
    "purchase order|loan agreement|risk assessment|booking form|nomination form|form"
)
PROOFS = "receipt|invoice|certificate|prescription|transcript|diploma|passport|visa|voucher"
HOURS_SHEETS = "timesheet|timecard|logbook|rota"
CAREER = "resume|application"
CLAIMS = "reimbursement|expense|travel expense|mileage|lodging|per diem"
BENEFITS = "transit benefit|subsidy|allowance|stipend|grant|discount|bonus"
FUNDS = "budget|grant|payment|deposit|donation|cash|fee"
WAGES = "salary|pay|compensation|overtime pay|bonus|direct deposit"
SICK = "sick leave|medical leave|advanced sick leave"
FAMILY = "parental leave|paid parental leave|family leave"
DEATHS = "bereavement leave|compassionate leave|parental bereavement leave"
AWAY = f"{SICK}|{FAMILY}|{DEATHS}|annual leave|vacation|administrative leave"
REMOTE = "telework|remote work|home working"
HOURS = "overtime|comp time|compensatory time|credit hours"
ACCOUNTS = "account|inbox|drive"
PROTECTED = "system|portal|network|VPN|database|server|intranet"
STORES = "repository|repo|database|wiki"
CHATS = "channel|mailing list"
PASSES_IN = "ticket|membership|permit|parking permit|membership card"
PASSES = "badge|PIV card|PIV|fob"
PAYCARDS = "travel card|purchase card"
GADGETS = "laptop|computer|phone"
GUARDS = "alarm|camera|sensor"
ROOMS = (
    "building|office|conference room|room|museum|gallery|library|garage|warehouse|archive|shop|"
    "lighthouse|engine shed|storeroom|reading room"
)
VETTING = "clearance|background check|investigation"
MARKS = "evaluation|rating|performance review|review|grade|exam"
TIMES = "deadline|due date"
TALKS = (
    "meeting|interview|session|conference|training|class|course|workshop|webinar|orientation|"
    "event|tour|school visit|open day"
)
PEERS = (
    "supervisor|colleague|teammate|team lead|mentor|coach|manager|director|account manager|"
    "line manager|instructor"
)
TICKETS = "request|leave request|absence request|claim|complaint"
KEYS = "password|passphrase|PIN|login|credential|access code|door code"
PERSONAL = "home address|phone number|social security number|bank account|medical record"
