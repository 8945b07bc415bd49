"""An open run: what synthesis, evaluation, grading and sweep share while they work."""
