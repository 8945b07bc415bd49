"""Judge responses, and measure the agreement of judges."""
