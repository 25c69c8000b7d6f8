"""What a draft leaves of the data, as whoever works with it would ask: words, items, labels of columns.

Texts are compared word by word without their placeholders, cells of sets item by item, columns by what their
labels still tell. Only counts and shares come out.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import polars as pl

from heteronym.io.sets import split_cells
from heteronym.io.values import text_cells
from heteronym.model.schema import Role
from heteronym.pipeline import Draft

_PLACEHOLDER = re.compile(r"\[[A-Z_]+(?: \d+)?\]")
_WORD = re.compile(r"\w+(?:[.,/:'’-]\w+)*")


@dataclass(frozen=True)
class ColumnRemains:
    """What is left of a column."""

    role: str
    labels: int  # different ones that are released
    values: int  # different ones that there were
    kept: float  # of texts: words; of sets: items, or the chance to guess them; else information

    @property
    def is_one_label(self) -> bool:
        return self.labels < 2 <= self.values


@dataclass(frozen=True)
class Remains:
    """What is left of everything."""

    columns: Mapping[str, ColumnRemains]
    words: float | None  # share kept, of all texts together
    items: float | None
    cells: float | None  # information of quasi and event columns
    persons: float = 1.0  # not left out
    emptied: Mapping[str, int] = field(default_factory=dict)  # texts that lost all they had

    def least(self) -> float:
        return min(
            (share for share in (self.words, self.items, self.cells) if share is not None), default=1.0
        )

    def single(self) -> list[str]:
        """Columns that show one label for everybody."""
        return [name for name, column in self.columns.items() if column.is_one_label]

    def to_dict(self) -> dict[str, Any]:
        shares = {"words": self.words, "items": self.items, "cells": self.cells, "persons": self.persons}
        return {
            **{name: None if share is None else round(share, 4) for name, share in shares.items()},
            "one_label": self.single(),
            "columns": {
                name: {"labels": c.labels, "values": c.values, "kept": round(c.kept, 4)}
                for name, c in self.columns.items()
            },
        }


def remains_of(draft: Draft) -> Remains:
    dataset = draft.original or draft.dataset
    columns: dict[str, ColumnRemains] = {}
    words, items, emptied = Counter[str](), {"had": 0, "kept": 0.0}, {}
    lost = dict(draft.measures.get("ncp", {}).get("by_attribute", {}))
    of_events = draft.measures.get("events", {}).get("by_attribute", {})
    lost |= {name: figures["loss"] for name, figures in of_events.items()}
    for name, attribute in dataset.schema:
        if name not in draft.frame.columns:
            continue
        before, after = dataset.frame[name][draft.source_row], draft.frame[name]
        if attribute.role is Role.TEXT:
            had, kept, empty = _words_kept(before, after)
            words.update(had=had, kept=kept)
            emptied[name] = empty
            share = kept / had if had else 1.0
        elif attribute.role is Role.ITEMS:
            had, known = _items_kept(before, after, attribute.separator)
            items["had"] += had
            items["kept"] += known
            share = known / had if had else 1.0
        elif attribute.role in (Role.QUASI, Role.EVENT):
            share = 1 - float(lost[name]) if name in lost else _unchanged(before, after)
        else:
            share = 1.0
        columns[name] = ColumnRemains(attribute.role.value, _different(after), _different(before), share)
    told = [c.kept for c in columns.values() if c.role in ("quasi", "event")]
    return Remains(
        columns,
        words["kept"] / words["had"] if words["had"] else None,
        items["kept"] / items["had"] if items["had"] else None,
        sum(told) / len(told) if told else None,
        1 - draft.partition.left_out / max(draft.view.persons, 1),
        emptied,
    )


def _different(cells: pl.Series) -> int:
    if cells.dtype.is_nested():
        return len({str(cell) for cell in cells.to_list()})
    return int(cells.n_unique())


def _unchanged(before: pl.Series, after: pl.Series) -> float:
    """The share of cells that read as before."""
    same = text_cells(before).fill_null("") == text_cells(after).fill_null("")
    return float(same.mean() or 0.0)  # type: ignore[arg-type]


def _words_kept(before: pl.Series, after: pl.Series) -> tuple[int, int, int]:
    """Words there were, words that are still there, and texts that have none left."""
    had = kept = empty = 0
    for old, new in zip(text_cells(before).to_list(), text_cells(after).to_list(), strict=True):
        if old is None:
            continue
        words = Counter(_WORD.findall(old))
        left = Counter(_WORD.findall(_PLACEHOLDER.sub(" ", new or "")))
        had += words.total()
        kept += (words & left).total()
        empty += bool(words) and not left
    return had, kept, empty


def _items_kept(before: pl.Series, after: pl.Series, separator: str | None) -> tuple[int, float]:
    """Items there were, and those that are shown; in a label of three items, a third of one."""
    had, kept = 0, 0.0
    for old, new in zip(_entries(before, separator), _entries(after, separator), strict=True):
        guess: dict[str, float] = {}
        for label in new:
            members = _members(label)
            for item in members or (label,):
                guess[item] = max(guess.get(item, 0.0), 1 / max(len(members), 1))
        had += len(old)
        kept += sum(guess.get(item, 0.0) for item in old)
    return had, kept


def _entries(cells: pl.Series, separator: str | None) -> list[list[str]]:
    number, entries = split_cells(cells, separator)
    lists: dict[int, list[str]] = {}
    for cell, entry in zip(entries["cell"].to_list(), entries["entry"].to_list(), strict=True):
        lists.setdefault(cell, []).append(entry)
    return [_joined(lists.get(cell, []), separator) for cell in number.tolist()]


def _joined(entries: Sequence[str], separator: str | None) -> list[str]:
    """Labels such as (a,b) whole again, where the separator cut them."""
    whole: list[str] = []
    for entry in entries:
        if whole and whole[-1].count("(") > whole[-1].count(")"):
            whole[-1] += f"{separator or ','}{entry}"
        else:
            whole.append(entry)
    return whole


def _members(label: str) -> list[str]:
    if not (label.startswith("(") and label.endswith(")")):
        return []
    return [member.strip() for member in label[1:-1].split(",")]
