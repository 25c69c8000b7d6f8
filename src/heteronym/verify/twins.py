"""Whether what is masked for one member of a group stands open in a text of another.

A mention that was recognized in one text and missed in another makes the other person the only one who
shows it. Plain code of its own: letters are compared as they stand, whole words.

Cost        O(words of the released texts + words of what is masked) per group
Randomness  none
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from heteronym.errors import row_list
from heteronym.model.plan import Plan
from heteronym.model.release import Check
from heteronym.verify.groups import rebuild
from heteronym.verify.originals import Originals
from heteronym.verify.shown import InTexts, read_texts, shown_in_texts, text_columns, texts_of

_WORDS = re.compile(r"\w+")


class Open(NamedTuple):
    """Where something stands that is masked for another of the group; `row` is a released one."""

    row: int
    column: str
    start: int
    end: int


def twins_in_texts(released: pl.DataFrame, plan: Plan, originals: Originals) -> list[Open]:
    """What is masked for one of a group and open in another's text, with its places."""
    stands = read_texts(released, plan, originals)
    seen = shown_in_texts(released, plan, originals, stands)
    return twins_of(released, plan, rebuild(released, plan).group_of_row, seen)


def twins_of(
    released: pl.DataFrame, plan: Plan, group_of_row: NDArray[np.int64], seen: InTexts
) -> list[Open]:
    """What is masked in a text of a group, looked for in all texts of the group."""
    stays: dict[int, set[str]] = {}
    for row, kept in enumerate(seen.kept):
        stays.setdefault(int(group_of_row[row]), set()).update(kept)
    # what only went with its sentence may be shown by others
    masked = [
        replaced | (gone - stays[int(group_of_row[row])])
        for row, (replaced, gone) in enumerate(zip(seen.replaced, seen.gone, strict=True))
    ]
    texts = texts_of(released, text_columns(released, plan))
    return _open_twins(texts, group_of_row, masked, seen.put, seen.kept)


def _open_twins(
    released: Mapping[str, Sequence[str | None]],
    group_of_row: NDArray[np.int64],
    masked: Sequence[Collection[str]],
    labels: Sequence[Collection[str]],
    kept: Sequence[Collection[str]],
) -> list[Open]:
    """`masked` are the spellings that each released row's texts had and show no more; `labels` what the
    release itself may have put into them, `kept` the mentions that stand there as they stood."""
    gone: dict[int, dict[str, set[str]]] = {}
    for row, spellings in enumerate(masked):
        for spelling in spellings:
            words = _WORDS.findall(spelling)
            if words:
                gone.setdefault(int(group_of_row[row]), {}).setdefault(words[0], set()).add(spelling)
    return [
        Open(row, column, *place)
        for column, texts in released.items()
        for row, text in enumerate(texts)
        if text
        for place in _standing(text, gone.get(int(group_of_row[row]), {}), labels[row], kept[row])
    ]


def twin_check(found: Sequence[Open]) -> Check:
    if found:
        where = row_list(sorted({one.row + 1 for one in found}))
        return Check("twins", False, f"masked for one of a group, open in another's text: {where}")
    return Check("twins", True, "what is masked for one of a group stands in no text of the group")


def _standing(
    text: str, gone: Mapping[str, Collection[str]], labels: Collection[str], kept: Collection[str]
) -> Iterator[tuple[int, int]]:
    for first in set(_WORDS.findall(text)) & gone.keys():
        for spelling in gone[first]:
            if spelling not in text:
                continue
            # inside of a label that the release put there nothing of the original is told; what is
            # inside of a longer mention that is kept is part of that: the year of "14 May 2004"
            if any(spelling in label and label in text for label in labels):
                continue
            if any(spelling != whole and spelling in whole and whole in text for whole in kept):
                continue
            for match in re.finditer(rf"(?<!\w)(?<!\[){re.escape(spelling)}(?!\w)", text):
                yield match.span()
