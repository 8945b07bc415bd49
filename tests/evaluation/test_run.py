"""An evaluation from queries to journals: in order, resumed, without needless waiting."""

import asyncio
import random
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from tests.evaluation.folders import evaluated
from tests.evaluation.records import control, unanswerable
from tests.scripted import ScriptedModel

from uaeval.categories.names import BUILT_IN
from uaeval.config import EvaluationConfig
from uaeval.errors import BlockedError, ModelError, RunAborted, StorageError, TargetError
from uaeval.evaluation.evaluation import Evaluation
from uaeval.evaluation.metrics.spec import OVERALL
from uaeval.llm.model import Field, Model
from uaeval.llm.reading import read_reply
from uaeval.llm.replies import Reply, VerdictJudgement, YesNoJudgement
from uaeval.records import Failure, Judgement, Query, Response, ResponseStatus
from uaeval.run.progress import ProgressListener
from uaeval.storage import read_journal
from uaeval.systems.system import Answer

QUERIES = [each for n in range(8) for each in (unanswerable(n), control(n))]


class Talker:
    """Answers each query after a random delay."""

    name = "talker"

    def __init__(self, seed: int = 0, log: list[str] | None = None) -> None:
        self._chance = random.Random(seed)
        self.log = [] if log is None else log

    async def answer(self, query: Query) -> Answer:
        self.log.append(f"asked {query.id}")
        for _ in range(self._chance.randrange(20)):
            await asyncio.sleep(0)
        match query.id:
            case "underspecified-0003":
                raise TargetError("no answer")
            case "underspecified-0005":
                return Answer(text="", status=ResponseStatus.BLOCKED)
            case _:
                return Answer(text=f"about {query.id}")


def _judge(log: list[str] | None = None) -> ScriptedModel:
    def verdict(**fields: Field) -> Reply:
        if log is not None:
            log.append(f"judged {fields['response']}")
        if fields["response"] == "about underspecified-0006":
            raise ModelError("no verdict")
        return VerdictJudgement(rationale="r", label="refused")

    yes = YesNoJudgement(rationale="r", label="yes")
    accepts = {f"{category}/acceptable": yes for category in BUILT_IN}
    return ScriptedModel({"judge/verdict": verdict, "judge/correct": yes, **accepts})


async def _evaluate(
    folder: Path,
    system: Talker,
    judge: Model,
    concurrency: int = 4,
    *,
    progress: ProgressListener | None = None,
    queries: Sequence[Query] = QUERIES,
) -> Evaluation:
    config = EvaluationConfig(dataset=folder, concurrency=concurrency)
    return await evaluated(folder, queries, system, [judge], config, progress or ProgressListener())


async def test_a_response_is_judged_while_others_are_still_awaited(tmp_path: Path) -> None:
    log: list[str] = []
    await _evaluate(tmp_path, Talker(log=log), _judge(log), concurrency=1)
    assert log[:4] == [
        "asked underspecified-0000",
        "judged about underspecified-0000",
        "asked underspecified-0000-twin",
        "judged about underspecified-0000-twin",
    ]


async def test_results_and_journals_are_the_same_whatever_the_concurrency(tmp_path: Path) -> None:
    found, written = [], []
    for seed, concurrency in enumerate([1, 3, 64]):
        folder = tmp_path / str(concurrency)
        one = await _evaluate(folder, Talker(seed), _judge(), concurrency)
        found.append((one.judgements, one.failures, one.scores))
        names = ("judgements.jsonl", "judge.failed.jsonl", "respond.failed.jsonl")
        written.append([(folder / name).read_bytes() for name in names])
        responses = read_journal(folder / "responses.jsonl", Response)
        assert responses == one.responses
        assert [each.query_id for each in responses] == [
            query.id for query in QUERIES if query.id != "underspecified-0003"
        ]
    assert found[0] == found[1] == found[2]
    assert written[0] == written[1] == written[2]
    assert [(failure.stage, failure.id) for failure in found[0][1]] == [
        ("respond", "underspecified-0003"),
        ("judge", "underspecified-0006/verdict"),
    ]


