"""Looks at a table and proposes a plan: scale and role per column with the reason, person keys, uniqueness.

`shapes` says what values look like, `roles` what a column is, `persons` who the rows are about, `draft`
writes the plan. The owner decides; what is shown are column names, counts and shares, never a value.
"""

from heteronym.profiling.draft import ColumnProfile, Profile
from heteronym.profiling.look import look_at

__all__ = ["ColumnProfile", "Profile", "look_at"]
