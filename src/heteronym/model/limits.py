"""How large and how deep an input may be. docs/limits.md explains each.

A small file can ask for more memory or time than a machine has: one cell in the last corner of a sheet, a
text that is stored once and shown a million times, aliases of aliases. What is larger than these is refused
before it is unfolded. Producer and auditor read these numbers, and each has its own code that keeps to them.
"""

from __future__ import annotations

MOST_UNFOLDED_BYTES = 2 << 30  # of an archive's parts; a million rows of twenty columns have about one
MOST_SHEET_ROWS = 1_048_576  # of an Excel sheet, with the header
MOST_SHEET_COLUMNS = 16_384  # of an Excel sheet
MOST_SHEET_CELLS = 50_000_000  # between the first and the last cell of a sheet, empty ones included
MOST_SHEET_TEXT = 2 << 30  # characters of all cells of a sheet, with repetitions
MOST_CELL_BYTES = 1 << 24  # of one cell of a workbook; Excel itself stores 32,767 characters
MOST_PLAN_NODES = 1_000_000  # values of a plan after its aliases are put in
MOST_HIERARCHY_LEVELS = 100  # from a value up to the top
LARGEST_NUMBER = 10**15  # of any parameter: counts and amounts that floats hold exactly
