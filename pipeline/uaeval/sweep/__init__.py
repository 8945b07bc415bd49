"""Many built-in RAGs over one dataset, side by side."""
