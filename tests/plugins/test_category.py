"""A seventh category from another package, from synthesis to export."""

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Literal

import pytest
from tests.cli.conftest import DOCUMENTS, Uaeval
from tests.plugin_examples import EXAMPLES, forget, installed
from tests.scripted import identity
from tests.servers.offline_answers import offline_answer
from tests.servers.openai_server import Body, OpenAIServer

from uaeval.categories.base import CategorySpec
from uaeval.categories.names import BUILT_IN, category_names
from uaeval.categories.registry import category
from uaeval.config import SynthesisConfig, build
from uaeval.errors import ConfigError
from uaeval.evaluation.evaluation import read_scores
from uaeval.evaluation.metrics.registry import ACCEPTABLE
from uaeval.formats.format import formats
from uaeval.llm.model import Field
from uaeval.llm.reading import reply_type_named
from uaeval.llm.replies import Draft, Reply, Verification, Written
from uaeval.offline.model import OfflineModel
from uaeval.records import Passage, Query
from uaeval.run_folder import RunFolder
from uaeval.storage import read_journal

NAME = "opinion_seeking"
MODEL = "openai:some-model"
_PASSAGE = re.compile(r'<passage number="(\d+)" source="[^"\n]*">\n(.*?)\n</passage>', re.DOTALL)
_ANSWER = re.compile(r"<twin_answer>\s*(.*?)\s*</twin_answer>", re.DOTALL)


