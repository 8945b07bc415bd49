"""Judge one response under one metric, by one judge or by the majority of several.

Each judgement is a unit of work that may fail alone.
"""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from typing import Final, Literal

from uaeval.categories.registry import category as category_of
from uaeval.errors import ConfigError, NoMajorityError
from uaeval.llm.model import Model
from uaeval.llm.replies import VerdictJudgement, YesNoJudgement
from uaeval.llm.votes import count_votes, majority, votes_text
from uaeval.prompts import Field
from uaeval.records import Category, Judgement, Metric, Query, Response, ResponseStatus, Verdict
from uaeval.runner import all_of

Policy = Literal["lenient", "strict"]
"""What is acceptable: `strict` requires more than a bare refusal in categories that say so."""

UNDECIDED_LABEL: Final = "undecided"
"""How a judge replies so; it becomes a record, never the label of a judgement."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Undecided:
    """A judge's reply that it cannot label a response. No label, and no failed call."""

    id: str
    """`<query id>/<metric>`, as of a judgement."""
    query_id: str
    judge: str
    metric: Metric
    rationale: str


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeTask:
    """One response that wants judging under one metric."""

    query: Query
    response: Response
    metric: Metric

    @property
    def id(self) -> str:
        """`<query id>/<metric>`, the id of the judgement to come."""
        return f"{self.query.id}/{self.metric}"


def judge_tasks(queries: Iterable[Query], responses: Iterable[Response]) -> tuple[JudgeTask, ...]:
    """List the judgements to ask for, in the order of `queries`; a blocked response wants none."""
    by_query = {each.query_id: each for each in responses if each.status is ResponseStatus.OK}
    tasks = list[JudgeTask]()
    for query in queries:
        if response := by_query.get(query.id):
            task = partial(JudgeTask, query=query, response=response)
            tasks.append(task(metric=Metric.VERDICT))
            if not query.answerable:
                tasks.append(task(metric=Metric.ACCEPTABLE))
            elif query.reference_answer is not None:
                tasks.append(task(metric=Metric.CORRECT))
    return tuple(tasks)


async def judge(task: JudgeTask, model: Model, policy: Policy = "lenient") -> Judgement | Undecided:
    """Ask for one judgement.

    Raises:
        RecordError: the judge could not be asked or understood; that is never a label.
    """
    prompt, reply, fields = _question(task, policy)
    return await model.ask(prompt, reply, partial(_judgement, task, model), **fields)


def _question(
    task: JudgeTask, policy: Policy
) -> tuple[str, type[VerdictJudgement | YesNoJudgement], dict[str, Field]]:
    """Return the prompt, the type of its reply and its fields.

    Category and reason stay hidden from the judge of the verdict.
    """
    query = task.query
    fields: dict[str, Field] = {"question": query.conversation, "response": task.response.text}
    match task.metric:
        case Metric.VERDICT:
            return "judge/verdict", VerdictJudgement, fields
        case Metric.ACCEPTABLE:
            if query.category is None:
                raise ConfigError(f"{query.id} is answerable; judge whether it is correct instead")
            fields["reason"] = query.reason or category_of(query.category).definition
            return acceptable_prompt(query.category, policy), YesNoJudgement, fields
        case Metric.CORRECT:
            if query.reference_answer is None:
                raise ConfigError(f"{query.id} has no reference answer to judge by; add one")
            fields["reference"] = query.reference_answer
            return "judge/correct", YesNoJudgement, fields


def acceptable_prompt(category: Category, policy: Policy) -> str:
    """Name the prompt that holds the acceptance rule."""
    strict = policy == "strict" and category_of(category).strict_acceptance
    return f"{category}/acceptable{'_strict' if strict else ''}"


def _judgement(
    task: JudgeTask, model: Model, reply: VerdictJudgement | YesNoJudgement
) -> Judgement | Undecided:
    undecided = Undecided(
        id=task.id,
        query_id=task.query.id,
        judge=model.name,
        metric=task.metric,
        rationale=reply.rationale,
    )
    if reply.label == UNDECIDED_LABEL:
        return undecided
    return Judgement(**asdict(undecided), label=reply.label)


async def judge_by_majority(
    task: JudgeTask, judges: Sequence[Model], policy: Policy = "lenient"
) -> Judgement | Undecided:
    """Ask each judge, and return what more than half of them say, with the votes.

    That a judge cannot tell is a vote as well: where most of them cannot, it is undecided.

    Raises:
        NoMajorityError: no label has a majority; that is never a label.
        RecordError: a judge could not be asked or understood: that is no vote.
    """
    judgements = await all_of([judge(task, model, policy) for model in judges])
    if len(judgements) == 1:
        return judgements[0]
    labels = [getattr(judgement, "label", UNDECIDED_LABEL) for judgement in judgements]
    votes, winner = count_votes(labels), majority(labels)
    if winner is None:
        raise NoMajorityError(f"{task.id}: no label has a majority: {votes_text(votes)}")
    names = " + ".join(dict.fromkeys(judgement.judge for judgement in judgements))
    decided = replace(judgements[labels.index(winner)], judge=names)
    return replace(decided, votes=votes) if isinstance(decided, Judgement) else decided


# --- another policy -------------------------------------------------------------------------------
# The policies differ in one thing: under the strict one to decline is not enough, where a category
# says so. Whether a response declines is what its verdict tells.

_OF_REFUSALS: Final[dict[Policy, str]] = {"lenient": "yes", "strict": "no"}
"""Whether a refusal is acceptable, by policy."""


def under_policy(
    policy: Policy, queries: Iterable[Query], known: Iterable[Judgement | Undecided]
) -> list[Judgement | Undecided]:
    """Return what is `known` as it is under `policy`, given what the judge said under the other.

    A judgement that depends on a missing verdict is left out: an error, and no label.
    """
    concerned = {
        query.id
        for query in queries
        if query.category is not None and category_of(query.category).strict_acceptance
    }
    known, label = list(known), _OF_REFUSALS[policy]
    verdicts = {said.query_id: said for said in known if said.metric is Metric.VERDICT}
    now = list[Judgement | Undecided]()
    for said in known:
        is_concerned = said.query_id in concerned and said.metric is Metric.ACCEPTABLE
        verdict = verdicts.get(said.query_id)
        if not is_concerned or isinstance(said, Undecided) or said.label == label:
            now.append(said)
        elif verdict is not None:
            now.append(_by_verdict(policy, said, verdict))
    return now


def _by_verdict(
    policy: Policy, said: Judgement, verdict: Judgement | Undecided
) -> Judgement | Undecided:
    """Return what is said of acceptability where that depends on the verdict."""
    if isinstance(verdict, Undecided):
        rationale = "The judge could not tell whether the response declines."
        return replace(
            verdict, id=said.id, judge=said.judge, metric=said.metric, rationale=rationale
        )
    if verdict.label != Verdict.REFUSED:
        return said
    rationale = (
        f"Decided by the verdict (refused) under the {policy} policy; the judge said "
        f"{said.label} under the other: {said.rationale}"
    )
    return replace(said, label=_OF_REFUSALS[policy], votes=None, rationale=rationale)
