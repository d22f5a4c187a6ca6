"""One point closely: what its value is made of, its partners, and each test point's part."""
