"""From files to documents, chunks and an index that finds them."""
