"""Outside articles: found by feeds and searches, fetched with care, reduced to their text."""
