"""A column's label as texts show it."""

from __future__ import annotations

import re

_LONGEST = 40  # characters of a list of values that a text shows
_STAR = re.compile(r"(?<=\{)\*,|(?<=\{,)\*,")  # `{*,x}`: some withhold their value
_MEMBERS = re.compile(r"(?:\\.|[^,\\])+", re.DOTALL)


def short_label(label: str | None, name: str) -> str:
    """A column's label as texts show it: long lists of values by their number, `[one of 12 hospitals]`."""
    if label is None or len(label) <= _LONGEST or label[:1] != "{":
        return label or ""
    text = _STAR.sub("", label, count=1)
    members = _MEMBERS.findall(text[1:-1])
    if text != label and len(members) == 1 and not text.startswith("{,"):
        return label  # a single label beside the star
    none = " or none" if text.startswith("{,") else ""
    withheld = " or withheld" if text != label else ""
    return f"[one of {len(members)} {_plural(name)}{none}{withheld}]"


def _plural(name: str) -> str:
    words = name.replace("_", " ").replace("-", " ")
    if words.endswith("y") and words[-2:-1] not in "aeiou":
        return words[:-1] + "ies"
    return words + ("es" if words.endswith(("s", "x", "z", "ch", "sh")) else "s")
