"""What an annotator sees and labels, over HTTP."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest
from tests.cli.finished_run import TEXTS, write_finished_run
from tests.evaluation.folders import write_evaluation
from tests.evaluation.records import both, control, response, unanswerable
from tests.review.serving import client, reviewing, write_run

from uaeval.labels import JudgementLabel, Label, read_label_rows
from uaeval.records import Candidate, Evidence, Outcome, Twin
from uaeval.review.tasks import open_tasks
from uaeval.run_folder import RunFolder
from uaeval.storage import write_journal
from uaeval.synthesis.verify import Proven

ITEM = "api/tasks/0/items/0"


@pytest.fixture
def run(tmp_path: Path) -> Path:
    write_run(tmp_path / "run")
    return tmp_path / "run"


def _say(page: httpx.Client, place: int, word: str | None, task: int = 0, **more: str) -> Any:
    reply = page.post(f"api/tasks/{task}/items/{place}/label", json={"word": word, **more})
    assert reply.status_code == 200, reply.text
    return reply.json()


def _get(page: httpx.Client, path: str) -> Any:
    reply = page.get(path)
    assert reply.status_code == 200, reply.text
    return reply.json()


def test_a_label_is_on_disk_when_the_request_is_answered(run: Path) -> None:
    with reviewing(run) as at, client(at["anna"]) as page:
        _say(page, 0, "invalid", reason="two answers", category="answerable")
        (row,) = read_label_rows(run / "labels.jsonl", Label)
        item = _get(page, ITEM)
    assert (row.query_id, row.annotator, row.valid) == (item["id"], "anna", "invalid")
    assert (row.reason, row.category) == ("two answers", "answerable")
    assert row.question == item["question"]
    assert 0 < row.inclusion_probability <= 1
    assert item["label"] == {"word": "invalid", "reason": "two answers", "category": "answerable"}


def test_each_annotator_sees_only_their_own_until_the_sample_is_done(run: Path) -> None:
    with (
        reviewing(run, ("anna", "ben"), size=3) as at,
        client(at["anna"]) as anna,
        client(at["ben"]) as ben,
    ):
        for place, word in enumerate(("valid", "invalid", "valid")):
            _say(anna, place, word, reason="anna's reason")
        assert [one["word"] for one in _get(ben, "api/review")["tasks"][0]["items"]] == [None] * 3
        assert _get(ben, ITEM)["label"] is None
        assert "anna" not in ben.get("api/tasks/0/results").text
        _say(ben, 0, "valid")
        assert "anna" not in ben.get("api/tasks/0/results").text
        _say(ben, 1, "valid", reason="I think so")
        _say(ben, 2, "valid")
        found = _get(ben, "api/tasks/0/results")
    assert found["finished"]
    labels, _, agreement = found["tables"]
    assert [row[0] for row in labels["rows"]] == ["anna", "ben"]
    assert agreement["rows"] == [["anna, ben", "query", "3", "2", "0.00"]]
    assert agreement["numbers"] == [False, False, True, True, True]
    (dispute,) = found["disagreements"]
    assert dispute["labels"] == {
        "anna": ["invalid", "anna's reason"],
        "ben": ["valid", "I think so"],
    }


def test_a_disagreement_is_settled_by_who_has_labelled_everything(run: Path) -> None:
    with (
        reviewing(run, ("anna", "ben"), size=1) as at,
        client(at["anna"]) as anna,
        client(at["ben"]) as ben,
    ):
        _say(anna, 0, "valid")
        early = ben.post(f"{ITEM}/settle", json={"word": "invalid"})
        assert early.status_code == 403
        _say(ben, 0, "invalid")
        assert ben.post(f"{ITEM}/settle", json={"word": "valid"}).status_code == 200
        found = _get(anna, "api/tasks/0/results")
    assert found["disagreements"][0]["resolution"] == "valid"
    _, validity, agreement = found["tables"]
    assert validity["rows"][0][1] == "100.0"
    assert agreement["rows"][0][3] == "0"


def test_blind_review_hides_labels_until_the_annotator_has_decided(run: Path) -> None:
    with reviewing(run / "evaluations" / "rag") as at, client(at["anna"]) as page:
        items = _get(page, "api/review")["tasks"][0]["items"]
        place = next(n for n, one in enumerate(items) if one["group"] == "verdict")
        before = page.get(f"api/tasks/0/items/{place}").text
        after = _say(page, place, "answered")
    assert json.loads(before)["opinions"] is None
    assert "judge-model" not in before
    assert "So it reads." not in before
    assert not any(name in before for name in ("underspecified", "doc-0", "kind of leave"))
    assert after["opinions"][0]["title"] == "What the judge says (judge-model)"
    assert "refused" in after["opinions"][0]["text"]
    (row,) = read_label_rows(run / "evaluations" / "rag" / "labels.jsonl", JudgementLabel)
    assert (row.metric, row.label) == ("verdict", "answered")


def test_open_shows_opinions_at_once(run: Path) -> None:
    with reviewing(run, blind=False) as at, client(at["anna"]) as page:
        assert isinstance(_get(page, ITEM)["opinions"], list)
        assert _get(page, "api/review")["blind"] is False


def test_undo_steps_back_and_survives_a_restart(run: Path) -> None:
    with reviewing(run) as at, client(at["anna"]) as page:
        _say(page, 0, "valid")
        _say(page, 1, "invalid")
        _say(page, 1, "invalid", reason="why")
        _say(page, 1, "invalid", reason="why", category="answerable")
    with reviewing(run) as at, client(at["anna"]) as page:
        steps = [page.post("api/tasks/0/undo", json={}).json() for _ in range(4)]
        items = _get(page, "api/review")["tasks"][0]["items"]
    assert [step["place"] for step in steps] == [1, 1, 0, None]
    assert [step["items"][1]["word"] for step in steps] == ["invalid", None, None, None]
    assert [step["undone"] for step in steps] == [True, True, True, False]
    assert all(one["word"] is None for one in items)


def test_undo_is_of_ones_own_steps(run: Path) -> None:
    with (
        reviewing(run, ("anna", "ben")) as at,
        client(at["anna"]) as anna,
        client(at["ben"]) as ben,
    ):
        _say(anna, 0, "valid")
        assert ben.post("api/tasks/0/undo", json={}).json()["undone"] is False
        assert _get(anna, ITEM)["label"]["word"] == "valid"


@pytest.mark.parametrize(
    ("body", "status", "told"),
    [
        ({"word": "perhaps"}, 400, "choose one of valid, invalid, unsure, got 'perhaps'"),
        ({"word": "valid", "category": "answerable"}, 400, "cannot have the category"),
        ({"word": "invalid", "category": "nonsense"}, 400, "cannot have the category"),
        ({"word": "valid", "reason": "x" * 4001}, 400, "at most 4000 characters"),
        ({"word": "valid", "reason": "x" * 70_000}, 413, "too long"),
        ({"word": "valid", "annotator": "ben"}, 422, "annotator"),
        ({}, 422, "word"),
        ([], 422, "object"),
    ],
)
def test_what_cannot_be_said_is_not_written(
    run: Path, body: object, status: int, told: str
) -> None:
    with reviewing(run) as at, client(at["anna"]) as page:
        reply = page.post(f"{ITEM}/label", json=body)
        assert (reply.status_code, _get(page, ITEM)["label"]) == (status, None)
    assert told in reply.json()["error"]
    assert not (run / "labels.jsonl").exists()


def test_a_lone_surrogate_and_other_types_are_refused(run: Path) -> None:
    with reviewing(run) as at, client(at["anna"]) as page:
        body = b'{"word": "valid", "reason": "\\ud800"}'
        json_type = {"Content-Type": "application/json"}
        assert page.post(f"{ITEM}/label", headers=json_type, content=body).status_code == 422
        plain = {"Content-Type": "text/plain"}
        assert page.post(f"{ITEM}/label", headers=plain, content=body).status_code == 415


def test_a_label_that_cannot_be_saved_is_reported_and_does_not_count(run: Path) -> None:
    (run / "labels.jsonl").unlink(missing_ok=True)
    with reviewing(run) as at, client(at["anna"]) as page:
        (run / "labels.jsonl").mkdir()
        reply = page.post(f"{ITEM}/label", json={"word": "valid"})
        assert reply.status_code == 507
        assert "cannot write" in reply.json()["error"]
        assert _get(page, ITEM)["label"] is None


def test_a_line_that_a_kill_tore_off_is_dropped_and_the_rest_stays(run: Path) -> None:
    with reviewing(run) as at, client(at["anna"]) as page:
        _say(page, 0, "valid")
    with (run / "labels.jsonl").open("a", encoding="utf-8") as file:
        file.write('{"query_id": "unders')
    with reviewing(run) as at, client(at["anna"]) as page:
        assert _get(page, ITEM)["label"]["word"] == "valid"
        _say(page, 1, "valid")
    assert len(read_label_rows(run / "labels.jsonl", Label)) == 2


def test_judgements_of_a_changed_question_are_not_reused(run: Path) -> None:
    with reviewing(run) as at, client(at["anna"]) as page:
        _say(page, 0, "invalid")
        question = _get(page, ITEM)["question"]
    path = run / "queries.jsonl"
    path.write_text(path.read_text().replace(question, "What else is there?"))
    with reviewing(run) as at, client(at["anna"]) as page:
        assert all(one["word"] is None for one in _get(page, "api/review")["tasks"][0]["items"])


def test_the_sample_is_even_over_categories_and_controls_and_the_same_for_a_seed(
    run: Path,
) -> None:
    drawn = open_tasks(run, 6, 1)[0].items
    assert drawn == open_tasks(run, 6, 1)[0].items
    assert drawn != open_tasks(run, 6, 2)[0].items
    for seed in range(6):
        assert open_tasks(run, 6, seed)[0].items[0].group != "controls"
    groups = sorted(item.group for item in drawn)
    assert len(set(groups)) == 6
    shares = {item.group: item.inclusion_probability for item in drawn}
    assert shares["underspecified"] == 1.0
    assert shares["controls"] == 0.2


def test_the_words_that_a_query_rests_on_are_marked_in_its_passage(tmp_path: Path) -> None:
    _write_proven(tmp_path)
    queries, judgements = open_tasks(tmp_path, 10, 0)
    quote, fact = "You may borrow up to 240 hours of sick leave in a year.", "signs the form"
    marked = {
        item.id: block.marks
        for item in (*queries.items, *judgements.items)
        for block in item.blocks
        if block.kind == "passage"
    }
    assert marked.pop("false_presupposition-0000") == (fact, quote)
    assert marked.pop("false_presupposition-0000/acceptable") == (fact, quote)
    assert marked.pop("false_presupposition-0000-twin") == (quote,)
    assert marked == {"false_presupposition-0000-twin/correct": (quote, "240 hours")}


def test_the_lines_on_a_twin_say_what_they_are(tmp_path: Path) -> None:
    _write_proven(tmp_path)
    query = next(item for item in open_tasks(tmp_path, 10, 0)[0].items if "twin" not in item.id)
    twin = next(block for block in query.blocks if block.title == "Its answerable twin")
    assert [line.split(": ")[0] for line in twin.text.splitlines()] == ["Query", "Reference answer"]


def _write_proven(run: Path) -> None:
    """Write a run of one false presupposition, with what its author said, and an evaluation."""
    write_finished_run(run)
    chunk, category = "doc-0.md#0", "false_presupposition"
    proof = Evidence(claim="c", outcome=Outcome.PROVEN, supports=(chunk,), contradicts=(chunk,))
    pair = [
        replace(one, evidence=(proof,), provenance=replace(one.provenance, chunk_ids=(chunk,)))
        for one in (unanswerable(0, category), control(0, category))
    ]
    candidate = Candidate(
        id=pair[0].id,
        category=category,
        subtype=None,
        question=pair[0].question,
        reason="Somebody signs it.",
        twin=Twin(
            question=pair[1].question,
            reference_answer="240 hours",
            chunk_id=chunk,
            quote=TEXTS[0].split(".")[0] + ".",
        ),
        source_chunk_id=chunk,
        fact="signs the form",
    )
    proven = Proven(
        id=candidate.id,
        candidate=candidate,
        query_evidence=(proof,),
        twin_evidence=proof,
        checks=(),
        hardness=0.5,
    )
    write_journal(RunFolder(run).journal("verify"), Proven, [proven])
    judged = [one for query in pair for one in both(query, "answered", "yes")]
    write_evaluation(run, "rag", pair, [response(one) for one in pair], judged)
