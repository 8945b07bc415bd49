"""Export formats: one module each, which declares `FORMAT`."""
