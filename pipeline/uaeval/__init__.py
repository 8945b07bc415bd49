"""Synthesize proven unanswerable queries from a knowledge base and score RAG systems on them."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from uaeval.api import evaluate, synthesize

__all__ = ["evaluate", "synthesize"]


def __getattr__(name: str) -> Any:
    """Import the public functions when they are first used, so that the command starts fast."""
    if name in __all__:
        from uaeval import api

        return getattr(api, name)
    raise AttributeError(f"module 'uaeval' has no attribute {name!r}")
