"""The site that `make docs` writes: documents, reference and gallery. It opens from a disk."""
