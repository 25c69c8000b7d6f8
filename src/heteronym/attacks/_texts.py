"""What persons wrote, before and after."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
import polars as pl
from numpy.typing import NDArray

from heteronym.model.attack import Knowledge, ReleasedTable
from heteronym.model.schema import Role

_MASK = re.compile(r"\[[A-Z][A-Z_]*\]")


def text_columns(release: ReleasedTable, knowledge: Knowledge) -> list[str]:
    return [
        name
        for name, attribute in release.plan.attributes.items()
        if attribute.role is Role.TEXT and name in release.frame.columns and name in knowledge.frame.columns
    ]


def by_person(
    frame: pl.DataFrame, names: Sequence[str], person: NDArray[np.int64], *, masks: bool = False
) -> dict[int, str]:
    """All texts of each person; placeholders are left out unless asked for."""
    found: dict[int, list[str]] = {}
    for name in names:
        for owner, text in zip(person.tolist(), frame[name].cast(pl.String).to_list(), strict=True):
            if text:
                found.setdefault(owner, []).append(text if masks else _MASK.sub(" ", text))
    return {owner: "\n".join(texts) for owner, texts in found.items()}
