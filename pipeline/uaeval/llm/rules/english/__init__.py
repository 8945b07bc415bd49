"""English without a trained model: forms, meanings, amounts, and whether a text is English."""
