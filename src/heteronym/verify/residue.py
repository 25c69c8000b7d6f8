"""Residue: original values and recognized terms that still stand in the released texts.

Plain code of its own, that trusts nothing the search did: each person's values and terms are looked up
in what was released for that person (`verify.reading`). What the release may show is excused: a value
that is its own label, terms kept in the person's group, the row's released labels, and placeholders.
Whether a word is just a word is told by what other persons write in small letters. Reports counts, row
numbers and places, never text.

Cost        O(words of the released texts) + one search in C per value and text
Randomness  none
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from heteronym.model.mention import Mentions
from heteronym.model.schema import Attribute, Role, Scale
from heteronym.run import current
from heteronym.verify.names import Need, is_met, tellings_of
from heteronym.verify.ordinary import small_words, words_among
from heteronym.verify.reading import (
    MASK,
    Squeezed,
    Value,
    alike,
    composed,
    day_of,
    days_in,
    number_of,
    numbers_in,
    without_dots,
)

_TAIL = 8  # digits in which two ways to write a telephone number agree
_LONG_NUMBER = re.compile(r"\d(?:[\s().\-/]{0,3}\d){7,}")
_MOST_LETTERED = 8  # values of a column that first letters tell apart
_LETTERS = re.compile(r"[^\W\d_]+")
_AT_NUMBER = re.compile(rf"(?<={MASK})([A-Za-z])(?![^\W_])|(?<![^\W_])([A-Za-z])(?={MASK})")
_SENTENCE = re.compile(r"(?:\A|[.!?:\n\x00])[\s\"'(]*\Z")


class Put(NamedTuple):
    """Where a released text has something else than the surface of a mention that stood there."""

    start: int
    end: int
    surface: str


class Left(NamedTuple):
    """Where something is left: in which released row and column, and what it is of."""

    row: int
    column: str
    start: int
    end: int
    kind: str  # value | term | word
    name: str  # the attribute, or the type of the term


@dataclass(frozen=True)
class Residue:
    """What is left. `values` and `terms` must be empty; `words` is a warning."""

    values: Mapping[str, int] = field(default_factory=dict)  # attribute -> occurrences
    terms: Mapping[str, int] = field(default_factory=dict)  # entity type -> occurrences
    words: Mapping[str, int] = field(default_factory=dict)  # attribute without entities -> occurrences
    rows: tuple[int, ...] = ()  # released rows, from 0, where values or terms are left
    places: tuple[Left, ...] = ()  # of values and terms

    @property
    def clean(self) -> bool:
        return not self.values and not self.terms


class _Doubt(NamedTuple):
    """A finding that is none if its words are words; then it counts as `otherwise`."""

    left: Left
    words: tuple[str, ...]
    otherwise: str | None


def find_residue(
    released: Mapping[str, Sequence[str | None]],
    released_person: NDArray[Any],
    *,
    labels: Mapping[str, Sequence[Any]],
    original: Mapping[str, Sequence[str | None]],
    original_person: NDArray[Any],
    cells: Mapping[str, Sequence[Any]],
    attributes: Mapping[str, Attribute],
    mentions: Mentions,
    kept: NDArray[np.bool_],
    missing: Collection[str] = frozenset(),
    put: Mapping[str, Sequence[Sequence[Put]]] | None = None,
) -> Residue:
    """Search each person's released texts for that person's originals.

    released        text column -> text per released row
    labels          attribute -> released cell per released row; a list of entries where a cell is a set
    original, cells text column, attribute -> original cell per original row, sets as lists
    mentions, kept  the linked mentions of the original texts; kept[i] if mention i was to stay
    put             text column -> per released row, what stands there for mentions: a term inside is none
    Persons carry the same numbers in `released_person` and `original_person`.
    """
    searched = {
        name: attribute
        for name, attribute in attributes.items()
        if name in cells
        and (attribute.entities or attribute.role in (Role.QUASI, Role.IDENTIFIER, Role.ITEMS))
        and attribute.role not in (Role.TEXT, Role.TERMS)
    }
    lettered = {name for name, attribute in searched.items() if _told_by_letters(cells[name], attribute)}
    rows_of = _rows_by_person(original_person)
    mentions_of = _rows_by_person(np.asarray(original_person)[mentions.row])
    placeholders = _placeholders({*mentions.types, *(e for a in searched.values() for e in a.entities)})
    sure: list[Left] = []
    doubts: list[_Doubt] = []
    run = current()
    by_person = _rows_by_person(released_person)
    for number, (person, rows) in enumerate(by_person.items()):
        if number % 256 == 0:
            run.tell(number / len(by_person))
        if not any(column[row] for column in released.values() for row in rows):
            continue
        wanted = _Wanted()
        for name, attribute in searched.items():
            shown = {e for row in rows for e in _entries(labels[name][row])} if name in labels else set()
            mine = {entry for row in rows_of.get(person, ()) for entry in _entries(cells[name][row])}
            for cell in mine:
                if str(cell).strip() not in missing:
                    wanted.add_cell(cell, name, attribute, shown, lettered=name in lettered)
        _add_terms(wanted, mentions_of.get(person, ()), mentions, original, kept)
        # an item told in one row may be held in another
        own = {str(e) for n in searched if n in labels for row in rows for e in _entries(labels[n][row])}
        for row in rows:
            for left in _left_in_row(wanted, row, released, put or {}, placeholders, own):
                (doubts if isinstance(left, _Doubt) else sure).append(left)  # type: ignore[arg-type]
    return _settled(sure, doubts, original, original_person)


def _left_in_row(
    wanted: _Wanted,
    row: int,
    released: Mapping[str, Sequence[str | None]],
    put: Mapping[str, Sequence[Sequence[Put]]],
    placeholders: re.Pattern[str],
    labels: Collection[str],
) -> Iterator[Left | _Doubt]:
    for column, texts in released.items():
        text = texts[row]
        if not text:
            continue
        places = put[column][row] if column in put else ()
        found = list(wanted.found_in(_masked(text, placeholders, labels), text))
        if places:  # terms are searched where labels of mentions are blanked
            bare = blanked(text, places)
            again = wanted.found_in(_masked(bare, placeholders, labels), text)
            found = [f for f in found if f[2][0] != "term" and not _is_of_a_label(bare, *f[:2])]
            found = [f for f in found if not wanted.is_put(f, places)]
            found += [f for f in again if f[2][0] == "term"]
        for start, end, meaning, words, otherwise in found:
            left = Left(row, column, start, end, *meaning)
            yield _Doubt(left, words, otherwise) if words else left


def blanked(text: str, places: Sequence[Put]) -> str:
    """A text without what was put into it."""
    for place in places:
        text = text[: place.start] + MASK * (place.end - place.start) + text[place.end :]
    return text


def _is_of_a_label(bare: str, start: int, end: int) -> bool:
    """Whether a word of grammar belongs to a label that was put there: "a" in "a Spanish city"."""
    return bare[end:].lstrip()[:1] == "\x00" and bare[start:end].casefold() in small_words()


def _settled(
    sure: list[Left],
    doubts: Sequence[_Doubt],
    original: Mapping[str, Sequence[str | None]],
    original_person: NDArray[Any],
) -> Residue:
    common = words_among({word for doubt in doubts for word in doubt.words}, original, original_person)
    for doubt in doubts:
        if not common.issuperset(doubt.words):
            sure.append(doubt.left)
        elif doubt.otherwise is not None:
            sure.append(doubt.left._replace(kind=doubt.otherwise))
    found = sorted(set(sure))
    counts = {
        kind: Counter(left.name for left in found if left.kind == kind) for kind in ("value", "term", "word")
    }
    places = tuple(left for left in found if left.kind != "word")
    rows = tuple(sorted({left.row for left in places}))
    return Residue(dict(counts["value"]), dict(counts["term"]), dict(counts["word"]), rows, places)


def _add_terms(
    wanted: _Wanted,
    which: Iterable[int],
    mentions: Mentions,
    original: Mapping[str, Sequence[str | None]],
    kept: NDArray[np.bool_],
) -> None:
    """What was recognized of a person: gone, or excused where it was to stay."""
    for i in which:
        if mentions.link[i] >= 0:
            continue
        source = original[mentions.columns[mentions.column[i]]][int(mentions.row[i])] or ""
        surface = source[mentions.start[i] : mentions.end[i]]
        if kept[i]:
            wanted.excuse(surface)
        else:
            wanted.add_term(surface, mentions.types[mentions.type[i]])


_Meaning = tuple[str, str]  # kind, name
_Finding = tuple[int, int, _Meaning, tuple[str, ...], str | None]


class _Spelling(NamedTuple):
    """A value or term that must not stand in the texts."""

    value: Value
    meaning: _Meaning
    written: str  # as it stood in the column or the text
    marked: bool  # counts only where it is written with the capitals it has there
    need: Need | None = None  # of an identifier; what a release may show excuses everything else


class _Wanted:
    """What one person's released texts must not hold, and what they may."""

    def __init__(self) -> None:
        self._spellings: dict[tuple[Value, Need | None, _Meaning], _Spelling] = {}
        self._numbers: dict[Any, _Meaning] = {}
        self._days: dict[Any, _Meaning] = {}
        self._letters: dict[str, _Meaning] = {}
        self._tails: dict[str, _Meaning] = {}  # last digits of long numbers
        self._excused: set[str] = set()
        self._identifiers: set[str] = set()  # columns

    def add_cell(
        self, cell: Any, name: str, attribute: Attribute, shown: Collection[Any], *, lettered: bool
    ) -> None:
        """A value, unless the release shows it as it is; of an identifier also the parts of a name."""
        text = "" if cell is None or cell != cell else str(cell).strip()
        if not text or isinstance(cell, bool) or any(_is_label_of(label, text) for label in shown):
            return
        is_identifier = attribute.role is Role.IDENTIFIER
        meaning = ("value" if attribute.entities or is_identifier else "word", name)
        number = number_of(cell) if attribute.scale is Scale.NUMERIC else None
        if number is not None:
            self._numbers.setdefault(number, meaning)
            return
        if attribute.scale is Scale.DATE or (is_identifier and sum(map(str.isdigit, text)) >= 6):
            for day in day_of(text, attribute.format):
                self._days.setdefault(day, meaning)
        if is_identifier:
            self._add_identifier(text, meaning)
            return
        self._add(text, ("value", name), marked=not attribute.entities)
        if lettered:
            self._letters.setdefault(text[0].lower(), ("value", name))

    def _add_identifier(self, text: str, meaning: _Meaning) -> None:
        self._identifiers.add(meaning[1])
        for telling in tellings_of(text):
            self._add(telling.written, meaning, marked=False, need=telling.need)
        number = "".join(filter(str.isdigit, text))
        if len(number) > _TAIL:
            self._tails.setdefault(number[-_TAIL:], meaning)

    def add_term(self, surface: str, kind: str) -> None:
        self._add(surface, ("term", kind), marked=False)

    def _add(self, text: str, meaning: _Meaning, *, marked: bool, need: Need | None = None) -> None:
        for written in {text, without_dots(text)}:
            value = Value.of(written)
            if value.letters:
                spelling = _Spelling(value, meaning, written, marked, need)
                self._spellings.setdefault((value, need, meaning), spelling)

    def excuse(self, surface: str) -> None:
        """A kept mention stands in the release as it stood in the original."""
        self._excused.add(surface)

    def found_in(self, text: str, released: str = "") -> Iterator[_Finding]:
        """What `text`, the released text with its labels masked, still tells."""
        for start, end, spelling in self._spelt_in(text):
            if spelling.need is not None or not self._is_excused(released, start, end):
                yield start, end, *_judged(spelling, text, start, end)
        for place, meaning in self._numbers_in(text):
            if not self._is_excused(released, *place):
                yield *place, meaning, (), None
        if self._tails:
            for match in _LONG_NUMBER.finditer(text):
                told = self._tails.get("".join(filter(str.isdigit, match.group()))[-_TAIL:])
                if told is not None:
                    yield *match.span(), told, (), None
        if self._letters and MASK in text:
            for match in _AT_NUMBER.finditer(text):
                which = 1 if match[1] else 2
                told = self._letters.get(match[which].lower())
                if told is not None:
                    yield *match.span(which), told, (), None

    def is_put(self, finding: _Finding, places: Sequence[Put]) -> bool:
        """Whether an identifier stands in a label, and did not stand in what the label is for: the name of
        a month in the texts of somebody called May."""
        start, end, meaning = finding[:3]
        if meaning[1] not in self._identifiers:
            return False
        around = [place.surface for place in places if place.start <= start and end <= place.end]
        return any(meaning not in {told[2] for told in self.found_in(surface)} for surface in around)

    def _numbers_in(self, text: str) -> Iterator[tuple[tuple[int, int], _Meaning]]:
        """Numbers and days that are values, wherever they stand."""
        if self._numbers:
            for place, meanings in numbers_in(text):
                for number in meanings & self._numbers.keys():
                    yield place, self._numbers[number]
        if self._days:
            for place in days_in(text, self._days):
                yield place, next(iter(self._days.values()))

    def _is_excused(self, released: str, start: int, end: int) -> bool:
        shown = released[start:end]
        return any(_covers(released, surface, start, end) for surface in self._excused if shown in surface)

    def _spelt_in(self, text: str) -> Iterator[tuple[int, int, _Spelling]]:
        squeezed = Squeezed(text)
        letters = squeezed.letters
        for spelling in self._spellings.values():
            if spelling.value.letters in letters:
                for start, end in squeezed.find(spelling.value):
                    if _is_meant(spelling, text, start, end):
                        yield start, end, spelling

    def places_in(self, text: str) -> Iterator[tuple[int, int, _Meaning]]:
        for start, end, spelling in self._spelt_in(text):
            if _judged(spelling, text, start, end)[1] == ():
                yield start, end, spelling.meaning


