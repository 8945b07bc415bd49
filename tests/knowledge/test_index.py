import random
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, cast

import chromadb
import httpx
import numpy as np
import pytest
from chromadb.config import Settings

from uaeval.errors import KnowledgeBaseError, StorageError
from uaeval.knowledge.documents import load
from uaeval.knowledge.embedding import HashedWords, Vectors
from uaeval.knowledge.index import build_or_open, searched
from uaeval.knowledge.retriever import Index, Ranking, Retriever
from uaeval.records import Chunk

if TYPE_CHECKING:
    from chromadb.api.client import Client

WORDS = (
    "leave travel hotel receipt laptop badge salary bonus training survey office printer holiday "
    "pension insurance contract meeting vacation parking canteen security password network"
).split()


def passage(number: int, text: str | None = None, document: str = "d") -> Chunk:
    chosen = random.Random(number).sample(WORDS, 5)
    words = text or f"Rule {number} on {' '.join(chosen)} holds for {number} days."
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


def results(index: Retriever) -> list[list[tuple[str, float, float]]]:
    hits = index.search_many(QUERIES, 10)
    return [[(hit.chunk.id, hit.score, hit.similarity) for hit in found] for found in hits]


def test_search_finds_the_passage_and_says_how_similar_it_is(tmp_path: Path) -> None:
    chunks = [passage(n) for n in range(40)]
    with build_or_open(chunks, tmp_path, HashedWords()) as index:
        best = index.search(chunks[7].text, 5)[0]
        vectors = HashedWords().passages([chunks[7].text, searched(chunks[7])])

        assert best.chunk == chunks[7] == index.get("d#00007")
        assert best.similarity == pytest.approx(float(vectors[0] @ vectors[1]), abs=1e-5)
        assert len(index) == 40
        with pytest.raises(KeyError):
            index.get("d#99999")


def test_every_hit_carries_its_true_similarity_and_the_order_is_exact(tmp_path: Path) -> None:
    chunks = [passage(n) for n in range(300)]
    vectors = dict(
        zip((c.id for c in chunks), HashedWords().passages([*map(searched, chunks)]), strict=True)
    )
    with build_or_open(chunks, tmp_path, HashedWords()) as index:
        for text in QUERIES:
            query = HashedWords().queries([text])[0]
            hits = index.search(text, 25)
            for hit in hits:
                true = float(np.dot(query, vectors[hit.chunk.id]))
                assert hit.similarity == pytest.approx(true, abs=1e-5)
            assert [hit.score for hit in hits] == sorted((h.score for h in hits), reverse=True)


def test_equal_passages_are_ordered_by_id(tmp_path: Path) -> None:
    twins = [passage(n, "The canteen opens at noon on every working day.") for n in (5, 3, 9, 1)]
    with build_or_open([*twins, passage(2)], tmp_path, HashedWords()) as index:
        hits = index.search("when does the canteen open", 4)

    assert [hit.chunk.id for hit in hits] == ["d#00001", "d#00003", "d#00005", "d#00009"]
    assert len({hit.similarity for hit in hits}) == 1


def test_two_builds_in_different_order_give_the_same_hits(tmp_path: Path) -> None:
    chunks = [passage(n) for n in range(700)]
    mixed = random.Random(1).sample(chunks, len(chunks))
    with build_or_open(chunks, tmp_path / "a", HashedWords()) as index:
        first = results(index)
        one_by_one = [
            [(hit.chunk.id, hit.score, hit.similarity) for hit in index.search(text, 10)]
            for text in QUERIES
        ]
    build_or_open([*mixed[:200], passage(9999)], tmp_path / "b", HashedWords()).close()
    with build_or_open(mixed, tmp_path / "b", HashedWords()) as index:
        second = results(index)

    assert first == second == one_by_one


def test_only_what_changed_is_embedded_again(tmp_path: Path) -> None:
    chunks = [passage(n) for n in range(30)]
    counted = Counted()
    build_or_open(chunks, tmp_path, counted).close()
    build_or_open(chunks, tmp_path, counted).close()
    assert counted.passages_seen == 30

    changed = [*chunks[:-2], passage(28, "The pension is paid monthly.")]
    with build_or_open(changed, tmp_path, counted) as index:
        assert counted.passages_seen == 31
        assert index.search("pension paid monthly", 1)[0].chunk.id == "d#00028"
        assert "d#00029" not in {hit.chunk.id for hit in index.search(chunks[29].text, 29)}


