"""How people ask whom to turn to: the query, and the same with its topic."""

JOIN = r"join(?:ing)?"
ACTS: dict[str, tuple[tuple[str, str], ...]] = {
    r"ask(?:ing)?": (
        ("Who do I ask about this?", "Who do I ask about {t}?"),
        ("Where do I ask about this?", "Where do I ask about {t}?"),
        (
            "My team didn't know either, who should I ask?",
            "My team didn't know either, who should I ask about {t}?",
        ),
        (
            "Couldn't find anything on this, who can I ask?",
            "Couldn't find anything on {t}, who can I ask?",
        ),
        (
            "I'm new here and have a question, who can I ask?",
            "I'm new here and have a question, who can I ask about {t}?",
        ),
        ("Who can I ask for help?", "Who can I ask for help with {t}?"),
        (
            "I've tried everything I can think of, who can I ask?",
            "I've tried everything I can think of, who can I ask about {t}?",
        ),
        (
            "I started last month, who can I ask?",
            "I started last month, who can I ask about {t}?",
        ),
        (
            "I got two different replies, who can I ask?",
            "I got two different replies, who can I ask about {t}?",
        ),
        (
            "My buddy doesn't know either, who can I ask?",
            "My buddy doesn't know either, who can I ask about {t}?",
        ),
        ("I'd rather not guess, who can I ask?", "I'd rather not guess, who can I ask about {t}?"),
        (
            "I've read everything twice, who can I ask?",
            "I've read everything twice, who can I ask about {t}?",
        ),
        ("Where can I ask questions?", "Where can I ask questions about {t}?"),
        ("Which channel do I ask in?", "Which channel do I ask in about {t}?"),
    ),
    r"e-?mail(?:ing)?": (
        ("Who do I email about this?", "Who do I email about {t}?"),
        ("Who should I email?", "Who should I email about {t}?"),
        ("Who do I email if I have a question?", "Who do I email if I have a question about {t}?"),
        ("Which address should I email?", "Which address should I email about {t}?"),
        (
            "Nobody has answered me yet, who should I email?",
            "Nobody has answered me yet about {t}, who should I email?",
        ),
        ("Who can I email for help?", "Who can I email for help with {t}?"),
    ),
    r"contact(?:ing)?": (
        ("Who do I contact about this?", "Who do I contact about {t}?"),
        (
            "Something went wrong, who should I contact?",
            "Something went wrong with {t}, who should I contact?",
        ),
        (
            "I keep getting different answers, who do I contact?",
            "I keep getting different answers, who do I contact about {t}?",
        ),
        (
            "I got no reply to my email, who else can I contact?",
            "I got no reply to my email, who else can I contact about {t}?",
        ),
        (
            "Nothing has happened since Monday, who should I contact?",
            "Nothing has happened since Monday, who should I contact about {t}?",
        ),
        (
            "We've been waiting for weeks, who can I contact?",
            "We've been waiting for weeks, who can I contact about {t}?",
        ),
        (
            "I only have until Friday, who should I contact?",
            "I only have until Friday, who should I contact about {t}?",
        ),
        (
            "The person I usually ask has left, who do I contact now?",
            "The person I usually ask has left, who do I contact now about {t}?",
        ),
        ("Who can I contact with a question?", "Who can I contact with a question about {t}?"),
        (
            "There's a problem, who's the right person to contact?",
            "There's a problem with {t}, who's the right person to contact?",
        ),
        (
            "My manager didn't know either, who do I contact?",
            "My manager didn't know either about {t}, who do I contact?",
        ),
        ("I need help, who should I contact?", "I need help with {t}, who should I contact?"),
    ),
    r"post(?:ing)?": (
        ("Where do I post about this?", "Where do I post about {t}?"),
        ("Which channel should I post in?", "Which channel should I post in about {t}?"),
        ("Where can I post my question?", "Where can I post my question about {t}?"),
    ),
    r"reach(?:ing)?": (
        (
            "I'm not sure what applies to me, who do I reach out to?",
            "I'm not sure what applies to me, who do I reach out to about {t}?",
        ),
        (
            "This is rather urgent, who do I reach out to?",
            "This is rather urgent, who do I reach out to about {t}?",
        ),
        (
            "I don't want to get it wrong, who should I reach out to?",
            "I don't want to get it wrong, who should I reach out to about {t}?",
        ),
        (
            "We're stuck on our side, who do I reach out to?",
            "We're stuck on our side, who do I reach out to about {t}?",
        ),
        (
            "Before I do anything wrong, who should I reach out to?",
            "Before I do anything wrong, who should I reach out to about {t}?",
        ),
        (
            "My usual contact is away, who do I reach out to?",
            "My usual contact is away, who do I reach out to about {t}?",
        ),
        (
            "I've looked everywhere, who do I reach out to?",
            "I've looked everywhere, who do I reach out to about {t}?",
        ),
        ("Who should I reach out to for help?", "Who should I reach out to for help with {t}?"),
    ),
    r"notify(?:ing)?|(?:let(?=.{0,60} know\b))": (
        ("Who do I have to notify?", "Who do I have to notify about {t}?"),
    ),
    JOIN: (
        ("Which channel should I join?", "Which channel should I join for {t}?"),
        ("Which Slack channel do I join?", "Which Slack channel do I join for {t}?"),
    ),
    r"work(?:ing)? with|talk(?:ing)? (?:to|with)|speak(?:ing)? (?:to|with)": (
        ("Who do I need to talk to?", "Who do I need to talk to about {t}?"),
        ("Who do I work with on this?", "Who do I work with on {t}?"),
    ),
    r"submit(?:ting)?|send(?:ing)?": (
        ("Who do I send the request to?", "Who do I send the request to for {t}?"),
        ("Where do I send the form?", "Where do I send the form for {t}?"),
    ),
}
ALIKE = frozenset({"ask(?:ing)?", "e-?mail(?:ing)?", "contact(?:ing)?", "reach(?:ing)?"})
"""Acts that stand for one another: whoever is to be emailed can be contacted."""
