"""Several independent judgements of one response, of which the majority decides."""

from collections.abc import Sequence
from dataclasses import replace

from uaeval.errors import NoMajorityError
from uaeval.evaluation.judging.judge import JudgeTask, Policy, judge
from uaeval.evaluation.judging.undecided import UNDECIDED_LABEL, Undecided
from uaeval.llm.model import Model
from uaeval.llm.votes import count_votes, majority, votes_text
from uaeval.runner import all_of
from uaeval.types import Judgement


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
    labels = [one.label if isinstance(one, Judgement) else UNDECIDED_LABEL for one in judgements]
    votes, winner = count_votes(labels), majority(labels)
    if winner is None:
        raise NoMajorityError(f"{task.id}: no label has a majority: {votes_text(votes)}")
    names = " + ".join(dict.fromkeys(judgement.judge for judgement in judgements))
    decided = judgements[labels.index(winner)]
    if isinstance(decided, Undecided):
        return replace(decided, judge=names)
    return replace(decided, judge=names, votes=votes)
