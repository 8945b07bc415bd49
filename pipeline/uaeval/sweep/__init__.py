"""Evaluate a grid of systems on one dataset, and compare them."""
