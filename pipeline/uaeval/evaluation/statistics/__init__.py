"""Intervals, tests and corrections for figures over clustered items."""
