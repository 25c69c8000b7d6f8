"""Two rounds of edits, one after the other."""

from __future__ import annotations

from collections.abc import Sequence

from heteronym.model.edit import Edit


def rewritten(text: str, rounds: Sequence[Sequence[Edit]]) -> str:
    for edits in rounds:
        for edit in sorted(edits, reverse=True):
            text = text[: edit.start] + edit.text + text[edit.end :]
    return text
