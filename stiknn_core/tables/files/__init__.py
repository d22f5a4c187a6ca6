"""Files of any kind, read by content into a grid of texts."""
