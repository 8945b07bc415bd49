"""The command line: a file for each command, or for those that belong together."""
