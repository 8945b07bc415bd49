"""Each export run by its tool: a refuser and a confabulator, with a judge that reads the prompt."""

import json
import os
import re
import subprocess
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TypeAlias
from xml.etree import ElementTree

import pytest
from tests.formats.runs import dataset, make_run, nasty
from tests.interop.environments import promptfoo, python_of
from tests.servers.openai_server import Body, Fault, OpenAIServer, Said, completion, error

from uaeval.formats.format import export, formats

pytestmark = pytest.mark.interop

REFUSAL = "I cannot answer that from these documents."
CLAIM = "Certainly: {}."
KINDS = ("unanswerable", "answerable")
Command: TypeAlias = Callable[[Path, Mapping[str, str]], dict[str, float]]


def refuser(_question: str) -> str:
    return REFUSAL


def confabulator(prompt: str) -> str:
    """Answer every question: correctly if it has an answer, else with an invention."""
    return CLAIM.format(ANSWERS[_letters(prompt.rpartition("alone: ")[2])])


def _letters(text: str) -> str:
    """Return a question without characters that a tool changes, such as emoji with AutoRAG."""
    return re.sub(r":\w+:|\W", "", text)


ANSWERS = {_letters(query.question): query.reference_answer or "42" for query in nasty()}
"""What the confabulator says, by question."""


def accepts(prompt: str) -> bool:
    """Judge as the rubric in `prompt` says; raise if it holds none."""
    wanted = re.search(r"gives this answer, in any words: “(.+?)”", prompt, re.I)
    if wanted:
        return CLAIM.format(wanted[1]) in prompt
    if not re.search(r"should not be answered as it stands\..*does this: \w", prompt, re.I | re.S):
        raise ValueError(f"no rubric in {prompt[:1000]!r}")
    return REFUSAL in prompt


def run_inspect(place: Path, env: Mapping[str, str]) -> dict[str, float]:
    """Return the accuracy of each task."""
    models = (
        "--model",
        "openai-api/local/system",
        "--model-role",
        "grader=openai-api/local/grader",
    )
    logs = ("--display", "plain", "--log-format", "json", "--log-dir", "logs")
    command = python_of("inspect").with_name("inspect")
    _run([command, "eval", "inspect_tasks.py", *models, *logs], place, env)
    scores = {}
    for path in (place / "logs").glob("*.json"):
        log = json.loads(path.read_text(encoding="utf-8"))
        assert log["status"] == "success"
        (score,) = log["results"]["scores"]
        name = log["eval"]["task"]
        assert score["unscored_samples"] == 0, "unscored"
        scores[name] = score["metrics"]["all" if name == "unanswerable" else "accuracy"]["value"]
    return scores


def run_deepeval(place: Path, env: Mapping[str, str]) -> dict[str, float]:
    """Return the share of tests that passed, by name."""
    command = python_of("deepeval").with_name("deepeval")
    _run([command, "test", "run", "test_uaeval.py", "--junitxml=out.xml"], place, env, passes=False)
    passed: dict[str, list[bool]] = {}
    for case in ElementTree.parse(place / "out.xml").iter("testcase"):
        problems = [str(child.get("message")) for child in case]
        assert all(text.startswith("AssertionError: Metrics: ") for text in problems), problems
        name = case.attrib["name"].partition("[")[0].removeprefix("test_")
        passed.setdefault(name, []).append(not problems)
    return {name: sum(each) / len(each) for name, each in passed.items()}


def run_promptfoo(place: Path, env: Mapping[str, str]) -> dict[str, float]:
    """Return the mean of each named score."""
    options = ("--no-cache", "--no-table", "-o", "out.json")
    models = ("--providers", "openai:chat:system", "--grader", "openai:chat:grader")
    _run([*promptfoo(), "eval", *options, *models], place, env)
    (summary,) = json.loads((place / "out.json").read_text(encoding="utf-8"))["results"]["prompts"]
    metrics = summary["metrics"]
    assert metrics["testErrorCount"] == 0, "error"
    counts = metrics["namedScoresCount"]
    return {name: score / counts[name] for name, score in metrics["namedScores"].items()}


def run_script(script: str) -> Command:
    """Return what runs a script of ours and returns the shares that it prints."""

    def run(place: Path, env: Mapping[str, str]) -> dict[str, float]:
        printed = _run([python_of(script), f"run_{script}.py"], place, env)
        assert "failed: 0 rows" in printed
        rows = re.findall(r"(?m)^(\w+): ([\d.]+)% acceptable", printed)
        return {name: float(share) / 100 for name, share in rows}

    return run


