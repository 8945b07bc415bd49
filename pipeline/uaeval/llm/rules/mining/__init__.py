"""What passages state: sentences in their parts, and the questions that they answer."""
