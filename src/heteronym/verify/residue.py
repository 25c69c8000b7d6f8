"""Residue: original values and recognized terms that still stand in the released texts.

Plain code of its own, that trusts nothing the search did: each person's values and terms are looked up
in what was released for that person (`verify.value_search`). What the release may show is excused: a value
that is its own label, terms kept in the person's group, the row's released labels, and placeholders.
Whether a word is just a word is told by what other persons write in small letters. Reports counts, row
numbers and places, never text.

Cost        O(words of the released texts) + one search in C per value and text
Randomness  none
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import product
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from heteronym.model.schema import Attribute, Role, Scale
from heteronym.run import current
from heteronym.verify.masking import Put, blanked, masked, placeholders_of
from heteronym.verify.ordinary import small_words, words_among
from heteronym.verify.value_search import alike
from heteronym.verify.wanted import Finding, Wanted

_BRACKETS = ("(", "[", "{")
_MOST_LETTERED = 8  # values of a column that first letters tell apart


class Left(NamedTuple):
    """Where something is left: in which released row and column, and what it is of."""

    row: int
    column: str
    start: int
    end: int
    kind: str  # value | term | word
    name: str  # the attribute, or the type of the term


class Residue(NamedTuple):
    """What is left, each place once and in order: `places` must be empty, `words` are a warning."""

    places: Sequence[Left]  # of values and terms
    words: Sequence[Left]  # that are values of columns without entities


class _PossibleLeak(NamedTuple):
    """What is none if it has words and all of them are ordinary; then it counts as `otherwise`."""

    left: Left
    words: tuple[str, ...]
    otherwise: str | None


class Side(NamedTuple):
    """The rows of one side, released or original: whose they are, their texts by column, their cells by
    attribute; a cell that is a set is a list of entries. Persons have the same numbers on both sides."""

    person: NDArray[Any]
    texts: Mapping[str, Sequence[str | None]]
    cells: Mapping[str, Sequence[Any]] = MappingProxyType({})


class FreeTerm(NamedTuple):
    """A mention that repeats no column, and whether it stands in the release as it stood."""

    surface: str
    type: str
    stays: bool


def find_residue(
    released: Side,
    original: Side,
    attributes: Mapping[str, Attribute],
    *,
    terms: Mapping[Any, Sequence[FreeTerm]],
    types: Collection[str],
    missing: Collection[str] = frozenset(),
    put: Mapping[str, Sequence[Sequence[Put]]] | None = None,
) -> Residue:
    """Search each person's released texts for that person's originals.

    terms   by person, the mentions that repeat no column; those that do not stay must stand nowhere
    types   of all mentions: their placeholders are no words of a text
    put     text column -> per released row, what stands there for mentions: a term inside is none
    """
    labels, cells = released.cells, original.cells
    searched = {
        name: attribute
        for name, attribute in attributes.items()
        if name in cells
        and (attribute.entities or attribute.role in (Role.QUASI, Role.IDENTIFIER, Role.ITEMS))
        and attribute.role not in (Role.TEXT, Role.TERMS)
    }
    lettered = {name for name, attribute in searched.items() if _by_initials(cells[name], attribute)}
    rows_of = _rows_by_person(original.person)
    placeholders = placeholders_of({*types, *(e for a in searched.values() for e in a.entities)})
    found: list[_PossibleLeak] = []
    run = current()
    by_person = _rows_by_person(released.person)
    for number, (person, rows) in enumerate(by_person.items()):
        if number % 256 == 0:
            run.tell(number / len(by_person))
        if not any(column[row] for column in released.texts.values() for row in rows):
            continue
        wanted = Wanted()
        own: set[str] = set()  # an item told in one row may be held in another
        for name, attribute in searched.items():
            shown = {e for row in rows for e in _entries(labels[name][row])} if name in labels else set()
            mine = {entry for row in rows_of.get(person, ()) for entry in _entries(cells[name][row])}
            own.update(map(str, shown))
            if attribute.recode is not None and attribute.recode.name == "top":
                own.add(f"{attribute.recode.parameters.get('at', 90)}+")  # tells no value
            for cell in mine:
                if str(cell).strip() not in missing:
                    wanted.add_cell(cell, name, attribute, shown, lettered=name in lettered)
        for term in terms.get(person, ()):
            if term.stays:
                wanted.excuse(term.surface)
            else:
                wanted.add_term(term.surface, term.type)
        mask = partial(masked, placeholders=placeholders, labels=own)
        for row, (column, texts) in product(rows, released.texts.items()):
            text, places = texts[row], put[column][row] if put else ()
            for start, end, meaning, words, otherwise in _left_in(text, wanted, places, mask) if text else ():
                found.append(_PossibleLeak(Left(row, column, start, end, *meaning), words, otherwise))
    return _settled(found, original)


def _left_in(
    text: str, wanted: Wanted, places: Sequence[Put], mask: Callable[[str], str]
) -> Iterable[Finding]:
    """What a released text still tells; `mask` takes out what the release put there, `places` tell labels."""
    if not places:
        return wanted.found_in(mask(text), text)
    bare = blanked(text, places)  # terms are searched where labels of mentions are blanked
    # a list of a group's items, or a range, is the same for all who show it, whoever has which of its values
    listed = [place for place in places if text[place.start : place.start + 1] in _BRACKETS]
    mask_lists = partial(blanked, places=listed)
    values = (f for f in wanted.values_in(mask(mask_lists(text)), text) if not _is_of_a_label(bare, *f[:2]))
    return [*(f for f in values if not wanted.is_put(f, places)), *wanted.terms_in(mask(bare), text)]


def _is_of_a_label(bare: str, start: int, end: int) -> bool:
    """Whether a word of grammar belongs to a label that was put there: "a" in "a Spanish city"."""
    return bare[end:].lstrip()[:1] == "\x00" and bare[start:end].casefold() in small_words()


def _settled(found: Sequence[_PossibleLeak], original: Side) -> Residue:
    common = words_among({word for one in found for word in one.words}, original.texts, original.person)
    left: set[Left] = set()
    for one in found:
        if not one.words or not common.issuperset(one.words):
            left.add(one.left)
        elif one.otherwise is not None:
            left.add(one.left._replace(kind=one.otherwise))
    words = sorted(one for one in left if one.kind == "word")
    return Residue(sorted(left.difference(words)), words)


def _entries(cell: Any) -> list[Any]:
    if cell is None:
        return []
    return list(cell) if isinstance(cell, (list, tuple)) else [cell]


def _by_initials(cells: Sequence[Any], attribute: Attribute) -> bool:
    """Whether the first letters of a column's few values tell them apart: F and M, Female and Male."""
    if attribute.role is not Role.QUASI or attribute.scale not in (Scale.NOMINAL, Scale.ORDINAL):
        return False
    values = {alike(str(cell)) for cell in set(cells) if cell is not None and str(cell).strip()}
    firsts = {value[:1] for value in values}
    return 1 < len(values) == len(firsts) <= _MOST_LETTERED and all(map(str.isalpha, firsts))


