"""Surrogates: what stands for a name, a place, a code or a date, by its type, its text and a key.

Documents and tables use the same functions, so that a person is called the same in both.
"""
