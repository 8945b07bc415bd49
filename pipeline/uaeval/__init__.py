"""Synthesize proven unanswerable queries from a knowledge base and score RAG systems on them."""

from uaeval.api import (
    aevaluate,
    asynthesize,
    calibrate,
    compare,
    evaluate,
    export,
    push,
    synthesize,
    write_report,
)

__all__ = [
    "aevaluate",
    "asynthesize",
    "calibrate",
    "compare",
    "evaluate",
    "export",
    "push",
    "synthesize",
    "write_report",
]
