"""Sentences: which stretch of its text goes with a mention if it must go without a trace."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, repr=False, eq=False)
class Sentences:
    """The sentences that hold mentions, numbered over all texts; offsets in their texts, half-open."""

    of_mention: NDArray[np.int32]
    row: NDArray[np.int32]
    column: NDArray[np.int16]
    start: NDArray[np.int32]
    end: NDArray[np.int32]  # the white space behind included

    def __repr__(self) -> str:
        return f"Sentences({len(self.start)} of {len(self.of_mention)} mentions)"
