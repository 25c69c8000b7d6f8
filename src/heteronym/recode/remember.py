"""The way back: a vault learns what each released cell and text with surrogates stood for.

Cost        O(released rows + edits of the texts that show surrogates)
Randomness  none
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from heteronym.model.dataset import Dataset
from heteronym.model.edit import Edits, edited
from heteronym.model.mention import Mentions
from heteronym.model.recoding import Naming, Recoding, Renamed
from heteronym.recode.apply import edits_of
from heteronym.surrogates.vault import Replacement, Vault


def remember_cells(
    vault: Vault,
    dataset: Dataset,
    recoding: Recoding,
    group_of_row: NDArray[np.int32],
    renamed: Renamed,
) -> None:
    """Cells of identifier columns; a placeholder has no way back."""
    for name, cells in renamed.cells.items():
        originals = dataset.frame[name].to_list()
        for group, new, old in zip(group_of_row.tolist(), cells, originals, strict=True):
            if group >= 0 and new is not None and recoding.names[name][group] is not Naming.TYPED:
                vault.remember_cell(name, new, [(0, new, str(old).strip())])


def remember_texts(
    vault: Vault, dataset: Dataset, mentions: Mentions, edits: Edits, renamed: Renamed
) -> None:
    """Texts that mention identifiers: what a surrogate stands for comes back, nothing that was masked."""
    named: dict[tuple[int, int], set[int]] = {}
    for i in renamed.mentions:
        named.setdefault((int(mentions.row[i]), int(mentions.column[i])), set()).add(int(mentions.start[i]))
    for (row, column), starts in named.items():
        text = str(dataset.frame[edits.columns[column]][row])
        first, last = np.searchsorted(edits.row, [row, row + 1])
        part = first + np.flatnonzero(edits.column[first:last] == column)
        made, back, moved = edits_of(edits, part), list[Replacement](), 0
        for edit in made:
            if edit.start in starts:
                back.append((edit.start + moved, edit.text, text[edit.start : edit.end]))
            moved += len(edit.text) - (edit.end - edit.start)
        vault.remember_cell(edits.columns[column], edited(text, made), back)
