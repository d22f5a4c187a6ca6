"""A table of one's own: read, chosen from, checked, and turned into the data in use."""
