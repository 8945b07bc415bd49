"""The offline engine: author, verifier, judge and RAG for English, without a model or a network."""
