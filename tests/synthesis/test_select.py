"""Selection of proven queries: plan order, no near-duplicates, varied openings."""

import random
from dataclasses import replace

from tests.synthesis.conftest import chunk_of
from tests.synthesis.worlds import CHUNKS, candidate_of, proven_of, selected

from uaeval.records import Reading
from uaeval.synthesis.plan import plan
from uaeval.synthesis.select import NEAR_DUPLICATE, DuplicateIndex
from uaeval.synthesis.verify import Proven
from uaeval.text.words import overlap, word_pairs

CATEGORY = "false_presupposition"


def _pairs(questions: list[str]) -> list[Proven]:
    order = plan(CHUNKS, CATEGORY, seed=0)
    return [
        proven_of(candidate_of(assignment, question))
        for assignment, question in zip(order, questions, strict=False)
    ]


def test_near_duplicates_are_passed_over() -> None:
    pairs = _pairs(["who signs the red form for travel", "Who signs the red form, for travel?"])
    selection = selected(pairs, CATEGORY, 5)
    assert [rejection.check for rejection in selection.passed_over] == ["duplicate"]


def test_two_queries_about_the_same_cases_are_duplicates() -> None:
    readings = [
        Reading(question="q", value=value, answer=answer, chunk_id=f"{value}.md#0")
        for value, answer in (("job", "0"), ("run", "1"))
    ]
    asked = ["what is the usual number of instances", "how many instances again in code engine"]
    first, second = _pairs(asked)
    same = [
        replace(pair, candidate=replace(pair.candidate, readings=tuple(given)))
        for pair, given in ((first, readings), (second, reversed(readings)))
    ]
    selection = selected(same, CATEGORY, 5)
    assert [rejection.check for rejection in selection.passed_over] == ["duplicate"]
    other = replace(readings[0], answer="2")
    same[1] = replace(second, candidate=replace(second.candidate, readings=(other, readings[1])))
    assert len(selected(same, CATEGORY, 5).selected) == 2


def test_an_opening_starts_no_more_than_its_share() -> None:
    questions = [f"how do i get word{n} thing{n} matter{n} place{n}" for n in range(20)]
    questions += [f"word{n} thing{n} of matter{n} please" for n in range(17)]
    selection = selected(_pairs(questions), CATEGORY, 20)
    openings = [pair.candidate.question.startswith("how do i get") for pair in selection.selected]
    assert (len(openings), sum(openings)) == (20, 3)  # 15 % of 20
    assert {rejection.check for rejection in selection.passed_over} == {"opening"}


def test_a_smaller_set_allows_fewer_queries_of_one_opening() -> None:
    questions = [f"how do i get word{n} thing{n} matter{n} place{n}" for n in range(3)]
    questions += [f"word{n} thing{n} of matter{n} please" for n in range(4)]
    selection = selected(_pairs(questions), CATEGORY, 20)
    openings = [pair.candidate.question.startswith("how do i get") for pair in selection.selected]
    assert (len(openings), sum(openings)) == (5, 1)


def test_one_document_gives_no_more_than_its_share() -> None:
    chunks = [chunk_of(f"one.md#{n}", "text") for n in range(6)]
    order = plan(chunks, CATEGORY, seed=0)
    pairs = [
        proven_of(candidate_of(one, f"word{n} thing{n} of matter{n} please"))
        for n, one in enumerate(order)
    ]
    selection = selected(pairs, CATEGORY, 6)
    assert len(selection.selected) == 2
    assert {rejection.check for rejection in selection.passed_over} == {"per_document"}


def test_the_first_proven_fill_the_quota_and_later_ones_are_spares() -> None:
    pairs = _pairs([f"word{n} thing{n} of matter{n} please" for n in range(6)])
    selection = selected([*pairs[:3], None, *pairs[3:]], CATEGORY, 3)
    assert selection.selected == tuple(pairs[:3])
    assert [(one.id, one.check) for one in selection.passed_over] == [
        (pair.id, "spare") for pair in pairs[3:]
    ]


def test_outcomes_after_an_open_one_are_not_considered_yet() -> None:
    pairs = _pairs([f"word{n} thing{n} of matter{n} please" for n in range(6)])
    selection = selected([*pairs[:2], None, *pairs[2:]], CATEGORY, 3)
    assert (selection.selected, selection.passed_over) == (tuple(pairs[:2]), ())
    assert selection.missing == 1


