"""The extra `cross-encoder`, installed as users do: a model in a folder, the command line."""

import json
import os
import shutil
import subprocess
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest
from tests.interop.environments import ROOT, python_with_extra

from uaeval.knowledge.index import searched
from uaeval.records import Chunk, Failure, Query, Response
from uaeval.storage import read_journal

pytestmark = pytest.mark.interop

MODELS = Path(__file__).parent / "loaders" / "cross_encoder.py"
SAMPLE = ROOT / "knowledge_bases" / "sample"
PASSAGES = 8


def call(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """Run Python in the extra's environment, away from the network."""
    return subprocess.run(
        [python_with_extra("cross-encoder"), "-P", *arguments],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "HF_HUB_OFFLINE": "1", "PYTHONPATH": str(ROOT / "pipeline")},
    )


def done(*arguments: str | Path) -> str:
    """Return what a call that must succeed said."""
    ended = call(*arguments)
    assert ended.returncode == 0, ended.stderr
    return ended.stdout


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sample") / "run"
    done("-m", "uaeval", "synthesize", SAMPLE, "-o", folder, "--size", "6")
    return folder


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("models") / "tiny"
    done(MODELS, "make", folder, "1")
    return folder


def evaluate(run: Path, name: str, reranker: str) -> list[Response]:
    number = str(PASSAGES)
    settings = ("--reranker", reranker, "-k", number, "--candidates", number)
    done("-m", "uaeval", "evaluate", run, "--name", name, *settings)
    return list(read_journal(run / "evaluations" / name / "responses.jsonl", Response))


def scored(run: Path, model: Path, responses: list[Response]) -> list[list[float]]:
    """Score the passages of each response anew, by the model alone."""
    chunks = {chunk.id: chunk for chunk in read_journal(run / "chunks.jsonl", Chunk)}
    asked = {query.id: query.question for query in read_journal(run / "queries.jsonl", Query)}
    pairs = [
        (asked[response.query_id], searched(chunks[context.id or ""]))
        for response in responses
        for context in response.retrieved_contexts
    ]
    path = model.parent / "pairs.json"
    path.write_text(json.dumps(pairs), encoding="utf-8")
    scores = iter(json.loads(done(MODELS, "score", model, path).strip().rpartition("\n")[2]))
    return [[next(scores) for _ in response.retrieved_contexts] for response in responses]


def test_passages_are_ordered_by_the_models_scores(run: Path, model: Path) -> None:
    plain = evaluate(run, "plain", "none")
    ordered = evaluate(run, "ordered", f"cross-encoder:{model}")
    assert len(ordered) == len(plain) >= 10
    moved = 0
    for before, after in zip(plain, ordered, strict=True):
        assert set(after.retrieved_contexts) == set(before.retrieved_contexts)
        assert len(after.retrieved_contexts) == PASSAGES
        moved += after.retrieved_contexts != before.retrieved_contexts
    assert moved > len(plain) / 2
    for scores in scored(run, model, ordered):
        assert len(set(scores)) == PASSAGES, "the model tells the passages apart"
        for better, worse in pairwise(scores):
            assert better > worse - 1e-4, "but for rounding within a batch"


def torn(folder: Path) -> None:
    weights = folder / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:-1000])


def of_another_size(folder: Path) -> None:
    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    changed = json.dumps(config | {"hidden_size": 32})
    (folder / "config.json").write_text(changed, encoding="utf-8")


def without_weights(folder: Path) -> None:
    (folder / "model.safetensors").unlink()


@pytest.mark.parametrize("damage", [torn, of_another_size, without_weights, shutil.rmtree])
def test_a_model_that_cannot_be_loaded_gets_one_sentence(
    run: Path, model: Path, tmp_path: Path, damage: Callable[[Path], None]
) -> None:
    broken = tmp_path / "broken"
    shutil.copytree(model, broken)
    damage(broken)
    told(run, broken, f"cannot load the cross-encoder {broken} (")


def test_a_classifier_of_several_labels_is_not_accepted_as_reranker(
    run: Path, tmp_path: Path
) -> None:
    several = tmp_path / "several"
    done(MODELS, "make", several, "3")
    told(run, several, "gives 3 scores to a passage")


def test_a_model_without_its_tokenizer_is_not_accepted_as_reranker(
    run: Path, model: Path, tmp_path: Path
) -> None:
    broken = tmp_path / "broken"
    shutil.copytree(model, broken)
    for name in ("vocab.txt", "tokenizer.json", "tokenizer_config.json"):
        (broken / name).unlink()
    told(run, broken, "has no tokenizer with words")


def test_scores_that_are_no_numbers_are_errors_and_no_order(
    run: Path, model: Path, tmp_path: Path
) -> None:
    broken = tmp_path / "broken"
    shutil.copytree(model, broken)
    done(MODELS, "spoil", broken)
    reranker = ("--reranker", f"cross-encoder:{broken}")
    ended = call("-m", "uaeval", "evaluate", run, "--name", "spoilt", *reranker)
    assert ended.returncode == 6, ended.stderr
    folder = run / "evaluations" / "spoilt"
    failures = list(read_journal(folder / "respond.failed.jsonl", Failure))
    assert len(failures) == len(list(read_journal(run / "queries.jsonl", Query)))
    assert all(f"{broken} should give" in failure.message for failure in failures)


def told(run: Path, model: Path, problem: str) -> None:
    reranker = ("--reranker", f"cross-encoder:{model}")
    ended = call("-m", "uaeval", "evaluate", run, "--name", "broken", *reranker)
    assert ended.returncode == 2, ended.stderr
    [error] = [line for line in ended.stderr.splitlines() if line.startswith("error: ")]
    assert error.startswith(f"error: reranker: {'' if 'load' in problem else model}")
    assert problem in error
    assert "Traceback" not in ended.stderr
    assert not (run / "evaluations" / "broken").exists()
