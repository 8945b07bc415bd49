"""Collections of Chroma, in folders and on servers, as knowledge bases."""

import json
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import cast

import chromadb
import httpx
import numpy as np
import pytest
from chromadb.api import ClientAPI
from chromadb.api.client import Client
from chromadb.config import Settings
from tests.knowledge.test_indexes import texts_of

from uaeval.api import synthesize
from uaeval.errors import KnowledgeBaseError
from uaeval.knowledge.documents import fingerprint, load
from uaeval.knowledge.reading import ReadSettings

MANY = 2_500
"""More than two pages."""
SAMPLE = Path(__file__).parents[2] / "knowledge_bases" / "sample"


def _quiet() -> Settings:
    """Return settings of their own for a client, which writes its address into them."""
    return Settings(anonymized_telemetry=False)


def fill(client: ClientAPI) -> chromadb.Collection:
    collection: chromadb.Collection = client.create_collection("docs", embedding_function=None)
    collection.add(
        ids=["b", "a"],
        documents=["Second text.", "First text."],
        metadatas=[{"title": "B", "n": 1}, {"title": "A", "body": "Its body."}],
        embeddings=np.eye(2, dtype=np.float32),
    )
    return collection


@pytest.fixture
def chroma(tmp_path: Path) -> Iterator[chromadb.Collection]:
    client = chromadb.PersistentClient(str(tmp_path), _quiet())
    yield fill(client)
    cast("Client", client).close()


def test_a_collection_of_chroma_is_read(chroma: chromadb.Collection, tmp_path: Path) -> None:
    address = f"chroma:{tmp_path}/docs"
    assert texts_of(address) == [("a", "A", "First text."), ("b", "B", "Second text.")]
    before = fingerprint(address)
    assert fingerprint(address) == before
    chroma.update(ids=["a"], metadatas=[{"title": "C"}])
    assert fingerprint(address) != before
    assert chroma.count() == 2


def test_all_pages_are_read(chroma: chromadb.Collection, tmp_path: Path) -> None:
    for start in range(0, MANY, 500):
        chroma.add(
            ids=[f"n{n}" for n in range(start, start + 500)],
            documents=[f"Text {n}." for n in range(start, start + 500)],
            embeddings=np.ones((500, 2), dtype=np.float32),
        )
    assert len(texts_of(f"chroma:{tmp_path}/docs")) == MANY + 2


def test_the_fields_of_an_address_come_before_those_of_the_settings(
    chroma: chromadb.Collection, tmp_path: Path
) -> None:
    chroma.delete(ids=["b"])
    settings = ReadSettings(text_field="nowhere", title_field="body")
    assert texts_of(f"chroma:{tmp_path}/docs?text=body&id=title", settings) == [
        ("A", "Its body.", "Its body.")
    ]


def test_missing_input_is_named_and_nothing_is_created(
    chroma: chromadb.Collection, tmp_path: Path
) -> None:
    with pytest.raises(KnowledgeBaseError, match="no collection 'other'; its collections: docs"):
        load(f"chroma:{tmp_path}/other")
    for kind in ("chroma", "qdrant", "lancedb"):
        with pytest.raises(KnowledgeBaseError, match=f"no {kind} database is there"):
            load(f"{kind}:{tmp_path}/nowhere/docs")
    assert not (tmp_path / "nowhere").exists()


@pytest.fixture
def chroma_server(tmp_path: Path) -> Iterator[str]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [str(Path(sys.executable).with_name("chroma")), "run", "--path", str(tmp_path / "db")]
    process = subprocess.Popen(
        [*command, "--host", "127.0.0.1", "--port", str(port)], stdout=subprocess.DEVNULL
    )
    address = f"http://127.0.0.1:{port}"
    given_up = time.monotonic() + 120
    while True:
        try:
            httpx.get(f"{address}/api/v2/heartbeat", timeout=1).raise_for_status()
            break
        except httpx.HTTPError:
            assert time.monotonic() < given_up, "the server of Chroma does not start"
            time.sleep(0.1)
    yield address
    process.terminate()
    process.wait(20)


@pytest.mark.slow
def test_a_chroma_server_is_read_from_the_command_line(chroma_server: str, tmp_path: Path) -> None:
    pages = sorted(SAMPLE.rglob("*.md"))
    _client(chroma_server).create_collection("pages", embedding_function=None).add(
        ids=[page.stem for page in pages],
        documents=[page.read_text(encoding="utf-8") for page in pages],
        embeddings=np.ones((len(pages), 2), dtype=np.float32),
    )
    done = subprocess.run(
        [
            *(sys.executable, "-m", "uaeval", "synthesize", f"chroma:{chroma_server}/pages"),
            *("-o", str(tmp_path / "run"), "--size", "6"),
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    manifest = json.loads((tmp_path / "run" / "manifest.json").read_text())
    assert manifest["knowledge_base"]["source"] == f"chroma:{chroma_server}/pages"
    assert manifest["knowledge_base"]["documents"] + manifest["knowledge_base"]["held_out"] == len(
        pages
    )


def _client(address: str) -> ClientAPI:
    host, port = address.removeprefix("http://").split(":")
    return chromadb.HttpClient(host, int(port), settings=_quiet())


@pytest.mark.slow
def test_a_folder_a_collection_and_a_server_give_the_same_dataset(
    chroma_server: str, tmp_path: Path
) -> None:
    documents = load(SAMPLE).documents
    stored = chromadb.PersistentClient(str(tmp_path / "stored"), _quiet())
    for client in (stored, _client(chroma_server)):
        client.create_collection("pages", embedding_function=None).add(
            ids=[each.id for each in documents],
            documents=[each.text for each in documents],
            metadatas=[{"title": each.title} for each in documents],
            embeddings=np.ones((len(documents), 2), dtype=np.float32),
        )
    cast("Client", stored).close()
    written = []
    for number, place in enumerate(
        (str(SAMPLE), f"chroma:{tmp_path}/stored/pages", f"chroma:{chroma_server}/pages")
    ):
        synthesize(place, tmp_path / f"run{number}", size=12)
        folder = tmp_path / f"run{number}"
        written.append([(folder / name).read_bytes() for name in ("chunks.jsonl", "queries.jsonl")])
    assert written[0][1].count(b"\n") >= 10
    assert written[1] == written[0]
    assert written[2] == written[0]
