from collections.abc import Iterator

import pytest

from uaeval.knowledge.chunking import chunk
from uaeval.knowledge.documents import load
from uaeval.knowledge.embedding import DEFAULT_EMBEDDING, embedding_named
from uaeval.knowledge.index import HybridIndex
from uaeval.resources import shipped


@pytest.fixture(scope="session")
def sample_index(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HybridIndex]:
    documents = load(shipped("knowledge_bases") / "sample").documents
    folder = tmp_path_factory.mktemp("index")
    chunks = chunk(documents).chunks
    with HybridIndex(chunks, folder, embedding_named(DEFAULT_EMBEDDING)) as index:
        yield index
