"""TPI and TPS from their definition: character by character, one phrase after the other."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence

from heteronym.model.edit import Edit


def bits(phrase: str, counts: Counter[str]) -> float:
    """The rarest word in full and half of the others; a word is as frequent as it is written, plus one."""
    total = sum(counts.values()) + len(counts) + 1
    each = [math.log2(total / (counts[word] + 1)) for word in phrase.lower().split()]
    return max(each) + sum(each) / 2 - max(each) / 2


def kept(
    text: str,
    phrases: Sequence[tuple[int, int]],
    edits: Sequence[Edit],
    counts: Counter[str],
    similarity: Callable[[str, str], float],
) -> tuple[float, float]:
    """TPI and TPS."""
    edited_places = {place for edit in edits for place in range(edit.start, edit.end)}
    whole = unchanged = alike = 0.0
    for start, end in phrases:
        told = bits(text[start:end], counts)
        whole += told
        if not edited_places & set(range(start, end)):
            unchanged += told
            alike += told
            continue
        inside = [edit for edit in edits if edit.start < end and start < edit.end]
        first, last = min(start, inside[0].start), max(end, inside[-1].end)
        new, place = "", first
        while place < last:
            here = [edit for edit in inside if edit.start == place]
            new += here[0].text if here else text[place]
            place = here[0].end if here else place + 1
        alike += told * similarity(text[start:end], "" if new.startswith("[") else new)
    return unchanged / whole, alike / whole
