"""Call the chat model of an endpoint: one request with its retries, limits and errors."""
