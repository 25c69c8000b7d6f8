"""Keeps mentions inside their lines: a name does not go on in the next field of a form.

Rules and models read a line break as a blank, because most texts are wrapped anywhere. In forms, lists
and letter heads it ends a statement: before a key ("Sex:"), a bullet, an empty line or behind a short line;
so does a wide gap between columns. A mention that crosses one is cut there, and a piece that is no name by
itself is dropped. Words of address before a name ("Dear") are no part of it.

Cost        O(spans), plus O(length) of the spans that cross a break
Randomness  none
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from heteronym.knowledge.wordlists import words
from heteronym.model.mention import Span
from heteronym.text.lexicon import lexicon
from heteronym.text.rule import UPPER

_LEXICON = lexicon("lines")

_CUT = frozenset("PERSON ORG GPE LOC FAC PRODUCT EVENT WORK_OF_ART NORP JOB EDUCATION".split())
_BREAK = re.compile(r"\n|[ ]{3,}|\t")
_HEAD_LAST = "company by legal form"
_SHORT_LINE = 48  # a wrapped line is longer
_NEXT_IS_FIELD = _LEXICON.compiled("NEXT_IS_FIELD")
_REST_OF_NAME = re.compile(rf"(?:[-‑][{UPPER}][\w’']*\w)+")
_OPENING = _LEXICON.compiled("OPENING")


def within_lines(text: str, ranked: Iterable[tuple[int, Span]]) -> list[tuple[int, Span]]:
    """The spans with their ranks, none of them across a break that ends a statement."""
    result: list[tuple[int, Span]] = []
    for rank, span in ranked:
        if span.type in _CUT:
            if (opening := _OPENING.match(text, span.start, span.end)) is not None:
                span = span._replace(start=opening.end())
            if span.type == "PERSON" and (rest := _REST_OF_NAME.match(text, span.end)) is not None:
                span = span._replace(end=rest.end())  # double names are whole
            result.extend((rank, piece) for piece in _pieces(text, span))
        else:
            result.append((rank, span))
    return result


def _pieces(text: str, span: Span) -> list[Span]:
    breaks = [place for place in _BREAK.finditer(text, *span[:2]) if _ends_a_statement(text, place)]
    if not breaks:
        return [span]
    starts = [span.start, *(place.end() for place in breaks)]
    ends = [*(place.start() for place in breaks), span.end]
    pieces = [span._replace(start=start, end=end) for start, end in zip(starts, ends)]
    if span.rule == _HEAD_LAST:
        pieces = pieces[-1:]  # what made it a company stands at its end
    return [piece for piece in pieces if _names_something(text[piece.start : piece.end])]


def _ends_a_statement(text: str, place: re.Match[str]) -> bool:
    return (
        place.group() != "\n"
        or place.start() - text.rfind("\n", 0, place.start()) < _SHORT_LINE
        or _NEXT_IS_FIELD.match(text, place.end()) is not None
    )


def _names_something(surface: str) -> bool:
    parts = [part.strip(".,;:()-*•# ").lower() for part in surface.split()]
    return any(part and not part.isdigit() and part not in words("common_words") for part in parts)
