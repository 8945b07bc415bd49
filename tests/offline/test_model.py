"""The prompts of the offline engine, and its errors."""

import inspect

import pytest
from tests.scripted import identity

from uaeval.categories.nonsensical import NonsensicalDraft
from uaeval.categories.out_of_database import OutOfDatabaseDraft
from uaeval.errors import LanguageError, PromptError, ReplyError
from uaeval.llm.replies import OpenAnswer, QuestAnswers, RagAnswer, Written
from uaeval.offline.model import FOREIGN, IGNORED, LEFT_TO_MODELS, TABLE, OfflineModel
from uaeval.prompts import PromptLibrary
from uaeval.records import Passage

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


def test_every_shipped_prompt_is_answered_or_left_to_models() -> None:
    assert {*TABLE, *LEFT_TO_MODELS} == set(PromptLibrary().names())
    assert not TABLE.keys() & LEFT_TO_MODELS.keys()
    assert len(TABLE) == len(list(TABLE))


@pytest.mark.parametrize("prompt", sorted(TABLE))
def test_each_function_takes_the_fields_of_its_prompt(prompt: str) -> None:
    taken = inspect.signature(TABLE[prompt]).parameters.keys()
    assert taken == PromptLibrary().get(prompt).fields - IGNORED


async def test_a_prompt_is_answered_with_its_reply_the_same_each_time() -> None:
    async def ask() -> RagAnswer:
        question = "How many books can I borrow?"
        return await OfflineModel().ask(
            "rag/answer", RagAnswer, identity, question=question, passages=[ENGLISH]
        )

    assert (await ask()).answer == ENGLISH.text
    assert await ask() == await ask()


@pytest.mark.parametrize("passage", [GERMAN, JAPANESE], ids=["German", "Japanese"])
@pytest.mark.parametrize("language", ["auto", "English"])
async def test_a_passage_in_another_language_is_declined(passage: Passage, language: str) -> None:
    wanted = Written[NonsensicalDraft]
    reply = await OfflineModel().ask(
        "nonsensical/generate",
        wanted,
        identity,
        passage=passage,
        language=language,
        subtype="cut_off",
    )
    assert reply == wanted(declined=FOREIGN, draft=None)


@pytest.mark.parametrize(
    ("article", "passages"), [(GERMAN, [ENGLISH]), (ENGLISH, [GERMAN])], ids=["article", "passages"]
)
async def test_an_article_or_its_passages_in_another_language_are_declined(
    article: Passage, passages: list[Passage]
) -> None:
    wanted = Written[OutOfDatabaseDraft]
    reply = await OfflineModel().ask(
        "out_of_database/generate",
        wanted,
        identity,
        article=article,
        passages=passages,
        turn="1",
        language="auto",
    )
    assert reply == wanted(declined=FOREIGN, draft=None)


@pytest.mark.parametrize("passage", [ENGLISH, GERMAN], ids=["English", "German"])
async def test_another_language_than_english_is_refused(passage: Passage) -> None:
    with pytest.raises(LanguageError, match="writes English only, not French"):
        await OfflineModel().ask(
            "nonsensical/generate",
            Written[NonsensicalDraft],
            identity,
            passage=passage,
            language="French",
            subtype="cut_off",
        )


async def test_an_unknown_prompt_is_named() -> None:
    with pytest.raises(PromptError, match="cannot answer haiku/write"):
        await OfflineModel().ask("haiku/write", RagAnswer, identity, question="x")


async def test_fields_that_do_not_fit_are_named() -> None:
    with pytest.raises(
        PromptError, match=r"rag/answer: expected fields \['passages', 'question'\]"
    ):
        await OfflineModel().ask("rag/answer", RagAnswer, identity, question="x")


async def test_another_reply_type_is_an_error() -> None:
    with pytest.raises(ReplyError, match="expected OpenAnswer, got RagAnswer"):
        await OfflineModel().ask(
            "rag/answer", OpenAnswer, identity, question="x", passages=[ENGLISH]
        )


async def test_a_reply_that_cannot_be_parsed_is_an_error() -> None:
    def parse(_: RagAnswer) -> str:
        raise ReplyError("no")

    with pytest.raises(ReplyError, match="no"):
        await OfflineModel().ask("rag/answer", RagAnswer, parse, question="x", passages=[])


@pytest.mark.parametrize("name", sorted(LEFT_TO_MODELS))
async def test_what_needs_a_language_model_is_named_with_its_option(name: str) -> None:
    option = "model" if name.startswith("rag/") else "judge"
    with pytest.raises(PromptError, match=f"{name} needs a language model; name one as {option}"):
        await OfflineModel().ask(name, QuestAnswers, identity, asked="", text="", questions="")
