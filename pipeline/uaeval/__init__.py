"""Synthesize proven unanswerable queries from a knowledge base and score RAG systems on them."""

from uaeval.api import aevaluate, asynthesize, evaluate, open_dataset, open_evaluation, synthesize

__all__ = ["aevaluate", "asynthesize", "evaluate", "open_dataset", "open_evaluation", "synthesize"]
