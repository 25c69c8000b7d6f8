"""`heteronym serve`: pages on this machine, from a file to a verified release.

A page calls what Python can call; whatever takes longer than a click runs in a process of its own.
"""
