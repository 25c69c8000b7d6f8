"""Collects mentions in any order and builds their sorted columns."""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from heteronym.model.mention import Mentions, Read, Span, Status
from heteronym.model.terms import Term

Name = TypeVar("Name", str, Term)


class Collection:
    """Mentions as they come; names are numbered once. First all are added, then the columns are built."""

    def __init__(self, columns: Sequence[str], *, links: Sequence[str] = ()) -> None:
        self._columns, self._links = tuple(columns), tuple(links)
        self._row, self._start, self._end = array("i"), array("i"), array("i")
        self._column, self._type, self._source, self._rule, self._link = (array("h") for _ in range(5))
        self._term, self._spelling = array("i"), array("i")
        self._status, self._score = array("b"), array("f")
        self._types: dict[str, int] = {}
        self._sources: dict[str, int] = {}
        self._rules: dict[str, int] = {"": 0}
        self._terms: dict[Term, int] = {}
        self._spellings: dict[str, int] = {}

    def add_span(self, row: int, column: int, span: Span, status: Status = Status.FOUND) -> None:
        """What a recognizer or a reviewer found, before its person is read."""
        self._add(row, column, span, status)
        self._term.append(-1)
        self._spelling.append(-1)
        self._link.append(-1)

    def add(self, row: int, column: int, read: Read) -> None:
        self._add(row, column, read.span, read.status)
        self._term.append(self._terms.setdefault(read.term, len(self._terms)))
        self._spelling.append(self._spellings.setdefault(read.spelling, len(self._spellings)))
        self._link.append(-1 if read.link is None else self._links.index(read.link))

    def _add(self, row: int, column: int, span: Span, status: Status) -> None:
        self._row.append(row)
        self._column.append(column)
        self._start.append(span.start)
        self._end.append(span.end)
        self._type.append(self._types.setdefault(span.type, len(self._types)))
        self._source.append(self._sources.setdefault(span.source, len(self._sources)))
        self._rule.append(self._rules.setdefault(span.rule, len(self._rules)))
        self._score.append(span.score)
        self._status.append(status)

    def build(self) -> Mentions:
        row, column = np.array(self._row, np.int32), np.array(self._column, np.int16)
        start = np.array(self._start, np.int32)
        order = np.lexsort((start, column, row))
        types, type_of = _sorted(self._types)
        sources, source_of = _sorted(self._sources)
        rules, rule_of = _sorted(self._rules)
        terms, term_of = _sorted(self._terms)
        return Mentions(
            columns=self._columns,
            types=types,
            sources=sources,
            rules=rules,
            links=self._links,
            terms=terms,
            row=row[order],
            column=column[order],
            start=start[order],
            end=np.array(self._end, np.int32)[order],
            type=type_of[np.array(self._type, np.int64)[order]].astype(np.int16),
            score=np.array(self._score, np.float32)[order],
            source=source_of[np.array(self._source, np.int64)[order]].astype(np.int16),
            rule=rule_of[np.array(self._rule, np.int64)[order]].astype(np.int16),
            status=np.array(self._status, np.int8)[order],
            link=np.array(self._link, np.int16)[order],
            term=np.append(term_of, -1)[np.array(self._term, np.int64)[order]].astype(np.int32),
            spelling=np.array(self._spelling, np.int32)[order],
        )


def _sorted(numbered: Mapping[Name, int]) -> tuple[tuple[Name, ...], NDArray[np.int64]]:
    """Names in order, and the new number of each old one: nothing depends on the order of finding."""
    names = sorted(numbered)
    new = np.zeros(len(names), np.int64)
    for number, name in enumerate(names):
        new[numbered[name]] = number
    return tuple(names), new
