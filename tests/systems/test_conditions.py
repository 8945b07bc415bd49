"""The gate, the output contract with its single retry, and the three conditions."""

from dataclasses import replace

import pytest
from tests.evaluation.records import control
from tests.scripted import ScriptedModel

from uaeval.errors import ModelError
from uaeval.knowledge.retriever import Hit
from uaeval.llm.model import Field
from uaeval.llm.replies import OpenAnswer, Reply
from uaeval.prompts import PromptLibrary
from uaeval.records import Chunk
from uaeval.systems.conditions import Condition, answer_openly
from uaeval.systems.context_gate import GateReason, Thresholds, gate
from uaeval.systems.output_contract import answer_of, violations

QUERY = control(1)
GATE = Thresholds()


def hits(*lengths: int, similarity: float = 0.7) -> tuple[Hit, ...]:
    return tuple(
        Hit(
            chunk=Chunk(
                id=f"doc#{place}",
                document_id="doc",
                title="Leave",
                heading="",
                text="x" * length,
                start=0,
                end=length,
            ),
            similarity=similarity - place / 100,
        )
        for place, length in enumerate(lengths)
    )


@pytest.mark.parametrize(
    ("found", "thresholds", "reason"),
    [
        ((), GATE, "empty_context"),
        ((), None, "empty_context"),
        (hits(0, 0), None, "empty_context"),
        (hits(1), None, "gating_disabled"),
        (hits(100, 99), GATE, "context_too_short"),
        (hits(199, similarity=0.1), GATE, "context_too_short"),
        (hits(200), GATE, "too_few_chunks"),
        (hits(200, similarity=0.1), GATE, "too_few_chunks"),
        (hits(100, 100, similarity=0.6199), GATE, "low_top_score"),
        (hits(100, 100, similarity=0.62), GATE, "pass"),
        (hits(100, 100, similarity=0.4), replace(GATE, similarity=0.4), "pass"),
    ],
)
def test_the_first_reason_that_holds_decides(
    found: tuple[Hit, ...], thresholds: Thresholds | None, reason: str
) -> None:
    decided = gate(found, thresholds)
    assert decided == reason


async def test_a_record_holds_what_the_gate_saw_and_the_best_similarity_wherever_it_is() -> None:
    first, second = hits(150, 80, similarity=0.5)
    found = (first, replace(second, similarity=0.8))
    model = Model("Final answer: 240 hours.")
    record = await answer_openly(QUERY, Condition.RAG_GATED, found, model, GATE)
    assert (record.rag_gate_reason, record.rag_top_score) == (GateReason.PASS, 0.8)
    assert (record.rag_context_chars, record.rag_returned_chunks) == (230, 2)


@pytest.mark.parametrize(
    ("output", "reasons"),
    [
        ("Final answer: 240 hours.", None),
        ("  Final answer:\n240 hours, and 80 more [with consent].", None),
        ("Final answer: I do not know.", None),
        ("Final answer: Bring an identity document (a passport, say).", None),
        ("", "empty_output"),
        ("Final answer:  \n", "empty_output"),
        ("**Final answer:** **", "empty_output"),
        ("240 hours.", "missing_final_answer_prefix"),
        ("**Final answer:** 240 hours.", "missing_final_answer_prefix"),
        ("Final answer: Let me think about the leave. 240 hours.", "starts_with_reasoning"),
        (
            "To answer this, we need the limit. Final answer: 240 hours.",
            "missing_final_answer_prefix;starts_with_reasoning",
        ),
        ("Final answer: <think>240 or 80?</think> 240 hours.", "contains_think_tags"),
        ("Final answer: 240 hours.\n\n## Analysis\nThe limit.", "contains_banned_section_header"),
        (
            "Final answer: 240 hours.\nSources: handbook",
            "contains_banned_section_header;mentions_citations_or_sources",
        ),
        ("Final answer: According to the documents, 240.", "mentions_citations_or_sources"),
        ("Final answer: 240 hours (leave.md).", "mentions_citations_or_sources"),
        ("Final answer: 240 hours [1].", "contains_bracket_citation"),
        ("Final answer: 240 hours [2, 3].", "contains_bracket_citation"),
        ("Final answer: 240 hours 【1†source】.", "contains_bracket_citation"),
        (
            "<think>hm</think>\nAnalysis: see above [1]",
            "missing_final_answer_prefix;contains_think_tags;contains_banned_section_header;"
            "contains_bracket_citation",
        ),
    ],
)
def test_each_violation_of_the_contract_is_named(output: str, reasons: str | None) -> None:
    assert (";".join(violations(output)) or None) == reasons


def test_the_answer_is_what_follows_the_prefix() -> None:
    assert answer_of(" Final answer: 240 hours. ") == "240 hours."
    assert answer_of("240 hours.") == "240 hours."


