import pytest

from uaeval.errors import LanguageError, PromptError, ReplyError
from uaeval.llm.replies import (
    FalsePresuppositionDraft,
    OutOfDatabaseDraft,
    QuestAnswers,
    ReadingsVerification,
    UnderspecifiedVerification,
    Written,
)
from uaeval.llm.rules.model import FOREIGN, LEFT_TO_MODELS, RULES, RuleModel
from uaeval.prompts import PromptLibrary
from uaeval.types import Claim, Passage

ENGLISH = Passage(
    number=1, title="Desk", heading="", text="You can borrow up to 12 books of the loan desk."
)
GERMAN = Passage(
    number=1,
    title="Ausleihe",
    heading="",
    text="Die Bücher werden für zwei Wochen ausgeliehen und sind danach an der Ausgabe wieder "
    "abzugeben, es sei denn, dass sie für eine Ausstellung im Haus gebraucht werden.",
)
JAPANESE = Passage(
    number=1, title="貸出", heading="", text="図書は二週間まで借りることができます。"
)


async def test_a_prompt_is_answered_with_its_reply() -> None:
    reply = await RuleModel().ask(
        "false_presupposition/generate",
        Written[FalsePresuppositionDraft],
        passage=ENGLISH,
        language="English",
    )
    assert reply.draft is not None
    assert reply.draft.fact == ENGLISH.text


async def test_equal_questions_get_equal_answers() -> None:
    async def ask() -> ReadingsVerification:
        return await RuleModel().ask(
            "underspecified/verify_readings",
            ReadingsVerification,
            claims=[Claim(number=1, question="How many books can I borrow?", answer="12")],
            passages=[ENGLISH],
        )

    assert await ask() == await ask()


@pytest.mark.parametrize("passage", [GERMAN, JAPANESE], ids=["German", "Japanese"])
@pytest.mark.parametrize("language", ["auto", "English"])
async def test_a_passage_in_another_language_is_declined_and_the_run_goes_on(
    passage: Passage, language: str
) -> None:
    wanted = Written[FalsePresuppositionDraft]
    reply = await RuleModel().ask(
        "false_presupposition/generate", wanted, passage=passage, language=language
    )
    assert reply == wanted(declined=FOREIGN, draft=None)


@pytest.mark.parametrize(
    ("article", "passages"), [(GERMAN, [ENGLISH]), (ENGLISH, [GERMAN])], ids=["article", "passages"]
)
async def test_an_article_or_its_passages_in_another_language_are_declined(
    article: Passage, passages: list[Passage]
) -> None:
    wanted = Written[OutOfDatabaseDraft]
    reply = await RuleModel().ask(
        "out_of_database/generate",
        wanted,
        article=article,
        passages=passages,
        turn="1",
        language="auto",
    )
    assert reply == wanted(declined=FOREIGN, draft=None)


@pytest.mark.parametrize("passage", [ENGLISH, GERMAN], ids=["English", "German"])
async def test_another_wanted_language_is_a_language_error(passage: Passage) -> None:
    with pytest.raises(LanguageError, match="French"):
        await RuleModel().ask(
            "false_presupposition/generate",
            Written[FalsePresuppositionDraft],
            passage=passage,
            language="French",
        )


async def test_an_unknown_prompt_is_a_prompt_error_that_names_it() -> None:
    with pytest.raises(PromptError, match="haiku/write"):
        await RuleModel().ask("haiku/write", ReadingsVerification, question="x")


async def test_fields_that_do_not_fit_are_a_prompt_error() -> None:
    with pytest.raises(PromptError, match="underspecified/verify_readings"):
        await RuleModel().ask("underspecified/verify_readings", ReadingsVerification, question="x")


async def test_another_reply_type_than_the_rule_gives_is_a_reply_error() -> None:
    with pytest.raises(ReplyError, match="ReadingsVerification"):
        await RuleModel().ask(
            "underspecified/verify_readings",
            UnderspecifiedVerification,
            claims=[Claim(number=1, question="How many books can I borrow?", answer="12")],
            passages=[ENGLISH],
        )


def test_every_shipped_prompt_has_rules_or_is_left_to_models() -> None:
    assert {*RULES, *LEFT_TO_MODELS} == set(PromptLibrary().names())
    assert not RULES.keys() & LEFT_TO_MODELS.keys()


@pytest.mark.parametrize("name", sorted(LEFT_TO_MODELS))
async def test_what_is_left_to_models_is_declined_by_name(name: str) -> None:
    part = "model" if name == "rag/hyde" else "judge"
    with pytest.raises(PromptError, match=f"leaves {name} to models; name one as {part}"):
        await RuleModel().ask(name, QuestAnswers, asked="", text="", questions="")
