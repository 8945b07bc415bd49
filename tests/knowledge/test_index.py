import random
import shutil
import signal
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from uaeval.errors import KnowledgeBaseError, StorageError
from uaeval.knowledge.embedding import HashedWords, Vectors
from uaeval.knowledge.index import _DEPTH, HybridIndex, fused, searched
from uaeval.knowledge.retriever import Retriever
from uaeval.records import Chunk

if TYPE_CHECKING:
    pass

WORDS = (
    "leave travel hotel receipt laptop badge salary bonus training survey office printer holiday "
    "pension insurance contract meeting vacation parking canteen security password network"
).split()


def passage(number: int, text: str | None = None, document: str = "d") -> Chunk:
    selected = random.Random(number).sample(WORDS, 5)
    words = text or f"Rule {number} on {' '.join(selected)} holds for {number} days."
    return Chunk(
        id=f"{document}#{number:05d}",
        document_id=document,
        title="Rules",
        heading="",
        text=words,
        start=0,
        end=len(words),
    )


class Counted:
    """The default embedding, which also notes how many passages it was given."""

    name = HashedWords.name

    def __init__(self) -> None:
        self.passages_seen = 0

    def passages(self, texts: Sequence[str]) -> Vectors:
        self.passages_seen += len(texts)
        return HashedWords().passages(texts)

    def queries(self, texts: Sequence[str]) -> Vectors:
        return HashedWords().queries(texts)


QUERIES = [" ".join(random.Random(n).sample(WORDS, 3)) for n in range(20)]


def results(index: Retriever) -> list[list[tuple[str, float]]]:
    hits = [index.search(query, 10) for query in QUERIES]
    return [[(hit.chunk.id, hit.similarity) for hit in found] for found in hits]


def test_search_finds_the_passage_and_says_how_similar_it_is(tmp_path: Path) -> None:
    chunks = [passage(n) for n in range(40)]
    with HybridIndex(chunks, tmp_path, HashedWords()) as index:
        best = index.search(chunks[7].text, 5)[0]
        vectors = HashedWords().passages([chunks[7].text, searched(chunks[7])])

        assert best.chunk == chunks[7] == index.get("d#00007")
        assert best.similarity == pytest.approx(float(vectors[0] @ vectors[1]), abs=1e-5)
        assert len(index.chunks) == 40
        with pytest.raises(KeyError):
            index.get("d#99999")


def test_every_hit_carries_its_true_similarity_and_the_order_is_exact(tmp_path: Path) -> None:
    chunks = [passage(n) for n in range(300)]
    vectors = dict(
        zip((c.id for c in chunks), HashedWords().passages([*map(searched, chunks)]), strict=True)
    )
    with HybridIndex(chunks, tmp_path, HashedWords()) as index:
        for text in QUERIES:
            query = HashedWords().queries([text])[0]
            hits = index.search(text, 25)
            rankings = [
                [hit.chunk.id for hit in index.ranked_by(ranking).search(text, _DEPTH)]
                for ranking in ("vector", "bm25")
            ]
            assert [hit.chunk.id for hit in hits] == fused(rankings)[:25]
            for hit in hits:
                true = float(np.dot(query, vectors[hit.chunk.id]))
                assert hit.similarity == pytest.approx(true, abs=1e-5)


def test_equal_passages_are_ordered_by_id(tmp_path: Path) -> None:
    twins = [passage(n, "The canteen opens at noon on every working day.") for n in (5, 3, 9, 1)]
    with HybridIndex([*twins, passage(2)], tmp_path, HashedWords()) as index:
        hits = index.search("when does the canteen open", 4)

    assert [hit.chunk.id for hit in hits] == ["d#00001", "d#00003", "d#00005", "d#00009"]
    assert len({hit.similarity for hit in hits}) == 1


