"""Read documents, split them into chunks, and search the chunks in an index."""
