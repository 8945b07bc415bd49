"""A cross-encoder as reranker: the only module that touches sentence-transformers."""

import asyncio
from collections.abc import Sequence
from functools import cache
from typing import Any, Final

from uaeval.errors import ConfigError
from uaeval.knowledge.index import searched
from uaeval.types import Hit

EXTRA: Final = "cross-encoder"
"""The optional extra of this package that installs it."""


class CrossEncoderReranker:
    """Scores each passage beside the question; equal scores keep the retriever's order."""

    def __init__(self, name: str) -> None:
        """Load the model called `name`, from the Hugging Face hub or a folder.

        Raises:
            ConfigError: the package is not installed, or there is no such model, or it gives more
                than one score.
        """
        self._model = _loaded(name)
        self._one_at_a_time = asyncio.Lock()

    async def ordered(self, question: str, hits: Sequence[Hit]) -> tuple[Hit, ...]:
        """Return `hits`, the highest score first."""
        if len(hits) < 2:
            return tuple(hits)
        pairs = [(question, searched(hit.chunk)) for hit in hits]
        async with self._one_at_a_time:
            scores = await asyncio.to_thread(self._model.predict, pairs, show_progress_bar=False)
        order = sorted(range(len(hits)), key=lambda place: (-float(scores[place]), place))
        return tuple(hits[place] for place in order)


@cache
def _loaded(name: str) -> Any:
    try:
        from safetensors import SafetensorError
        from sentence_transformers import CrossEncoder
    except ImportError as error:
        raise ConfigError(
            "reranker: a cross-encoder needs another package; install it with: "
            f'pip install "uaeval[{EXTRA}]"'
        ) from error
    try:
        model = CrossEncoder(name)
    except (OSError, ValueError, RuntimeError, SafetensorError) as error:
        reason = " ".join(str(error).split())[:300]
        raise ConfigError(
            f"reranker: cannot load the cross-encoder {name} ({reason}); give the folder of one, "
            "or its name on the Hugging Face hub"
        ) from error
    if model.num_labels != 1:
        raise ConfigError(
            f"reranker: {name} gives {model.num_labels} scores to a passage; a reranker wants a "
            "cross-encoder that gives one"
        )
    return model
