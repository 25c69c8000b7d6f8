"""The loss of one label: what all searches over columns ask."""

from __future__ import annotations

SPAN, RUN, SET = 0, 1, 2


class ShapeViews:
    """`Shapes` as kernels read it."""

    def __init__(self, shapes):
        self.kind = shapes.kind
        self.values = shapes.values
        self.size = shapes.size
        self.span = shapes.span
        self.position = shapes.position
        self.starts = shapes.starts
        self.ends = shapes.ends
        self.nodes = shapes.nodes
        self.most = shapes.most
        self.levels = shapes.levels
        self.by_weight = shapes.by_weight
        self.column_weight = shapes.weight
        self.words = shapes.words


def range_loss(shapes, b, low, high):
    """Loss of the label that covers codes low..high of layer b (SPAN and RUN); none of nothing."""
    if low >= high:
        return 0.0
    if high >= shapes.values[b]:
        return 1.0  # no label of this layer tells values beside missing
    if shapes.kind[b] == SPAN:
        width = shapes.position[b, high] - shapes.position[b, low]
        return width / shapes.span[b] if shapes.span[b] > 0 else 0.0
    for level in range(1, shapes.levels[b]):
        if shapes.nodes[b, level, high] - shapes.nodes[b, level, low] < shapes.most[b, level]:
            return (shapes.ends[b, level, high] - shapes.starts[b, level, low]) / shapes.values[b]
    return 1.0
