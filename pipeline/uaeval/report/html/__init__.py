"""The HTML report to share: one file that needs no network."""
