"""Chroma's files hold nothing of the memory of the process that wrote them."""

from pathlib import Path

import numpy as np
import pytest

from uaeval.knowledge.chroma import CollectionAddress, store_vectors
from uaeval.knowledge.embedding import Vectors

SECRET = b"sk-left-in-memory-0123456789"


@pytest.mark.parametrize("name", ["data_level0.bin", "length.bin"])
def test_the_unused_part_of_a_graph_file_is_overwritten(tmp_path: Path, name: str) -> None:
    place = CollectionAddress(str(tmp_path), None, own=True)
    texts = {str(number): "text" for number in range(3)}
    vectors = np.eye(3, 8, dtype=np.float32)

    def stored() -> Vectors:
        store_vectors(place, "kept", texts, lambda _: vectors, tmp_path / "vectors.npy")
        kept: Vectors = np.load(tmp_path / "vectors.npy")
        return kept

    stored()
    (graph,) = tmp_path.glob(f"*/{name}")
    size = graph.stat().st_size
    with graph.open("r+b") as file:
        file.seek(size - len(SECRET))
        file.write(SECRET)
    assert np.array_equal(stored(), vectors)
    assert SECRET not in graph.read_bytes()
    assert graph.stat().st_size == size
