"""From a table and what was chosen to a data set."""
