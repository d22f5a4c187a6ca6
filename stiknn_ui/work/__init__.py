"""Work in the background: jobs, the line they wait in, and shelves of what they made."""
