"""Going through suspects: decisions that are never lost, and what they lead to."""
