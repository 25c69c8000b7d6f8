"""Collects mentions in any order and builds their sorted columns."""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from heteronym.model.mention import NUMBERS, Mentions, Read, Span, Status
from heteronym.model.terms import Term

Name = TypeVar("Name", str, Term)
_FIELDS = ("row", "column", "start", "end", "type", "source", "rule", "status", "term", "spelling", "link")


class Collection:
    """Mentions as they come; names are numbered once. First all are added, then the columns are built."""

    def __init__(self, columns: Sequence[str], *, links: Sequence[str] = ()) -> None:
        self._columns, self._links = tuple(columns), tuple(links)
        self._numbers = array("i")  # of each mention in turn: _FIELDS
        self._score = array("f")
        self._types: dict[str, int] = {}
        self._sources: dict[str, int] = {}
        self._rules: dict[str, int] = {"": 0}
        self._terms: dict[Term, int] = {}
        self._spellings: dict[str, int] = {}

    def add_span(self, row: int, column: int, span: Span, status: Status = Status.FOUND) -> None:
        """What a recognizer or a reviewer found, before its person is read."""
        self._add(row, column, span, status, (-1, -1, -1))

    def add(self, row: int, column: int, read: Read) -> None:
        term = self._terms.setdefault(read.term, len(self._terms))
        spelling = self._spellings.setdefault(read.spelling, len(self._spellings))
        link = -1 if read.link is None else self._links.index(read.link)
        self._add(row, column, read.span, read.status, (term, spelling, link))

    def _add(self, row: int, column: int, span: Span, status: Status, read: tuple[int, int, int]) -> None:
        type_ = self._types.setdefault(span.type, len(self._types))
        source = self._sources.setdefault(span.source, len(self._sources))
        rule = self._rules.setdefault(span.rule, len(self._rules))
        self._numbers.extend((row, column, span.start, span.end, type_, source, rule, status, *read))
        self._score.append(span.score)

    def build(self) -> Mentions:
        columns = np.array(self._numbers, np.int32).reshape(-1, len(_FIELDS)).T
        order = np.lexsort((columns[2], columns[1], columns[0]))
        arrays: dict[str, NDArray[Any]] = dict(zip(_FIELDS, columns[:, order], strict=True))
        types, of_type = _sorted(self._types)
        sources, of_source = _sorted(self._sources)
        rules, of_rule = _sorted(self._rules)
        terms, of_term = _sorted(self._terms)
        for name, new in (("type", of_type), ("source", of_source), ("rule", of_rule), ("term", of_term)):
            arrays[name] = new[arrays[name]]
        return Mentions(
            self._columns,
            types,
            sources,
            rules,
            self._links,
            terms,
            score=np.array(self._score, np.float32)[order],
            **{name: numbers.astype(NUMBERS[name]) for name, numbers in arrays.items()},
        )


def _sorted(numbered: Mapping[Name, int]) -> tuple[tuple[Name, ...], NDArray[np.int64]]:
    """Names in order, and the new number of each old one: nothing depends on the order of finding."""
    names = sorted(numbered)
    new = np.full(len(names) + 1, -1, np.int64)  # -1 stays -1
    new[[numbered[name] for name in names]] = np.arange(len(names))
    return tuple(names), new
