"""Evidence for texts that a test writes by hand: the edits that lead from the data's to the released ones."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from heteronym.model.edit import Edits
from heteronym.model.mention import Mentions
from heteronym.verify.evidence import Evidence

_END = re.compile(r"(?<=[.!?])\s+(?=[^a-z\s])")


def evidence_for(
    mentions: Mentions, before: Sequence[str | None], after: Sequence[str | None], *, column: str = "text"
) -> Evidence:
    """Mentions of one text column, and edits that give `after`; none where a text cannot be had that way."""
    number = mentions.columns.index(column)
    found: list[tuple[int, int, int, str]] = []
    for row, (old, new) in enumerate(zip(before, after, strict=True)):
        mine = mentions.of_text(row, number)
        spans = list(zip(mentions.start[mine].tolist(), mentions.end[mine].tolist(), strict=True))
        found += [(row, *edit) for edit in _edits(old or "", new or "", spans)]
    texts = [text for *_, text in found]
    rows, start, end = (np.array([one[i] for one in found], np.int32) for i in range(3))
    columns = np.full(len(found), number, np.int16)
    return Evidence(
        mentions,
        Edits(mentions.columns, texts, rows, columns, start, end, np.arange(len(found), dtype=np.int32)),
    )


def _edits(old: str, new: str, spans: Sequence[tuple[int, int]]) -> list[tuple[int, int, str]]:
    if not new:
        return [(0, len(old), "")] if old else []
    ends = [m.end() for m in _END.finditer(old) if not any(a < m.end() < b for a, b in spans)]
    borders = [0, *ends, len(old)]
    sentences = list(pairwise(borders))
    pattern = ""
    for n, (start, end) in enumerate(sentences):
        inner, at = "", start
        for m, (a, b) in enumerate(spans):
            if start <= a < end:
                inner += re.escape(old[at:a]) + f"(?P<m{m}>.+?)"
                at = b
        body = old[at:end].rstrip()
        pattern += f"(?:(?P<s{n}>{inner}{re.escape(body)})(?:{re.escape(old[at + len(body) : end])})?)?"
    match = re.fullmatch(pattern + r"\s*", new, re.DOTALL)
    if match is None:
        return []
    edits = [
        (a, b, match[f"m{m}"])
        for m, (a, b) in enumerate(spans)
        if match[f"m{m}"] is not None and match[f"m{m}"] != old[a:b]
    ]
    gone = [place for n, place in enumerate(sentences) if match[f"s{n}"] is None]
    if gone and gone[-1] == sentences[-1]:
        last = len(gone) - 1
        while last and gone[last - 1][1] == gone[last][0]:
            last -= 1
        gone[last:] = [(len(old[: gone[last][0]].rstrip()), len(old.rstrip()))]
    return sorted([*edits, *((a, b, "") for a, b in gone)])