def _judged(
    spelling: _Spelling, text: str, start: int, end: int
) -> tuple[_Meaning, tuple[str, ...], str | None]:
    """What an occurrence means, its words if others' writing is to judge them, and what it is then."""
    if spelling.need is not None:
        return spelling.meaning, (), None
    shown, written = text[start:end], spelling.written
    words = tuple(word.lower() for word in _LETTERS.findall(written))
    capital = any(map(str.isupper, written))
    if spelling.marked:
        telling = capital or any(map(str.isdigit, written))
        same = telling and alike(shown) == alike(written) and shown[0].isupper() == written[0].isupper()
        if not same or (len(words) == 1 and _SENTENCE.search(text, max(0, start - 8), start)):
            return ("word", spelling.meaning[1]), (), None
        return spelling.meaning, words, "word"
    if len(written) == 1 or (words and small_words().issuperset(words)):
        # "US" and "us", "I" of a class and "I": only the very capitals count
        exact = " ".join(shown.split()) == " ".join(written.split())
        return spelling.meaning, () if exact else ("a",), None
    # small letters may be words of another meaning; a whole name in small letters is one all the same
    if capital and len(words) <= 2 and shown.islower() and not any(map(str.isdigit, written)):
        return spelling.meaning, words, None
    return spelling.meaning, (), None