def test_two_builds_in_different_order_give_the_same_hits(tmp_path: Path) -> None:
    chunks = [passage(n) for n in range(700)]
    mixed = random.Random(1).sample(chunks, len(chunks))
    with HybridIndex(chunks, tmp_path / "a", HashedWords()) as index:
        first = results(index)
    HybridIndex([*mixed[:200], passage(9999)], tmp_path / "b", HashedWords()).close()
    with HybridIndex(mixed, tmp_path / "b", HashedWords()) as index:
        second = results(index)

    assert first == second


def test_only_what_changed_is_embedded_again(tmp_path: Path) -> None:
    chunks = [passage(n) for n in range(30)]
    counted = Counted()
    HybridIndex(chunks, tmp_path, counted).close()
    HybridIndex(chunks, tmp_path, counted).close()
    assert counted.passages_seen == 30

    changed = [*chunks[:-2], passage(28, "The pension is paid monthly.")]
    with HybridIndex(changed, tmp_path, counted) as index:
        assert counted.passages_seen == 31
        assert index.search("pension paid monthly", 1)[0].chunk.id == "d#00028"
        assert "d#00029" not in {hit.chunk.id for hit in index.search(chunks[29].text, 29)}


def test_vectors_that_were_lost_are_made_again(tmp_path: Path) -> None:
    chunks = [passage(n) for n in range(1200)]
    counted = Counted()
    with HybridIndex(chunks, tmp_path, counted) as built:
        before = results(built)
    (file,) = tmp_path.glob("vectors-*.npy")
    file.unlink()
    with HybridIndex(chunks, tmp_path, counted) as repaired:
        assert results(repaired) == before
    assert counted.passages_seen == 2400


def test_a_build_that_was_killed_is_completed(tmp_path: Path) -> None:
    script = f"""
import os, signal, sys
sys.path[:0] = {sys.path!r}
from pathlib import Path
from tests.knowledge.test_index import Counted, passage
from uaeval.knowledge.index import HybridIndex
class Killed(Counted):
    def passages(self, texts):
        if self.passages_seen > 600:
            os.kill(os.getpid(), signal.SIGKILL)
        return super().passages(texts)
HybridIndex([passage(n) for n in range(1200)], Path({str(tmp_path / "killed")!r}), Killed())
"""
    done = subprocess.run(
        [sys.executable, "-c", script], check=False, cwd=Path(__file__).parents[2]
    )
    assert done.returncode == -signal.SIGKILL

    counted = Counted()
    chunks = [passage(n) for n in range(1200)]
    with (
        HybridIndex(chunks, tmp_path / "killed", counted) as repaired,
        HybridIndex(chunks, tmp_path / "whole", HashedWords()) as whole,
    ):
        assert results(repaired) == results(whole)
    assert 0 < counted.passages_seen < 1200


def test_more_passages_than_one_batch_holds_are_indexed(tmp_path: Path) -> None:
    class Small(Counted):
        name = "first-eight"

        def passages(self, texts: Sequence[str]) -> Vectors:
            numbers = [[float(ord(letter)) for letter in text[-9:-1]] for text in texts]
            rows = np.array(numbers, dtype=np.float32)
            unit: Vectors = rows / np.linalg.norm(rows, axis=1, keepdims=True)
            return unit

        def queries(self, texts: Sequence[str]) -> Vectors:
            return self.passages(texts)

    chunks = [passage(n, f"rule {n:09d}.") for n in range(5_800)]
    HybridIndex(chunks, tmp_path, Small()).close()
    with HybridIndex(chunks[:10], tmp_path, Small()) as index:
        assert len(index.search("rule 000000003.", 20)) == 10


def test_a_query_without_known_words_still_gets_hits(tmp_path: Path) -> None:
    with HybridIndex([passage(1), passage(2)], tmp_path, HashedWords()) as index:
        assert len(index.search("", 5)) == 2
        assert len(index.search("zzz", 5)) == 2
        assert index.search("leave", 0) == ()


def test_other_scripts_are_found(tmp_path: Path) -> None:
    chunks = [
        passage(1, "病気休暇は最大二百四十時間です。"),
        passage(2, "印刷機は一階にあります。"),
    ]
    with HybridIndex(chunks, tmp_path, HashedWords()) as index:
        assert index.search("病気休暇は何時間ですか", 1)[0].chunk.id == "d#00001"


