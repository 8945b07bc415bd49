"""The cross-encoder as reranker, with a stand-in for its library; see also `tests/interop`."""

import sys
from collections.abc import Callable, Iterator, Sequence
from types import ModuleType

import numpy as np
import pytest
from tests.evaluation.records import unanswerable
from tests.scripted import ScriptedModel

from uaeval.errors import ConfigError, ModelError, ReplyError, TargetError
from uaeval.knowledge.retriever import Hit, Retriever
from uaeval.records import Chunk
from uaeval.systems import retrieval
from uaeval.systems.rag import RagSystem
from uaeval.systems.retrieval import Retrieval, check_reranker

Predict = Callable[[Sequence[tuple[str, str]]], object]
MARKS = ["[UNK]", "[PAD]"]
NAME = "cross-encoder:some/model"


class Tokenizer:
    all_special_tokens = MARKS

    def __init__(self, words: Sequence[str]) -> None:
        self._words = words

    def get_vocab(self) -> dict[str, int]:
        return {word: number for number, word in enumerate([*MARKS, *self._words])}


class Library:
    """Makes every model alike."""

    def __init__(self) -> None:
        self.predict: Predict = lambda pairs: np.arange(len(pairs), dtype=np.float32)
        self.tokenizer: Tokenizer | None = Tokenizer(["badge"])

    def model(self, name: str) -> "Model":
        return Model(self)


class Model:
    num_labels = 1

    def __init__(self, library: Library) -> None:
        self._library = library
        self.tokenizer = library.tokenizer

    def predict(self, pairs: Sequence[tuple[str, str]], *, show_progress_bar: bool) -> object:
        assert not show_progress_bar
        return self._library.predict(pairs)


@pytest.fixture
def library(monkeypatch: pytest.MonkeyPatch) -> Iterator[Library]:
    made = Library()
    for name, part in (
        ("sentence_transformers", {"CrossEncoder": made.model}),
        ("safetensors", {"SafetensorError": type("SafetensorError", (Exception,), {})}),
    ):
        module = ModuleType(name)
        vars(module).update(part)
        monkeypatch.setitem(sys.modules, name, module)
    retrieval._loaded.cache_clear()
    yield made
    retrieval._loaded.cache_clear()


HITS = tuple(
    Hit(
        chunk=Chunk(id=name, document_id=name, title="", heading="", text=name, start=0, end=4),
        similarity=0.5,
    )
    for name in ("fees", "lost", "desk")
)


class Everything(Retriever):
    """Finds all passages, whatever is searched for."""

    def search(self, text: str, k: int) -> tuple[Hit, ...]:
        return HITS

    def get(self, chunk_id: str) -> Chunk:
        return next(hit.chunk for hit in HITS if hit.chunk.id == chunk_id)


async def order() -> list[str]:
    reranker = check_reranker(NAME)
    assert reranker
    hits = await reranker("badge?", HITS)
    return [hit.chunk.id for hit in hits]


async def test_the_highest_score_comes_first_and_equal_ones_stay_as_retrieved(
    library: Library,
) -> None:
    library.predict = lambda _: np.array([0.5, 0.9, 0.5], dtype=np.float32)
    assert await order() == ["lost", "fees", "desk"]


@pytest.mark.parametrize("tokenizer", [None, Tokenizer([])])
async def test_a_model_without_a_tokenizer_is_refused_when_it_is_loaded(
    library: Library, tokenizer: Tokenizer | None
) -> None:
    library.tokenizer = tokenizer
    with pytest.raises(
        ConfigError, match=r"^reranker: some/model has no tokenizer .*tokenizer\.js"
    ):
        check_reranker(NAME)


@pytest.mark.parametrize(
    "scores",
    [
        [0.1, float("nan"), 0.2],
        [float("inf"), 0.3, 0.2],
        [0.1, 0.2],
        [0.1, 0.2, 0.3, 0.4],
        [[0.1, 0.2], [0.3, 0.4], [0.5, 0.6]],
    ],
)
async def test_scores_that_give_no_order_are_an_error_that_names_the_model(
    library: Library, scores: list[object]
) -> None:
    library.predict = lambda _: np.array(scores, dtype=np.float32)
    with pytest.raises(ReplyError, match="reranker: some/model should give 3 numbers") as caught:
        await order()
    assert caught.value.raw == str(np.array(scores, dtype=np.float32).tolist())


@pytest.mark.parametrize(
    "error",
    [
        RuntimeError("CUDA out of memory.\n Tried"),
        ValueError("too long"),
        IndexError("out of range in self"),
    ],
)
async def test_what_the_library_raises_while_scoring_is_an_error_of_the_response(
    library: Library, error: Exception
) -> None:
    def fail(_: object) -> object:
        raise error

    library.predict = fail
    told = f"reranker: some/model cannot score the passages ({' '.join(str(error).split())})"
    with pytest.raises(ModelError) as caught:
        await order()
    assert str(caught.value) == told
    system = RagSystem(
        retrieval=Retrieval(retriever=Everything(), reranker=check_reranker(NAME)),
        model=ScriptedModel({}),
    )
    with pytest.raises(TargetError) as failed:
        await system.answer(unanswerable(1))
    assert str(failed.value) == f"rag: {told}"


async def test_a_bug_of_ours_is_not_an_error_of_the_response(library: Library) -> None:
    def fail(_: object) -> object:
        raise TypeError("predict() got an unexpected argument")

    library.predict = fail
    with pytest.raises(TypeError):
        await order()
