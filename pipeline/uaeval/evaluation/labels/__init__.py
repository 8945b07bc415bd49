"""What people say of queries and judgements, and how far the judge agrees with them."""
