import pytest
from tests.scripted import Ask, ScriptedModel, identity

from uaeval.errors import ConfigError, ModelError
from uaeval.llm.replies import RagAnswer, YesNoJudgement

YES = YesNoJudgement(rationale="r", label="yes")


async def test_a_scripted_model_replies_as_scripted_and_records_the_questions() -> None:
    model = ScriptedModel(
        {"judge/correct": YES, "rag/answer": lambda **fields: RagAnswer(answer=fields["question"])}
    )
    assert await model.ask("judge/correct", YesNoJudgement, identity, question="a") == YES
    assert (
        await model.ask("rag/answer", RagAnswer, identity, question="b", passages=[])
    ).answer == "b"
    assert model.history == [
        Ask(prompt="judge/correct", reply_type=YesNoJudgement, fields={"question": "a"}),
        Ask(prompt="rag/answer", reply_type=RagAnswer, fields={"question": "b", "passages": []}),
    ]


async def test_a_script_may_fail_like_a_real_model() -> None:
    def down(**_: object) -> YesNoJudgement:
        raise ModelError("down")

    with pytest.raises(ModelError, match="down"):
        await ScriptedModel({"p": down}).ask("p", YesNoJudgement, identity)


async def test_a_prompt_without_a_scripted_reply_is_named() -> None:
    with pytest.raises(ConfigError, match="no reply to judge/verdict; it has a/b, c/d"):
        await ScriptedModel({"c/d": YES, "a/b": YES}).ask("judge/verdict", YesNoJudgement, identity)


async def test_a_reply_of_the_wrong_type_is_named() -> None:
    with pytest.raises(ConfigError, match="p with YesNoJudgement, asked for was RagAnswer"):
        await ScriptedModel({"p": YES}).ask("p", RagAnswer, identity)
