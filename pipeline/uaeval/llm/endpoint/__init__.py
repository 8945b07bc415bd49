"""Call the chat model of an endpoint: requests, retries, rate limits and errors."""
