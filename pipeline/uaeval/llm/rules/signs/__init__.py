"""Signs in a question by which verifiers know it."""
