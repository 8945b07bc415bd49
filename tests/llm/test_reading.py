import json
import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from openai.lib._pydantic import resolve_ref, to_strict_json_schema

from uaeval.categories.false_presupposition import FalsePresuppositionDraft
from uaeval.categories.underspecified import ReadingsVerification, UnderspecifiedVerification
from uaeval.errors import ReplyError, StorageError
from uaeval.llm import replies
from uaeval.llm.reading import read_reply, reply_type_named
from uaeval.llm.replies import (
    CheckedRagAnswer,
    Draft,
    RagAnswer,
    Reply,
    Written,
    YesNoJudgement,
    reply_format,
)

YES = YesNoJudgement(rationale="r", label="yes")
JSON = '{"rationale": "r", "label": "yes"}'
EVERY_REPLY = [
    *(
        each
        for each in vars(replies).values()
        if isinstance(each, type) and issubclass(each, Reply) and each not in {Reply, Written}
    ),
    *(Written[each] for each in Draft.__subclasses__()),  # type: ignore[valid-type]
]


@pytest.mark.parametrize(
    "text",
    [
        JSON,
        f"\ufeff\n {JSON}\n",
        f"```json\n{JSON}\n```",
        f"```\n{JSON}\n```",
        f"Here it is {{as asked}} [1]:\n{JSON}\nThat is all.",
        f"{JSON}\n\nI hope this helps.",
        f"{JSON}\n{JSON}",
        f'<think>Maybe {{"rationale": "x", "label": "no"}}?</think>\n{JSON}',
        f"so I say yes</think>{JSON}",
        '{"rationale": "r", "label": " Yes "}',
        '{"rationale": "r", "label": true}',
        '{"rationale": "r", "label": "True"}',
        '{"rationale": "r", "label": 1}',
        '{"rationale": "r", "label": "1"}',
    ],
)
def test_unambiguous_values_are_read(text: str) -> None:
    assert read_reply(text, YesNoJudgement) == YES


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "the reply is empty"),
        ("yes", "no JSON object"),
        ('"yes"', "no JSON object"),
        ("null", "no JSON object"),
        (f"[{JSON}]", "no JSON object"),
        (f'{JSON} or {{"rationale": "r", "label": "no"}}', "2 different JSON objects"),
        ('{"rationale": "r", "label": "yes"', "the JSON is broken"),
        ('{"rationale": "r", "lab', "the JSON is broken"),
        (f'Sure: [{JSON}, {{"ration', "the JSON is broken"),
        (f'Sure: {{"draft": {JSON}, "x', "the JSON is broken"),
        ('<think>{"rationale": "r", "label": "yes"}', "ends inside its think block"),
        ('{"rationale": "r", "label": "maybe"}', "'no' or 'undecided', got 'maybe'"),
        ('{"rationale": "r", "label": null}', "label: "),
        ('{"rationale": "r", "label": 2}', "label: .*got 2"),
        ('{"rationale": "r", "label": "10"}', "label: .*got '10'"),
        ('{"rationale": "r"}', "label: Field required"),
        ('{"rationale": 3, "label": "yes"}', "rationale: .*got 3"),
        ('{"rationale": "r", "label": "yes", "score": 1}', "score: Extra inputs"),
        ('{"rationale": "r", "label": "no", "label": "yes"}', "'label' stands twice"),
        ('{"rationale": "r", "label": NaN}', "NaN is not a JSON value"),
        ('{"rationale": "\\ud800", "label": "yes"}', "the reply: "),
        ('{"a": ' * 50_000, "recursion"),
        ("[" * 50_000, "recursion"),
    ],
)
def test_unreadable_replies_are_errors_that_say_why(text: str, says: str) -> None:
    with pytest.raises(ReplyError, match=says):
        read_reply(text, YesNoJudgement)


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("I can't help with that.", "I can't help with that."),
        ("<think>{Not} allowed.</think>\nNo.", "No."),
        ("See [1] and {the form}.", "See [1] and {the form}."),
        ("42", "42"),
        ('{"answer": "No."}', "No."),
        ('Here it is:\n{"answer": "No."}', "No."),
    ],
)
def test_a_reply_with_a_plain_field_may_be_plain_text(text: str, answer: str) -> None:
    assert read_reply(text, RagAnswer) == RagAnswer(answer=answer)


def test_the_other_fields_of_a_plain_text_are_empty() -> None:
    found = read_reply("I cannot help with that.", CheckedRagAnswer)
    assert found == CheckedRagAnswer(rationale="", answer="I cannot help with that.")
    with pytest.raises(ReplyError, match="rationale: Field required"):
        read_reply('{"answer": "No."}', CheckedRagAnswer)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "empty"),
        ("<think>Hm.</think>", "no JSON object"),
        ("<think>Hm", "think block"),
        ('{"answer": "No', "the JSON is broken"),
        ('Sure: {"answer": "No', "the JSON is broken"),
        ("{answer: No}", "no JSON object"),
        ('[{"answer": "No."}]', "no JSON object"),
        ("null", "no JSON object"),
        ("{}", "answer: Field required"),
        ('{"reply": "No."}', "reply: Extra inputs"),
    ],
)
def test_a_reply_meant_as_json_is_never_plain_text(text: str, says: str) -> None:
    with pytest.raises(ReplyError, match=says):
        read_reply(text, RagAnswer)


