"""Replace from the back, one mention after the other."""

from __future__ import annotations


def rewritten(text: str, edits: list[tuple[int, int, str | None]]) -> str:
    for start, end, replacement in sorted(edits, reverse=True):
        if replacement is not None:
            text = text[:start] + replacement + text[end:]
    return text
