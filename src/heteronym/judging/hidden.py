"""Texts beside columns: a value that a column hides, or has wrong, and the text of its row tells."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from datetime import date
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from heteronym.judging.columns import Column
from heteronym.judging.texts import (
    TextPairs,
    forms_of_name,
    has_word,
    is_in_label,
    is_said_of_age,
    is_said_of_column,
    is_telling,
    numbers_told,
)
from heteronym.model.schema import AGE, Role
from heteronym.run import current
from heteronym.verify.days import MONTHS
from heteronym.verify.ordinary import words_among
from heteronym.verify.value_search import Days

_AGE_NAMED = re.compile(r"(?:\A|[_\W])age(?:\Z|[_\W])|\Aage|age\Z", re.I)
_MARKED = 4  # digits that make a number telling without a word beside it
_DAY_OF_MONTH = re.compile(
    r"\b(?:(?P<d>\d{1,2})(?:st|nd|rd|th)?\s(?:of\s)?(?P<m>[A-Z][a-z]{2,8})|(?P<m2>[A-Z][a-z]{2,8})\.?\s(?P<d2>\d{1,2})(?:st|nd|rd|th)?)\b(?!\s*,?\s*\d{4})"
)
_BORN = re.compile(r"\b(?:born|birth|dob|d\.o\.b\.?)\b[^\d\n]{0,16}((?:19|20)\d\d)\b", re.I)


class Told(NamedTuple):
    """A text that tells a column's value."""

    row: int  # released
    text: str  # column of the text
    column: str
    start: int
    end: int
    contradicts: bool  # the label is not true of the value


def told_by_texts(pairs: TextPairs, columns: Sequence[Column], person: NDArray[np.int64]) -> list[Told]:
    """Every place where a text tells what its row's label hides."""
    found: list[Told] = []
    for column in columns:
        is_number = column.attribute.role is Role.SENSITIVE and column.source.numbers is not None
        if column.attribute.role not in (Role.QUASI, Role.EVENT) and not is_number:
            continue
        for name in pairs.names:
            found += _told(pairs, name, column, person)
    return found


def _told(pairs: TextPairs, name: str, column: Column, person: NDArray[np.int64]) -> Iterator[Told]:
    rows = np.flatnonzero(pairs.source >= 0)
    source = pairs.source[rows]
    value = column.value_of_row[source]
    label = column.label_of_row[rows]
    fits = column.meanings.fit(label, value)
    told = column.exact[label] & fits & (column.shift == 0)
    hidden = ~told & (value < column.meanings.values)
    search = _searcher(column, pairs, name, person)
    for number in np.flatnonzero(hidden).tolist():
        if number % 1024 == 0:
            current().poll()
        row = int(rows[number])
        both = pairs.both(row, name)
        if both is None:
            continue
        for start, end in search(int(value[number]), both[1]):
            # a label that the maker put there is its own
            if is_in_label(both[1], start, end) or both[1][start:end] == column.labels[label[number]]:
                continue
            is_wrong = not fits[number] and column.meanings.is_read[label[number]]
            yield Told(row, name, column.name, start, end, bool(is_wrong))
            break


Search = Callable[[int, str], Iterator[tuple[int, int]]]


def _searcher(column: Column, pairs: TextPairs, name: str, person: NDArray[np.int64]) -> Search:
    """Finds a value, by its number, in a text."""
    source = column.source
    if source.numbers is not None and source.is_days:
        return _days(column)
    if source.numbers is not None:
        return _numbers(column)
    common = words_among(
        {word for text in source.texts for word in re.findall(r"[^\W\d_]+", text.lower())},
        {name: pairs.original[name]},
        person,
    )
    telling = [is_telling(text, common) for text in source.texts]
    in_texts = bool(column.attribute.entities)
    forms = [forms_of_name(text, common, in_texts=in_texts) for text in source.texts]

    def search(value: int, text: str) -> Iterator[tuple[int, int]]:
        if telling[value]:
            for form in forms[value]:
                place = has_word(text, form)
                if place is not None:
                    yield place

    return search


def _numbers(column: Column) -> Search:
    is_age = AGE in column.attribute.entities or _AGE_NAMED.search(column.name) is not None
    numbers = column.source.numbers or ()

    def search(value: int, text: str) -> Iterator[tuple[int, int]]:
        wanted = numbers[value]
        for start, end, number in numbers_told(text):
            if number != wanted:
                continue
            marked = sum(map(str.isdigit, text[start:end])) >= _MARKED
            if (
                marked
                or (is_age and is_said_of_age(text, start, end))
                or is_said_of_column(text, start, column.name)
            ):
                yield start, end

    return search


def _days(column: Column) -> Search:
    numbers = column.source.numbers or ()
    readers: dict[int, Days] = {}

    def search(value: int, text: str) -> Iterator[tuple[int, int]]:
        if not any(map(str.isdigit, text)) or numbers[value] == float("inf"):
            return
        day = date.fromordinal(int(numbers[value]))
        if value not in readers:
            readers[value] = Days([day])
        for place in readers[value].places_in(text):
            yield place.start, place.end
        for match in _DAY_OF_MONTH.finditer(text):
            month = (match["m"] or match["m2"]).lower()
            if int(match["d"] or match["d2"]) == day.day and MONTHS[day.month - 1].startswith(month):
                yield match.span()
        for match in _BORN.finditer(text):
            if int(match[1]) == day.year:
                yield match.span(1)

    return search
