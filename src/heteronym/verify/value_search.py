"""Reads a text the way somebody would who looks for one person's values: letters only, then the borders.

A text is squeezed to its letters and digits, a value likewise, and the one is searched in the other;
where it is found, the text itself says whether it stands as a word of its own: nothing, a sign, a
change between letters, digits and capitals at its ends, and nothing inside that the value has not.
Numbers are compared by every way to read their signs, days by their three numbers in any order. Shares
nothing with what made the release.

Cost        one search in C per value and text; Python only where something is found
Randomness  none
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterator
from datetime import date
from decimal import Decimal, InvalidOperation
from functools import lru_cache
from itertools import product
from typing import NamedTuple
from urllib.parse import unquote

import numpy as np

MASK = "\x00"
_STROKES = dict(zip("øØłŁđĐı", "oOlLdDi", strict=True))  # to Unicode a stroke is no accent
_SIGNS = str.maketrans({**dict.fromkeys("‘’‚‛′´`ʼ", "'"), **dict.fromkeys("‐‑‒–—―−", "-"), **_STROKES})
_ENCODED = re.compile(r"(?:%[0-9A-Fa-f]{2})+")
# each character that a text in ASCII and small letters loses
_NOT_KEPT = {code: None for code in range(128) if not (chr(code).isalnum() or chr(code) == MASK)}
_LONGEST_GAP = 8
_MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()


_UNFOLDS = re.compile(
    r"%[0-9A-Fa-f]{2}|[\u0300-\u036f\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufe00-\ufe0f\ufeff]"
)


class _Letters(dict[int, str]):
    """Each character without its accent, where that is one character."""

    def __missing__(self, code: int) -> str:
        character = chr(code)
        bare = _bare(character.translate(_SIGNS))
        self[code] = bare if len(bare) == 1 == len(bare.lower()) else character
        return self[code]


class Place(NamedTuple):
    start: int
    end: int


@lru_cache(maxsize=65_536)
def alike(text: str) -> str:
    """What two spellings of one term have in common: no case, accents, kinds of quotes, signs at the ends."""
    text = _bare(text.translate(_SIGNS)).casefold()
    return " ".join(text.split()).strip(" .,;:!?\"'()[]")


def without_dots(text: str) -> str:
    """A spelling for those who cannot type it: "Mueller" for Müller."""
    if text.isascii():
        return text
    for letter, others in (("ä", "ae"), ("ö", "oe"), ("ü", "ue"), ("ø", "oe"), ("å", "aa")):
        text = unicodedata.normalize("NFC", text).replace(letter, others)
        text = text.replace(letter.upper(), others.capitalize())
    return text


def composed(text: str) -> str:
    """A spelling with its accents, however they are encoded."""
    return " ".join(unicodedata.normalize("NFKC", text).translate(_SIGNS).casefold().split())


@lru_cache(maxsize=65_536)
def _bare(text: str) -> str:
    if text.isascii():
        return text
    return "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))


_LETTER_FOR_LETTER = _Letters()


class Squeezed:
    """A text as letters and digits in small letters; masked stretches stay as one sign."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._view, self._at = text, None
        if not text.isascii() or "%" in text:
            # letter by letter only where something vanishes or unfolds
            self._view, self._at = (
                _decoded(text) if _UNFOLDS.search(text) else (text.translate(_LETTER_FOR_LETTER), None)
            )
        self._low = self._view.lower()
        self.letters = self._low.translate(_NOT_KEPT) if self._low.isascii() else _letters(self._low)
        self._places: list[int] | None = None

    def find(self, value: Value) -> Iterator[Place]:
        """Where a value stands as a word of its own."""
        at = self.letters.find(value.letters)
        while at >= 0:
            places = self._where()
            first, last = places[at], places[at + len(value.letters) - 1]
            if self._is_whole(value, at, first, last):
                yield Place(self._origin(first), self._origin(last + 1))
            at = self.letters.find(value.letters, at + 1)

    def _where(self) -> list[int]:
        if self._places is None:
            self._places = _places(self._low)
            if len(self._places) != len(self.letters):  # pragma: no cover - letters and places go together
                raise AssertionError("squeezed text")
        return self._places

    def _origin(self, place: int) -> int:
        return place if self._at is None else self._at[place]

    def _is_whole(self, value: Value, at: int, first: int, last: int) -> bool:
        view = self._view
        if not _border(view, first) or not (_border(view, last + 1) or _plural(view, last + 1)):
            return False
        if value.letters[0].isdigit() and _goes_on(view, first - 1, -1):
            return False
        if value.letters[-1].isdigit() and _goes_on(view, last + 1, 1):
            return False
        places = self._where()
        for i in range(1, len(value.letters)):
            gap = view[places[at + i - 1] + 1 : places[at + i]]
            if gap and not (i in value.borders and _may_divide(gap)):
                return False
        return True


class Value(NamedTuple):
    """A value as it is searched."""

    letters: str
    borders: frozenset[int]  # before which of its letters another word begins