def _is_meant(spelling: _Spelling, text: str, start: int, end: int) -> bool:
    if not _signs_agree(spelling.written, text, start, end):
        return False
    if spelling.need is not None:
        return is_met(spelling.need, text, start, end)
    return spelling.meaning[0] != "term" or _is_spelt(spelling.written, text, start, end)


def _signs_agree(written: str, text: str, start: int, end: int) -> bool:
    """ "C" is not found in "C++", nor "C++" in "C"."""
    if written[-1] in "+#":
        signs = written[len(written.rstrip("+#")) :]
        return text.startswith(signs, end)
    return not (len(written) == 1 and text[end : end + 1] in ("+", "#"))


def _is_spelt(written: str, text: str, start: int, end: int) -> bool:
    """Whether a term stands by itself, with its accents; own values may be glued to others and lack them."""
    around = text[max(start - 1, 0) : start] + text[end : end + 1].lower().replace("s", "").replace("e", "")
    if any(map(str.isalnum, around)):
        return False
    return written.isascii() == text[start:end].isascii() or composed(written) == composed(text[start:end])


def _is_label_of(label: Any, text: str) -> bool:
    """Whether a released label is the value itself."""
    if alike(str(label)) == alike(text):
        return True
    number = number_of(text)
    return number is not None and number_of(label) == number


