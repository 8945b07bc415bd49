"""Why a model stopped, in the shapes of providers and frameworks."""

from typing import Any

import pytest
from langchain_core.messages import AIMessage

from uaeval.llm.stop_reasons import CUT_OFF, FILTERED, stop_reasons


@pytest.mark.parametrize(
    "value",
    [
        {"choices": [{"index": 0, "finish_reason": "length"}]},
        {"finish_reason": "MAX_TOKENS"},
        {"finish_reason": "FinishReason.MAX_TOKENS"},
        {"candidates": [{"finishReason": "MAX_TOKENS"}]},
        {"type": "message_delta", "delta": {"stop_reason": "max_tokens"}},
        {"stop_reason": "model_context_window_exceeded"},
        {"done": True, "done_reason": "length"},
        {"status": "incomplete", "incomplete_details": {"reason": "max_output_tokens"}},
        {"output": {"content": "I do", "response_metadata": {"finish_reason": "length"}}},
        {"messages": [AIMessage("I do", response_metadata={"finish_reason": "length"})]},
    ],
)
def test_a_limit_of_tokens_is_found_in_every_shape(value: object) -> None:
    reasons = stop_reasons(value)
    assert reasons & CUT_OFF
    assert not reasons & FILTERED


@pytest.mark.parametrize(
    "value",
    [
        {"choices": [{"finish_reason": "content_filter"}]},
        {"stop_reason": "refusal"},
        {"candidates": [{"finishReason": "SAFETY"}]},
        AIMessage("", response_metadata={"finish_reason": "content_filter"}),
    ],
)
def test_a_content_filter_is_found_in_every_shape(value: object) -> None:
    reasons = stop_reasons(value)
    assert reasons & FILTERED
    assert not reasons & CUT_OFF


@pytest.mark.parametrize(
    "value",
    [
        None,
        "finish_reason: length",
        {"answer": "The limit is the length of the list.", "finish_reason": "stop"},
        {"finish_reason": None, "incomplete_details": None},
        {"contexts": [{"text": "max_tokens"}], "length": 7},
    ],
)
def test_a_reply_that_ended_normally_is_neither_cut_off_nor_blocked(value: object) -> None:
    reasons = stop_reasons(value)
    assert not reasons & CUT_OFF
    assert not reasons & FILTERED


def test_a_self_referencing_value_is_read() -> None:
    value: dict[str, Any] = {"finish_reason": "length"}
    value["again"] = [value]
    assert stop_reasons(value) & CUT_OFF
