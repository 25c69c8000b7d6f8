"""The loss of one label, compiled: what all searches over columns ask."""

from __future__ import annotations

from numba import njit

SPAN, RUN, SET = 0, 1, 2


@njit(cache=True, nogil=True)
def range_loss(shapes, b, low, high):
    """Loss of the label that covers codes low..high of column b (SPAN and RUN)."""
    if low == high:
        return 0.0
    if high >= shapes.values[b]:
        return 1.0  # mixes missing with other values
    if shapes.kind[b] == SPAN:
        width = shapes.position[b, high] - shapes.position[b, low]
        return width / shapes.span[b] if shapes.span[b] > 0 else 0.0
    starts, ends = shapes.starts, shapes.ends
    for level in range(1, shapes.levels[b]):
        if starts[b, level, low] == starts[b, level, high]:
            return (ends[b, level, low] - starts[b, level, low]) / shapes.values[b]
    if shapes.open_top[b]:
        top = shapes.levels[b] - 1
        return (ends[b, top, high] - starts[b, top, low]) / shapes.values[b]
    return 1.0
