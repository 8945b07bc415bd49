"""A metric of another package: the shipped example is put on the path, as an install would."""

import json
import sys
import tomllib
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from tests.cli.conftest import DOCUMENTS, Uaeval
from tests.cli.conftest import uaeval as uaeval
from tests.plugin_examples import forget
from tests.servers import offline_answers
from tests.servers.openai_server import Body, OpenAIServer

from uaeval import synthesize
from uaeval.errors import ConfigError
from uaeval.evaluation.metrics.judged import judged_metric
from uaeval.evaluation.metrics.names import metric_names
from uaeval.evaluation.metrics.registry import judged_metrics, metric_named
from uaeval.llm.reading import reply_type_named
from uaeval.llm.replies import Reply
from uaeval.prompts import PromptLibrary
from uaeval.records import Response

EXAMPLE = Path(__file__).parents[2] / "examples" / "plugins" / "metric"


def _register(folder: Path, package: str, value: str, name: str = "politeness") -> None:
    meta = folder / f"{package}-1.dist-info"
    meta.mkdir()
    (meta / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1\n")
    (meta / "entry_points.txt").write_text(f"[uaeval.metrics]\n{name} = {value}\n")


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    project = tomllib.loads((EXAMPLE / "pyproject.toml").read_text())["project"]
    ((name, value),) = project["entry-points"]["uaeval.metrics"].items()
    monkeypatch.syspath_prepend(str(EXAMPLE))
    monkeypatch.syspath_prepend(str(tmp_path))
    _register(tmp_path, "uaeval_politeness", value, name)
    forget()
    yield
    forget()


def _judge(body: Body, score: float) -> str:
    system, user = (message["content"] for message in body["messages"][:2])
    if not system.startswith("Rate the politeness"):
        return offline_answers.offline_answer(body)
    assert user.startswith("<response>") and user.endswith("</response>")
    return json.dumps({"rationale": "It says please.", "score": score})


def _response(_: object, response: Response) -> dict[str, str]:
    return {"response": response.text}


def _scores(folder: Path) -> dict[tuple[str, str], dict[str, object]]:
    rows = json.loads((folder / "scores.json").read_text())["scores"]
    return {(row["metric"], row["group"]): row for row in rows}


def test_the_example_is_short() -> None:
    files = [path for path in EXAMPLE.rglob("*") if path.suffix in {".py", ".toml"}]
    assert len(files) == 2
    assert sum(len(path.read_text(encoding="utf-8").splitlines()) for path in files) < 40
    (prompt,) = EXAMPLE.rglob("*.md")
    assert len(prompt.read_text(encoding="utf-8").splitlines()) < 20


def test_without_the_package_its_metric_is_unknown() -> None:
    assert metric_names() == ("attribution", "final_score", "quest_eval")
    assert metric_named("politeness").definition == ""


@pytest.mark.usefixtures("installed")
def test_a_package_adds_a_metric_and_its_prompt() -> None:
    assert metric_names()[-1] == "politeness"
    assert list(judged_metrics())[-1] == "politeness"
    assert metric_named("politeness").definition.startswith("How polite")
    assert PromptLibrary().get("politeness/judge").fields == {"response"}
    assert reply_type_named("Politeness").__module__ == "uaeval_politeness"


@pytest.mark.usefixtures("installed")
def test_the_metric_of_a_package_is_measured_shown_gated_and_compared(
    tmp_path: Path, uaeval: Uaeval
) -> None:
    run = partial(_run, uaeval)
    data = tmp_path / "data"
    synthesize(DOCUMENTS, data, size=2, categories=["false_presupposition", "modality_limited"])
    assert "quest_eval, politeness." in run(0, "evaluate", "--help")
    options = ["--metrics", "politeness", "--judge", "openai:judge", "--judge-base-url"]
    gate = ["--fail-under", "politeness.controls=0.7"]
    with OpenAIServer(partial(_judge, score=0.75)) as server:
        out = run(0, "evaluate", data, "--name", "kind", *options, server.url, *gate)
    assert "gate politeness.controls=0.7: passed (politeness controls: value 0.7500" in out
    assert "politeness 75.0" in out
    with OpenAIServer(partial(_judge, score=0.25)) as server:
        out = run(3, "evaluate", data, "--name", "rude", *options, server.url, *gate)
    assert "value 0.2500, wanted at least 0.7" in out
    kind, rude = (data / "evaluations" / name for name in ("kind", "rude"))
    groups = {group for metric, group in _scores(kind) if metric == "politeness"}
    assert groups == {"overall", "controls", "false_presupposition", "modality_limited"}
    assert _scores(kind)["politeness", "overall"]["value"] == 0.75
    assert "| politeness | twins | 75.0 |" in (kind / "report.md").read_text(encoding="utf-8")
    assert json.loads((kind / "politeness.jsonl").read_text().splitlines()[0])["score"] == 0.75
    run(0, "report", kind, rude, "--html", tmp_path / "report.html")
    assert "politeness" in (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "politeness 75.0 25.0 -50.0" in run(0, "compare", kind, rude)


@pytest.mark.usefixtures("installed")
def test_a_score_outside_its_range_is_an_error_and_not_a_score(
    tmp_path: Path, uaeval: Uaeval
) -> None:
    data = tmp_path / "data"
    synthesize(DOCUMENTS, data, size=1, categories=["modality_limited"])
    with OpenAIServer(partial(_judge, score=7)) as server:
        options = ["--judge", "openai:judge", "--judge-base-url", server.url]
        _run(uaeval, 6, "evaluate", data, "--metrics", "politeness", *options)
    score = _scores(data / "evaluations" / "rag")["politeness", "overall"]
    assert (score["value"], score["errors"], score["n"]) == (None, 2, 2)


@pytest.mark.usefixtures("installed")
def test_an_error_in_the_code_of_a_metric_names_its_package(
    tmp_path: Path, uaeval: Uaeval, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = tmp_path / "data"
    synthesize(DOCUMENTS, data, size=1, categories=["modality_limited"])
    metric = judged_metrics()["politeness"]
    fields = "lambda query, response: {'response': response.lost}"
    code = eval(fields, vars(sys.modules["uaeval_politeness"]))
    broken = judged_metric(metric.metrics[0], prompt="", reply=Reply, fields=code, score=hash)
    monkeypatch.setattr("uaeval.evaluation.metrics.on_demand.judged_metrics", lambda: {"": broken})
    with OpenAIServer(partial(_judge, score=0.5)) as server:
        options = ["--judge", "openai:judge", "--judge-base-url", server.url]
        out = _run(uaeval, 70, "evaluate", data, "--metrics", "politeness", *options)
    assert "the plugin uaeval_politeness failed: AttributeError" in out


@pytest.mark.usefixtures("installed")
def test_an_error_in_the_score_of_a_metric_is_not_taken_for_an_unreadable_reply(
    tmp_path: Path, uaeval: Uaeval, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = tmp_path / "data"
    synthesize(DOCUMENTS, data, size=1, categories=["modality_limited"])
    code = eval("lambda reply: float('high')", vars(sys.modules["uaeval_politeness"]))
    metric = judged_metrics()["politeness"]
    own = sys.modules["uaeval_politeness"].Politeness
    fields = {"prompt": "politeness/judge", "reply": own}
    given = partial(judged_metric, metric.metrics[0], **fields, fields=_response)
    mend = partial(monkeypatch.setattr, "uaeval.evaluation.metrics.on_demand.judged_metrics")
    asked: list[Body] = []

    def answer(body: Body) -> str:
        if body["messages"][0]["content"].startswith("Rate the politeness"):
            asked.append(body)
        return _judge(body, 0.5)

    with OpenAIServer(answer) as server:
        options = ["--judge", "openai:judge", "--judge-base-url", server.url]
        options += ["--metrics", "politeness", "--concurrency", "2"]
        mend(lambda: {"": given(score=code)})
        out = _run(uaeval, 70, "evaluate", data, *options)
        assert "the plugin uaeval_politeness failed: ValueError" in out
        assert all(len(body["messages"]) == 2 for body in asked), "no reply was repaired"
        mend(lambda: {"": given(score=lambda reply: reply.score)})
        _run(uaeval, 0, "evaluate", data, *options)
    assert len(asked) == 2, "the replies are stored before they are scored"


BY_CODE = EXAMPLE.parent / "metric_by_code" / "uaeval_brevity.py"


@pytest.mark.parametrize("score", ["14.7", "-0.1", "float('nan')"])
def test_a_score_by_code_outside_of_its_range_is_an_error(
    tmp_path: Path, uaeval: Uaeval, monkeypatch: pytest.MonkeyPatch, score: str
) -> None:
    code = BY_CODE.read_text().replace("score=score", f"score={score}")
    (tmp_path / "uaeval_brevity.py").write_text(code)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "uaeval_brevity", raising=False)
    _register(tmp_path, "uaeval_brevity", "uaeval_brevity:METRIC", "brevity")
    forget()
    data = tmp_path / "data"
    synthesize(DOCUMENTS, data, size=1, categories=["modality_limited"])
    _run(uaeval, 6, "evaluate", data, "--metrics", "brevity")
    failed = (data / "evaluations" / "rag" / "further.failed.jsonl").read_text().splitlines()
    messages = {json.loads(line)["message"] for line in failed}
    assert messages == {f"brevity should be from 0 to 1, got {eval(score)}"}
    scores = json.loads((data / "evaluations" / "rag" / "scores.json").read_text())
    assert {each["value"] for each in scores["scores"] if each["metric"] == "brevity"} == {None}
    monkeypatch.delitem(sys.modules, "uaeval_brevity")
    forget()


@pytest.mark.usefixtures("installed")
def test_the_offline_judge_cannot_answer_a_prompt_of_a_package(
    tmp_path: Path, uaeval: Uaeval
) -> None:
    data = tmp_path / "data"
    synthesize(DOCUMENTS, data, size=1, categories=["modality_limited"])
    out = _run(uaeval, 2, "evaluate", data, "--metrics", "politeness")
    assert "politeness asks politeness/judge, which the `offline` judge cannot answer" in out


def test_a_package_cannot_replace_a_metric(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _register(tmp_path, "clash", "uaeval.evaluation.metrics.final_score:METRIC", "final_score")
    monkeypatch.syspath_prepend(str(tmp_path))
    forget()
    problem = "'final_score' uses the name 'final_score', which is taken by a .*package: clash"
    with pytest.raises(ConfigError, match=problem):
        judged_metrics()
    forget()


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("responses", "cannot write its records to 'responses.jsonl'"),
        ("judgements", "cannot write its records to 'judgements.jsonl'"),
        ("attributions", "cannot write its records to 'attributions.jsonl'"),
        ("joint", "exists already"),
        ("my metric", "should have names like"),
        ("../queries", "should have names like"),
    ],
)
def test_a_metric_cannot_have_a_name_that_is_taken_or_no_file_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, problem: str
) -> None:
    (tmp_path / "misnamed_metric.py").write_text(
        "from uaeval.evaluation.metrics.judged import judged_metric\n"
        "from uaeval.evaluation.metrics.spec import MetricSpec\n"
        f"METRIC = judged_metric(MetricSpec(name={name!r}, definition=''), prompt='',\n"
        "    reply=object, fields=dict, score=float)\n"
    )
    monkeypatch.delitem(sys.modules, "misnamed_metric", raising=False)
    _register(tmp_path, "careless", "misnamed_metric:METRIC", name)
    monkeypatch.syspath_prepend(str(tmp_path))
    forget()
    with pytest.raises(ConfigError, match=f"{problem}.*package: careless"):
        judged_metrics()
    forget()


def _run(uaeval: Uaeval, code: int, *arguments: str | Path) -> str:
    done = uaeval(*arguments)
    text = f"{done.out} {done.err}"
    assert done.code == code, text
    return text
