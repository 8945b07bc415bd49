"""The rule by which tokens are estimated."""

import pytest
from tests.llm.conftest import PROMPT
from tests.scripted import identity

from uaeval.errors import PendingReply
from uaeval.llm.replies import YesNoJudgement
from uaeval.llm.sizing import SizingModel, estimated_tokens, prompt_tokens, reply_tokens
from uaeval.prompts import PromptLibrary

SHIPPED = PromptLibrary()


@pytest.mark.parametrize(
    ("text", "tokens"),
    [("", 0), ("word", 1), ("words", 2), ("wörter", 2), ("有給休暇", 4), ("有給休暇 week", 6)],
)
def test_four_characters_are_a_token_and_so_is_each_wide_sign(text: str, tokens: int) -> None:
    assert estimated_tokens(text) == tokens


def test_the_schema_of_the_reply_counts_as_prompt() -> None:
    assert prompt_tokens("", "", YesNoJudgement) > 50


ROUGHLY_AS_SHOWN = sorted({*SHIPPED.names()} - {"rag/answer", "rag/answer_by_case"})


@pytest.mark.parametrize("name", ROUGHLY_AS_SHOWN)
def test_a_typical_reply_is_not_far_from_the_example_in_its_prompt(name: str) -> None:
    example = SHIPPED.get(name).system.rpartition("```json\n")[2].partition("\n```")[0]
    assert 0.7 <= reply_tokens(name) / estimated_tokens(example) <= 1.5


async def test_a_question_is_measured_and_not_asked(prompts: PromptLibrary) -> None:
    model = SizingModel(prompts)
    for question in ("a" * 40, "b" * 80):
        with pytest.raises(PendingReply):
            await model.ask("test/judge", YesNoJudgement, identity, question=question)
    fixed = prompt_tokens("", PROMPT.partition("# System")[2], YesNoJudgement)
    assert model.calls() == {"test/judge": 2}
    assert model.sizes()["test/judge"].prompt == pytest.approx(fixed + 15, abs=8)
