"""Human labels of queries and judgements, and the judge's agreement with them."""
