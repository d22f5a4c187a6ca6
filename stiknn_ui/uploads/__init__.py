"""A table of one's own: read, chosen from, judged, and turned into the data in use."""
