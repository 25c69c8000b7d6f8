"""Whether a term still stands in a text: asked by the audits of methods, never by what makes the edits."""

from __future__ import annotations

import re


def stands(surface: str, text: str) -> bool:
    """As words of its own; "1928" of the law "1928:43" is not the year."""
    return times(surface, text) > 0


def times(surface: str, text: str) -> int:
    """How often it stands there."""
    behind = r"(?!\w)(?![:./]\d)" if surface[-1].isdigit() else r"(?!\w)"
    before = r"(?<!\w)(?<!\d[:./])" if surface[0].isdigit() else r"(?<!\w)"
    return len(re.findall(f"{before}{re.escape(surface)}{behind}", text))
