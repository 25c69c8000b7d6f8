"""A grammar over tokens: forms of dates, times and durations that find what they describe and read it.

A text is reduced to one sign per token: a word gets the sign of the lists that have it, a number that of what
it can be (a day, an hour, a year), punctuation stays. Blanks are one, two (a tab), a line break, or a gap,
which ends a mention (\\v). A form is a pattern over these signs, written with the names of lists and
numbers in capitals and with words in small letters:

    (WEEKDAY,? )?the D_ST of MONTH YEAR

<...> marks what counts, ~ is one of - / . throughout, _ is nothing; `parts` name pieces of forms. A form that
says in which order it `reads` day, month and year (dmy, mdy, my, ...) gives dates, too; a date that does not
exist is none. Who looks for dates takes capitals as they are ("may" is a verb); who knows that a value is a
date does not.

Cost        O(tokens) once per text, and one search over the reduced text per form
Randomness  none
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, cached_property, lru_cache
from itertools import accumulate
from typing import NamedTuple

from heteronym.text.guards import around
from heteronym.text.index import index_of
from heteronym.text.lexicon import is_clinical, lexicon
from heteronym.text.rule import compiled
from heteronym.text.stretches import joined

_TOKEN = re.compile(r"[^\W\d_]+|\s+|\d+|.", re.DOTALL)
_ASCII_TOKEN = re.compile(r"[A-Za-z]+|\s+|[0-9]+|.", re.DOTALL)
_NUMBERS, _WORDS = 0xE000, 0xE200  # where the signs of numbers and of words begin
_NUMBER, _SIGN = "[\ue000-\ue1ff]", "[\ue000-\uf8ff]"
# What may not stand right before and behind a mention: words and numbers that it would tear apart.
_STRICT = (
    rf"(?<!{_SIGN})(?<![-/:,$€£#@§&_\\])(?<!{_NUMBER}\.)",
    rf"(?!{_SIGN}|[-–.,:/]{_NUMBER}|[-‑]{_SIGN}|%|°)",
)
_LENIENT = rf"(?<!{_SIGN})(?<!{_NUMBER}[.,:/])", rf"(?!{_SIGN}|[.,:/]{_NUMBER})"
# Names, words and numbers of a form; what is in brackets or braces, or behind a backslash, stays as it is.
_PIECE = re.compile(r"\[[^\]]*\]|\{[\d,]+\}|\\.|\(\?.|[A-Z]?[a-z]+|[A-Z]+|\d+|.", re.DOTALL)
_SPELT = {" ": "[ \t\n]", "-": "[-–‑—]", "'": "['’‘]", "(": "(?:", "_": ""}
_BREAK = re.compile(r"\r\n|[\n\r\v\f\x85\u2028\u2029]")
_REMEMBERED = 50_000  # tokens
_AROUND = 24  # tokens around one that a form needs
_THIS_CENTURY = 40  # two digits below this


class PartialDate(NamedTuple):
    """A date as far as it is told; None where it is not."""

    year: int | None = None
    month: int | None = None
    day: int | None = None

    def contains(self, date: dt.date) -> bool:
        year, month, day = self
        return year in (None, date.year) and month in (None, date.month) and day in (None, date.day)

    def exists(self) -> bool:
        try:
            return dt.date(self.year or 2000, self.month or 1, self.day or 1) is not None
        except ValueError:
            return False


class Form(NamedTuple):
    """A row of the pack."""

    name: str
    type: str
    score: float
    form: str
    reads: str = ""  # orders of d, m and y, with a blank between them
    near: str = ""  # lists, words and kinds of numbers: it has one of them
    unless: str = ""  # what is no mention by itself
    not_behind: str = ""  # a list of words: none of them stands right before it
    not_near: str = ""  # none of them is among the words before it
    several: bool = False  # there are others of its kind in the text
    somebody: bool = False  # somebody is spoken of nearby
    clinical: bool = False  # the text is a note about a patient


class DateMatch(NamedTuple):
    """What a form describes, where it stands, and as which dates it may be read."""

    start: int
    end: int
    form: Form
    dates: tuple[PartialDate, ...]


class Reduced:
    """A text as signs; token i stands from starts[i] to starts[i + 1]."""

    def __init__(self, signs: str, tokens: Sequence[str]) -> None:
        self.signs, self.tokens = signs, tokens
        self.windows: dict[str, list[tuple[int, int]]] = {}

    @cached_property
    def starts(self) -> list[int]:
        return list(accumulate(map(len, self.tokens), initial=0))


class _Signs(dict[str, str]):
    """The signs of tokens that were read; words of texts come again and again."""

    def __init__(self, sign_of: Callable[[str], str]) -> None:
        super().__init__()
        self._sign_of = sign_of

    def __missing__(self, token: str) -> str:
        if len(self) >= _REMEMBERED:
            self.clear()
        self[token] = self._sign_of(token)
        return self[token]


def kinds_of(digits: str) -> frozenset[str]:
    """What a number can be."""
    size, value = len(digits), int(digits[:8])
    hour, minute = divmod(value, 100)
    kinds = {
        "D": size < 3 and 1 <= value <= 31,
        "LATE": size < 3 and 13 <= value <= 31,
        "M": size < 3 and 1 <= value <= 12,
        "MM": size == 2 and 1 <= value <= 12,
        "H": size < 3 and 1 <= value <= 12 and digits[0] != "0",
        "HOUR": size < 3 and value <= 24,
        "HH": size == 2 and value <= 23,
        "MIN": size == 2 and value <= 59,
        "FIVES": size == 2 and value <= 55 and value % 5 == 0,
        "YY": size == 2,
        "FEW": size < 3,
        "COUNT": size < 5,
        "TEN": size in (2, 4) and value % 10 == 0 and value < 2100,
        "YEAR": size == 4 and 1000 <= value < 2100,
        "RECENT": size == 4 and 1500 <= value < 2050,
        "HHMM": size == 4 and hour <= 23 and minute <= 59,
        "EARLY": size == 4 and hour <= 9 and minute <= 59,
        "DDMMYY": size in (6, 8) and bool(_SHORT_DATE.fullmatch(digits)),
        "SCHOOL": size < 3 and 1 <= value <= 13,
        "QUARTER": size == 1 and 1 <= value <= 4,
    }
    return frozenset(["N", *(kind for kind, holds in kinds.items() if holds)])


_SHORT_DATE = re.compile(
    r"(?:0[1-9]|[12]\d|3[01])(?:0[1-9]|1[0-2])(?:(?:19|20)\d\d|\d\d)"
    r"|(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])"
)
# Numbers that stand for all others of their kinds
_SAMPLES = (
    *map(str, range(10)),
    *(f"{n:02d}" for n in range(100)),
    *(f"{hour:02d}{minute:02d}" for hour in range(100) for minute in range(0, 100, 5)),
    *"123 12345 123456 010190 01011990".split(),
)
_kinds = lru_cache(4096)(kinds_of)


class Grammar:
    """The lists of words of a language's pack, and the forms of its files."""

    def __init__(self, language: str) -> None:
        self.language, self._file = language, lexicon("dates", language)
        self._parts = self._file.table("parts")
        self._of: dict[str, set[str]] = {}  # the signs of a list, a word or a kind of number
        self._signs: dict[frozenset[str], str] = {}
        self._used = {_NUMBERS: 0, _WORDS: 0}
        self._phrases: dict[str, list[str]] = {}
        for digits in _SAMPLES:
            self._sign(_kinds(digits), _NUMBERS)
        self._of["CAP"] = {chr(0xF8FE)}  # a word with a capital that no list has
        strict, lenient = self._spellings()
        self._strict = _Signs(lambda token: strict.get(token) or self._sign_of(token))
        self._lenient = _Signs(
            lambda token: lenient.get(token) or lenient.get(token.lower()) or self._sign_of(token)
        )
        self._values = _values(language)
        self._somebody = lexicon("common", language).compiled("SOMEBODY")

    def _sign(self, kinds: frozenset[str], first: int) -> str:
        if kinds not in self._signs:
            self._signs[kinds] = chr(first + self._used[first])
            self._used[first] += 1
            for kind in kinds:
                self._of.setdefault(kind, set()).add(self._signs[kinds])
        return self._signs[kinds]

    def _spellings(self) -> tuple[dict[str, str], dict[str, str]]:
        """The sign of each word, as it is written and whatever its capitals are."""
        lists: dict[str, set[str]] = {}

        def add(word: str, name: str) -> None:
            spellings = (word, word.capitalize()) if word.islower() else (word, word.upper())
            for spelling in (word[1:],) if word[0] == "=" else spellings:
                lists.setdefault(spelling, set()).add(name)

        for name, entries in self._file.lists().items():
            if all(entry.lstrip("=").isalpha() for entry in entries):
                for entry in entries:
                    add(entry, name)
                continue
            self._phrases[name] = sorted(entries, key=len, reverse=True)
            for word in filter(str.isalpha, (w for entry in entries for w in _TOKEN.findall(entry))):
                add(word, f"={word}")
        forms = [form.form for file in ("dates", "times") for form in forms_of(file, self.language)]
        for form in (*forms, *self._parts.values()):
            for piece in _PIECE.findall(form):
                if piece.isdigit():
                    self._sign(_kinds(piece) | {f"={piece}"}, _NUMBERS)
                elif piece.isalpha() and not piece.isupper():
                    add(piece, f"={piece}")
        strict = {word: self._sign(frozenset(names), _WORDS) for word, names in lists.items()}
        folded: dict[str, set[str]] = {}
        for word, names in lists.items():
            folded.setdefault(word.lower(), set()).update(names)
        return strict, {word: self._sign(frozenset(names), _WORDS) for word, names in folded.items()}

    def reduced(self, text: str, *, strict: bool = True) -> Reduced:
        tokens = (_ASCII_TOKEN if text.isascii() else _TOKEN).findall(text)
        known = self._strict if strict else self._lenient
        return Reduced("".join(map(known.__getitem__, tokens)), tokens)

    def _windows(self, reduced: Reduced, near: str) -> list[tuple[int, int]]:
        """Where a form can stand that needs one of these words or numbers."""
        if near not in reduced.windows:
            size = len(reduced.signs)
            found = (one.span() for one in _telling(self, near).finditer(reduced.signs))
            around = ((max(0, start - _AROUND), min(end + _AROUND, size)) for start, end in found)
            reduced.windows[near] = joined(around, touching=True)
        return reduced.windows[near]

    def _sign_of(self, token: str) -> str:
        if token[0].isdigit():
            kinds = _kinds(token) if token.isascii() else frozenset()
            return self._signs.get(kinds | {f"={token}"}) or self._signs.get(kinds, chr(_WORDS - 1))
        if token[0].isspace():
            breaks = len(_BREAK.findall(token))
            if breaks:
                return "\n" if breaks == 1 else "\v"
            return " \t\v"[min(len(token), 3) - 1]
        if token[0].isalpha() or len(token) > 1:  # "½l" is a word: each token has one sign
            return chr(0xF8FF - token[0].isupper())
        return "?" if "\ue000" <= token <= "\uf8ff" else token

    def telling(self, near: str) -> str:
        """A pattern of these lists, words and kinds of numbers."""
        return "|".join(self._piece(name, {}) for name in near.split())

    def expression(self, form: str, *, strict: bool) -> str:
        before, behind = _STRICT if strict else _LENIENT
        forms = [form.replace("~", separator) for separator in ("-", "/", r"\.")] if "~" in form else [form]
        if "<" not in form.replace("(?<", ""):
            forms = [f"<{one}>" for one in forms]
        marks = {"<": f"{before}(", ">": f"){behind}"}
        return "|".join(self._spelt(one, marks) for one in forms)

    def _spelt(self, form: str, marks: Mapping[str, str]) -> str:
        return "".join(self._piece(piece, marks) for piece in _PIECE.findall(form))

    def _piece(self, piece: str, marks: Mapping[str, str]) -> str:
        if piece in self._parts:
            return f"(?:{self._spelt(self._parts[piece], marks)})"
        if piece in self._phrases:
            return f"(?:{'|'.join(map(self._phrase, self._phrases[piece]))})"
        if piece.isalnum():
            return self._one_of(piece if piece.isupper() else f"={piece}")
        return marks.get(piece) or _SPELT.get(piece, piece)

    def _phrase(self, phrase: str) -> str:
        tokens = _TOKEN.findall(phrase)
        return "".join(self._one_of(f"={t}") if t.isalpha() else _SPELT.get(t, t) for t in tokens)

    def _one_of(self, name: str) -> str:
        return f"[{''.join(sorted(self._of[name]))}]"

    def find(self, text: str, file: str) -> Iterator[DateMatch]:
        """All that the forms of a file describe in a text; places may overlap."""
        reduced = index_of(text).cached(self.reduced)
        for form in forms_of(file, self.language):
            found = [one for one in self.found(reduced, form, strict=True) if self._counts(text, one)]
            if len(found) > form.several:
                yield from found

    def _counts(self, text: str, found: DateMatch) -> bool:
        form, (start, end) = found.form, found[:2]
        if form.unless and text[start:end].lower().replace(" ", "_") in form.unless.split():
            return False
        if form.clinical and not is_clinical(text):
            return False
        for refused, reach in ((form.not_behind, 1), (form.not_near, 4)):
            if refused:
                before = filter(str.isalpha, _TOKEN.findall(text[max(0, start - 40) : start].lower()))
                if not self._file.words(refused).isdisjoint(list(before)[-reach:]):
                    return False
        return not form.somebody or self._somebody.search(text, *around(text, start, end)) is not None

    def read(self, text: str, *, least: int = 1) -> Iterator[DateMatch]:
        """The dates of a text that tell so much of day, month and year, whatever their capitals are."""
        reduced = self.reduced(text, strict=False)
        for form in _reading(self.language, least):
            yield from self.found(reduced, form, strict=False)

    def found(self, reduced: Reduced, form: Form, *, strict: bool) -> Iterator[DateMatch]:
        windows = self._windows(reduced, form.near) if form.near else [(0, len(reduced.signs))]
        if not windows:
            return
        pattern = _pattern(self, form.form, strict)
        for match in (m for window in windows for m in pattern.finditer(reduced.signs, *window)):
            first, last = match.span(match.lastindex or 0)
            dates = tuple(dict.fromkeys(self._dates(reduced.tokens[first:last], form.reads.split())))
            if dates or not form.reads:
                yield DateMatch(reduced.starts[first], reduced.starts[last], form, dates)

    def _dates(self, tokens: Sequence[str], orders: Sequence[str]) -> Iterator[PartialDate]:
        values: list[int] = []
        for token in tokens:
            if token.isdigit():
                values.append(int(token) if len(token) != 2 else -int(token))  # a year may be meant
            elif (value := self._values.get(token.lower())) is not None:
                if values and values[-1] in (20, 30) and value < 10:
                    values[-1] += value  # "twenty-first"
                else:
                    values.append(value)
        exact = [order for order in orders if len(order) == len(values)]
        for order in exact or orders[:1]:  # behind a whole date there may be a time
            parts = {_ROLES[role]: _year(n) if role == "y" else abs(n) for role, n in zip(order, values)}
            if len(order) == len(parts) and 0 not in parts.values() and PartialDate(**parts).exists():
                yield PartialDate(**parts)


