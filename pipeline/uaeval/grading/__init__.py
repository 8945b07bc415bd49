"""Graded open answers: models × conditions, judged against the reference answers."""
