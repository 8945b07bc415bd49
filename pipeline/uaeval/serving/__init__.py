"""Pages for this machine alone: the server, and who may ask it."""
