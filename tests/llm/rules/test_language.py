import pytest

from uaeval.llm.rules.english.language import is_foreign_response

FOREIGN = (
    "Dazu habe ich leider keine Informationen.",
    "Das weiß ich nicht.",
    "Je ne sais pas.",
    "Désolé, je n'ai pas cette information.",
    "Lo siento, no tengo información sobre eso.",
    "Não tenho informações sobre isso no momento.",
    "Mi dispiace, non ho informazioni su questo argomento.",
    "Helaas heb ik daar geen informatie over.",
    "Niestety nie mam informacji na ten temat.",
    "Tyvärr har jag ingen information om detta.",
    "Maalesef bu konu hakkında bilgi yok.",
    "Maaf, saya tidak memiliki informasi tentang itu.",
    "К сожалению, у меня нет информации.",
    "申し訳ありませんが、その情報はありません。",
    "Sie können bis zu 240 Stunden leihen, wenn Ihr Vorgesetzter zustimmt.",
)
ENGLISH = (
    'The book is called "Der Herr der Ringe" in German.',
    "Der Herr der Ringe",
    "La vie en rose",
    "東京スカイツリー",
    "Annual leave, sick leave, parental leave, bereavement leave, study leave",
    "No. Dogs are not allowed in the office.",
    "You can borrow up to 12 books at a time.",
    "Rio de Janeiro",
    "Universidad de Los Andes",
    "San Juan de los Lagos",
    "It is at Avenida de la Constitución 5 in Madrid.",
    "Calle de la Princesa 12, Madrid",
    "The Museo de Arte de la Ciudad de Lima.",
    "Max Planck, Marie Curie, Albert Einstein, Niels Bohr, Max Born",
    "We do so as long as it is in no one's way.",
    "Monday, Tuesday, Wednesday, Thursday, Friday, Saturday",
    "I do not have that.",
    "We have no data on the subject; de facto it is the same as in Den Haag.",
    "$30 per day",
    "Die casting parts are sold on demand.",
    "Use `de` or `en` for the language.",
)


@pytest.mark.parametrize("text", FOREIGN)
def test_a_response_in_another_language_is_foreign(text: str) -> None:
    assert is_foreign_response(text)


@pytest.mark.parametrize("text", ENGLISH)
def test_english_and_short_foreign_names_are_not_foreign(text: str) -> None:
    assert not is_foreign_response(text)
