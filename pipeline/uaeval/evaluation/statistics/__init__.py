"""Intervals, tests and corrections for figures of clustered items."""