class Model(ScriptedModel):
    """Replies with one output after the other."""

    def __init__(self, *outputs: str) -> None:
        left = iter(outputs)

        def say(**fields: Field) -> Reply:
            return OpenAnswer(answer=next(left))

        names = ("rag/open_answer", "rag/open_answer_context")
        super().__init__({name + again: say for name in names for again in ("", "_again")})

    @property
    def prompts(self) -> list[str]:
        return [call.prompt for call in self.history]


async def test_without_retrieval_there_is_no_context_and_no_gate() -> None:
    model = Model("Final answer: 240 hours.")
    record = await answer_openly(QUERY, Condition.NO_RAG, hits(300, 300), model, GATE)
    assert model.prompts == ["rag/open_answer"]
    assert (record.rag_context_used, record.rag_gate_reason, record.contexts) == (False, None, ())
    assert (record.rag_top_score, record.rag_context_chars) == (None, 0)
    assert (record.id, record.answer) == (f"{QUERY.id}/scripted/no_rag", "240 hours.")
    assert (record.format_ok, record.format_retry_used) == (True, False)


async def test_a_context_that_fails_the_gate_falls_back_to_the_prompt_without_context() -> None:
    model = Model("Final answer: 240 hours.")
    record = await answer_openly(
        QUERY, Condition.RAG_GATED, hits(300, 300, similarity=0.3), model, GATE
    )
    assert model.prompts == ["rag/open_answer"]
    assert (record.rag_context_used, record.rag_gate_reason) == (False, "low_top_score")
    assert (record.rag_top_score, record.rag_context_chars) == (0.3, 600)
    assert (record.rag_returned_chunks, record.contexts) == (2, ())


async def test_a_context_that_passes_the_gate_or_meets_none_is_shown() -> None:
    for condition, similarity, reason in (
        (Condition.RAG_GATED, 0.9, "pass"),
        (Condition.RAG_ALWAYS, 0.1, "gating_disabled"),
    ):
        model = Model("Final answer: 240 hours.")
        found = hits(300, 300, similarity=similarity)
        record = await answer_openly(QUERY, condition, found, model, GATE)
        assert model.prompts == ["rag/open_answer_context"]
        assert (record.rag_context_used, record.rag_gate_reason) == (True, reason)
        assert [context.id for context in record.contexts] == ["doc#0", "doc#1"]


async def test_nothing_retrieved_is_an_empty_context_even_where_it_is_always_shown() -> None:
    model = Model("Final answer: I do not know.")
    record = await answer_openly(QUERY, Condition.RAG_ALWAYS, (), model, GATE)
    assert (model.prompts, record.rag_gate_reason) == (["rag/open_answer"], "empty_context")
    assert record.rag_top_score is None


async def test_a_violation_is_sent_back_to_the_model_once() -> None:
    model = Model("240 hours [1].", "Final answer: 240 hours.")
    record = await answer_openly(QUERY, Condition.RAG_ALWAYS, hits(300), model, GATE)
    assert model.prompts == ["rag/open_answer_context", "rag/open_answer_context_again"]
    told = model.history[1].fields
    assert told["first_answer"] == "240 hours [1]."
    assert told["wrong"] == ("it does not begin with `Final answer:`; it has citations in brackets")
    assert (record.format_ok, record.format_retry_used) == (True, True)
    assert record.format_violation_reason == "missing_final_answer_prefix;contains_bracket_citation"
    assert record.format_violation_reason_after_retry is None
    assert (record.output, record.answer) == ("Final answer: 240 hours.", "240 hours.")


async def test_there_is_no_second_retry() -> None:
    model = Model("240 hours.", "Still 240 hours.", "Final answer: 240 hours.")
    record = await answer_openly(QUERY, Condition.NO_RAG, (), model, GATE)
    assert model.prompts == ["rag/open_answer", "rag/open_answer_again"]
    assert (record.format_ok, record.format_retry_used) == (False, True)
    assert record.format_violation_reason_after_retry == "missing_final_answer_prefix"
    assert record.output == "Still 240 hours."


async def test_a_model_that_cannot_be_reached_leaves_no_record() -> None:
    def down(**fields: Field) -> Reply:
        raise ModelError("no connection")

    with pytest.raises(ModelError):
        await answer_openly(
            QUERY, Condition.NO_RAG, (), ScriptedModel({"rag/open_answer": down}), GATE
        )


def test_every_violation_has_its_correction_in_a_prompt_that_can_be_rendered() -> None:
    library = PromptLibrary()
    fields: dict[str, Field] = {"question": "q", "first_answer": "</first_answer>", "wrong": "w"}
    _, user = library.get("rag/open_answer_again").render(fields)
    assert user.count("</first_answer>") == 1
