"""Things grouped by what people want seen, heard, watched or done about them."""

PAPERS = (
    "form|report|letter|certificate|contract|agreement|invoice|receipt|statement|application|"
    "authorization|voucher|timesheet|timecard|itinerary|waiver|questionnaire|transcript|lease|"
    "performance plan|purchase order|estimate|memo|resume|passport|visa|prescription"
)
READS = "policy|guide|handbook|manual|checklist|brochure|leaflet|catalog|agreement|contract|lease"
LESSONS = "training|class|course|workshop|webinar|orientation|lesson|briefing|exam"
TALKS = "meeting|interview|call|session|conference|hearing|appointment|check-in|kickoff|demo"
GATHERINGS = f"{LESSONS}|{TALKS}|conference|event|concert|festival|ceremony|open day|tour"
GADGETS = "laptop|computer|phone|monitor|keyboard|headset|printer|machine|bike|bicycle|scooter"
PASSES = "badge|PIV card|PIV|travel card|card|purchase card|fob|key"
ROOMS = "building|conference room|room|office|campus|library|museum|gallery|lobby|gym|floor"
SITES = "app|website|tool|system|portal|dashboard|platform|intranet|kiosk|wiki|account"
CHATS = "channel|mailing list|inbox|workspace"
TICKETS = "request|leave request|pull request|order|claim|complaint|submission|issue"
CLAIMS = "reimbursement|expense|purchase request|refund|travel expense|mileage|lodging|fee"
AWAY = (
    "sick leave|annual leave|parental leave|paid parental leave|family leave|time off|telework|"
    "vacation|holidays|administrative leave|bereavement leave|medical leave|home working|leave|"
    "remote work|advanced sick leave"
)
HOURS = "overtime|comp time|compensatory time|credit hours"
PROCESS = "clearance|approval|background check|reservation|booking|permit|license|accommodation"
TIMES = "deadline|due date|timeline"
RULES = "requirement|guideline|procedure|rule|standard|deadline|due date|timeline"
