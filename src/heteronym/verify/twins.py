"""Whether what is masked for one member of a group stands open in a text of another.

A mention that was recognized in one text and missed in another makes the other person the only one who
shows it. Plain code of its own: letters are compared as they stand, whole words.

Cost        O(words of the released texts + words of what is masked) per group
Randomness  none
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from heteronym.errors import row_list
from heteronym.model.release import Check

_WORDS = re.compile(r"\w+")


def twin_check(
    released: Mapping[str, Sequence[str | None]],
    group_of_row: NDArray[np.int64],
    masked: Sequence[Collection[str]],
    labels: Sequence[Collection[str]],
    kept: Sequence[Collection[str]],
) -> Check:
    """`masked` are the spellings that each released row's texts had and show no more; `labels` what the
    release itself may have put into them, `kept` the mentions that stand there as they stood."""
    gone: dict[int, dict[str, set[str]]] = {}
    for row, spellings in enumerate(masked):
        for spelling in spellings:
            words = _WORDS.findall(spelling)
            if words:
                gone.setdefault(int(group_of_row[row]), {}).setdefault(words[0], set()).add(spelling)
    bad = [
        row + 1
        for row in range(len(group_of_row))
        if any(
            text and _stands(text, gone.get(int(group_of_row[row]), {}), labels[row], kept[row])
            for text in (column[row] for column in released.values())
        )
    ]
    if bad:
        return Check("twins", False, f"masked for one of a group, open in another's text: {row_list(bad)}")
    return Check("twins", True, "what is masked for one of a group stands in no text of the group")


def _stands(
    text: str, gone: Mapping[str, Collection[str]], labels: Collection[str], kept: Collection[str]
) -> bool:
    words = set(_WORDS.findall(text))
    for first in words & gone.keys():
        for spelling in gone[first]:
            pattern = rf"(?<!\w)(?<!\[){re.escape(spelling)}(?!\w)"
            if spelling in text and re.search(pattern, text):
                # inside of a label that the release put there nothing of the original is told; what is
                # inside of a longer mention that is kept is part of that: the year of "14 May 2004"
                if any(spelling in label and label in text for label in labels):
                    continue
                if any(spelling != whole and spelling in whole and whole in text for whole in kept):
                    continue
                return True
    return False
