"""Edits of edits: what has to be done to the original so that it becomes what two rounds made of it."""

from __future__ import annotations

from collections.abc import Sequence

from heteronym.model.edit import Edit


def composed(first: Sequence[Edit], second: Sequence[Edit]) -> list[Edit]:
    """`second` edits the text that `first` left; the result edits the original in one go."""
    done = sorted(first)
    for edit in sorted(second, reverse=True):  # from the right, so that places to the left stay valid
        done = _with(done, edit)
    return done


def _with(done: list[Edit], edit: Edit) -> list[Edit]:
    """One more edit, given by its place in the edited text; what it touches becomes part of it."""
    before: list[Edit] = []
    touched: list[tuple[int, Edit]] = []  # where its text begins, and the edit
    after: list[Edit] = []
    shift = shift_before = 0  # how much longer the edited text is up to here
    for old in done:
        left = old.start + shift
        right = left + len(old.text)
        shift += len(old.text) - (old.end - old.start)
        if right <= edit.start:
            before.append(old)
            shift_before = shift
        elif left >= edit.end:
            after.append(old)
        else:
            touched.append((left, old))
    start, end, head, tail = edit.start - shift_before, edit.end - shift_before, "", ""
    if touched:
        left, old = touched[0]
        if left < edit.start:
            start, head = old.start, old.text[: edit.start - left]
        left, old = touched[-1]
        grown = sum(len(e.text) - (e.end - e.start) for _, e in touched)
        end -= grown
        if left + len(old.text) > edit.end:
            end, tail = old.end, old.text[edit.end - left :]
    return [*before, Edit(start, end, head + edit.text + tail), *after]
