"""The user's own counts: `age < 30 and codes has 250`, answered by the data and by a reader of the release.

Grammar     conditions joined by `and`, `or`, `not` and parentheses. A condition is `column < value` (also
            <= > >= = !=), `column in (a, b)`, or `column has x` for items, terms and words of texts.
            Values with spaces or signs are put in quotes.
Guarantee   on a table that is released as it was, the two counts are equal
Cost        O(rows) per condition
Randomness  none

The reader takes all values of a label for equally likely and columns of a row for independent; a
suppressed cell is like the others of its column. Rows are counted.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from heteronym.errors import UsageError, nearest
from heteronym.model.schema import Role
from heteronym.utility.reading import Cells, day_ends
from heteronym.verify.labels import item_members, split_entries

Chances = NDArray[np.float64]  # per row
_TOKEN = re.compile(r"""\s*(?:(<=|>=|!=|==|<|>|=|\(|\)|,)|"([^"]*)"|'([^']*)'|([^\s<>=!(),"']+))""")
_COMPARED = {"<", "<=", ">", ">=", "=", "==", "!="}


@dataclass(frozen=True, repr=False, eq=False)
class Side:
    """One table as queries see it."""

    cells: Mapping[str, Cells]
    sets: Mapping[str, tuple[pl.Series, Role, str]]  # items, terms and texts: cells, role, separator
    rows: int


class _Token(str):
    is_quoted = False


def tokens_of(query: str) -> list[_Token]:
    found, at = [], 0
    while at < len(query.rstrip()):
        match = _TOKEN.match(query, at)
        if match is None:
            raise UsageError(f"--query: cannot be read from character {at + 1} on")
        quoted = match[2] if match[2] is not None else match[3]
        token = _Token(next(part for part in match.groups() if part is not None))
        token.is_quoted = quoted is not None
        found.append(token)
        at = match.end()
    return found


def count(query: str, side: Side) -> float:
    """How many rows satisfy a query, or may be expected to."""
    return float(_Parser(query, side).chances().sum())


class _Parser:
    """Recursive descent; every rule gives the chance of each row."""

    def __init__(self, query: str, side: Side) -> None:
        self._tokens, self._at, self._side = tokens_of(query), 0, side

    def chances(self) -> Chances:
        if not self._tokens:
            raise UsageError("--query: is empty")
        found = self._any()
        if self._at < len(self._tokens):
            raise UsageError(f"--query: expected `and`, `or` or the end as part {self._at + 1}")
        return found

    def _next(self, what: str) -> _Token:
        if self._at >= len(self._tokens):
            raise UsageError(f"--query: ends where {what} was expected")
        self._at += 1
        return self._tokens[self._at - 1]

    def _takes(self, word: str) -> bool:
        here = self._tokens[self._at] if self._at < len(self._tokens) else None
        if here is None or here.is_quoted or here.lower() != word:
            return False
        self._at += 1
        return True

    def _any(self) -> Chances:
        found = [self._all()]
        while self._takes("or"):
            found.append(self._all())
        return 1 - reduce(np.multiply, [1 - chance for chance in found])

    def _all(self) -> Chances:
        found = [self._one()]
        while self._takes("and"):
            found.append(self._one())
        return reduce(np.multiply, found)

    def _one(self) -> Chances:
        if self._takes("not"):
            return 1 - self._one()
        if self._takes("("):
            found = self._any()
            if not self._takes(")"):
                raise UsageError("--query: a parenthesis is not closed")
            return found
        return self._condition()

    def _condition(self) -> Chances:
        name, sign = self._next("a column"), self._next("a comparison")
        known = [*self._side.cells, *self._side.sets]
        if name not in known:
            raise UsageError(f"--query: no such column as part {self._at - 1}.{nearest(name, known)}")
        if sign.lower() == "has":
            return self._has(name, self._next("an item or a word"))
        if name not in self._side.cells:
            raise UsageError(f"--query: column '{name}' is a set or a text; ask what it `has`")
        cells = self._side.cells[name]
        if sign.lower() == "in":
            return reduce(np.add, [_equal(cells, value) for value in self._list()])
        if sign not in _COMPARED:
            raise UsageError("--query: a comparison is one of < <= > >= = != in has")
        return _compared(cells, sign, self._next("a value"))

    def _list(self) -> list[str]:
        if not self._takes("("):
            raise UsageError("--query: `in` needs a list in parentheses")
        values = [self._next("a value")]
        while self._takes(","):
            values.append(self._next("a value"))
        if not self._takes(")"):
            raise UsageError("--query: a parenthesis is not closed")
        return list(dict.fromkeys(values))

    def _has(self, name: str, wanted: str) -> Chances:
        if name not in self._side.sets:
            raise UsageError(f"--query: column '{name}' is no set and no text; compare it with = or in")
        cells, role, separator = self._side.sets[name]
        if role is Role.TEXT:
            word = rf"(?i)(?:^|\W){re.escape(wanted)}(?:\W|$)"
            return cells.cast(pl.String).str.contains(word).fill_null(False).to_numpy().astype(np.float64)
        values = cells.to_list()
        chance = {
            key: _set_chance(cell, wanted, separator) for key, cell in {_key(v): v for v in values}.items()
        }
        return np.array([chance[_key(v)] for v in values])


