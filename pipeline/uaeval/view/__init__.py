"""The local page on which runs and their evaluations are looked at."""
