"""Columns that are answers to one set of questions, or marks: several with values of one short scale.

Others do not know them, so they are to be protected and not to be generalized.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import polars as pl

from heteronym.knowledge.column_names import naming_of
from heteronym.knowledge.wordlists import words
from heteronym.profiling.draft import ColumnProfile

_FAMILY = 3  # columns, at least
_SCALE = 11  # values, at most
_MARK = 3  # characters of a mark: A*, 9b, n/a
_SHARED = 0.75  # of the values of the longer scale
_WORDED = 0.6  # of values that are words of a scale
_WHY = "one of several answers on the same short scale, which others do not know"
_IN_LIST = re.compile(r"\.\d+\.[^.]+$")  # of objects: lines.0.pieces


def with_answers(columns: Sequence[ColumnProfile], cells: Mapping[str, pl.Series]) -> list[ColumnProfile]:
    """Proposals in which answers are to be protected."""
    able = [
        column
        for column in columns
        if column.role in ("quasi", "sensitive")
        and 3 <= column.distinct <= _SCALE
        and not _IN_LIST.search(column.name)
    ]
    answers = {*_counted(able, cells), *_marked(able, cells)}
    return [
        replace(c, role="sensitive", reason=f"{c.reason.split(': ')[0]}: {_WHY}", settings={}, of_row=False)
        if c.name in answers
        else c
        for c in columns
    ]


def _counted(able: Sequence[ColumnProfile], cells: Mapping[str, pl.Series]) -> Iterator[str]:
    """Whole numbers from 0 or 1, in columns whose names begin alike: `q1`, `q2`. Counts of things do not."""
    alike: dict[str, list[str]] = {}
    for column in able:
        if column.scale == "numeric":
            known = cells[column.name].drop_nulls().cast(pl.Float64, strict=False)
            low, high = float(known.min() or 0), float(known.max() or 0)  # type: ignore[arg-type]
            if bool((known == known.round()).all()) and 0 <= low <= 1 and high < _SCALE:
                stem = re.sub(r"\d+.*", "", column.name.casefold()).strip(" _-.")
                alike.setdefault(stem, []).append(column.name)
    return (name for names in alike.values() if len(names) >= _FAMILY for name in names)


def _marked(able: Sequence[ColumnProfile], cells: Mapping[str, pl.Series]) -> Iterator[str]:
    """Steps of agreement, and marks in columns whose names tell nothing; numbers may be among marks."""
    scales, numbered = dict[str, frozenset[str]](), set[str]()
    for column in able:
        values = frozenset(cells[column.name].drop_nulls().str.strip_chars().str.to_lowercase())
        if _is_worded(values):
            scales[column.name] = values
        elif not naming_of(column.name).meanings and all(len(value) <= _MARK for value in values):
            numbers = all(value.isdigit() for value in values)
            if numbers or (len(values) > 3 and any(value[:1].isdigit() for value in values)):
                numbered |= {column.name} if numbers else set()
                scales[column.name] = values
    for name, values in scales.items():
        alike = {other for other, others in scales.items() if _are_alike(values, others)}
        if len(alike) >= _FAMILY and len(alike - numbered) >= _FAMILY - 1:
            yield name


def _are_alike(one: frozenset[str], other: frozenset[str]) -> bool:
    return len(one & other) >= _SHARED * max(len(one), len(other))


def _is_worded(values: frozenset[str]) -> bool:
    """Words such as `agree`, `rarely` in most values."""
    known = words("scale_words")
    spoken = sum(any(word in known for word in re.findall(r"[^\W\d_]+", value)) for value in values)
    return spoken >= _WORDED * len(values)
