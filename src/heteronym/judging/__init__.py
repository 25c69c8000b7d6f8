"""Judges a release that anybody's tool made, beside its data: rows matched, labels read, leaks listed.

`judge.py` has the order of the steps. What is found names released rows and columns, never a value.
"""
