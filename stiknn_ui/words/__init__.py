"""Words on screen, messages, and where the keyboard is."""
