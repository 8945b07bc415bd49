"""An answer hidden in the sample knowledge base is found."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.planted.pairs import planted
from tests.verifiers.cases import Case, read_cases

from uaeval.categories.literal import find_answer
from uaeval.knowledge.chunking import chunk
from uaeval.knowledge.documents import load
from uaeval.knowledge.embedding import DEFAULT_EMBEDDING, embedding_named
from uaeval.knowledge.index import HybridIndex
from uaeval.offline.model import OfflineModel
from uaeval.resources import shipped
from uaeval.synthesis.verify import Proven, Verify

ROWS = [
    json.loads(line)
    for line in (Path(__file__).parent / "sample.jsonl").read_text(encoding="utf-8").splitlines()
]
SENTENCES = {row["question"]: row["sentence"] for row in ROWS}


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HybridIndex]:
    documents = load(shipped("knowledge_bases") / "sample").documents
    chunked = chunk(planted(documents, SENTENCES))
    folder = tmp_path_factory.mktemp("planted")
    with HybridIndex(chunked.chunks, folder, embedding_named(DEFAULT_EMBEDDING)) as opened:
        yield opened


def _cases(index: HybridIndex, surface: str) -> list[Case]:
    wanted = {row["question"] for row in ROWS if row["surface"] == surface}
    cases = read_cases("out_of_database", index.chunks)
    return [case for case in cases if case.candidate.question in wanted]


@pytest.mark.parametrize(("surface", "least"), [("kept", 0.95), ("changed", 0.7)])
async def test_a_planted_answer_is_not_released(
    index: HybridIndex, surface: str, least: float
) -> None:
    verify = Verify(index, OfflineModel(), modalities="text", passages_shown=8)
    cases = _cases(index, surface)
    released = [
        case.candidate.question
        for case in cases
        if isinstance(await verify(case.candidate), Proven)
    ]
    assert len(cases) >= 10
    assert len(released) <= (1 - least) * len(cases), released


async def test_a_kept_answer_is_found_without_a_model(index: HybridIndex) -> None:
    for case in _cases(index, "kept"):
        found = find_answer(case.candidate, index)
        assert found is not None, case.candidate.question
        assert found.statement == SENTENCES[case.candidate.question]


async def test_where_nothing_is_planted_no_answer_is_found_by_code(
    sample_index: HybridIndex,
) -> None:
    cases = read_cases("out_of_database", sample_index.chunks)
    good = [case.candidate for case in cases if case.good]
    assert len(good) >= 20
    assert [one.question for one in good if find_answer(one, sample_index)] == []
