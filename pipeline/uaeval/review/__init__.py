"""The review page, on which annotators label queries and judgements."""
