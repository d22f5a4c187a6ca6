"""What a person asked for: data, computation, view, selection, and the links that hold them."""