class Endings(ProgressListener):
    """Records the stages and outcomes that it is notified of."""

    def __init__(self) -> None:
        self.stages: list[tuple[str, int | None]] = []
        self.outcomes: list[object] = []

    def started(self, stage: str, total: int | None = None) -> None:
        self.stages.append((stage, total))

    def advanced(self, outcome: object, done: int | None = None, total: int | None = None) -> None:
        self.outcomes.append(outcome)


async def test_each_query_advances_once_with_its_worst_outcome(tmp_path: Path) -> None:
    progress = Endings()
    await _evaluate(tmp_path, Talker(), _judge(), progress=progress)
    assert progress.stages == [("asking talker and judging its responses", len(QUERIES))]
    failed = [outcome.id for outcome in progress.outcomes if isinstance(outcome, Failure)]
    assert (len(progress.outcomes), sorted(failed)) == (
        len(QUERIES),
        ["underspecified-0003", "underspecified-0006/verdict"],
    )


async def test_a_judge_that_is_blocked_leaves_an_error_of_the_figure_and_its_own_count(
    tmp_path: Path,
) -> None:
    queries = [query for query in QUERIES if query.id < "underspecified-0003"]

    def verdict(**fields: Field) -> Reply:
        if fields["response"] == "about underspecified-0001":
            raise BlockedError("filtered")
        return VerdictJudgement(rationale="r", label="refused")

    yes = YesNoJudgement(rationale="r", label="yes")
    judge = ScriptedModel(
        {"judge/verdict": verdict, "judge/correct": yes, "underspecified/acceptable": yes}
    )
    found = await _evaluate(tmp_path, Talker(), judge, queries=queries)
    (unanswered,) = [
        one for one in found.scores if (one.metric, one.group) == ("unanswered_ratio", OVERALL)
    ]
    assert (unanswered.value, unanswered.n, unanswered.judged, unanswered.errors) == (1.0, 3, 2, 1)
    assert unanswered.worst == pytest.approx(2 / 3)
    assert found.blocked_counts == {"respond": {}, "judge": {"underspecified": 1}}
    assert found.failures == ()


@pytest.mark.parametrize(
    "garbage",
    [
        "",
        "Fine by me!",
        '{"label": "yes"}',
        '{"rationale": "r", "label": "refused-ish"}',
        "[]",
        "{",
    ],
)
async def test_a_judge_that_answers_garbage_changes_errors_and_never_a_value(
    tmp_path: Path, garbage: str
) -> None:
    sound = [each for n in range(10, 18) for each in (unanswerable(n), control(n))]
    spoilt = [each for n in range(18, 21) for each in (unanswerable(n), control(n))]
    judge = _garbling(garbage, {query.id for query in spoilt})
    found = await _evaluate(tmp_path / "all", Talker(), judge, queries=[*sound, *spoilt])
    without = await _evaluate(tmp_path / "sound", Talker(), judge, queries=sound)
    assert len(found.failures) == 2 * len(spoilt)
    figures = {(one.metric, one.group): one for one in without.scores}
    for score in found.scores:
        assert score.value == figures[score.metric, score.group].value, score
    (unanswered,) = [
        one for one in found.scores if (one.metric, one.group) == ("unanswered_ratio", OVERALL)
    ]
    assert (unanswered.judged, unanswered.errors) == (8, 3)


async def test_where_every_judgement_is_garbage_no_figure_has_a_value(tmp_path: Path) -> None:
    queries = [each for n in range(10, 18) for each in (unanswerable(n), control(n))]
    judge = _garbling("No comment.", {query.id for query in queries})
    found = await _evaluate(tmp_path / "all", Talker(), judge, queries=queries)
    asked = [score for score in found.scores if score.metric != "blocked_ratio"]
    assert {score.value for score in asked} == {None}
    assert {score.judged for score in asked} == {0}


