"""Where sentences begin and end, coarsely: what is left out must be whole, so a doubtful point ends nothing.

A point ends a sentence if white space and no small letter follow, and the word before it is not so short and
capital that it may be a title, an initial or an abbreviation. So do question and exclamation marks, and an
empty line. A mention never stands in two sentences: those it reaches into are one.

Cost        O(characters of the texts that hold mentions)
Randomness  none
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from heteronym.model.dataset import Dataset
from heteronym.model.mention import Mentions
from heteronym.model.sentences import Sentences
from heteronym.reading.scan import texts_of

_END = re.compile(r"(?:[.!?…]+[\"'”’)\]]*(?=\s)|(?=[^\S\n]*\n[^\S\n]*\n))\s+|\Z")
_SHORT = re.compile(r"(?:^|[\s(\"'“‘])(?:[A-Z][A-Za-z]{0,3}|[a-z]\.[a-z]|[A-Za-z]|etc|vs|approx|dept)\.$")


def sentence_ends(text: str) -> list[int]:
    """Where sentences end, the white space behind them included; the last is the text's end."""
    ends: list[int] = []
    for match in _END.finditer(text):
        at = match.end()
        if at >= len(text):
            break
        before = text[max(match.start() - 8, 0) : at].rstrip()[-8:]
        doubtful = text[at].islower() or _SHORT.search(before)
        if not doubtful or "\n\n" in match.group().replace(" ", ""):
            ends.append(at)
    return [*ends, len(text)]


def sentences_of(dataset: Dataset, mentions: Mentions) -> Sentences:
    """The sentence of every mention."""
    cells = [texts_of(dataset.frame[name]) for name in mentions.columns]
    of_mention = np.empty(len(mentions), np.int32)
    found: list[tuple[int, int, int, int, int, int]] = []
    place = mentions.row.astype(np.int64) * max(len(cells), 1) + mentions.column
    begins = np.flatnonzero(np.diff(place, prepend=-1))
    for first, last in pairwise([*begins.tolist(), len(place)]):
        row, column = int(mentions.row[first]), int(mentions.column[first])
        spans = list(zip(mentions.start[first:last].tolist(), mentions.end[first:last].tolist(), strict=True))
        text = cells[column][row] or ""
        for which, (start, end) in enumerate(_around(text, spans), first):
            if not found or found[-1][:4] != (row, column, start, end):
                last_word = _words_end(text, end) if end == len(text) else -1
                found.append((row, column, start, end, _words_end(text, start), last_word))
            of_mention[which] = len(found) - 1
    rows, columns, *places = np.array(found, np.int32).reshape(-1, 6).T
    return Sentences(of_mention, rows, columns.astype(np.int16), *places)


def _words_end(text: str, at: int) -> int:
    """Where the white space begins that ends at `at`."""
    while at and text[at - 1].isspace():
        at -= 1
    return at


def _around(text: str, spans: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """The sentence around each span, in order; ends inside a span end nothing."""
    ends = [end for end in sentence_ends(text) if not any(a < end < b for a, b in spans)]
    around, at, start = [], 0, 0
    for begin, _ in spans:
        while at < len(ends) - 1 and ends[at] <= begin:
            start = ends[at]
            at += 1
        around.append((start, ends[at]))
    return around
