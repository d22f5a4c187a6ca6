"""What is remembered of one visitor between reruns."""