def test_the_index_finds_every_near_duplicate_and_nothing_else() -> None:
    chance = random.Random(3)
    duplicates, held = DuplicateIndex(), list[str]()
    found = 0
    for _ in range(400):
        words = [f"w{n}" for n in range(chance.randrange(3, 14))]
        for _ in range(chance.randrange(3)):
            words[chance.randrange(len(words))] = f"v{chance.randrange(20)}"
        question = " ".join(words)
        alike = any(
            overlap(word_pairs(question), word_pairs(each)) >= NEAR_DUPLICATE for each in held
        )
        assert duplicates.has_near_duplicate(question) == alike
        found += alike
        duplicates.put(question)
        held.append(question)
    assert 50 < found < 350


def _framed(frames: list[str]) -> list[Proven]:
    questions = [f"word{n} thing{n} of matter{n} please" for n in range(len(frames))]
    pairs = _pairs(questions)
    return [replace(pair, frame=frame) for pair, frame in zip(pairs, frames, strict=True)]


def test_a_repeated_frame_is_a_spare_if_another_pair_fills_the_quota() -> None:
    pairs = _framed(["when was | open", "when was | open", "who wrote |", "how many | seat"])
    selection = selected(pairs, CATEGORY, 3, last=True)
    assert selection.selected == (pairs[0], *pairs[2:])
    assert [(each.id, each.check) for each in selection.passed_over] == [(pairs[1].id, "spare")]


def test_a_repeated_frame_is_used_if_the_plan_gives_nothing_better() -> None:
    pairs = _framed(["when was | open", "when was | open", "who wrote |"])
    waiting = selected(pairs, CATEGORY, 3)
    assert (waiting.selected, waiting.missing) == ((pairs[0], pairs[2]), 1)
    assert not waiting.passed_over
    last = selected(pairs, CATEGORY, 3, last=True)
    assert last.selected == tuple(pairs)


def test_an_author_who_repeats_itself_fills_the_quota() -> None:
    pairs = _framed(["when was | open"] * 20)
    selection = selected(pairs, CATEGORY, 8)
    assert (len(selection.selected), selection.missing) == (8, 0)
    assert selection.selected == (pairs[0], *pairs[3:10])  # two are held back


def test_pairs_that_were_held_back_do_not_exceed_the_quota() -> None:
    frames = ["when was | open"] * 3 + [f"who wrote {n} |" for n in range(6)]
    selection = selected(_framed(frames), CATEGORY, 8, last=True)
    assert (len(selection.selected), selection.missing) == (8, 0)


def test_a_frame_of_an_earlier_category_counts() -> None:
    earlier = DuplicateIndex()
    earlier.put("when was the bridge opened", "when was | open")
    pairs = _framed(["when was | open", "who wrote |"])
    selection = selected(pairs, CATEGORY, 1, [earlier])
    assert selection.selected == (pairs[1],)


def test_a_pair_with_the_twin_of_another_is_used_last() -> None:
    first, second, third = _framed([f"who wrote {n} |" for n in range(3)])
    again = replace(second, candidate=replace(second.candidate, twin=first.candidate.twin))
    assert selected([first, again, third], CATEGORY, 2).selected == (first, third)
    assert selected([first, again, third], CATEGORY, 3, last=True).selected == (first, again, third)


def test_a_pair_whose_twin_is_about_something_else_is_used_last() -> None:
    first, second, third = _framed([f"who wrote {n} |" for n in range(3)])
    pairs = [replace(first, one_subject=False), second, third]
    assert selected(pairs, CATEGORY, 2).selected == (second, third)
    assert selected(pairs, CATEGORY, 3, last=True).selected == tuple(pairs)


def test_a_query_that_no_user_would_type_is_used_last() -> None:
    first, second, *likely = _framed([f"who wrote {n} |" for n in range(7)])
    odd, contrived = replace(first, natural="odd"), replace(second, natural="contrived")
    pairs = [odd, contrived, *likely]
    assert selected(pairs, CATEGORY, 5).selected == tuple(likely)
    assert selected(pairs, CATEGORY, 6, last=True).selected == (odd, *likely)
    assert selected(pairs, CATEGORY, 7, last=True).selected == tuple(pairs)


def test_one_in_ten_odd_queries_is_held_back() -> None:
    pairs = [
        replace(pair, natural="odd") for pair in _framed([f"who wrote {n} |" for n in range(12)])
    ]
    chosen = selected(pairs, CATEGORY, 10).selected
    assert chosen == tuple(pairs[1:11])
