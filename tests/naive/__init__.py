"""Slow, obvious twins of every kernel, model and measure: the readable truth."""
