"""The Data page: choose, make, change and look at a data set."""
