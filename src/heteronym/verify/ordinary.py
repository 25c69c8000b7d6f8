"""What the auditor takes for an ordinary word: grammar, and what several persons write in small letters.

The producer goes by a list of English words; a shared list would be a shared blind spot.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np
from numpy.typing import NDArray

_WRITERS = 3  # a word that so many persons write in small letters is a word
_SMALL = re.compile(r"(?<![^\W_])[^\W\d_A-Z][^\W\d_]*")


def words_among(
    asked: set[str], original: Mapping[str, Sequence[str | None]], person: NDArray[Any]
) -> set[str]:
    """The words that are ordinary: of grammar, or written in small letters by several persons."""
    common = asked & small_words()
    asked = asked - common
    if not asked:
        return common
    writers: dict[str, set[Any]] = defaultdict(set)
    people = np.asarray(person).tolist()
    for column in original.values():
        for row, text in enumerate(column):
            if text:
                for word in asked.intersection(_SMALL.findall(text)):
                    writers[word].add(people[row])
    return common | {word for word, who in writers.items() if len(who) >= _WRITERS}


@cache
def small_words() -> frozenset[str]:
    text = files("heteronym.verify").joinpath("small_words.txt").read_text(encoding="utf-8")
    return frozenset(w for line in text.splitlines() if not line.startswith("#") for w in line.split())
