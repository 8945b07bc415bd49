"""Find outside articles by feeds and searches, fetch their pages, and extract the text."""
