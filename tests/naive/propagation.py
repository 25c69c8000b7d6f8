"""Every occurrence of every found surface, one regular expression at a time."""

from __future__ import annotations

import re


def occurrences(texts: list[str], found: list[list[tuple[int, int]]]) -> list[list[tuple[int, int]]]:
    """Spans per text after propagation; overlapping ones become their union. Lower-case ASCII words only."""
    spans = [set(mine) for mine in found]
    while True:
        surfaces = {text[a:b] for text, mine in zip(texts, spans) for a, b in mine}
        grown = [
            set(_union(mine | {m.span(1) for s in surfaces for m in _expression(s).finditer(text)}))
            for text, mine in zip(texts, spans)
        ]
        if grown == spans:
            return [sorted(mine) for mine in spans]
        spans = grown


def _expression(surface: str) -> re.Pattern[str]:
    words = surface.lower().split()
    last = re.escape(words[-1])
    if len(words[-1]) >= 3:
        endings = [last, last + "s"]
        if words[-1].endswith(("s", "x", "z", "ch", "sh", "o")):
            endings.append(last + "es")
        if words[-1].endswith("y"):
            endings.append(re.escape(words[-1][:-1]) + "ies")
        if surface.islower() and len(words[-1]) >= 5 and not words[-1].endswith(("ss", "us", "is")):
            if words[-1].endswith("ies"):
                endings.append(re.escape(words[-1][:-3]) + "y")
            if words[-1].endswith(("ses", "xes", "zes", "ches", "shes", "oes")):
                endings.append(re.escape(words[-1][:-2]))
            if words[-1].endswith("s"):
                endings.append(re.escape(words[-1][:-1]))
        last = f"(?:{'|'.join(endings)})"
    body = r"[\s-]+".join([*(re.escape(word) for word in words[:-1]), last])
    return re.compile(rf"(?=(?<!\w)({body})(?!\w))", re.IGNORECASE)


def _union(spans: set[tuple[int, int]]) -> list[tuple[int, int]]:
    whole: list[tuple[int, int]] = []
    for a, b in sorted(spans):
        if whole and a < whole[-1][1]:
            whole[-1] = (whole[-1][0], max(b, whole[-1][1]))
        else:
            whole.append((a, b))
    return whole