@lru_cache(maxsize=65_536)
def value_of(text: str) -> Value:
    view = _bare(text.translate(_SIGNS))
    low = view.lower()
    if view.isascii() and view.isalpha() and view[1:].islower():
        return Value(low, frozenset())  # one word, as most are
    letters: list[str] = []
    borders: set[int] = set()
    for i, character in enumerate(low[: len(view)]):
        if character.isalnum():
            if letters and _border(view, i):
                borders.add(len(letters))
            letters.append(character)
    return Value("".join(letters), frozenset(borders))


def _decoded(text: str) -> tuple[str, list[int]]:
    """A text without accents and escapes, and where each character comes from."""
    made: list[str] = []
    at: list[int] = []
    place = 0
    while place < len(text):
        escape = _ENCODED.match(text, place) if text[place] == "%" else None
        if escape is not None:
            decoded, size = unquote(escape.group(), errors="replace"), len(escape.group())
            decoded = "%" * size if any(c.isascii() and c.isalnum() for c in decoded) else decoded
        else:
            decoded, size = text[place], 1
        if escape is None and unicodedata.category(decoded) in ("Cf", "Mn"):
            place += 1
            continue
        for character in _bare(decoded.translate(_SIGNS)):
            made.append(character if len(character.lower()) == 1 else "?")
            at.append(place)
        place += size
    return "".join(made), [*at, len(text)]


def _letters(low: str) -> str:
    return "".join(c for c in low if c.isalnum() or c == MASK)


_IS_KEPT = np.array([chr(code).isalnum() or chr(code) == MASK for code in range(128)])


def _places(low: str) -> list[int]:
    """Where the letters stand that `_letters` keeps."""
    if low.isascii():
        found: list[int] = np.flatnonzero(_IS_KEPT[np.frombuffer(low.encode(), np.uint8)]).tolist()
        return found
    return [i for i, c in enumerate(low) if c.isalnum() or c == MASK]


def _border(text: str, place: int) -> bool:
    """Whether a word may begin or end before the character at a place."""
    if place <= 0 or place >= len(text):
        return True
    before, behind = text[place - 1], text[place]
    if not before.isalnum() or not behind.isalnum():
        return True
    if before.isdigit() != behind.isdigit() or ord(before) > 0x2E7F or ord(behind) > 0x2E7F:
        return True
    if behind.isupper():
        return before.islower() or (place + 1 < len(text) and text[place + 1].islower())
    return False


def _plural(text: str, place: int) -> bool:
    return any(text.startswith(end, place) and _border(text, place + len(end)) for end in ("s", "es"))


def _goes_on(text: str, place: int, step: int) -> bool:
    """Whether a number goes on behind a sign: 36 is not in 36.5."""
    behind = place + step
    return (
        0 < place < len(text) and text[place] in ".,:/" and 0 <= behind < len(text) and text[behind].isdigit()
    )


def _may_divide(gap: str) -> bool:
    if len(gap) > _LONGEST_GAP or MASK in gap:
        return False
    return not re.search(r"[.!?;]\s", gap) and not re.search(r"[<>\[\]{}()]", gap)


# --- numbers --------------------------------------------------------------------------------------

_RUN = re.compile(r"\d+(?:[.,' ]\d+)*")
_LETTERS_BEFORE = re.compile(r"[A-Za-z]+\Z")
_LETTERS_BEHIND = re.compile(r"[A-Za-z]+")
_ATTACHED = re.compile(r"(?i)[fmwxy]|yo|yrs?|years?|yo[fm]|age|aged|th|st|nd|rd")
_UNITS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen"
)
_NUMBER_WORDS = {w: n for n, w in enumerate(f"{_UNITS} seventeen eighteen nineteen".split())}
_NUMBER_WORDS |= {
    w: 10 * n for n, w in enumerate("twenty thirty forty fifty sixty seventy eighty ninety".split(), 2)
}
_SPELT_SMALL = re.compile(
    rf"\b(?:{'|'.join(_NUMBER_WORDS)}|hundred)(?:[\s-]*(?:and\s+)?(?:{'|'.join(_NUMBER_WORDS)}|hundred))*\b"
)
_SPELT = re.compile(_SPELT_SMALL.pattern, re.IGNORECASE)
_WORD_OF_NUMBER = re.compile("|".join(sorted([*_NUMBER_WORDS, "hundred"], key=len, reverse=True)), re.I)


def numbers_in(text: str) -> Iterator[tuple[Place, set[Decimal]]]:
    """Every number of a text with all that it may mean."""
    for match in _RUN.finditer(text):
        start = match.start()
        for part in (match.group(), *(match.group().split(" ") if " " in match.group() else ())):
            at = text.index(part, start)
            if _stands_alone(text, at, at + len(part)):
                yield Place(at, at + len(part)), _meanings(part)
            start = at if part == match.group() else at + len(part)
    # four times as fast as without regard to capitals
    spelt = _SPELT_SMALL.finditer(text.lower()) if text.isascii() else _SPELT.finditer(text)
    for match in spelt:
        number = _spelt(match.group())
        if number > 12:
            yield Place(*match.span()), {Decimal(number)}


