"""What queries are made of: things to ask about, and the forms that fit them."""
