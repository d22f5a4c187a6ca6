"""Other games on the Learn page: which index and which score, in exact fractions."""
