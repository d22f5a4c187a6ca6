"""Files of strangers, read in a process of their own within limits of memory and time."""
