"""Measurements, not tests: `python -m benchmarks.engine` and `python -m benchmarks.view`."""
