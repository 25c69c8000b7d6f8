"""The Python calls, one file each: what `heteronym.<call>` does, on data frames or on files.

They read what they are given, call the rooms below, and return a result that can say itself in words and as
a dictionary. Commands (`cli/`) call them and hold no logic of their own.
"""