def test_chunks_can_be_added_to_an_index(tmp_path: Path) -> None:
    chunks = [passage(n) for n in range(30)]
    counted = Counted()
    index: Index = build_or_open(chunks[:20], tmp_path / "grown", counted)
    index.search("leave", 1)
    index.add(chunks[20:])
    with build_or_open(chunks, tmp_path / "whole", HashedWords()) as whole:
        assert results(index) == results(whole)
    assert index.get("d#00029") == chunks[29]
    assert counted.passages_seen == 30
    with pytest.raises(KnowledgeBaseError, match="two passages have the id 'd#00003'"):
        index.add([chunks[3]])


def test_the_stored_collection_shows_the_texts_and_answers_as_the_index_does(
    tmp_path: Path,
) -> None:
    chunks = [passage(n) for n in range(1200)]
    query = HashedWords().queries([QUERIES[0]])
    with build_or_open(chunks, tmp_path, HashedWords()) as built:
        hits = built.ranked_by(Ranking.VECTOR).search(QUERIES[0], 5)
    client = chromadb.PersistentClient(str(tmp_path), Settings(anonymized_telemetry=False))
    (collection,) = client.list_collections()
    answer = collection.query(query_embeddings=query, n_results=5)
    cast("Client", client).close()

    assert answer["metadatas"] and answer["distances"]
    assert answer["metadatas"][0][0] == {"text": searched(hits[0].chunk)}
    assert answer["distances"][0] == pytest.approx([1 - hit.similarity for hit in hits], abs=1e-5)


def test_a_collection_of_the_first_version_is_used_as_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    chunks = [passage(n) for n in range(300)]
    counted = Counted()
    with monkeypatch.context() as first_version:
        first_version.setattr(
            "uaeval.knowledge.chroma._GRAPH",
            {"space": "cosine", "ef_search": 2**31 - 1, "ef_construction": 200},
        )
        with build_or_open(chunks, tmp_path, counted) as built:
            before = results(built)
    with build_or_open(chunks, tmp_path, counted) as opened:
        assert results(opened) == before
    assert counted.passages_seen == 300


def test_vectors_that_were_lost_are_made_again(tmp_path: Path) -> None:
    chunks = [passage(n) for n in range(1200)]
    counted = Counted()
    with build_or_open(chunks, tmp_path, counted) as built:
        before = results(built)
    (segment,) = (path for path in tmp_path.iterdir() if path.is_dir() and path.name != "search")
    shutil.rmtree(segment)
    with build_or_open(chunks, tmp_path, counted) as repaired:
        assert results(repaired) == before
    assert counted.passages_seen == 2400


