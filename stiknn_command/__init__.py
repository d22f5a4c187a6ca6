"""The command `stiknn`: the dashboard on a file, and the core in a pipeline."""
