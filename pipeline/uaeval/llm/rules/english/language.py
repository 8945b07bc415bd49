"""Whether a text is English, told from its commonest words and its script."""

import re
import unicodedata

from uaeval.errors import LanguageError
from uaeval.llm.rules.english.grammar import STOP

_ENGLISH = {"auto", "en", "eng", "english", "en-us", "en-gb"}
_COMMON = {
    "English": "the of and to in is you that for are with your can be or this on as it not",
    "German": "der die das und ist nicht sie ein eine mit für auf den von zu werden im wird auch",
    "French": "le la les des est et vous pour dans une que sur pas au du votre avec être qui",
    "Spanish": "el los las de que y en un una por para con su se del es no lo como",
    "Portuguese": "o os as do da em um uma para com não que se por ao dos das é seu",
    "Italian": "il di che e la per un una con non sono del della in gli le si alla è",
    "Dutch": "de het een en van is niet dat op te voor met zijn aan je u bij wordt om",
}
_WORDS = {language: frozenset(words.split()) for language, words in _COMMON.items()}
_SCRIPTS = {
    "CJK": "Chinese",
    "HIRAGANA": "Japanese",
    "KATAKANA": "Japanese",
    "HANGUL": "Korean",
    "CYRILLIC": "Cyrillic-script",
    "ARABIC": "Arabic",
    "HEBREW": "Hebrew",
    "GREEK": "Greek",
    "THAI": "Thai",
    "DEVANAGARI": "Hindi",
}
_ENOUGH_WORDS = 20
_SMALL_WORDS = {
    "German": """der die das und ist sind nicht sie ein eine einen mit für auf den dem von zu zum
    zur werden im wird auch ich wir ihr ihnen ihre habe haben hat keine kein keinen leider dazu
    darüber dieser diese diesem dieses kann können nur bei bis oder aber wie es mir ihm weiß tut
    leid beantworten frage""",
    "French": """le la les des est et vous pour dans une un que sur pas au du de votre avec être qui
    je ne ni nous mais cette ce ces il elle peut pouvez ai avez suis sont désolé aucune sais en par
    se sa son leur sujet""",
    "Spanish": """el la los las de que y en un una por para con su se del es lo como pero más este
    esta sobre tengo siento puedo puede hay está son información ese eso sé yo usted al si le""",
    "Portuguese": """o os de da do em um uma para com não que se por ao dos das é seu sua mas mais
    sobre isso este esta tenho posso pode há está são lamento desculpe sei eu você no na nos nas""",
    "Italian": """il di che e la per una un con non sono del della dei in gli le si alla è ma più
    questo questa su ho posso può mi dispiace lo nel nella ci io informazioni dal""",
    "Dutch": """de het een en van is niet dat op te voor met zijn aan je u bij wordt om ik geen heb
    hebben maar deze dit er kan kunnen naar ook of over uw we helaas sorry informatie weet hierover
    daarover""",
    "Polish": """nie jest się na to że do w z o i mam ma są ale tego tej ten temat przez jak dla czy
    od po być może niestety mogę przykro mi tym oraz""",
    "Swedish": """och det att i en jag som är på för med inte av till den har de om ett vi kan men
    ingen inga tyvärr här detta denna eller från finns""",
    "Danish": """og det at i en jeg som er på for med ikke af til den har de om et vi kan men ingen
    desværre her dette denne eller fra findes""",
    "Turkish": """ve bir bu için ile da de ne değil var yok daha çok gibi ama hakkında maalesef
    bilgi üzgünüm olarak olan ben""",
    "Indonesian": """dan yang di ini itu dengan untuk tidak dari ada dalam akan pada saya maaf
    tentang informasi bisa ke atau mohon anda tersebut""",
}
_SMALL = {language: frozenset(words.split()) for language, words in _SMALL_WORDS.items()}
_SENTENCE = 6
"""Words from which on a text is more than a foreign name."""
_LETTERS = 12
"""The same, in letters of another script; in some of them words have no bounds."""
_SURE = 0.75
"""Share of small words that tells the language of a shorter text, too: `Das weiß ich nicht`."""
_LIKELY = 0.3
_DIFFERENT = 3
"""Different small words; a name like `Museo de Arte de la Ciudad` has two."""


def require_english(language: str) -> None:
    """Raise `LanguageError` unless English is wanted."""
    wanted = language.strip()
    if wanted.lower() not in _ENGLISH:
        raise LanguageError(
            f"the rules engine writes English only, not {wanted}; choose another model for it"
        )


def other_language(text: str) -> str | None:
    """Name the language of a text that is plainly not English; `None` if English or unsure."""
    script = _script(text)
    if script:
        return script
    words = re.findall(r"[^\W\d_]+", text.lower())
    if len(words) < _ENOUGH_WORDS:
        return None
    counts = {name: sum(word in common for word in words) for name, common in _WORDS.items()}
    best = max(counts, key=lambda name: (counts[name], name))
    plainly = counts[best] >= 0.15 * len(words) and counts[best] > 1.5 * counts["English"]
    return best if plainly else None


def is_foreign_response(text: str) -> bool:
    """Say whether a response is in another language; a short foreign name is not."""
    if _script(text):
        return sum(letter.isalpha() for letter in text) >= _LETTERS
    words = re.findall(r"[^\W\d_]+", text.lower())
    english = sum(word in STOP for word in words)
    found = max(([w for w in words if w in small] for small in _SMALL.values()), key=len)
    share = _LIKELY if len(words) >= _SENTENCE else _SURE
    plainly = len(set(found)) >= _DIFFERENT and len(found) >= share * len(words)
    return plainly and len(found) > 1.5 * english


def _script(text: str) -> str | None:
    letters = [letter for letter in text if letter.isalpha()]
    names = [unicodedata.name(letter, "").split(" ")[0] for letter in letters if letter > "ʯ"]
    if not letters or len(names) <= len(letters) / 2:
        return None
    common = max(sorted(set(names)), key=names.count)
    if "HIRAGANA" in names or "KATAKANA" in names:
        return "Japanese"
    return _SCRIPTS.get(common, common.title())
