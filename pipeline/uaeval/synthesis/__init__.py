"""From chunks to proven queries."""
