"""The offline verifier proves little, and what it proves is right."""

import pytest
from tests.verifiers.cases import read_cases

from uaeval.categories.names import BUILT_IN
from uaeval.knowledge.index import HybridIndex
from uaeval.offline.model import OfflineModel
from uaeval.records import Category
from uaeval.synthesis.verify import Proven, Verify

LEAST = 0.85


@pytest.mark.parametrize("category", BUILT_IN)
async def test_the_offline_verifier_stops_bad_candidates(
    category: Category, sample_index: HybridIndex
) -> None:
    verify = Verify(sample_index, OfflineModel(), modalities="text", passages_shown=8)
    bad = [case for case in read_cases(category, sample_index.chunks) if not case.good]
    released = [
        f"{case.kind}: {case.candidate.question}"
        for case in bad
        if isinstance(await verify(case.candidate), Proven)
    ]
    assert len(bad) >= 15
    assert len(released) <= (1 - LEAST) * len(bad), "\n".join(released)


async def test_the_offline_verifier_keeps_questions_that_nothing_answers(
    sample_index: HybridIndex,
) -> None:
    verify = Verify(sample_index, OfflineModel(), modalities="text", passages_shown=8)
    cases = read_cases("out_of_database", sample_index.chunks)
    good = [case.candidate for case in cases if case.good]
    kept = [each for each in good if isinstance(await verify(each), Proven)]
    assert len(good) >= 15
    assert len(kept) >= 0.4 * len(good)