def run_ragchecker(place: Path, env: Mapping[str, str]) -> dict[str, float]:
    """Return the shares that our script prints, once RAGChecker has given its figures too."""
    offline = {"LITELLM_LOCAL_MODEL_COST_MAP": "True"}
    shares = run_script("ragchecker")(place, {**env, **offline})
    outputs = json.loads((place / "checking_outputs.json").read_text(encoding="utf-8"))
    answered = {row["query_id"]: bool(row["response_claims"]) for row in outputs["results"]}
    assert answered == {query.id: shares["answerable"] > 0 for query in nasty() if query.answerable}
    assert outputs["metrics"]["overall_metrics"]["recall"] == 100 * shares["answerable"]
    return shares


def claims(prompt: str) -> str:
    """Find a claim in what the confabulator says, and none in a refusal, which proves no claim."""
    if "Entailment" in prompt:
        return "Neutral" if REFUSAL in prompt else "Entailment"
    return "" if REFUSAL in prompt else '("the gate", "opens at", "noon")'


def run_evals(place: Path, env: Mapping[str, str]) -> dict[str, float]:
    """Return the shares of the final report of `oaieval`."""
    command = python_of("openai_evals").with_name("oaieval")
    options = ("--registry_path", "registry", "--record_path", "record.jsonl")
    _run([command, "system", "uaeval", *options], place, {**env, "PYTHONPATH": "."})
    lines = (place / "record.jsonl").read_text(encoding="utf-8").splitlines()
    (report,) = [row["final_report"] for row in map(json.loads, lines) if "final_report" in row]
    return dict(report)


def run_lm_eval(place: Path, env: Mapping[str, str]) -> dict[str, float]:
    """Return `acceptable` of both groups; their mean stands in the group `uaeval`."""
    url = f"{env['OPENAI_BASE_URL']}/chat/completions"
    options = ("--include_path", ".", "--tasks", "uaeval", "--output_path", "out.json")
    model = ("--model", "local-chat-completions", "--apply_chat_template")
    settings = ("--model_args", f"model=system,base_url={url}")
    command = python_of("lm_eval").with_name("lm-eval")
    _run([command, "run", *options, *model, *settings], place, env)
    (path,) = place.glob("out*.json")
    results = json.loads(path.read_text(encoding="utf-8"))["results"]
    shares = {name: results[f"uaeval_{name}"]["acceptable,none"] for name in KINDS}
    assert results["uaeval"]["acceptable,none"] == pytest.approx(sum(shares.values()) / 2)
    return shares


def run_autorag(place: Path, env: Mapping[str, str]) -> dict[str, float]:
    """Return the shares that our script prints of the one pipeline."""
    python = python_of("autorag")
    (tokenizers,) = python.parents[1].glob("lib/*/site-packages/llama_index/core/_static/tiktoken*")
    offline = {"TIKTOKEN_CACHE_DIR": str(tokenizers)}
    printed = _run([python, "run_autorag.py"], place, {**env, **offline})
    (shares,) = re.findall(r"OpenAILLM .+: unanswerable ([\d.]+)%, answerable ([\d.]+)%", printed)
    return {name: float(share) / 100 for name, share in zip(KINDS, shares, strict=True)}


def _run(
    command: Sequence[str | Path], place: Path, env: Mapping[str, str], *, passes: bool = True
) -> str:
    """Run a command; it may fail (exit code 1) if its system need not pass."""
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=place, env=env)
    assert done.returncode in ({0} if passes else {0, 1}), f"{done.stdout}\n{done.stderr}"
    return done.stdout


TOOLS: dict[str, tuple[Command, Callable[[bool], str]]] = {
    "inspect": (run_inspect, lambda accepted: f"GRADE: {'C' if accepted else 'I'}"),
    "deepeval": (run_deepeval, lambda accepted: json.dumps({"score": int(accepted), "reason": ""})),
    "promptfoo": (
        run_promptfoo,
        lambda accepted: json.dumps({"pass": accepted, "score": float(accepted), "reason": ""}),
    ),
    "ragas": (
        run_script("ragas"),
        lambda accepted: json.dumps({"feedback": "", "score": 5 if accepted else 1}),
    ),
    "langsmith": (
        run_script("langsmith"),
        lambda accepted: json.dumps({"reason": "", "accepted": accepted}),
    ),
    "ragchecker": (
        run_ragchecker,
        lambda accepted: json.dumps({"reason": "", "accepted": accepted}),
    ),
    "trulens": (
        run_script("trulens"),
        lambda accepted: json.dumps({"reason": "", "accepted": accepted}),
    ),
    "openai-evals": (
        run_evals,
        lambda accepted: json.dumps({"reason": "", "accepted": accepted}),
    ),
    "autorag": (run_autorag, lambda accepted: json.dumps({"reason": "", "accepted": accepted})),
    "lm-eval": (run_lm_eval, lambda _accepted: "no judge"),
}
"""By format: what runs it, and what its judge says of an accepted and of a rejected response."""