def _key(cell: Any) -> Any:
    return tuple(cell) if isinstance(cell, list) else cell


def _set_chance(cell: Any, wanted: str, separator: str) -> float:
    if cell is None:
        return 0.0
    entries = [str(e) for e in cell] if isinstance(cell, list) else split_entries(str(cell), separator)
    missed = 1.0
    for entry in entries:
        members = item_members(entry)
        if entry == wanted or wanted in members:
            missed *= 1 - 1 / max(len(members), 1)
    return 1 - missed


def _known(cells: Cells, by_label: NDArray[np.float64]) -> Chances:
    """Chances of rows; who is suppressed is like the others, who is missing satisfies nothing."""
    rows = cells.rows.astype(np.float64)
    known = np.isfinite(by_label)
    usual = float(rows[known] @ by_label[known] / max(rows[known].sum(), 1e-12))
    filled = np.where(known, by_label, usual)
    filled[-1] = 0.0
    return np.asarray(filled[cells.of_row], np.float64)


def _below(cells: Cells, bound: float) -> NDArray[np.float64]:
    """Per label, the share of what it covers that lies below."""
    width = cells.high - cells.low
    with np.errstate(invalid="ignore", divide="ignore"):
        part = np.clip((bound - cells.low) / width, 0, 1)
    return np.where(width > 0, part, np.where(np.isfinite(cells.low), cells.low < bound, np.nan))


def _ends(cells: Cells, value: str) -> tuple[float, float]:
    """What a value of a query covers: a number, or a day, month or year."""
    if cells.kind == "days":
        period = day_ends(value)
        if period is None:
            raise UsageError(
                f"--query: column '{cells.name}' is compared with days: 2004, 2004-05 or 2004-05-14"
            )
        return period
    try:
        return float(value), float(value) + cells.step
    except ValueError:
        raise UsageError(f"--query: column '{cells.name}' is compared with numbers") from None


def _compared(cells: Cells, sign: str, value: str) -> Chances:
    if sign in ("=", "=="):
        return _equal(cells, value)
    if sign == "!=":
        return np.where(_known(cells, _anything(cells)) > 0, 1 - _equal(cells, value), 0.0)
    if cells.kind == "names":
        raise UsageError(f"--query: column '{cells.name}' has no order; compare it with = or in")
    low, high = _ends(cells, value)
    single = np.isfinite(cells.low) & (cells.high <= cells.low)
    rules: dict[str, Callable[[], NDArray[np.float64]]] = {
        "<": lambda: _below(cells, low),
        "<=": lambda: np.where(single, cells.low <= low, _below(cells, high)),
        ">": lambda: np.where(single, cells.low > low, 1 - _below(cells, high)),
        ">=": lambda: 1 - _below(cells, low),
    }
    return _known(cells, rules[sign]().astype(np.float64))


def _anything(cells: Cells) -> NDArray[np.float64]:
    return np.ones(len(cells.texts))


def _equal(cells: Cells, value: str) -> Chances:
    if cells.kind != "names":
        low, high = _ends(cells, value)
        single = np.isfinite(cells.low) & (cells.high <= cells.low)
        return _known(cells, np.where(single, cells.low == low, _below(cells, high) - _below(cells, low)))
    parts = [names.count(value) / len(names) if names else np.nan for names in cells.members()]
    return _known(cells, np.array(parts))


def answers(queries: Sequence[str], before: Side, after: Side) -> list[dict[str, Any]]:
    """Each query with both counts and the error relative to the true one (at least 1)."""
    found = []
    for query in queries:
        true, guess = count(query, before), count(query, after)
        found.append(
            {
                "query": query,
                "before": round(true),
                "after": guess,
                "error": abs(true - guess) / max(true, 1.0),
            }
        )
    return found
