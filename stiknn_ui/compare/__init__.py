"""Two ways to compute on the same data, side by side."""