@pytest.mark.parametrize("name", TOOLS)
@pytest.mark.parametrize("system", [refuser, confabulator])
def test_a_refuser_and_a_confabulator_score_the_reverse(
    name: str, system: Callable[[str], str], tmp_path: Path
) -> None:
    said = TOOLS[name][1]
    problems: list[str] = []

    def reply(body: Body) -> str | Fault:
        try:
            prompt = _prompt(body)
            if body["model"] == "claims":
                return claims(prompt)
            return said(accepts(prompt)) if body["model"] == "grader" else system(prompt)
        except (KeyError, ValueError) as problem:
            problems.append(repr(problem))
            return error(400, repr(problem))

    scores, prompts = _scores(name, reply, tmp_path)
    assert not problems
    refused = system is refuser
    assert scores["unanswerable"] >= 0.95 if refused else scores["unanswerable"] <= 0.05
    assert scores["answerable"] <= 0.05 if refused else scores["answerable"] >= 0.95
    assert bool(prompts) is (name != "lm-eval")
    for query in nasty():
        if query.reason and prompts:
            assert any(_holds(prompt, query.reason) for prompt in prompts)


@pytest.mark.parametrize("name", TOOLS)
def test_a_system_that_fails_gets_no_score(name: str, tmp_path: Path) -> None:
    def reply(body: Body) -> str | Fault:
        return TOOLS[name][1](True) if body["model"] == "grader" else error(400, "out of order")

    with pytest.raises(AssertionError, match=r"out of order|error|failed"):
        _scores(name, reply, tmp_path)


@pytest.mark.parametrize(
    "name", "inspect deepeval ragas langsmith trulens ragchecker openai-evals autorag".split()
)
def test_a_judge_without_a_verdict_gives_no_score(name: str, tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match=r"unscored|JSON|failed"):
        _scores(name, lambda _body: "Hard to tell.", tmp_path)


def _scores(
    name: str, reply: Callable[[Body], str | Fault], folder: Path
) -> tuple[dict[str, float], list[str]]:
    """Export, run the tool, and return the scores and what its judge was shown."""
    export(dataset(make_run(folder / "run", nasty())), formats()[name], folder / "out")
    with OpenAIServer(reply, shape=_with_logprobs) as server:
        scores = TOOLS[name][0](folder / "out", _environment(server.url, folder))
        return scores, [_prompt(body) for body in server.requests if body["model"] == "grader"]


def _with_logprobs(said: Said, model: str) -> Body:
    """Return a completion with log probabilities, which AutoRAG asks for."""
    body = completion(said, model)
    token = {"token": "I", "logprob": -0.1, "bytes": None, "top_logprobs": []}
    body["choices"][0]["logprobs"] = {"content": [token]}
    return body


def _prompt(body: Body) -> str:
    content = body["messages"][-1]["content"]
    return content if isinstance(content, str) else "".join(part["text"] for part in content)


def _holds(prompt: str, text: str) -> bool:
    """Return whether `prompt` has `text`, as it is or as JSON."""
    return text in prompt or json.dumps(text, ensure_ascii=False)[1:-1] in prompt


def _environment(url: str, folder: Path) -> dict[str, str]:
    kept = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    return {
        **kept,
        "OPENAI_API_KEY": "none",
        "LOCAL_API_KEY": "none",
        "LOCAL_BASE_URL": url,
        "OPENAI_BASE_URL": url,
        "SYSTEM_MODEL": "system",
        "JUDGE_MODEL": "grader",
        "CLAIM_MODEL": "claims",
        "DEEPEVAL_TELEMETRY_OPT_OUT": "YES",
        "RAGAS_DO_NOT_TRACK": "true",
        "PROMPTFOO_CONFIG_DIR": str(folder / "state"),
        "PROMPTFOO_DISABLE_TELEMETRY": "1",
        "PROMPTFOO_DISABLE_UPDATE": "1",
        "PROMPTFOO_DISABLE_REMOTE_GENERATION": "1",
        "PROMPTFOO_FAILED_TEST_EXIT_CODE": "0",
    }
