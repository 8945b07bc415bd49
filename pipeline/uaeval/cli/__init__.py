"""The command line; `cli/main.py` has its commands."""
