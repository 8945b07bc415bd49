"""The label of an item, from the labels of several people."""

from tests.evaluation.records import unanswerable

from uaeval.labels import Label, agreed, current, invalid_ids, last_labels, resolutions

WORDS = {"v": "valid", "i": "invalid", "u": "unsure", "-": None}


def _said(*rows: str) -> list[Label]:
    """Read rows such as `q1 anna v`, or `q1 anna v!` for one that settles."""
    parts = [row.split() for row in rows]
    return [
        Label.model_validate(
            {
                "query_id": query,
                "annotator": name,
                "valid": WORDS[word[0]],
                "settles": word.endswith("!"),
            }
        )
        for query, name, word in parts
    ]


def test_the_last_label_of_each_annotator_counts_and_undone_labels_do_not() -> None:
    found = last_labels(_said("q a v", "q a i", "q b v", "q b -", "r a -"))
    assert {
        item: {name: row.valid for name, row in said.items()} for item, said in found.items()
    } == {"q": {"a": "invalid"}}


def test_the_majority_label_counts_and_a_tie_gives_no_label() -> None:
    rows = _said(
        *("most a v", "most b v", "most c i"),
        *("tie a v", "tie b i"),
        *("doubt a u", "doubt b u"),
        *("one a u", "one b i"),
    )
    assert agreed(rows) == {"most": "valid", "tie": None, "doubt": None, "one": "invalid"}


def test_a_settling_label_decides_and_does_not_count_for_its_annotator() -> None:
    rows = _said("q a i", "q b i", "q c v", "q c v!")
    assert agreed(rows) == {"q": "valid"}
    assert invalid_ids(rows) == frozenset()
    assert invalid_ids(rows[:3]) == {"q"}
    assert set(last_labels(rows)["q"]) == {"a", "b", "c"}
    assert resolutions(_said("q c v!", "q c -!")) == {}
    assert agreed(_said("q a v", "q b i", "q a u!")) == {"q": None}


def test_a_settled_invalid_outvotes_the_many_and_a_tie_is_invalid() -> None:
    assert invalid_ids(_said("q a v", "q b v", "q c i", "q c i!")) == {"q"}
    assert invalid_ids(_said("q a v", "q b i")) == {"q"}
    assert invalid_ids(_said("q a i", "q a -")) == frozenset()
    assert invalid_ids(_said("q a u")) == frozenset()


def test_labels_of_a_question_that_changed_are_left_out() -> None:
    query = unanswerable(1, question="How many hours?")
    rows = [
        Label(query_id=query.id, annotator=name, valid="invalid", question=question)
        for name, question in (("a", "How many hours?"), ("b", "How many days?"), ("c", None))
    ]
    assert [row.annotator for row in current(rows, [query])] == ["a", "c"]
    assert current([], iter(())) == ()


def test_a_label_without_an_inclusion_probability_has_weight_one() -> None:
    assert {label.inclusion_probability for label in _said("q a v")} == {1.0}
