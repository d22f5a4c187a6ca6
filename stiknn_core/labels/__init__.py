"""What a label is doubted by: support, forests, suspects, the effect of relabelling."""
