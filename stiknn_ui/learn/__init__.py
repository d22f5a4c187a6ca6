"""The Learn page: the method by hand, on a few points and with exact fractions."""