def _garbling(garbage: str, spoilt: set[str]) -> ScriptedModel:
    """Judge well, but reply with `garbage` about the responses to some queries."""

    def said(text: str, kind: type[Reply]) -> Callable[..., Reply]:
        def reply(**fields: Field) -> Reply:
            query = str(fields["response"]).removeprefix("about ")
            return read_reply(garbage if query in spoilt else text, kind)

        return reply

    yes = said('{"rationale": "r", "label": "yes"}', YesNoJudgement)
    verdict = said('{"rationale": "r", "label": "refused"}', VerdictJudgement)
    accepts = {f"{category}/acceptable": yes for category in BUILT_IN}
    return ScriptedModel({"judge/verdict": verdict, "judge/correct": yes, **accepts})


async def test_an_evaluation_that_is_stopped_keeps_its_responses_and_asks_only_the_rest(
    tmp_path: Path,
) -> None:
    judged = 0

    def stopping(**_: Field) -> Reply:
        nonlocal judged
        judged += 1
        if judged > 5:
            raise RunAborted("the quota is exhausted")
        return VerdictJudgement(rationale="r", label="refused")

    yes = YesNoJudgement(rationale="r", label="yes")
    scripts = {"judge/correct": yes, "underspecified/acceptable": yes}
    first, second = Talker(), Talker()
    with pytest.raises(RunAborted):
        await _evaluate(tmp_path, first, ScriptedModel({**scripts, "judge/verdict": stopping}))
    kept = read_journal(tmp_path / "responses.jsonl", Response)
    assert len(read_journal(tmp_path / "judgements.jsonl", Judgement)) >= 6
    assert len(kept) >= 5
    ended = await _evaluate(tmp_path, second, _judge())
    assert not {f"asked {one.query_id}" for one in kept} & set(second.log)
    assert len(ended.responses) == len(QUERIES) - 1


@pytest.mark.parametrize("name", ["judgements.jsonl", "respond.failed.jsonl"])
async def test_a_damaged_journal_is_named_and_not_rewritten(tmp_path: Path, name: str) -> None:
    await _evaluate(tmp_path, Talker(), _judge())
    path = tmp_path / name
    path.write_text('{"id": "x\n')
    with pytest.raises(StorageError, match=f"{name}:1: Invalid JSON: .*; delete this file"):
        await _evaluate(tmp_path, Talker(), _judge())
    assert path.read_text() == '{"id": "x\n'
    path.unlink()
    await _evaluate(tmp_path, Talker(), _judge())


@pytest.mark.parametrize("name", ["responses.jsonl", "judgements.jsonl"])
async def test_an_incomplete_last_line_of_a_journal_is_dropped(tmp_path: Path, name: str) -> None:
    await _evaluate(tmp_path, Talker(), _judge())
    path = tmp_path / name
    whole = path.read_bytes()
    path.write_bytes(whole[:-9])
    await _evaluate(tmp_path, Talker(), _judge())
    assert path.read_bytes() == whole


async def test_responses_of_an_earlier_session_are_announced(tmp_path: Path) -> None:
    titles: list[str] = []

    class Listener(ProgressListener):
        def started(self, stage: str, total: int | None = None) -> None:
            titles.append(stage)

    for _ in range(2):
        await _evaluate(tmp_path, Talker(), _judge(), progress=Listener())
    first, second = titles
    assert second == f"{first}, {len(QUERIES) - 1} of an earlier session"


async def test_a_repetition_that_is_stopped_keeps_the_records_that_it_does_not_reach(
    tmp_path: Path,
) -> None:
    class Unreachable(Talker):
        async def answer(self, query: Query) -> Answer:
            raise RunAborted("20 calls in a row failed")

    await _evaluate(tmp_path, Talker(), _judge())
    written = {path.name: path.read_bytes() for path in tmp_path.glob("*.jsonl")}
    with pytest.raises(RunAborted):
        await _evaluate(tmp_path, Unreachable(), _judge())
    assert written["respond.failed.jsonl"]
    assert {path.name: path.read_bytes() for path in tmp_path.glob("*.jsonl")} == written
