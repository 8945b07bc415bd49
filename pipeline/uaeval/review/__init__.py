"""The page on which people check the dataset's queries and the judge's judgements."""
