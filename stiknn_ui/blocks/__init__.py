"""The matrix of very many points: block means first, and any part down to single pairs."""
