"""What one person's released texts must not hold, in every spelling, and what they may.

Plain code of its own: values are squeezed to letters, numbers and days (`verify.value_search`); names and
other identifiers are told by `verify.names`. A finding whose words may be just words is a doubt that others
settle.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Any, NamedTuple

from heteronym.model.schema import Attribute, Role, Scale
from heteronym.verify.masking import Put
from heteronym.verify.names import Need, is_met, made_of, tellings_of
from heteronym.verify.ordinary import small_words
from heteronym.verify.value_search import (
    MASK,
    Days,
    Squeezed,
    Value,
    alike,
    composed,
    day_of,
    number_of,
    numbers_in,
    value_of,
    without_dots,
)

_START = 3  # letters by which spellings are looked up
_TAIL = 8  # digits in which two ways to write a telephone number agree
_LONG_NUMBER = re.compile(r"\d(?:[\s().\-/]{0,3}\d){7,}")
_LETTERS = re.compile(r"[^\W\d_]+")
_AT_NUMBER = re.compile(rf"(?<={MASK})([A-Za-z])(?![^\W_])|(?<![^\W_])([A-Za-z])(?={MASK})")
_SENTENCE = re.compile(r"(?:\A|[.!?:\n\x00])[\s\"'(]*\Z")
Meaning = tuple[str, str]  # kind, name
Finding = tuple[int, int, Meaning, tuple[str, ...], str | None]


class _Spelling(NamedTuple):
    """A value or term that must not stand in the texts."""

    value: Value
    meaning: Meaning
    written: str  # as it stood in the column or the text
    marked: bool  # counts only where it is written with the capitals it has there
    need: Need | None = None  # of an identifier; what a release may show excuses everything else


class Wanted:
    """What one person's released texts must not hold, and what they may."""

    def __init__(self) -> None:
        self._spellings: dict[tuple[str, Need | None, Meaning], _Spelling] = {}
        self._by_start: dict[str, list[_Spelling]] = {}  # the same by their first letters
        self._numbers: dict[Any, Meaning] = {}
        self._days: dict[Any, Meaning] = {}
        self._days_read: Days | None = None  # the same, once texts are read
        self._letters: dict[str, Meaning] = {}
        self._tails: dict[str, Meaning] = {}  # last digits of long numbers
        self._excused: set[str] = set()
        self._identifiers: set[str] = set()  # columns
        self._single: list[str] = []  # identifiers of one word: a first and a last name

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
                self._days_read = None
        if is_identifier:
            self._add_identifier(text, meaning)
            return
        self._add(text, ("value", name), marked=not attribute.entities)
        if lettered:
            self._letters.setdefault(text[0].lower(), ("value", name))

    def _add_identifier(self, text: str, meaning: Meaning) -> None:
        self._identifiers.add(meaning[1])
        if _LETTERS.fullmatch(text):
            for other in self._single:
                for telling in made_of(other, text):
                    self._add(telling.written, meaning, marked=False, need=telling.need)
            self._single.append(text)
        for telling in tellings_of(text):
            self._add(telling.written, meaning, marked=False, need=telling.need)
        number = "".join(filter(str.isdigit, text))
        if len(number) > _TAIL:
            self._tails.setdefault(number[-_TAIL:], meaning)

    def add_term(self, surface: str, kind: str) -> None:
        self._add(surface, ("term", kind), marked=False)

    def _add(self, text: str, meaning: Meaning, *, marked: bool, need: Need | None = None) -> None:
        for written in {text, without_dots(text)}:
            value = value_of(written)
            if value.letters:
                spelling = _Spelling(value, meaning, written, marked, need)
                # "Sweden" in small letters may be a doubt; who writes "sweden", too, leaves none
                if self._spellings.setdefault((written, need, meaning), spelling) is spelling:
                    self._by_start.setdefault(value.letters[:_START], []).append(spelling)

    def excuse(self, surface: str) -> None:
        """A kept mention stands in the release as it stood in the original."""
        self._excused.add(surface)

    def found_in(self, text: str, released: str = "") -> Iterator[Finding]:
        """What `text`, the released text with its labels masked, still tells."""
        yield from self._judged_in(text, released, lambda _: True)
        yield from self._figures_in(text, released)

    def terms_in(self, text: str, released: str) -> Iterator[Finding]:
        """The terms among it."""
        yield from self._judged_in(text, released, lambda one: one.meaning[0] == "term")

    def values_in(self, text: str, released: str) -> Iterator[Finding]:
        """All but the terms."""
        yield from self._judged_in(text, released, lambda one: one.meaning[0] != "term")
        yield from self._figures_in(text, released)

    def _judged_in(self, text: str, released: str, asked: Callable[[_Spelling], bool]) -> Iterator[Finding]:
        for start, end, spelling in self._spelt_in(text):
            if not asked(spelling):
                continue
            if spelling.need is not None or not self._is_excused(released, start, end):
                yield start, end, *_judged(spelling, text, start, end)

    def _figures_in(self, text: str, released: str) -> Iterator[Finding]:
        for place, meaning in self._numbers_in(text):
            if not self._is_excused(released, *place):
                yield *place, meaning, (), None
        if self._tails:
            for match in _LONG_NUMBER.finditer(text):
                meant = self._tails.get("".join(filter(str.isdigit, match.group()))[-_TAIL:])
                if meant is not None:
                    yield *match.span(), meant, (), None
        if self._letters and MASK in text:
            for match in _AT_NUMBER.finditer(text):
                which = 1 if match[1] else 2
                meant = self._letters.get(match[which].lower())
                if meant is not None:
                    yield *match.span(which), meant, (), None

    def is_put(self, finding: Finding, places: Sequence[Put]) -> bool:
        """Whether an identifier stands in a label, and did not stand in what the label is for: the name of
        a month in the texts of somebody called May."""
        start, end, meaning = finding[:3]
        if meaning[1] not in self._identifiers:
            return False
        around = [place.surface for place in places if place.start <= start and end <= place.end]
        return any(meaning not in {one[2] for one in self.found_in(surface)} for surface in around)

    def _numbers_in(self, text: str) -> Iterator[tuple[tuple[int, int], Meaning]]:
        """Numbers and days that are values, wherever they stand."""
        if self._numbers:
            for place, meanings in numbers_in(text):
                for number in meanings & self._numbers.keys():
                    yield place, self._numbers[number]
        if self._days:
            if self._days_read is None:
                self._days_read = Days(self._days)
            for place in self._days_read.places_in(text):
                yield place, next(iter(self._days.values()))

    def _is_excused(self, released: str, start: int, end: int) -> bool:
        shown = released[start:end]
        return any(_covers(released, surface, start, end) for surface in self._excused if shown in surface)

    def _spelt_in(self, text: str) -> Iterator[tuple[int, int, _Spelling]]:
        """Where something stands that is wanted. Only what begins with letters of the text is searched."""
        squeezed = Squeezed(text)
        letters = squeezed.letters
        starts = {letters[i : i + _START] for i in range(len(letters))}
        short = {letters[i : i + n] for n in range(1, _START) for i in range(len(letters))}
        for first in sorted(self._by_start.keys() & (starts | short)):
            for spelling in self._by_start[first]:
                if spelling.value.letters in letters:
                    for start, end in squeezed.find(spelling.value):
                        if _is_meant(spelling, text, start, end):
                            yield start, end, spelling

    def places_in(self, text: str) -> Iterator[tuple[int, int, Meaning]]:
        for start, end, spelling in self._spelt_in(text):
            if _judged(spelling, text, start, end)[1] == ():
                yield start, end, spelling.meaning


def _judged(
    spelling: _Spelling, text: str, start: int, end: int
) -> tuple[Meaning, tuple[str, ...], str | None]:
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


def _covers(text: str, surface: str, start: int, end: int) -> bool:
    """Whether `surface` stands in the text around start:end."""
    at = text.find(surface, max(end - len(surface), 0))
    return 0 <= at <= start
