"""Serve pages to this machine only: the server, and the guard that checks requests."""
