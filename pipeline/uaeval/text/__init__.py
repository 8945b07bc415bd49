"""Find words, sentences, numbers and amounts in texts, in the same way for the whole package."""
