"""The embedded engine: authors, verifies and judges English by rules, without a network."""
