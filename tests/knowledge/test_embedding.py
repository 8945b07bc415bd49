import numpy as np
import pytest
from tests.servers.rag_server import RagServer, Sent

from uaeval.errors import ConfigError, RunAborted
from uaeval.knowledge.embedding import (
    DEFAULT_EMBEDDING,
    HashedWords,
    Vectors,
    embedding_named,
    normalised,
)


def similarity(first: str, second: str) -> float:
    one, two = HashedWords().passages([first, second])
    return float(one @ two)


def test_every_vector_has_length_one_even_of_an_empty_text() -> None:
    vectors = HashedWords().passages(["sick leave", "", "the of and", "病気休暇", "كم ساعة", "!?"])

    assert vectors.dtype == np.float32
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1.0, atol=1e-5)
    assert HashedWords().passages([]).shape == (0, 1024)


def test_a_vector_does_not_depend_on_other_texts_of_the_call() -> None:
    alone = HashedWords().queries(["sick leave hours"])[0]

    assert np.array_equal(HashedWords().passages(["other", "sick leave hours"])[1], alone)


@pytest.mark.parametrize(
    ("text", "near", "far"),
    [
        ("How many hours of sick leave?", "Sick leave is 240 hours.", "The printer is broken."),
        ("borrowing policies", "a policy for those who borrow", "printers and scanners"),
        ("病気休暇は何時間", "病気休暇は二百時間です", "印刷機は一階にあります"),
    ],
)
def test_shared_words_and_forms_make_texts_similar(text: str, near: str, far: str) -> None:
    assert similarity(text, near) > similarity(text, far) + 0.1


def test_embeddings_are_found_by_name() -> None:
    assert embedding_named(DEFAULT_EMBEDDING).name == "hashed-words-1024"
    with pytest.raises(ConfigError, match="provider:model"):
        embedding_named("nonsense")
    with pytest.raises(ConfigError, match="cannot be used"):
        embedding_named("nobody:nothing")


def test_an_embedding_without_its_key_is_a_usage_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)

    with pytest.raises(ConfigError, match="openai:text-embedding-3-small"):
        embedding_named("openai:text-embedding-3-small")


@pytest.mark.parametrize("rows", [[[0.0, 0.0]], [[float("nan"), 1.0]]])
def test_a_vector_that_points_nowhere_stops_the_run(rows: list[list[float]]) -> None:
    with pytest.raises(RunAborted, match="not a number"):
        normalised(rows, "x")


def test_vectors_of_a_provider_are_brought_to_length_one() -> None:
    assert normalised([[3.0, 4.0]], "x").tolist() == [[pytest.approx(0.6), pytest.approx(0.8)]]


def vectors_of(body: object, monkeypatch: pytest.MonkeyPatch) -> Vectors:
    """Return the vectors that an endpoint whose reply is `body` gives for two texts."""
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test")
    sent = Sent(body=body, headers={"content-type": "application/json"})
    with RagServer(lambda _: sent) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        return embedding_named("openai:text-embedding-3-small").passages(["a", "b"])


def embeddings(*vectors: object) -> dict[str, object]:
    rows = [{"object": "embedding", "index": n, "embedding": v} for n, v in enumerate(vectors)]
    usage = {"prompt_tokens": 1, "total_tokens": 1}
    return {"object": "list", "model": "m", "data": rows, "usage": usage}


def test_an_endpoint_gives_a_vector_for_each_text(monkeypatch: pytest.MonkeyPatch) -> None:
    vectors = vectors_of(embeddings([2.0, 0.0], [0.0, 3.0]), monkeypatch)
    assert vectors.tolist() == [[1.0, 0.0], [0.0, 1.0]]


@pytest.mark.parametrize(
    ("body", "problem"),
    [
        (embeddings([1.0, 2.0]), "gave 1 vectors for 2 texts"),
        (embeddings([1.0], [2.0], [3.0]), "gave 3 vectors for 2 texts"),
        (embeddings([1.0, 2.0], [1.0]), "cannot be used"),
        (embeddings([0.0, 0.0], [1.0, 2.0]), "empty or not a number"),
        (embeddings("a", {}), "cannot be used"),
        ({"data": 3}, "cannot be used"),
        (b"[" * 90_000, "cannot be used"),
    ],
)
def test_vectors_that_do_not_fit_the_texts_stop_the_run(
    body: object, problem: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(RunAborted, match=problem):
        vectors_of(body, monkeypatch)
