"""What cells, columns and labels say, and the role each column has."""