def _rows_by_person(person: NDArray[Any]) -> dict[Any, list[int]]:
    rows: dict[Any, list[int]] = defaultdict(list)
    for row, number in enumerate(np.asarray(person).tolist()):
        rows[number].append(row)
    return rows


class Visible(NamedTuple):
    """A term of its person that stands in a released text."""

    column: str
    term: str
    start: int
    end: int


def visible_terms(
    released: Side, terms: Mapping[Any, Sequence[FreeTerm]], types: Collection[str]
) -> list[list[Visible]]:
    """Per released row, the terms of its person that still stand there, whatever was meant to be.

    A term inside a longer one is not visible by itself: "Pedro Inc" does not show a Pedro. Nor is one
    inside a label of the row that linking put into the text.
    """
    placeholders = placeholders_of(types)
    visible: list[list[Visible]] = [[] for _ in range(len(released.person))]
    for person, rows in _rows_by_person(released.person).items():
        wanted = Wanted()
        for term in terms.get(person, ()):
            wanted.add_term(term.surface, alike(term.surface))
        for row in rows:
            shown = {label for cells in released.cells.values() for label in _entries(cells[row]) if label}
            for name, column in released.texts.items():
                text = column[row]
                if text:
                    bare = masked(text, placeholders, shown)
                    visible[row] += sorted(Visible(name, *found) for found in _outermost(bare, wanted))
    return visible


def _outermost(text: str, wanted: Wanted) -> Iterator[tuple[str, int, int]]:
    places: dict[tuple[int, int], set[str]] = defaultdict(set)
    for start, end, (_, term) in wanted.places_in(text):
        places[start, end].add(term)
    reach = -1
    for start, end in sorted(places, key=lambda place: (place[0], -place[1])):
        if end > reach:
            reach = end
            shown = alike(text[start:end])
            # "New-York" shows the term spelt so, if there is one, and "New York" otherwise.
            for term in {shown} & places[start, end] or places[start, end]:
                yield term, start, end
