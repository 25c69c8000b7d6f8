"""A column's label as texts show it."""

from __future__ import annotations

import re

_LONGEST = 40  # characters of a list of values that a text shows
_MEMBERS = re.compile(r"(?:\\.|[^,\\])+", re.DOTALL)


def short_label(label: str | None, name: str) -> str:
    """A column's label as texts show it: long lists of values by their number, `[one of 12 hospitals]`."""
    if label is None or len(label) <= _LONGEST or label[:1] != "{":
        return label or ""
    members = _MEMBERS.findall(label[1:-1])
    none = " or none" if label.startswith("{,") else ""
    return f"[one of {len(members)} {_plural(name)}{none}]"


def _plural(name: str) -> str:
    words = name.replace("_", " ").replace("-", " ")
    if words.endswith("y") and words[-2:-1] not in "aeiou":
        return words[:-1] + "ies"
    return words + ("es" if words.endswith(("s", "x", "z", "ch", "sh")) else "s")
