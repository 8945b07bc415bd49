"""The metrics, each declared once for scoring, gates, reports and comparisons."""