@pytest.fixture
def example(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with installed("category", tmp_path / "site-packages", monkeypatch):
        yield


def answer(body: Body) -> str:
    """Serve the prompts of the category by what they are rendered from, and the rest offline."""
    system, user = (message["content"] for message in body["messages"][:2])
    if "does not make up opinions" in system:
        return json.dumps(_write(user))
    if "answered only with a personal opinion" in system:
        return json.dumps(_verify(user))
    if "asks an assistant for a personal opinion" in system:
        return json.dumps({"rationale": "It gives no opinion.", "label": "yes"})
    return offline_answer(body)


def _write(user: str) -> Body:
    found = _PASSAGE.search(user)
    assert found
    quote = " ".join(found[2].split()[2:12])
    twin = {"question": f"{quote}, is that so?", "answer": quote, "quote": quote}
    question = f"{quote}, do you find that lovely?"
    draft = {"twin": twin, "question": question, "reason": "Asks for a feeling."}
    return {"declined": None, "draft": draft}


def _verify(user: str) -> Body:
    found = _ANSWER.search(user)
    assert found
    shown = {int(number): " ".join(text.split()) for number, text in _PASSAGE.findall(user)}
    supports = [number for number, text in shown.items() if found[1] in text]
    return {
        "rationale": "Only a feeling answers it.",
        "label": "asks_for_opinion",
        "twin": {"stands_alone": True, "supports": supports, "contradicts": []},
    }


def _score(folder: Path, figure: str) -> float | None:
    scores = read_scores(folder / "scores.json")
    return next(each.value for each in scores if (each.metric, each.group) == (figure, NAME))


@pytest.mark.usefixtures("example")
def test_a_seventh_category_runs_from_synthesis_to_export(tmp_path: Path, uaeval: Uaeval) -> None:
    run = tmp_path / "run"
    options = ["--categories", f"nonsensical,{NAME}", "--size", "8"]
    with OpenAIServer(answer) as server:
        place = ["--model", MODEL, "--base-url", server.url]
        estimated = uaeval("estimate", DOCUMENTS, "-o", tmp_path / "estimate", *options, *place)
        assert estimated.code == 0, estimated.err
        assert not server.requests
        done = uaeval("synthesize", DOCUMENTS, "-o", run, *options, *place)
        assert done.code == 0, done.err
        gate = ["--fail-under", f"acceptable.{NAME}=1"]
        evaluated = uaeval("evaluate", run, *place, "--judge", MODEL, *gate)
        assert evaluated.code == 0, evaluated.err
    queries = read_journal(run / "queries.jsonl", Query)
    own = [query for query in queries if query.category == NAME]
    assert [query.id for query in own] == [f"{NAME}-{number:04d}" for number in (1, 2, 3, 4)]
    assert {query.category for query in queries} == {"nonsensical", NAME, None}
    manifest = RunFolder(run).finished()
    assert own[0].provenance.generate_prompt == manifest.prompts[f"{NAME}/generate"]
    again = uaeval("synthesize", DOCUMENTS, "-o", run, *options, *place)
    assert again.code == 0, again.err

    (evaluation,) = (run / "evaluations").iterdir()
    assert _score(evaluation, ACCEPTABLE.name) == 1.0
    assert "opinion seeking" in (evaluation / "report.md").read_text(encoding="utf-8")
    page = tmp_path / "report.html"
    assert uaeval("report", evaluation, "--html", page).code == 0
    assert category(NAME).definition in page.read_text(encoding="utf-8")

    for name in formats():
        written = tmp_path / "exports" / name
        done = uaeval("export", run, name, written, "--license", "mit")
        assert done.code == 0, (name, done.err)
        files = [written] if written.is_file() else [p for p in written.rglob("*") if p.is_file()]
        assert any(NAME.encode() in path.read_bytes() for path in files), name


@pytest.mark.usefixtures("example")
def test_the_offline_engine_ends_with_one_sentence_before_any_work(
    tmp_path: Path, uaeval: Uaeval
) -> None:
    done = uaeval("synthesize", DOCUMENTS, "-o", tmp_path / "run", "--categories", NAME)
    assert done.code == 2
    assert f"the offline engine cannot generate or verify '{NAME}'; name a model" in done.err
    assert not (tmp_path / "run").exists()


@pytest.mark.usefixtures("example")
@pytest.mark.parametrize(
    ("role", "old", "new", "told"),
    [
        ("generate", "$passage", "", "add $passage"),
        ("verify", "$twin_answer", "$twin", "add $twin_answer; remove $twin, which has no value"),
        ("verify", "", None, f"no prompt {NAME}/verify in"),
        ("acceptable", "$reason", "", "add $reason"),
        ("acceptable", "", None, "needs prompts/acceptable.md beside its module"),
    ],
)
def test_an_unusable_prompt_ends_a_run_before_any_call(
    tmp_path: Path, uaeval: Uaeval, role: str, old: str, new: str | None, told: str
) -> None:
    path = tmp_path / "site-packages" / NAME / "prompts" / f"{role}.md"
    text = path.read_text(encoding="utf-8")
    path.unlink()
    if new is not None:
        path.write_text(text.replace(old, new), encoding="utf-8")
        told = f"{path}: {told}"
    own = tmp_path / "own.jsonl"
    own.write_text(json.dumps({"question": "Nice?", "category": NAME}) + "\n", encoding="utf-8")
    recorded = tmp_path / "recorded.jsonl"
    recorded.write_text(json.dumps({"question": "Nice?", "text": "Yes."}) + "\n", encoding="utf-8")
    with OpenAIServer(answer) as server:
        place = ["--base-url", server.url, "--model", MODEL]
        done = uaeval("synthesize", DOCUMENTS, "-o", tmp_path / "run", "--categories", NAME, *place)
        assert (done.code, told in done.err) == (2, True), done.err
        assert not (tmp_path / "run").exists()
        if role == "acceptable":
            place = ["--judge-base-url", server.url, "--judge", MODEL]
            done = uaeval("evaluate", own, "--system", f"responses:{recorded}", *place)
            assert (done.code, told in done.err) == (2, True), done.err
        assert not server.requests


@pytest.mark.usefixtures("example")
async def test_the_offline_engine_serves_what_a_category_declares() -> None:
    module = import_module(NAME)

    def author(*, passage: Passage, language: str) -> Written[Draft]:
        return Written[Draft](declined=passage.title, draft=None)

    def settings(**more: str) -> SynthesisConfig:
        named = {"knowledge_base": "docs", "output": Path("out"), "categories": NAME}
        return build(SynthesisConfig, **named, **more)

    module.CATEGORY = replace(module.CATEGORY, offline={"generate": author})  # type: ignore[attr-defined] # its own
    forget()
    passage = Passage(number=1, title="Fees", heading="", text="The fee is 5 euros a day.")
    fields: dict[str, Field] = {"passage": passage, "language": "auto"}
    reply = await OfflineModel().ask(f"{NAME}/generate", Written[Draft], identity, **fields)
    assert reply.declined == "Fees"
    with pytest.raises(ConfigError, match=f"cannot verify '{NAME}'; name a model with --verifier"):
        settings()
    assert settings(verifier=MODEL).categories == (NAME,)


@pytest.mark.usefixtures("example")
async def test_the_offline_judge_is_undecided() -> None:
    reply_type = reply_type_named("YesNoJudgement")
    reply = await OfflineModel().ask(
        f"{NAME}/acceptable", reply_type, identity, question="q?", reason="r", response="Lovely."
    )
    assert reply.model_dump()["label"] == "undecided"


def test_a_run_of_a_category_that_is_not_installed_names_it(tmp_path: Path, uaeval: Uaeval) -> None:
    told = f"unknown category '{NAME}'; install the package that defines it; known: underspecified"
    place = tmp_path / "own.jsonl"
    place.write_text(json.dumps({"question": "Nice?", "category": NAME}) + "\n", encoding="utf-8")
    done = uaeval("evaluate", place)
    assert (done.code, told in done.err) == (2, True), done.err
    done = uaeval("synthesize", DOCUMENTS, "-o", tmp_path / "run", "--categories", NAME)
    assert (done.code, told in done.err) == (2, True), done.err


@pytest.mark.usefixtures("example")
def test_its_reply_types_are_found_when_a_batch_is_imported() -> None:
    for kind in category(NAME).reply_types:
        assert reply_type_named(kind.__name__) is kind


@pytest.mark.usefixtures("example")
def test_a_category_is_last_unless_it_declares_a_place() -> None:
    assert category_names() == (*BUILT_IN, NAME)
    module = import_module(NAME)
    forget()
    module.CATEGORY = replace(module.CATEGORY, place=1)  # type: ignore[attr-defined] # its own
    assert category_names() == (BUILT_IN[0], NAME, *BUILT_IN[1:])


def test_the_example_is_short() -> None:
    code = (EXAMPLES / "category" / NAME / "__init__.py").read_text(encoding="utf-8")
    assert len(code.splitlines()) < 40


class _Labels(Reply):
    label: str


class _Opinion(Verification):
    label: Literal["asks_for_opinion", "inconclusive"]


def test_a_declaration_that_cannot_work_is_refused() -> None:
    told = {
        "definition": "d",
        "acceptance": "a",
        "difficulty": "easy",
        "draft": Draft,
        "verification": _Labels,
        "passing_label": "yes",
    }
    with pytest.raises(ConfigError, match="derive _Labels from Verification"):
        CategorySpec(name="mine", **told)  # type: ignore[arg-type] # a wrong declaration
    told["verification"] = _Opinion
    with pytest.raises(ConfigError, match="passing_label 'yes' is not a label of _Opinion"):
        CategorySpec(name="mine", **told)  # type: ignore[arg-type] # a wrong declaration
    told["verification"] = Verification
    with pytest.raises(ConfigError, match="requires `offline"):
        CategorySpec(name="mine", offline_steps_in=True, **told)  # type: ignore[arg-type] # a wrong declaration
    with pytest.raises(ConfigError, match="use lower-case letters"):
        CategorySpec(name="My own", **told)  # type: ignore[arg-type] # a wrong declaration
