"""The offline engine: an author, a verifier and a judge that need no model."""
