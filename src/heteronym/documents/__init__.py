"""Single-document methods: what becomes of the mentions of one text."""
