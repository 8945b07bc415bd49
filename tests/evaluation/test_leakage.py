from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from tests.cli.finished_run import write_finished_run
from tests.evaluation.records import control, unanswerable

from uaeval.errors import StorageError
from uaeval.evaluation.leakage import commonest_opening, leakage
from uaeval.records import Category, Query
from uaeval.run_folder import RunFolder
from uaeval.storage import read_json, write_json
from uaeval.text.telling_apart import bag_of_words_auc

TOPICS = "sick leave,travel,parking,laptops,badges,lunch,phones,training,desks,visas".split(",")


def _pairs(marker: str, count: int = 20, category: Category = "modality_limited") -> list[Query]:
    found = []
    for number in range(count):
        topic = TOPICS[number % 10]
        asked = f"What is the rule number {number} on {topic}?"
        found += [
            unanswerable(number, category, question=f"{asked}{marker}"),
            control(number, category, question=asked),
        ]
    return found


def test_a_word_that_only_queries_have_gives_them_away() -> None:
    (found,) = leakage(_pairs(" Show me a video."))
    assert (found.category, found.pairs, found.auc) == ("modality_limited", 20, 1.0)


def test_queries_that_read_like_their_twins_give_nothing_away() -> None:
    (found,) = leakage(_pairs(""))
    assert found.auc == 0.5
    assert found.length_ratio == 1.0


def test_repeated_frames_are_counted_across_categories() -> None:
    queries = [*_pairs("", 10), *_pairs("", 10, "nonsensical")]
    frames = {1: "when was | open", 2: "who wrote |"}
    framed = [
        replace(query, frame=None if query.answerable else frames.get(number // 2, f"{number} |"))
        for number, query in enumerate(queries)
    ]
    framed[20] = replace(framed[20], frame="when was | open")
    first, second = sorted(leakage(framed), key=lambda measured: measured.category)
    assert (first.repeated_frames, second.repeated_frames) == (0.1, 0.1)
    assert {measured.repeated_frames for measured in leakage(queries)} == {None}


def test_easy_queries_are_counted() -> None:
    queries = _pairs("", 10)
    (found,) = leakage([replace(queries[0], easy=("words",)), *queries[1:]])
    assert found.easy == 1


def test_the_order_of_the_queries_does_not_matter() -> None:
    queries = _pairs(" Right?", 12)[:-1] + _pairs("", 14)[-4:]
    assert leakage(queries) == leakage(queries[::-1])


def test_the_commonest_opening_is_the_first_four_words() -> None:
    questions = ["Can you show me a map?", "can you show ME the way?", "Why?", "Who pays?"]
    assert commonest_opening(questions) == ("can you show me", 0.5)


def test_length_parity_is_the_ratio_of_mean_lengths() -> None:
    queries = _pairs(" Draw it.")
    (found,) = leakage(queries)
    lengths = Counter[bool]()
    for query in queries:
        lengths[query.answerable] += len(query.question)
    assert found.length_ratio == lengths[False] / lengths[True] > 1


@pytest.mark.parametrize(("count", "measured"), [(9, False), (10, True)])
def test_few_pairs_are_not_measured(count: int, measured: bool) -> None:
    (found,) = leakage(_pairs(" Draw it.", count))
    figures = (found.auc, found.opening, found.opening_share, found.length_ratio)
    assert found.pairs == count
    assert all((figure is not None) is measured for figure in figures)


def test_a_query_without_its_twin_is_not_a_pair() -> None:
    (found,) = leakage([query for query in _pairs("") if not query.answerable])
    assert (found.pairs, found.auc) == (0, None)


def test_hardness_is_summed_up_for_what_has_it() -> None:
    queries = [
        unanswerable(number, "out_of_database", hardness=hardness)
        for number, hardness in enumerate((0.2, 0.3, 0.7))
    ]
    (found,) = leakage(queries)
    assert found.hardness_mean == pytest.approx(0.4)
    assert (found.hardness_median, found.hardness_min, found.hardness_max) == (0.3, 0.2, 0.7)


def test_auc_keeps_a_query_and_its_twin_in_one_fold() -> None:
    """If pairs were split over folds, the words of a twin in training would give away the label."""
    pairs = [(f"alpha{i} beta{i}", f"alpha{i} beta{i}") for i in range(15)]
    assert bag_of_words_auc(pairs) == 0.5


def test_damaged_figures_of_a_manifest_are_named(tmp_path: Path) -> None:
    write_finished_run(tmp_path)
    run = RunFolder(tmp_path)
    manifest = read_json(run.manifest_path)
    write_json(
        run.manifest_path, manifest | {"leakage": [{"category": "nonsensical", "pairs": [None]}]}
    )
    with pytest.raises(StorageError, match=r"manifest\.json is no manifest of this version"):
        run.finished()


def test_only_categories_with_queries_are_measured_and_a_frame_must_be_shared() -> None:
    queries = [replace(query, frame=None) for query in _pairs("", 3)]
    (found,) = leakage([replace(queries[0], frame="who |"), *queries[1:]])
    assert (found.category, found.repeated_frames) == ("modality_limited", 0.0)
    assert commonest_opening(["b c", "a b", "b c", "a b"]) == ("a b", 0.5)


def test_the_order_of_the_records_is_that_of_their_ids() -> None:
    queries = _pairs(" Right?", 12)
    renamed = [replace(query, question=query.question[::-1]) for query in queries]
    assert leakage(renamed) == leakage(renamed[::-1])
