"""Words, sentences, numbers and amounts of a text: one reading of them for the whole package."""
