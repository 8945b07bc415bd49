"""Export formats; a module with a format declares `FORMAT`, and `tools.yaml` the others."""
