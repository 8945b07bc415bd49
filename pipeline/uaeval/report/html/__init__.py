"""The report that people share: one HTML file, which asks nothing of any network."""
