"""Ask a model in batches: requests are sent as files, and the answers are imported later."""
