"""The first page and its examples."""