def _entries(cell: Any) -> list[Any]:
    if cell is None:
        return []
    return list(cell) if isinstance(cell, (list, tuple)) else [cell]


def _told_by_letters(cells: Sequence[Any], attribute: Attribute) -> bool:
    """Whether the first letters of a column's few values tell them apart: F and M, Female and Male."""
    if attribute.role is not Role.QUASI or attribute.scale not in (Scale.NOMINAL, Scale.ORDINAL):
        return False
    values = {alike(str(cell)) for cell in set(cells) if cell is not None and str(cell).strip()}
    firsts = {value[:1] for value in values}
    return 1 < len(values) == len(firsts) <= _MOST_LETTERED and all(map(str.isalpha, firsts))


def _covers(text: str, surface: str, start: int, end: int) -> bool:
    """Whether `surface` stands in the text around start:end."""
    at = text.find(surface, max(end - len(surface), 0))
    return 0 <= at <= start


def _rows_by_person(person: NDArray[Any]) -> dict[Any, list[int]]:
    rows: dict[Any, list[int]] = defaultdict(list)
    for row, number in enumerate(np.asarray(person).tolist()):
        rows[number].append(row)
    return rows


def _placeholders(types: Collection[str]) -> re.Pattern[str]:
    return re.compile(r"\[(?:" + "|".join(map(re.escape, sorted(types))) + r")\]")


