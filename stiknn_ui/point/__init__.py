"""One point closely: what its value is made of, its friends and rivals, and who judges it."""