def _stands_alone(text: str, start: int, end: int) -> bool:
    before = _LETTERS_BEFORE.search(text, max(0, start - 8), start)
    behind = _LETTERS_BEHIND.match(text, end)
    if (before and not _ATTACHED.fullmatch(before.group())) or (
        behind and not _ATTACHED.fullmatch(behind.group())
    ):
        return False
    return not (_goes_on(text, start - 1, -1) or (_goes_on(text, end, 1) and text[end] in ":/"))


@lru_cache(maxsize=65_536)
def _meanings(run: str) -> set[Decimal]:
    groups, signs = re.split(r"[.,' ]", run), re.findall(r"[.,' ]", run)
    found = set()
    for choice in product(("", "."), repeat=min(len(signs), 3)):
        thousands = [group for group, sign in zip(groups[1:], choice, strict=False) if sign == ""]
        if any(len(group) != 3 for group in thousands):
            continue
        if "." in choice[:-1] or any(
            sign in "' " for sign, c in zip(signs, choice, strict=False) if c == "."
        ):
            continue
        text = groups[0] + "".join(sign + group for sign, group in zip(choice, groups[1:], strict=False))
        found.add(Decimal(text).normalize())
    return found


def _spelt(words: str) -> int:
    total = 0
    for word in _WORD_OF_NUMBER.findall(words.lower()):
        total = max(total, 1) * 100 if word == "hundred" else total + _NUMBER_WORDS[word]
    return total


def number_of(cell: object) -> Decimal | None:
    try:
        number = Decimal(str(cell).strip().replace(",", ""))
    except InvalidOperation:
        return None
    return abs(number).normalize() if number.is_finite() else None


# --- days -----------------------------------------------------------------------------------------

_NAME = r"(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\.?"
_ORDINAL = r"(\d{1,2})(?:st|nd|rd|th)?"
_DAYS = (
    re.compile(r"(?<![\d.,:/-])(\d{1,4})[-/. ](\d{1,2})[-/. ](\d{2,4})(?!\d|[.,:/-]\d)"),
    re.compile(
        rf"(?i)(?<!\w){_ORDINAL}[\s,.\-/]*(?:of\s+)?{_NAME}[\s,.\-/]*(?:of\s+)?'?(\d{{4}}|\d{{2}})(?!\d)"
    ),
    re.compile(rf"(?i)(?<!\w){_NAME}[\s,.\-/]*(?:the\s+)?{_ORDINAL}[\s,.\-/]+'?(\d{{4}}|\d{{2}})(?!\d)"),
)
_FIGURES = re.compile(r"\d+")
_COMPACT = re.compile(r"(?<!\d)(?:\d{8}|\d{6})(?!\d)")


class Days:
    """Days of one person, and where texts tell them with day, month and year."""

    def __init__(self, days: Collection[date]) -> None:
        self._days = days
        self._known = {tuple(sorted((day.day, day.month, day.year % 100))) for day in days}
        parts = [day.isoformat().split("-") for day in days]
        orders = ((y + m + d, d + m + y, m + d + y, d + m + y[2:], m + d + y[2:]) for y, m, d in parts)
        self._written = {written for order in orders for written in order}

    def places_in(self, text: str) -> Iterator[Place]:
        figures = _FIGURES.findall(text)
        short = {int(one) % 100 for one in figures if len(one) <= 4}
        # a month may be written in letters, all else is in figures
        if any(len({*known} - short) <= 1 for known in self._known):
            yield from self._spelt_in(text)
        if not self._written.isdisjoint(figures):
            for match in _COMPACT.finditer(text):
                if match.group() in self._written:
                    yield Place(*match.span())

    def _spelt_in(self, text: str) -> Iterator[Place]:
        for pattern in _DAYS:
            for match in pattern.finditer(text):
                groups = match.groups()
                parts = [
                    _MONTHS.index(g[:3].lower()) + 1 if g[:1].isalpha() else int(g) % 100 for g in groups
                ]
                if tuple(sorted(parts)) in self._known and any(_same_year(groups, day) for day in self._days):
                    yield Place(*match.span())


def _same_year(groups: tuple[str, ...], day: date) -> bool:
    long = [group for group in groups if len(group) == 4 and group.isdigit()]
    return not long or str(day.year) in long


@lru_cache(maxsize=65_536)
def day_of(cell: str, format: str | None) -> tuple[date, ...]:
    """The days that a cell may mean."""
    from datetime import datetime

    for pattern in (
        format.split("|") if format else ["%Y-%m-%d", "%Y/%m/%d", "%Y-%m-%d %H:%M:%S", "%Y-%m-%dT%H:%M:%S"]
    ):
        try:
            return (datetime.strptime(cell.strip(), pattern).date(),)
        except ValueError:
            continue
    if format:
        return ()
    found = []
    for pattern in ("%d/%m/%Y", "%m/%d/%Y", "%d.%m.%Y", "%d-%m-%Y", "%Y%m%d"):
        try:
            found.append(datetime.strptime(cell.strip(), pattern).date())
        except ValueError:
            continue
    return tuple(found)
