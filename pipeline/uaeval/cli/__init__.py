"""The command line: `uaeval X` is in `cli/X.py`."""
