"""The user's own counts: `age < 30 and codes has 250`, answered by the data and by a reader of the release.

Grammar     conditions joined by `and`, `or`, `not` and parentheses. A condition is `column < value` (also
            <= > >= = !=), `column in (a, b)`, or `column has x` for items, terms and words of texts.
            Values with spaces or signs are put in quotes.
Guarantee   on a table that is released as it was, the two counts are equal
Cost        O(rows) per way in which conditions can be true together
Randomness  none

A query is about a row. Persons with such a row are counted, and rows; where everybody has one row they are
the same.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from heteronym.errors import UsageError, nearest
from heteronym.utility.chances import Condition, Count, Side, Sign, Truths, counts, fixed_columns

Predicate = Callable[[Truths], bool]
_TOKEN = re.compile(r"""\s*(?:(<=|>=|!=|==|<|>|=|\(|\)|,)|"([^"]*)"|'([^']*)'|([^\s<>=!(),"']+))""")
_SIGNS: dict[str, Sign] = {"<": "<", "<=": "<=", ">": ">", ">=": ">=", "=": "=", "==": "=", "!=": "!="}


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


def count(query: str, side: Side, fixed: Sequence[str] = ()) -> dict[str, Count]:
    """How many persons and rows satisfy a query, or may be expected to."""
    parser = _Parser(query, side)
    holds = parser.read()
    return counts(parser.conditions, holds, side, fixed)


class _Parser:
    """Recursive descent; every rule tells from the truth of all conditions whether it holds."""

    def __init__(self, query: str, side: Side) -> None:
        self._tokens, self._at, self._side = tokens_of(query), 0, side
        self.conditions: list[Condition] = []

    def read(self) -> Predicate:
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

    def _any(self) -> Predicate:
        found = [self._all()]
        while self._takes("or"):
            found.append(self._all())
        return lambda truths: any(rule(truths) for rule in found)

    def _all(self) -> Predicate:
        found = [self._one()]
        while self._takes("and"):
            found.append(self._one())
        return lambda truths: all(rule(truths) for rule in found)

    def _one(self) -> Predicate:
        if self._takes("not"):
            rule = self._one()
            return lambda truths: not rule(truths)
        if self._takes("("):
            found = self._any()
            if not self._takes(")"):
                raise UsageError("--query: a parenthesis is not closed")
            return found
        condition = self._condition()
        if condition not in self.conditions:
            self.conditions.append(condition)
        place = self.conditions.index(condition)
        return lambda truths: bool(truths[place])

    def _condition(self) -> Condition:
        name, sign = self._next("a column"), self._next("a comparison")
        known = [*self._side.cells, *self._side.sets]
        if name not in known:
            raise UsageError(f"--query: no such column as part {self._at - 1}.{nearest(name, known)}")
        if sign.lower() == "has":
            if name not in self._side.sets:
                raise UsageError(f"--query: column '{name}' is no set and no text; compare it with = or in")
            return Condition(str(name), "has", (str(self._next("an item or a word")),))
        if name not in self._side.cells:
            raise UsageError(f"--query: column '{name}' is a set or a text; ask what it `has`")
        if sign.lower() == "in":
            return Condition(str(name), "in", self._list())
        if sign not in _SIGNS:
            raise UsageError("--query: a comparison is one of < <= > >= = != in has")
        return Condition(str(name), _SIGNS[sign], (str(self._next("a value")),))

    def _list(self) -> tuple[str, ...]:
        if not self._takes("("):
            raise UsageError("--query: `in` needs a list in parentheses")
        values = [str(self._next("a value"))]
        while self._takes(","):
            values.append(str(self._next("a value")))
        if not self._takes(")"):
            raise UsageError("--query: a parenthesis is not closed")
        return tuple(dict.fromkeys(values))


def answers(queries: Sequence[str], before: Side, after: Side) -> list[dict[str, Any]]:
    """Each query by persons and by rows: true and expected count, where chance puts it, and the error."""
    fixed = fixed_columns(before)
    found = []
    for query in queries:
        true, guess = count(query, before, fixed), count(query, after, fixed)
        found.append({"query": query} | {unit: _as_figures(true[unit], guess[unit]) for unit in true})
    return found


def _as_figures(true: Count, guess: Count) -> dict[str, Any]:
    """The error is relative to the true count (at least 1), that of the ends with its sign."""
    least = max(true.expected, 1.0)
    return {
        "before": round(true.expected),
        "after": guess.expected,
        "low": guess.low,
        "high": guess.high,
        "error": abs(true.expected - guess.expected) / least,
        "error_low": (guess.low - true.expected) / least,
        "error_high": (guess.high - true.expected) / least,
    }
