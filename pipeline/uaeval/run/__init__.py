"""An open run with its models and progress, for synthesis, evaluation, grading and sweeps."""
