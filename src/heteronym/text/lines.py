"""Keeps mentions inside their lines: a name does not go on in the next field of a form.

Rules and models read a line break as a blank, because most texts are wrapped anywhere. In forms, lists
and letter heads it ends a statement: before a key ("Sex:"), a bullet, an empty line or behind a short line;
so does a wide gap between columns. A mention that crosses one is cut there, and a piece that is no name by
itself is dropped. Words that tell nothing are no part of a fact when they stand at its edge.

Cost        O(spans) for texts without line breaks, plus O(length) of the spans that cross one
Randomness  none
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from heteronym.knowledge.wordlists import first_names, words
from heteronym.model.mention import Span
from heteronym.text.lexicon import lexicon
from heteronym.text.rule import UPPER

_LEXICON = lexicon("lines")

_CUT = frozenset("PERSON ORG GPE LOC FAC PRODUCT EVENT WORK_OF_ART NORP JOB EDUCATION".split())
_BREAK = re.compile(r"\n|[ ]{3,}|\t")
_HEAD_LAST = frozenset({"company by legal form"})
_SHORT_LINE = 48  # a wrapped line is longer
_NEXT_IS_FIELD = _LEXICON.compiled("NEXT_IS_FIELD")
_WORD = re.compile(r"\w+")
_EDGE_WORDS = lexicon("facts").words("EDGE")
_TITLES = frozenset("mr mrs ms miss mx dr prof sir rev sr male female yes no".split())


def within_lines(text: str, ranked: Iterable[tuple[int, Span]]) -> list[tuple[int, Span]]:
    """The spans with their ranks, none of them across a break that ends a statement."""
    if "\n" not in text and "\t" not in text and "   " not in text:
        return list(ranked)
    return [
        (rank, piece)
        for rank, span in ranked
        for piece in (_pieces(text, span) if span.type in _CUT else [span])
    ]


def _pieces(text: str, span: Span) -> list[Span]:
    start = span.start
    pieces: list[Span] = []
    for place in _BREAK.finditer(text, span.start, span.end):
        if _ends_a_statement(text, place):
            pieces.append(span._replace(start=start, end=place.start()))
            start = place.end()
            following = _NEXT_IS_FIELD.match(text, start)
            if following is not None and following.group().endswith(":"):
                start = span.end
                break
    if start == span.start:
        return [span]
    if start < span.end:
        pieces.append(span._replace(start=start))
    if span.rule in _HEAD_LAST:
        pieces = pieces[-1:]  # what made it a company stands at its end
    return [piece for piece in pieces if _names_something(text[piece.start : piece.end])]


def _ends_a_statement(text: str, place: re.Match[str]) -> bool:
    return (
        place.group() != "\n"
        or place.start() - text.rfind("\n", 0, place.start()) < _SHORT_LINE
        or _NEXT_IS_FIELD.match(text, place.end()) is not None
    )


def _names_something(surface: str) -> bool:
    if surface.strip().isupper() and len(surface.strip()) < 5:
        return False  # "DOB", "MRN": keys without a colon
    parts = [part.strip(".,;:()-*•# ").lower() for part in surface.split()]
    common = words("common_words")
    return any(part and not part.isdigit() and part not in common and part not in _TITLES for part in parts)


_OPENING = _LEXICON.compiled("OPENING")
_LABEL_ENDS = re.compile(r"[ ]?:(?!//)|[ ](?:[Nn]umber|[Nn]o\.|NO\.|#)(?!\w)")
_BEFORE_LABEL = re.compile(r"(?:\A|\n|[ ]{3}|\t)[ ]*\Z")
_CLOSED = _LEXICON.words("CLOSED")
_LABELLED = frozenset({"PERSON", "ORG", "GPE", "LOC", "FAC", "PRODUCT", "EVENT", "NORP"})
_REST_OF_NAME = re.compile(rf"(?:[-‑][{UPPER}][\w’']*\w)+")


def without_labels(text: str, ranked: Iterable[tuple[int, Span]]) -> list[tuple[int, Span]]:
    """Without the names of fields that were taken for names ("ADDR:", "Social Security number"), and
    without the words of address before a name ("Dear"); double names are whole."""
    result: list[tuple[int, Span]] = []
    for rank, span in ranked:
        if span.type in _LABELLED:
            opening = _OPENING.match(text, span.start, span.end)
            if opening is not None and opening.end() < span.end:
                span = span._replace(start=opening.end())
            if rank and _is_label(text, span):
                continue
            if span.type == "PERSON" and (rest := _REST_OF_NAME.match(text, span.end)) is not None:
                span = span._replace(end=rest.end())
        result.append((rank, span))
    return result


def _is_label(text: str, span: Span) -> bool:
    if _LABEL_ENDS.match(text, span.end) is None:
        return text[span.start : span.end] in _CLOSED
    if _BEFORE_LABEL.search(text, max(0, span.start - 40), span.start) is None:
        return False
    common = words("common_words")
    known = first_names()
    return all(
        part.capitalize() not in known and (part.lower() in common or (part.isupper() and len(part) < 6))
        for part in text[span.start : span.end].split()
    )


def weighty(text: str, start: int, end: int) -> tuple[int, int] | None:
    """The part from the first to the last word that tells something, if there is one."""
    words = [
        word.span() for word in _WORD.finditer(text, start, end) if word.group().lower() not in _EDGE_WORDS
    ]
    return (words[0][0], words[-1][1]) if words else None
