"""Released labels of ordered categories stay ordered categories."""

from __future__ import annotations

from typing import Any

import narwhals as nw
import polars as pl


def as_categories(labels: pl.Series, original: Any) -> Any:
    """The labels of a narwhals column with ordered categories, in the order of what they stand for.

    Only labels that are used become categories: the original's list would tell what was suppressed.
    """
    place = {name: number for number, name in enumerate(original.dtype.categories)}

    def order(label: str) -> tuple[int, int, str]:
        inside = label[1:-1].split(",") if label.startswith("{") and label.endswith("}") else [label]
        places = sorted(place.get(name, len(place)) for name in inside if name != "*" or inside == ["*"])
        return places[0], places[-1], label

    used = sorted(labels.drop_nulls().unique().to_list(), key=order)
    texts = nw.new_series(labels.name, labels.to_list(), nw.String, backend=original.implementation)
    return texts.cast(nw.Enum(used))