def test_nothing_to_index_and_ids_used_twice_are_errors(tmp_path: Path) -> None:
    with pytest.raises(KnowledgeBaseError, match="nothing to index"):
        HybridIndex([], tmp_path, HashedWords())
    with pytest.raises(KnowledgeBaseError, match="two passages have the id"):
        HybridIndex([passage(1), passage(1)], tmp_path, HashedWords())


def stored_vectors(folder: Path) -> Path:
    (file,) = folder.glob("vectors-*.npy")
    return file


def test_numpy_reads_the_stored_vectors(tmp_path: Path) -> None:
    chunks = [passage(n) for n in range(600)]
    HybridIndex(chunks, tmp_path, HashedWords()).close()

    records = np.load(stored_vectors(tmp_path))

    assert np.array_equal(records["vector"], HashedWords().passages([*map(searched, chunks)]))


@pytest.mark.parametrize(("place", "again"), [(-1, 1), (-3 * 4120 // 2, 1), (None, 2)])
def test_damaged_vectors_are_embedded_again(tmp_path: Path, place: int | None, again: int) -> None:
    chunks, counted = [passage(n) for n in range(60)], Counted()
    with HybridIndex(chunks, tmp_path, counted) as index:
        first = results(index)
    file = stored_vectors(tmp_path)
    content = bytearray(file.read_bytes())
    if place is None:
        del content[-4_121:]
    else:
        content[place] ^= 1
    file.write_bytes(content)

    with HybridIndex(chunks, tmp_path, counted) as index:
        assert results(index) == first
    assert counted.passages_seen == 60 + again


def test_a_file_that_holds_no_vectors_is_named_with_its_remedy_which_helps(tmp_path: Path) -> None:
    chunks = [passage(n) for n in range(3)]
    HybridIndex(chunks, tmp_path, HashedWords()).close()
    file = stored_vectors(tmp_path)
    for content in (b"", b"not a file of numpy" * 99, b"\x93NUMPY\x01\x00"):
        file.write_bytes(content)
        with pytest.raises(StorageError, match=rf"{file} is damaged .*; delete it"):
            HybridIndex(chunks, tmp_path, HashedWords())
    np.save(file, np.eye(3))
    with pytest.raises(StorageError, match="is damaged"):
        HybridIndex(chunks, tmp_path, HashedWords())
    file.unlink()
    with HybridIndex(chunks, tmp_path, HashedWords()) as index:
        assert len(index.search("leave", 5)) == 3


def test_vectors_of_another_length_are_not_mixed(tmp_path: Path) -> None:
    class Short(Counted):
        def passages(self, texts: Sequence[str]) -> Vectors:
            return HashedWords().passages(texts)[:, :8]

    HybridIndex([passage(1)], tmp_path, HashedWords()).close()
    with pytest.raises(StorageError, match="vectors of 1024, and now 8 numbers; delete the file"):
        HybridIndex([passage(1), passage(2)], tmp_path, Short())


def test_an_index_cannot_replace_a_file(tmp_path: Path) -> None:
    (tmp_path / "index").write_text("x")

    with pytest.raises(StorageError, match=rf"{tmp_path / 'index'}.*choose another"):
        HybridIndex([passage(1)], tmp_path / "index", HashedWords())


def test_closing_twice_leaves_another_index_of_the_folder_open(tmp_path: Path) -> None:
    first = HybridIndex([passage(1)], tmp_path, HashedWords())
    with HybridIndex([passage(1)], tmp_path, HashedWords()) as second:
        first.close()
        first.close()
        assert len(second.search("leave", 5)) == 1
    second.close()


def test_an_unchanged_index_is_opened_and_not_built(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    chunks = [passage(n) for n in range(60)]
    with HybridIndex(chunks, tmp_path, HashedWords()) as index:
        first = results(index)
    mark = (tmp_path / "search.json").read_bytes()

    with monkeypatch.context() as closed:
        closed.setattr("uaeval.knowledge.index.update_vectors", None)
        with HybridIndex(chunks[::-1], tmp_path, HashedWords()) as index:
            assert results(index) == first
    assert (tmp_path / "search.json").read_bytes() == mark

    with HybridIndex(chunks[:30], tmp_path, HashedWords()) as index:
        found = {hit.chunk.id for query in QUERIES for hit in index.search(query, 10)}
    assert found <= {chunk.id for chunk in chunks[:30]}


def test_an_index_is_opened_by_the_digest_of_the_file_of_its_passages(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    chunks = [passage(n) for n in range(60)]
    with HybridIndex(chunks, tmp_path, HashedWords(), "first") as index:
        first = results(index)
    with monkeypatch.context() as closed:
        closed.setattr("uaeval.knowledge.index.update_vectors", None)
        closed.setattr("uaeval.knowledge.index._hashed", None)
        with HybridIndex(chunks, tmp_path, HashedWords(), "first") as index:
            assert results(index) == first
    changed = [*chunks[:-1], passage(59, "Zeppelins are moored at the northern mast.")]
    with HybridIndex(changed, tmp_path, HashedWords(), "second") as index:
        assert index.search("zeppelins at the mast", 1)[0].chunk.id == changed[-1].id


FILES = ["coarse.npy", "steps.npy", "rows.npy", "data.csc.index.npy"]


@pytest.mark.parametrize("name", [*FILES, "vocab.index.json", "../search.json"])
@pytest.mark.parametrize("damage", ["cut", "changed", "gone"])
def test_damaged_files_are_made_again_without_embedding(
    tmp_path: Path, name: str, damage: str
) -> None:
    chunks, counted = [passage(n) for n in range(60)], Counted()
    with HybridIndex(chunks, tmp_path, counted) as index:
        first = results(index)
    file = tmp_path / "search" / name
    content = file.read_bytes()
    if damage == "gone":
        file.unlink()
    else:
        file.write_bytes(content[:-8] if damage == "cut" else bytes(len(content)))

    with HybridIndex(chunks, tmp_path, counted) as index:
        assert results(index) == first
    assert counted.passages_seen == 60
    assert file.read_bytes() == content or name == "../search.json"


def test_files_of_another_index_are_not_believed(tmp_path: Path) -> None:
    chunks = [passage(n) for n in range(60)]
    HybridIndex(chunks[30:], tmp_path / "theirs", HashedWords()).close()
    with HybridIndex(chunks[:30], tmp_path / "ours", HashedWords()) as index:
        first = results(index)
    shutil.rmtree(tmp_path / "ours" / "search")
    shutil.copytree(tmp_path / "theirs" / "search", tmp_path / "ours" / "search")
    shutil.copy2(tmp_path / "theirs" / "search.json", tmp_path / "ours")

    with HybridIndex(chunks[:30], tmp_path / "ours", HashedWords()) as index:
        assert results(index) == first


@pytest.mark.parametrize(
    "last",
    ["exact_search.VectorSearch.write", "exact_search.WordSearch.write", "index.write_json"],
)
def test_files_whose_writing_was_cut_off_are_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, last: str
) -> None:
    chunks, counted = [passage(n) for n in range(60)], Counted()
    HybridIndex(chunks[:30], tmp_path, counted).close()

    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as cut:
        cut.setattr(f"uaeval.knowledge.{last}", killed)
        with pytest.raises(KeyboardInterrupt):
            HybridIndex(chunks, tmp_path, counted)

    with (
        HybridIndex(chunks, tmp_path, counted) as repaired,
        HybridIndex(chunks, tmp_path / "whole", HashedWords()) as whole,
    ):
        assert results(repaired) == results(whole)
    assert counted.passages_seen == 60
    assert len([*tmp_path.glob("search.*")]) == 1


def test_passages_without_words_can_be_indexed(tmp_path: Path) -> None:
    with HybridIndex([replace(passage(1, "…"), title="")], tmp_path, HashedWords()) as index:
        assert [hit.chunk.text for hit in index.search("leave", 3)] == ["…"]
