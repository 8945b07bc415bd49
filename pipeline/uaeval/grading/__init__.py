"""Grade open answers of models in several conditions against reference answers."""