def test_an_error_keeps_the_first_200_characters() -> None:
    with pytest.raises(ReplyError) as caught:
        read_reply("a" * 200 + "b" * 200, YesNoJudgement)
    assert "a" * 200 in str(caught.value)
    assert "ab" not in str(caught.value)


def test_numbers_and_truths_in_words_are_read_where_they_are_declared() -> None:
    text = (
        '{"rationale": "3", "claims": [{"claim": "1", '
        '"stands_alone": "Yes", "supports": ["1", 2.0, 3], "contradicts": []}]}'
    )
    reply = read_reply(text, ReadingsVerification)
    assert reply.rationale == "3"
    assert reply.claims[0].claim == 1
    assert reply.claims[0].stands_alone is True
    assert reply.claims[0].supports == [1, 2, 3]


@pytest.mark.parametrize("no", ["false", '"No"', "0", '"0"'])
def test_no_is_read_as_yes_is(no: str) -> None:
    assert read_reply(f'{{"rationale": "r", "label": {no}}}', YesNoJudgement).label == "no"
    claim = f'{{"claim": 1, "stands_alone": {no}, "supports": [], "contradicts": []}}'
    reply = read_reply(f'{{"rationale": "r", "claims": [{claim}]}}', ReadingsVerification)
    assert reply.claims[0].stands_alone is False


@pytest.mark.parametrize(
    "claim",
    [
        '{"claim": 1, "stands_alone": 2, "supports": [], "contradicts": []}',
        '{"claim": 1, "stands_alone": "", "supports": [], "contradicts": []}',
        '{"claim": 1, "stands_alone": "maybe", "supports": [], "contradicts": []}',
        '{"claim": 1, "stands_alone": true, "supports": [1.5], "contradicts": []}',
        '{"claim": 1, "stands_alone": true, "supports": [true], "contradicts": []}',
        '{"claim": 1, "stands_alone": true, "supports": ["one"], "contradicts": []}',
        '{"claim": 1, "stands_alone": true, "supports": "1", "contradicts": []}',
        '{"claim": 1, "stands_alone": true, "supports": null, "contradicts": []}',
        "null",
        "[]",
    ],
)
def test_numbers_and_truths_that_need_guessing_are_errors(claim: str) -> None:
    with pytest.raises(ReplyError, match="claims"):
        read_reply(f'{{"rationale": "r", "claims": [{claim}]}}', ReadingsVerification)


def test_a_label_may_be_spelled_with_spaces() -> None:
    text = '{"rationale": "r", "label": "Several readings", "natural": "Likely"}'
    assert read_reply(text, UnderspecifiedVerification).label == "several_readings"


def test_a_draft_and_a_reason_to_decline_exclude_each_other() -> None:
    written = Written[FalsePresuppositionDraft]
    assert read_reply('{"declined": "no fact", "draft": null}', written).draft is None
    with pytest.raises(ReplyError, match="exactly one"):
        read_reply('{"declined": null, "draft": null}', written)


@settings(max_examples=50)
@given(st.text())
def test_no_text_at_all_makes_it_crash(text: str) -> None:
    with pytest.raises(ReplyError):
        read_reply(text, YesNoJudgement)


@settings(max_examples=50)
@given(st.builds(YesNoJudgement, rationale=st.text()), st.sampled_from(["{}", "```json\n{}\n```"]))
def test_what_was_written_is_read_back(reply: YesNoJudgement, form: str) -> None:
    text = form.replace("{}", reply.model_dump_json())
    assert read_reply(text, YesNoJudgement) == reply


def _untitled(schema: object) -> object:
    if isinstance(schema, list):
        return [_untitled(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    return {
        key: _untitled(value)
        for key, value in schema.items()
        if not (key in {"title", "description"} and isinstance(value, str))
    }


def _resolved(schema: object, root: dict[str, Any]) -> object:
    """Follow every reference in a schema."""
    if isinstance(schema, list):
        return [_resolved(one, root) for one in schema]
    if not isinstance(schema, dict):
        return schema
    if "$ref" in schema:
        return _resolved(resolve_ref(root=root, ref=schema["$ref"]), root)
    return {key: _resolved(value, root) for key, value in schema.items() if key != "$defs"}


@pytest.mark.parametrize("reply_type", EVERY_REPLY)
def test_every_schema_is_one_that_strict_mode_takes(reply_type: type[Reply]) -> None:
    schema = reply_format(reply_type)["json_schema"]["schema"]
    strict = to_strict_json_schema(reply_type)
    assert schema == _untitled(_resolved(strict, strict))
    assert not {'"title"', '"$ref"', '"$defs"'} & set(re.findall(r'"[$\w]+"', json.dumps(schema)))


@pytest.mark.parametrize("reply_type", EVERY_REPLY)
def test_every_reply_type_is_found_by_its_name(reply_type: type[Reply]) -> None:
    assert reply_type_named(reply_type.__name__) is reply_type


@pytest.mark.parametrize("name", ["Nobody", "BaseModel", "Written[YesNoJudgement]", "Literal", ""])
def test_an_unknown_reply_type_is_an_error(name: str) -> None:
    with pytest.raises(StorageError, match="unknown reply type"):
        reply_type_named(name)
