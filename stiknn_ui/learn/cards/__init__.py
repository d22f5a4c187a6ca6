"""Lesson and puzzles of the Learn page: a bet before every answer."""
