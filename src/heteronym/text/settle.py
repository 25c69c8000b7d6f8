"""Settles what several recognizers say about one text: spans that do not overlap, neatly trimmed.

Measurements come first: no name, code or date has a part of one. Otherwise the longest span wins, then the
lower rank (`combine`, `recognize`), then the higher score; what is equal up to here is told apart by place,
type and names, never by the order of finding. What a longer span leaves of a name stays a mention: half of a
name is one. A mention covers whole words and numbers: a piece left standing ("36." of "36.5 May") would be a
new word. Surrounding white space and a possessive ending are no part of it, so that "Pedro" and "Pedro's"
are one term.
"""

from __future__ import annotations

import re
from bisect import bisect_left, insort
from collections.abc import Iterable

from heteronym.model.mention import Span
from heteronym.text.atoms import continues_word
from heteronym.text.entity_types import MEASUREMENT
from heteronym.text.stretches import Covers, clusters

_OPENED = re.compile(r"\((?=[+\d])")
_POSSESSIVE = re.compile(r"(?<=\w)['’ʼ`´][sS]?\.?$")


def trimmed(text: str, span: Span) -> Span | None:
    """The span without white space, lone bracket and possessive; None if nothing is left of it."""
    start, end = max(span.start, 0), min(span.end, len(text))
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    if start >= end:
        return None
    while start and continues_word(text, start):
        start -= 1
    while end < len(text) and continues_word(text, end):
        end += 1
    if _OPENED.match(text, start, end) and ")" not in text[start:end]:
        start += 1  # "(01632 960123)": the bracket is the sentence's, unless it is closed within the number
    if end - start > 2:
        possessive = _POSSESSIVE.search(text, max(start, end - 4), end)
        if possessive is not None:
            end = possessive.start()
    return span if (start, end) == (span.start, span.end) else span._replace(start=start, end=end)


def _precedence(ranked: tuple[int, Span]) -> tuple[bool, int, int, float, int, str, str, str]:
    rank, span = ranked
    return (
        span.type != MEASUREMENT,
        span.start - span.end,
        rank,
        -span.score,
        span.start,
        span.type,
        span.source,
        span.rule,
    )


def settle(text: str, ranked: Iterable[tuple[int, Span]]) -> list[Span]:
    """Spans by start that do not overlap; `ranked` pairs each span with its recognizer's rank."""
    neat = [(rank, span) for rank, raw in ranked if (span := trimmed(text, raw)) is not None]
    few = clusters(neat, lambda pair: pair[1][:2])
    return [span for cluster in few for span in _winners(text, cluster)]


def _winners(text: str, cluster: list[tuple[int, Span]]) -> list[Span]:
    if len(cluster) < 2:
        return [span for _, span in cluster]
    kept: list[Span] = []
    for _, span in sorted(cluster, key=_precedence):
        for piece in _left_over(text, span, kept):
            insort(kept, piece)
    return kept


def _left_over(text: str, span: Span, kept: list[Span]) -> list[Span]:
    """The span, or what better ones leave of it: the first name, if a job took the surname."""
    # Kept ones lie apart and cover whole words: what could touch a piece is among them and their neighbours.
    first = max(bisect_left(kept, (span.start,)) - 2, 0)
    near = kept[first : bisect_left(kept, (span.end,)) + 1]
    free = list(Covers(near).gaps(span))
    if free == [(span.start, span.end)]:
        return [span]
    if span.type not in _NAMED and (span.type not in _NUMBERS or span.score < _SURE):
        return []
    pieces = (_piece(text, span, start, end, near) for start, end in free)
    return [
        piece
        for piece in pieces
        if piece is not None
        and (_NUMBER if span.type in _NUMBERS else _NAME).search(text, piece.start, piece.end)
        and all(piece.end <= other.start or other.end <= piece.start for other in near)
    ]


def _piece(text: str, span: Span, start: int, end: int, near: list[Span]) -> Span | None:
    """What is left from `start` to `end`; None if a unit took the initials of the name ("g/L. Skin")."""
    mark = _PUNCTUATION.match(text, start, end)
    if mark is None:
        return trimmed(text, span._replace(start=start, end=end))
    if any(other.type == MEASUREMENT and other.end == start for other in near):
        return None
    return trimmed(text, span._replace(start=mark.end(), end=end))


_PUNCTUATION = re.compile(r"[.,;:!?/)\]\s-]*[.,;:!?/)\]-]\s*")  # the end of something else, no part of a name
_NAMED = frozenset({"PERSON", "ORG", "GPE", "LOC", "FAC", "ADDRESS"})
_NAME = re.compile(r"[^\W\d_a-z]\w")
# Half of an identifier is one, too, where a rule is sure of it
_NUMBERS = frozenset({"CODE", "PHONE", "CARD", "IBAN", "SECRET", "MAIL", "USERNAME"})
_NUMBER = re.compile(r"\w\w")
_SURE = 0.8
