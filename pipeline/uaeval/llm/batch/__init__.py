"""Ask a model in bulk: requests go out as batch files, answers come back later."""
