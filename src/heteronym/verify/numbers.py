"""Numeric columns that were released in numbers, read back as labels; and whether a mean is one.

`[low-high]` where both ends are given, `*` where neither is. Of a mean only its owner can tell the range.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from heteronym.model.plan import Plan
from heteronym.model.release import Check
from heteronym.verify.groups import rebuild
from heteronym.verify.originals import Originals
from heteronym.verify.values import Coded, cell_text, coded, values_of

_CLOSE = 1e-8  # ten digits of a mean are written


def labelled(released: pl.DataFrame, plan: Plan) -> pl.DataFrame:
    """One column of labels, with the plan's name, in the place of the ends; a mean stands as it is."""
    frame = released
    for name, written in plan.in_numbers.items():
        if any(column not in frame.columns for column in written):
            continue
        columns = [coded(frame[column]).mapped(cell_text) for column in written]
        texts = [pl.Series(list(one.values), dtype=pl.String).gather(one.code) for one in columns]
        low, high = texts[0], texts[-1]
        pair = pl.DataFrame({"low": low, "high": high}).select(
            pl.when(pl.col("low").is_null() & pl.col("high").is_null())
            .then(pl.lit("*"))
            .when(pl.col("low") == pl.col("high"))
            .then(pl.col("low"))
            .otherwise("[" + pl.col("low").fill_null("?") + "-" + pl.col("high").fill_null("?") + "]")
            .alias(name)
        )
        place = frame.columns.index(written[0])
        frame = frame.drop(written).insert_column(place, pair[name])
    return frame


def with_ranges(labels: pl.DataFrame, plan: Plan, originals: Originals) -> tuple[pl.DataFrame, list[Check]]:
    """With the means of each group of rows replaced by the range of its values, if they are its means."""
    rows, original = originals.source_row, originals.frame
    if plan.release.numeric != "mean" or ((rows < 0) | (rows >= original.height)).any():
        return labels, []
    group, wrong, frame = rebuild(labels, plan).group_of_row, [], labels
    for name in plan.in_numbers:
        if name not in labels.columns or name not in original.columns:
            continue
        values = values_of(original[name], plan.attributes[name], originals.missing, as_text=False)
        found = _of_groups(values.of(rows), group, originals.released_person)
        shown = labels[name].to_list()
        bad = [row for row, text in enumerate(shown) if not _is_mean(text, found[int(group[row])])]
        if bad:
            wrong.append(name)
        ranges = [_range(found[int(g)]) for g in group.tolist()]
        frame = frame.with_columns(pl.Series(name, ranges, pl.String))
    detail = f"not the group's mean: {', '.join(wrong)}" if wrong else "every mean is that of its group"
    return frame, [Check("mean", not wrong, detail)]


def _of_groups(values: Coded, group: NDArray[np.int64], person: NDArray[np.int64]) -> dict[int, list[Any]]:
    """The values of each group, one for each person that has it."""
    pairs = {(int(g), int(p), int(c)) for g, p, c in zip(group, person, values.code.tolist(), strict=True)}
    found: dict[int, list[Any]] = {}
    for g, _, code in pairs:
        found.setdefault(g, []).append(values.values[code])
    return found


def _is_mean(text: str | None, values: Sequence[Any]) -> bool:
    known = [float(value) for value in values if value is not None]
    if text == "*":  # nothing is shown: right where something is missing
        return len(known) < len(values)
    if text is None or len(known) < len(values):
        return False
    mean = sum(known) / len(known)
    return abs(float(text) - mean) <= _CLOSE * max(abs(mean), max(map(abs, known)), 1e-300)


def _range(values: Sequence[Any]) -> str | None:
    known = [value for value in values if value is not None]
    if len(known) < len(values):
        return "*" if known else None
    low, high = _text(min(known)), _text(max(known))
    return low if low == high else f"[{low}-{high}]"


def _text(value: Any) -> str:
    return np.format_float_positional(value, trim="-") if isinstance(value, float) else str(value)