_ROLES = {"y": "year", "m": "month", "d": "day"}


def _year(digits: int) -> int:
    """Two digits (below nought): the century that lies nearer, as people write them."""
    return digits if digits > 0 else (2000 if -digits < _THIS_CENTURY else 1900) - digits


def _values(language: str) -> dict[str, int]:
    """What words say that stand for numbers and months."""
    common = lexicon("common", language)
    firsts = [name[:3].lower() for name in common.listed("MONTHS")]
    values = {name.lower(): firsts.index(name[:3].lower()) + 1 for name in common.listed("MONTHS")}
    for name, first, step in (("UNITS", 0, 1), ("TENS", 20, 10), ("ORDINALS", 1, 1)):
        values |= {word: first + step * n for n, word in enumerate(common.listed(name))}
    return values | {word[:-1] + "ieth": values[word] for word in common.listed("TENS")}


_grammars = cache(Grammar)


def grammar(language: str = "en") -> Grammar:
    """One object, whether or not English is named."""
    return _grammars(language)


@cache
def forms_of(file: str, language: str) -> tuple[Form, ...]:
    rows = lexicon(file, language).rows("forms")
    return tuple(Form(**{key: row[key] for key in Form._fields if key in row}) for row in rows)


@cache
def _reading(language: str, least: int) -> tuple[Form, ...]:
    forms = (form for form in forms_of("dates", language) if form.reads)
    return tuple(form for form in forms if max(map(len, form.reads.split())) >= least)


@cache
def _pattern(grammar: Grammar, form: str, strict: bool) -> re.Pattern[str]:
    return compiled(grammar.expression(form, strict=strict))


@cache
def _telling(grammar: Grammar, near: str) -> re.Pattern[str]:
    return compiled(grammar.telling(near))
