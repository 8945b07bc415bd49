"""Ask systems, judge their responses, and compute scores."""
