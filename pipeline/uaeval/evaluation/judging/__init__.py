"""Judges: what each is asked about a response, and how far judges agree."""
