"""Document -> findings: what a text says, and of whom."""
