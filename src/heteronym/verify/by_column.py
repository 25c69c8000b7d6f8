"""The different texts of each released column, for models that look at cells themselves."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np
import polars as pl

from heteronym.verify.values import cell_text, coded


class ByColumn(Mapping[str, Mapping[str, int]]):
    """The different texts of each column with how many rows show them, read when somebody asks."""

    def __init__(self, frame: pl.DataFrame) -> None:
        self._frame = frame

    def __getitem__(self, name: str) -> Mapping[str, int]:
        column = coded(self._frame[name])
        rows = np.bincount(column.code, minlength=len(column.values)).tolist()
        texts = ("" if value is None else cell_text(value) for value in column.values)
        found: dict[str, int] = {}
        for text, many in zip(texts, rows, strict=True):
            found[text or ""] = found.get(text or "", 0) + many
        return found

    def __iter__(self) -> Iterator[str]:
        return iter(self._frame.columns)

    def __len__(self) -> int:
        return len(self._frame.columns)
