"""Databases as knowledge bases: one module for each."""
