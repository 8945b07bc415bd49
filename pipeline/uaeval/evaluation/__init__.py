"""From responses to judgements to scores."""
