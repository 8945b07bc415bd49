"""The categories of queries that a RAG system should not answer, one module each, and a registry.

The six are those of UAEval4RAG (arXiv 2412.12300); the subtypes are ours.
"""
