"""Results and what is made of them: inputs, analysis, scores, pictures, files."""
