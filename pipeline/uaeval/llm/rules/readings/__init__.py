"""Several readings of one question: statements that differ in what is left out."""