def _masked(text: str, placeholders: re.Pattern[str], labels: Collection[str]) -> str:
    """The text without what the release itself put there."""
    if "[" in text:
        text = placeholders.sub(_mask, text)
    folded = text.lower()
    for label in sorted(labels, key=lambda label: (-len(label), label)):
        if label.lower() in folded:
            text = _label_pattern(label).sub(_mask, text)
    return text


def _mask(match: re.Match[str]) -> str:
    return MASK * len(match.group())  # offsets stay those of the released text


@lru_cache(maxsize=65_536)
def _label_pattern(label: str) -> re.Pattern[str]:
    # "2004" is excused where it stands alone, not inside 2004-05-14.
    before = r"(?<!\w)(?<!\w[-/.,:])" if label[0].isalnum() else ""
    after = r"(?![-/.,:]?\w)" if label[-1].isalnum() else ""
    return re.compile(before + re.escape(label) + after, re.IGNORECASE)


def visible_terms(
    released: Mapping[str, Sequence[str | None]],
    released_person: NDArray[Any],
    *,
    original: Mapping[str, Sequence[str | None]],
    original_person: NDArray[Any],
    mentions: Mentions,
    labels: Mapping[str, Sequence[Any]] | None = None,
) -> list[list[tuple[str, str]]]:
    """Per released row, the (column, term) of its person that still stand there, whatever was meant to be.

    A term inside a longer one is not visible by itself: "Pedro Inc" does not show a Pedro. Nor is one
    inside a label of the row (`labels`, attribute -> released cells) that linking put into the text.
    """
    placeholders = _placeholders(mentions.types)
    mentions_of = _rows_by_person(np.asarray(original_person)[mentions.row])
    visible: list[list[tuple[str, str]]] = [[] for _ in range(len(released_person))]
    for person, rows in _rows_by_person(released_person).items():
        wanted = _Wanted()
        for which in mentions_of.get(person, ()):
            if mentions.link[which] < 0:
                source = original[mentions.columns[mentions.column[which]]][int(mentions.row[which])] or ""
                surface = source[mentions.start[which] : mentions.end[which]]
                wanted.add_term(surface, alike(surface))
        for row in rows:
            shown = {label for cells in (labels or {}).values() for label in _entries(cells[row]) if label}
            for name, column in released.items():
                text = column[row]
                if text:
                    masked = _masked(text, placeholders, shown)
                    visible[row] += sorted({(name, term) for term in _outermost(masked, wanted)})
    return visible


def _outermost(text: str, wanted: _Wanted) -> Iterator[str]:
    places: dict[tuple[int, int], set[str]] = defaultdict(set)
    for start, end, (_, term) in wanted.places_in(text):
        places[start, end].add(term)
    reach = -1
    for start, end in sorted(places, key=lambda place: (place[0], -place[1])):
        if end > reach:
            reach = end
            shown = alike(text[start:end])
            # "New-York" shows the term spelt so, if there is one, and "New York" otherwise.
            yield from {shown} & places[start, end] or places[start, end]
