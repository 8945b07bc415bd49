from collections.abc import Sequence

import pytest
from tests.evaluation.evidence import (
    TEXTS,
    by_id,
    false_premise,
    supported_control,
    two_readings,
    with_contexts,
)
from tests.evaluation.records import blocked, both, control, unanswerable
from tests.scripted import ScriptedModel

from uaeval.errors import ModelError
from uaeval.evaluation.metrics.attribution import (
    Attribution,
    Fault,
    attribute,
    by_code,
    passages_of,
    unjudged,
)
from uaeval.evaluation.metrics.items import read_items
from uaeval.evaluation.metrics.judged import Case
from uaeval.llm.model import Field
from uaeval.llm.replies import EvidenceJudgement, Reply
from uaeval.offline.model import OfflineModel
from uaeval.records import Category, Context, Query, Response


def _case(query: Query, response: Response, second: str = "no") -> Case:
    (item,) = read_items([query], [response], both(query, "answered", second))
    return Case(query=query, response=response, outcome=item)


def _by_code(case: Case) -> Attribution | None:
    return by_code(case, TEXTS)


def _result(query: Query, *contexts: Context, text: str = "80 hours.") -> Attribution:
    found = _by_code(_case(query, with_contexts(query, *contexts, text=text)))
    assert found
    return found


def _fault(query: Query, *contexts: Context, text: str = "80 hours.") -> Fault:
    return _result(query, *contexts, text=text).fault


def test_a_good_or_blocked_response_is_attributed_to_no_cause() -> None:
    query = supported_control()
    assert _by_code(_case(query, with_contexts(query), "yes")) is None
    assert _by_code(_case(query, blocked(query))) is None


def test_a_wrong_answer_with_its_passage_is_attributed_to_generation() -> None:
    query = supported_control()
    assert _fault(query, *by_id("fees.md#0", "leave.md#1")) is Fault.GENERATION
    assert _fault(query, *by_id("fees.md#0")) is Fault.RETRIEVAL


def test_an_underspecified_query_takes_two_readings() -> None:
    assert _fault(two_readings(), *by_id("leave.md#1")) is Fault.RETRIEVAL
    assert _fault(two_readings(), *by_id("leave.md#1", "leave.md#2")) is Fault.GENERATION


def test_a_false_premise_takes_the_passage_that_contradicts_it() -> None:
    assert _fault(false_premise(), *by_id("leave.md#1")) is Fault.RETRIEVAL
    assert _fault(false_premise(), *by_id("fees.md#0")) is Fault.GENERATION


@pytest.mark.parametrize("category", ["nonsensical", "modality_limited", "safety_concerned"])
def test_answering_what_cannot_be_retrieved_has_a_cause_of_its_own(category: Category) -> None:
    assert _fault(unanswerable(1, category), *by_id("leave.md#1")) is Fault.NOTHING_TO_RETRIEVE


def test_an_outside_answer_that_the_contexts_give_is_the_knowledge_bases() -> None:
    query = unanswerable(1, "out_of_database", outside_answer="in March 2031")
    given = Context(id=None, text="It opened in March 2031.")
    assert _fault(query, given, text="In March 2031.") is Fault.KNOWLEDGE_BASE
    assert _fault(query, given, text="In May.") is Fault.NOTHING_TO_RETRIEVE
    held = by_id("leave.md#1")
    assert _fault(query, *held, text="In March 2031.") is Fault.NOTHING_TO_RETRIEVE


def test_without_contexts_or_known_passages_the_cause_is_unknown() -> None:
    assert _fault(supported_control()) is Fault.UNKNOWN
    assert _fault(control(1), *by_id("leave.md#1")) is Fault.UNKNOWN


@pytest.mark.parametrize(
    ("label", "fault"), [("present", Fault.GENERATION), ("absent", Fault.RETRIEVAL)]
)
async def test_a_judge_is_asked_whether_other_passages_hold_the_evidence(
    label: str, fault: Fault
) -> None:
    query = two_readings()
    response = with_contexts(query, *by_id("leave.md#1"), text="SECRET")
    assert unjudged(_result(query, *by_id("leave.md#1")))
    judge = ScriptedModel(
        {
            "judge/attribution": EvidenceJudgement.model_validate(
                {"rationale": "So.", "label": label}
            )
        }
    )
    found = await attribute(_case(query, response), judge)
    assert (found.fault, found.judge, found.rationale) == (fault, "scripted", "So.")
    (ask,) = judge.history
    assert ask.fields["evidence"] == (
        "How much sick leave? 240 hours\nHow much annual leave? 80 hours"
    )
    shown: Field = ask.fields["passages"]
    assert isinstance(shown, Sequence) and len(shown) == 1
    assert "SECRET" not in str(ask.fields)


def test_where_code_decides_no_judge_is_asked() -> None:
    query = supported_control()
    found = _result(query, *by_id("leave.md#1"))
    assert (unjudged(found), found.judge) == (None, None)


async def test_a_judge_that_fails_decides_nothing() -> None:
    def failing(**_: Field) -> Reply:
        raise ModelError("down")

    query = supported_control()
    case = _case(query, with_contexts(query, *by_id("fees.md#0")))
    with pytest.raises(ModelError):
        await attribute(case, ScriptedModel({"judge/attribution": failing}))
    record = unjudged(_result(query, *by_id("fees.md#0")))
    assert record is not None and record.fault is Fault.UNKNOWN


@pytest.mark.parametrize(
    ("context", "fault"),
    [
        ("Each year you can borrow 240 hours when you are ill.", Fault.GENERATION),
        ("Each year you can borrow 80 hours.", Fault.RETRIEVAL),
    ],
)
async def test_the_offline_judge_finds_the_answer_in_another_passage(
    context: str, fault: Fault
) -> None:
    query = supported_control()
    case = _case(query, with_contexts(query, Context(id="other#3", text=context)))
    assert (await attribute(case, OfflineModel())).fault is fault


def test_a_judge_sees_the_headings_above_a_context() -> None:
    given = Context(id="a#0", text="Down the hall.", heading="Chicago › Bathrooms")
    bare = Context(id=None, text="On each floor.")
    assert [one.heading for one in passages_of([given, bare])] == ["Chicago › Bathrooms", ""]
