"""What judges look for in a response."""
