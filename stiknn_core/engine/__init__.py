"""What runs the compiled loops: ranking, coefficients, pairs, threads."""