def test_a_build_that_was_killed_is_completed(tmp_path: Path) -> None:
    script = f"""
import os, signal, sys
sys.path[:0] = {sys.path!r}
from tests.knowledge.test_index import Counted, passage
from uaeval.knowledge.index import build_or_open
class Killed(Counted):
    def passages(self, texts):
        if self.passages_seen > 600:
            os.kill(os.getpid(), signal.SIGKILL)
        return super().passages(texts)
build_or_open([passage(n) for n in range(1200)], {str(tmp_path / "killed")!r}, Killed())
"""
    done = subprocess.run(
        [sys.executable, "-c", script], check=False, cwd=Path(__file__).parents[2]
    )
    assert done.returncode == -signal.SIGKILL

    counted = Counted()
    chunks = [passage(n) for n in range(1200)]
    with (
        build_or_open(chunks, tmp_path / "killed", counted) as repaired,
        build_or_open(chunks, tmp_path / "whole", HashedWords()) as whole,
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
    build_or_open(chunks, tmp_path, Small()).close()
    with build_or_open(chunks[:10], tmp_path, Small()) as index:
        assert len(index.search("rule 000000003.", 20)) == 10


def test_a_query_without_known_words_still_gets_hits(tmp_path: Path) -> None:
    with build_or_open([passage(1), passage(2)], tmp_path, HashedWords()) as index:
        assert len(index.search("", 5)) == 2
        assert len(index.search("zzz", 5)) == 2
        assert index.search("leave", 0) == ()
        assert index.search_many([], 5) == ()


def test_other_scripts_are_found(tmp_path: Path) -> None:
    chunks = [
        passage(1, "病気休暇は最大二百四十時間です。"),
        passage(2, "印刷機は一階にあります。"),
    ]
    with build_or_open(chunks, tmp_path, HashedWords()) as index:
        assert index.search("病気休暇は何時間ですか", 1)[0].chunk.id == "d#00001"


def test_nothing_to_index_and_ids_used_twice_are_errors(tmp_path: Path) -> None:
    with pytest.raises(KnowledgeBaseError, match="nothing to index"):
        build_or_open([], tmp_path, HashedWords())
    with pytest.raises(KnowledgeBaseError, match="two passages have the id"):
        build_or_open([passage(1), passage(1)], tmp_path, HashedWords())


def test_a_damaged_index_is_named_with_its_remedy_which_helps(tmp_path: Path) -> None:
    folder = tmp_path / "index"
    folder.mkdir()
    (folder / "chroma.sqlite3").write_bytes(b"not a database" * 100)

    with pytest.raises(StorageError, match=f"{folder} cannot be used.*delete {folder} "):
        build_or_open([passage(1)], folder, HashedWords())
    shutil.rmtree(folder)
    with build_or_open([passage(1)], folder, HashedWords()) as index:
        assert len(index.search("leave", 5)) == 1


def test_an_index_cannot_be_where_a_file_stands(tmp_path: Path) -> None:
    (tmp_path / "index").write_text("x")

    with pytest.raises(StorageError, match=rf"{tmp_path / 'index'}.*choose another"):
        build_or_open([passage(1)], tmp_path / "index", HashedWords())


def test_closing_twice_leaves_another_index_of_the_folder_open(tmp_path: Path) -> None:
    first = build_or_open([passage(1)], tmp_path, HashedWords())
    with build_or_open([passage(1)], tmp_path, HashedWords()) as second:
        first.close()
        first.close()
        assert len(second.search("leave", 5)) == 1
    second.close()


def test_another_collection_is_read_but_never_written(tmp_path: Path) -> None:
    client = chromadb.PersistentClient(str(tmp_path), Settings(anonymized_telemetry=False))
    theirs = client.create_collection("docs", embedding_function=None)
    theirs.add(
        ids=["b", "a"],
        documents=["Second text.", "First text."],
        metadatas=[{"title": "B"}, {"title": "A"}],
        embeddings=np.eye(2, dtype=np.float32),
    )
    address = f"chroma:{tmp_path}#docs"

    assert [(d.id, d.title, d.text) for d in load(address).documents] == [
        ("a", "A", "First text."),
        ("b", "B", "Second text."),
    ]
    with pytest.raises(KnowledgeBaseError, match="its collections: docs"):
        load(f"chroma:{tmp_path}#other")
    with pytest.raises(KnowledgeBaseError, match="did not create the collection"):
        build_or_open([passage(1)], address, HashedWords())
    with pytest.raises(KnowledgeBaseError, match="no Chroma database in this folder"):
        load(f"chroma:{tmp_path / 'nowhere'}#docs")
    assert theirs.count() == 2


@pytest.fixture
def server(tmp_path: Path) -> Iterator[str]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [str(Path(sys.executable).with_name("chroma")), "run", "--path", str(tmp_path)]
    process = subprocess.Popen(
        [*command, "--host", "127.0.0.1", "--port", str(port)], stdout=subprocess.DEVNULL
    )
    address = f"http://127.0.0.1:{port}"
    for _ in range(200):
        try:
            httpx.get(f"{address}/api/v2/heartbeat", timeout=1).raise_for_status()
            break
        except httpx.HTTPError:
            time.sleep(0.1)
    yield address
    process.terminate()
    process.wait(20)


@pytest.mark.slow
def test_a_server_gives_the_same_hits_as_a_folder(server: str, tmp_path: Path) -> None:
    chunks = [passage(n) for n in range(400)]
    counted = Counted()
    build_or_open(chunks[:300], f"chroma:{server}#rules", counted).close()
    with (
        build_or_open(chunks, f"chroma:{server}#rules", counted) as remote,
        build_or_open(chunks, tmp_path / "local", HashedWords()) as local,
    ):
        for far, near in zip(results(remote), results(local), strict=True):
            assert [hit[:2] for hit in far] == [hit[:2] for hit in near]
            assert [hit[2] for hit in far] == pytest.approx([hit[2] for hit in near], abs=2e-6)
    assert counted.passages_seen == 400


def test_a_server_that_is_not_there_is_named() -> None:
    with pytest.raises(KnowledgeBaseError, match=r"chroma:http://127\.0\.0\.1:9"):
        build_or_open([passage(1)], "chroma:http://127.0.0.1:9", HashedWords())


def test_an_unchanged_index_is_opened_without_its_database(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    chunks = [passage(n) for n in range(60)]
    with build_or_open(chunks, tmp_path, HashedWords()) as index:
        first = results(index)
    mark = (tmp_path / "search.json").read_bytes()

    with monkeypatch.context() as closed:
        closed.setattr("uaeval.knowledge.index.store_vectors", None)
        with build_or_open(chunks[::-1], tmp_path, HashedWords()) as index:
            assert results(index) == first
    assert (tmp_path / "search.json").read_bytes() == mark

    with build_or_open(chunks[:30], tmp_path, HashedWords()) as index:
        found = {hit.chunk.id for query in QUERIES for hit in index.search(query, 10)}
    assert found <= {chunk.id for chunk in chunks[:30]}


FILES = ["vectors.npy", "coarse.npy", "steps.npy", "rows.npy", "data.csc.index.npy"]


@pytest.mark.parametrize("name", [*FILES, "vocab.index.json", "../search.json"])
@pytest.mark.parametrize("damage", ["cut", "changed", "gone"])
def test_damaged_files_are_made_again_without_embedding(
    tmp_path: Path, name: str, damage: str
) -> None:
    chunks, counted = [passage(n) for n in range(60)], Counted()
    with build_or_open(chunks, tmp_path, counted) as index:
        first = results(index)
    file = tmp_path / "search" / name
    content = file.read_bytes()
    if damage == "gone":
        file.unlink()
    else:
        file.write_bytes(content[:-8] if damage == "cut" else bytes(len(content)))

    with build_or_open(chunks, tmp_path, counted) as index:
        assert results(index) == first
    assert counted.passages_seen == 60
    assert file.read_bytes() == content or name == "../search.json"


def test_files_of_another_index_are_not_believed(tmp_path: Path) -> None:
    chunks = [passage(n) for n in range(60)]
    build_or_open(chunks[30:], tmp_path / "theirs", HashedWords()).close()
    with build_or_open(chunks[:30], tmp_path / "ours", HashedWords()) as index:
        first = results(index)
    shutil.rmtree(tmp_path / "ours" / "search")
    shutil.copytree(tmp_path / "theirs" / "search", tmp_path / "ours" / "search")
    shutil.copy2(tmp_path / "theirs" / "search.json", tmp_path / "ours")

    with build_or_open(chunks[:30], tmp_path / "ours", HashedWords()) as index:
        assert results(index) == first


@pytest.mark.parametrize(
    "last", ["search.VectorSearch.store", "search.WordSearch.store", "search_files.write_json"]
)
def test_files_whose_writing_was_cut_off_are_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, last: str
) -> None:
    chunks, counted = [passage(n) for n in range(60)], Counted()
    build_or_open(chunks[:30], tmp_path, counted).close()

    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as cut:
        cut.setattr(f"uaeval.knowledge.{last}", killed)
        with pytest.raises(KeyboardInterrupt):
            build_or_open(chunks, tmp_path, counted)

    with (
        build_or_open(chunks, tmp_path, counted) as repaired,
        build_or_open(chunks, tmp_path / "whole", HashedWords()) as whole,
    ):
        assert results(repaired) == results(whole)
    assert counted.passages_seen == 60
    assert len([*tmp_path.glob("search.*")]) == 1


def test_an_index_of_an_earlier_version_is_not_embedded_again(tmp_path: Path) -> None:
    chunks, counted = [passage(n) for n in range(60)], Counted()
    with build_or_open(chunks, tmp_path, counted) as index:
        first = results(index)
    (tmp_path / "search.json").unlink()
    (tmp_path / "search").rename(tmp_path / "words")

    with build_or_open(chunks, tmp_path, counted) as index:
        assert results(index) == first
    assert counted.passages_seen == 60
    assert not (tmp_path / "words").exists()


def test_passages_without_words_can_be_indexed(tmp_path: Path) -> None:
    with build_or_open([replace(passage(1, "…"), title="")], tmp_path, HashedWords()) as index:
        assert [hit.chunk.text for hit in index.search("leave", 3)] == ["…"]
