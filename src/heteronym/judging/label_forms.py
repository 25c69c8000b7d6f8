"""Reads labels in the forms of the common tools: which of a column's original values may one mean?

`[20, 30[`, `20-30`, `>=40`, `under 30`, `30s`, `1[0-9]`, `12***`, `2024-Q1`, `03/2024`, `{a,b}`, nodes of a
hierarchy file, `*`, `NA`, `<PERSON>`, `[REDACTED]`, `XXXX` and black boxes. A label that is a value of the
data means that value. What no form fits is unread: it may mean anything until rows show what it stands for.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from calendar import monthrange
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property
from typing import Any

from heteronym.judging.meanings import Run, runs_of
from heteronym.model.hierarchy import Hierarchy
from heteronym.verify.days import MONTHS
from heteronym.verify.forms import key_form
from heteronym.verify.label_forms import is_starred, set_members, unstarred
from heteronym.verify.labels import leaves_below

Read = tuple[list[Run], bool] | None

_NOTHING = frozenset(
    "na n/a nan null none nil any all all values missing suppressed redacted removed hidden masked masking "
    "anonymized anonymised deleted withheld blank confidential unknown undisclosed".split()
) | {"all values", "not available", "not disclosed"}
_WIPED = re.compile(r"[\s*?xX#_.\-–█▇■●•▪⬛…/:]*[*?xX#_█▇■●•▪⬛…\-][\s*?xX#_.\-–█▇■●•▪⬛…/:]*")
_PLACEHOLDER = re.compile(r"[<\[({]{1,2}\s*/?([A-Za-z][A-Za-z _/-]*?)(?:[ _:#-]*\d+)?\s*/?[>\])}]{1,2}")
_NUMBER = r"[-+]?\d+(?:[.,]\d+)*(?:[eE][-+]?\d+)?"
_TO = r"(?:\s*(?:-|–|—|\.\.\.?|:|,|;|\bto\b|\band\b|\|)\s*)"
_BETWEEN = re.compile(
    rf"([\[\](]?)\s*({_NUMBER}|-?inf\w*)\s*{_TO}\s*({_NUMBER}|\+?inf\w*)\s*([\])\[]?)", re.I
)
_LEAST = re.compile(
    rf"(?:(>=|≥|=>|>|over|above|at least|from|more than|min\.?)\s*({_NUMBER})"
    rf"|({_NUMBER})\s*(?:(\+)|(?:years? )?((?:or|and) (?:more|older|over|above|later|up)|plus)))",
    re.I,
)
_MOST = re.compile(
    rf"(?:(<=|≤|=<|<|under|below|at most|up to|less than|max\.?|until)\s*({_NUMBER})"
    rf"|({_NUMBER})\s*(?:or (?:less|younger|under|below|fewer|earlier)|and (?:under|below|younger|earlier)))",
    re.I,
)
_AROUND = re.compile(rf"(?:~|≈|about|approx\.?|circa|ca\.?)\s*({_NUMBER})", re.I)
_DECADE = re.compile(r"(?:(early|mid|late)[- ])?(\d{1,3}0)'?s", re.I)
_PERIOD = re.compile(
    r"(?P<y>\d{4})|(?P<yq>\d{4})[-/ ]?Q(?P<q>[1-4])|Q(?P<q2>[1-4])[-/ ](?P<yq2>\d{4})"
    r"|(?P<ym>\d{4})[-/.](?P<m>\d{1,2})|(?P<m2>\d{1,2})[-/.](?P<ym2>\d{4})"
    r"|(?P<n>[A-Za-z]{3,9})\.?[ ,-]+(?P<yn>\d{4})|(?P<yw>\d{4})-?W(?P<w>\d{1,2})"
)
_CLASSES = re.compile(r"\[[^\]\\]{1,40}\]|\\d|\.(?=\Z|[.*+{])")
_MASKED = re.compile(r"[*?_#█▇■●•▪⬛…]|(?<![^\W_])[xX](?![^\W\d_])|(?<=\d)[xX]+|[xX]{2,}")
_BEFORE = re.compile(r"(before|until|by)() (.+)", re.I)
_AFTER = re.compile(r"(after|since|from)() (.+)", re.I)
_OPENING = "[({"


@dataclass(repr=False)
class Values:
    """A column's original values, sorted: names as texts, numbers and days as floats beside their texts."""

    texts: Sequence[str]  # as they are written, in the order of `keys`
    numbers: Sequence[float] | None = None  # sorted; days count from the first of January of year 1
    is_days: bool = False
    read_day: Callable[[str], date | None] | None = None
    trees: Hierarchy | None = None
    order: Sequence[str] = ()
    recoder: str | None = None
    places: Mapping[str, list[int]] = field(init=False)

    def __post_init__(self) -> None:
        found: dict[str, list[int]] = {}
        for place, text in enumerate(self.texts):
            found.setdefault(text.casefold(), []).append(place)
        self.places = found

    def __repr__(self) -> str:
        return f"Values({len(self.texts)})"

    @cached_property
    def by_text(self) -> tuple[list[str], list[int]]:
        """Folded texts in their own order, and the place of each."""
        pairs = sorted((text.casefold(), place) for place, text in enumerate(self.texts))
        return [text for text, _ in pairs], [place for _, place in pairs]

    @property
    def all(self) -> list[Run]:
        return [(0, len(self.texts))] if self.texts else []

    def between(
        self, low: float, high: float, *, open_low: bool = False, open_high: bool = False
    ) -> list[Run]:
        numbers = self.numbers or ()
        first = (bisect_right if open_low else bisect_left)(numbers, low)
        last = (bisect_left if open_high else bisect_right)(numbers, high)
        return [(first, last)] if first < last else []


def read_label(label: str | None, values: Values, *, empty_is_gone: bool) -> Read:
    """The runs of values that a label may mean, and whether a missing one fits; None if it cannot be read."""
    if label is None or not key_form(label):
        return (values.all if empty_is_gone else [], True)
    text = key_form(label)
    if is_starred(text):
        alone = unstarred(text)
        return read_label(alone, values, empty_is_gone=empty_is_gone)
    if values.numbers is None and text.casefold() in values.places:
        return runs_of(sorted(values.places[text.casefold()])), False
    if is_wiped(text):
        return values.all, True
    members = set_members(text)
    if members != [text]:
        return _of_members(members, values)
    if values.trees is not None:
        leaves = leaves_below(text, values.trees)
        if leaves:
            return _of_names(leaves, values), False
    for read in (_read_numbers if values.numbers is not None else _read_names, _read_mask):
        runs = read(text, values)
        if runs is not None:
            return runs, False
    return None


def is_wiped(text: str) -> bool:
    """Whether a cell says nothing but that something was there."""
    plain = text.strip()
    if _WIPED.fullmatch(plain) or plain.casefold() in _NOTHING:
        return True
    inside = _PLACEHOLDER.fullmatch(plain)
    return inside is not None and (inside[1].isupper() or inside[1].casefold() in _NOTHING or plain[0] == "<")


def _of_members(members: Sequence[str], values: Values) -> Read:
    found: set[int] = set()
    missing = False
    for member in members:
        if not member:
            missing = True
            continue
        read = read_label(member, values, empty_is_gone=False)
        if read is None:
            return None
        found |= {place for a, b in read[0] for place in range(a, b)}
        missing |= read[1] and not is_wiped(member)
    return runs_of(sorted(found)), missing


def _of_names(names: Any, values: Values) -> list[Run]:
    return runs_of(sorted({p for name in names for p in values.places.get(str(name).casefold(), ())}))


# --- numbers and days -------------------------------------------------------------------------------


def _number(text: str) -> float | None:
    plain = text.strip()
    if re.fullmatch(r"[-+]?\d{1,3}(?:,\d{3})+(?:\.\d+)?", plain):
        plain = plain.replace(",", "")
    try:
        return float(plain.replace(",", "."))
    except ValueError:
        return None


def _read_numbers(text: str, values: Values) -> list[Run] | None:
    if values.is_days:
        return _read_days(text, values)
    plain = re.sub(r"\s*(?:years?(?: old)?|yrs?|y\.?o\.?|%|€|\$|usd|eur|kg|cm)\s*\Z", "", text, flags=re.I)
    plain = re.sub(r"\A(?:aged?|\$|€|£)\s*", "", plain, flags=re.I)
    number = _number(plain) if re.fullmatch(_NUMBER, plain) else None
    if number is not None:
        return values.between(number, number)
    between = _BETWEEN.fullmatch(plain)
    if between is not None:
        return _bounded(between, values)
    least, most, around = _LEAST.fullmatch(plain), _MOST.fullmatch(plain), _AROUND.fullmatch(plain)
    if least is not None:
        low = _number(least[2] or least[3]) or 0.0
        return values.between(
            low, float("inf"), open_low=(least[1] or "").lower() in (">", "over", "above", "more than")
        )
    if most is not None:
        high = _number(most[2] or most[3]) or 0.0
        return values.between(
            float("-inf"), high, open_high=(most[1] or "").lower() in ("<", "under", "below", "less than")
        )
    decade = _DECADE.fullmatch(plain)
    if decade is not None:
        first = float(decade[2])
        low, high = {"early": (0, 4), "mid": (3, 7), "late": (6, 10)}.get((decade[1] or "").lower(), (0, 10))
        return values.between(first + low, first + high, open_high=True)
    if around is not None:
        middle = _number(around[1]) or 0.0
        width = max(abs(middle) * 0.1, 1.0)
        return values.between(middle - width, middle + width)
    return None


def _bounded(found: re.Match[str], values: Values) -> list[Run]:
    low, high = (
        (float("-inf") if "-" in text else float("inf")) if "inf" in text.lower() else _number(text)
        for text in (found[2], found[3])
    )
    if low is None or high is None or low > high:
        return []
    return values.between(low, high, open_low=found[1] in ("(", "]"), open_high=found[4] in (")", "["))


def _read_days(text: str, values: Values) -> list[Run] | None:
    ends = _ends_of_days(text, values)
    if ends is not None:
        return values.between(*map(float, ends))
    for pattern in (
        r"[\[\](]?\s*(.+?)\s*(?:\s-\s|–|—|\.\.|,|;|\bto\b|/(?=\d{4}-))\s*(.+?)\s*[\])\[]?",
        r"\[(\d{4}(?:-Q\d|-\d\d(?:-\d\d)?)?)-(\d{4}(?:-Q\d|-\d\d(?:-\d\d)?)?)[\])\[]",
        r"(\d{4})-(\d{4})",
    ):
        both = re.fullmatch(pattern, text)
        if both is not None:
            first, last = (_ends_of_days(part, values) for part in both.groups())
            if first is not None and last is not None:
                return values.between(first[0], last[1])
    decade = re.fullmatch(r"(\d{3}0)'?s", text)
    if decade is not None:
        return values.between(
            date(int(decade[1]), 1, 1).toordinal(), date(int(decade[1]) + 9, 12, 31).toordinal()
        )
    for open_end, is_least in ((_LEAST, True), (_MOST, False), (_BEFORE, False), (_AFTER, True)):
        found = open_end.fullmatch(text)
        if found is not None:
            ends = _ends_of_days(found[2] or found[3], values)
            if ends is not None:
                return (
                    values.between(ends[0], float("inf"))
                    if is_least
                    else values.between(float("-inf"), ends[1])
                )
    return None


def _ends_of_days(text: str, values: Values) -> tuple[int, int] | None:
    """First and last day of a day, month, quarter or year."""
    text = text.strip()
    found = _PERIOD.fullmatch(text)
    if found is None:
        day = values.read_day(text) if values.read_day is not None else None
        if day is None:
            try:
                day = date.fromisoformat(text[:10]) if re.match(r"\d{4}-\d\d-\d\d(?:[T ]|\Z)", text) else None
            except ValueError:
                day = None
        return None if day is None else (day.toordinal(), day.toordinal())
    part = found.groupdict()
    year = int(next(part[name] for name in ("y", "yq", "yq2", "ym", "ym2", "yn", "yw") if part[name]))
    first, last = 1, 12
    if part["q"] or part["q2"]:
        last = 3 * int(part["q"] or part["q2"])
        first = last - 2
    elif part["m"] or part["m2"]:
        first = last = int(part["m"] or part["m2"])
    elif part["n"]:
        first = last = next((n for n, name in enumerate(MONTHS, 1) if name.startswith(part["n"].lower())), 0)
    if not (1 <= first <= 12 and 1 <= year <= 9999):
        return None
    if part["w"]:
        try:
            monday = date.fromisocalendar(year, int(part["w"]), 1).toordinal()
        except ValueError:
            return None
        return monday, monday + 6
    return date(year, first, 1).toordinal(), date(year, last, monthrange(year, last)[1]).toordinal()


# --- names and masks --------------------------------------------------------------------------------


def _read_names(text: str, values: Values) -> list[Run] | None:
    """Several known names in one label, in whatever brackets; ranges of an order."""
    bare = text[1:-1] if text[0] in _OPENING and text[-1] in "])}" else text
    if values.order:
        ends = re.fullmatch(r"(.+?)\s*(?:-|–|\bto\b)\s*(.+)", bare)
        if ends is not None and ends[1] in values.order and ends[2] in values.order:
            first, last = values.order.index(ends[1]), values.order.index(ends[2])
            return _of_names(values.order[first : last + 1], values)
    if bare.casefold() in values.places and bare != text:
        return _of_names([bare], values)
    for sign in (",", "|", ";", "/", " or ", " and ", "+", "&", "-"):
        parts = [part.strip().strip("'\"") for part in bare.split(sign)]
        if len(parts) > 1 and all(part.casefold() in values.places for part in parts):
            return _of_names(parts, values)
    if all(map(_is_figures, values.texts[:50])) and (values.texts and _is_figures(values.texts[-1])):
        return _digits_between(bare, values)
    opposite = re.fullmatch(r"(?:not|non|other than)[ -](.+)", text, re.I)
    if opposite is not None and opposite[1].casefold() in values.places:
        gone = set(values.places[opposite[1].casefold()])
        return runs_of([place for place in range(len(values.texts)) if place not in gone])
    return None


def _is_figures(text: str) -> bool:
    return text.replace(".", "", 1).replace("-", "", 1).isdigit()


def _digits_between(bare: str, values: Values) -> list[Run] | None:
    """A range of numbers in a column whose values are names made of figures, as postcodes are."""
    found = re.fullmatch(rf"({_NUMBER}){_TO}({_NUMBER})", bare)
    if found is None:
        return None
    low, high = _number(found[1]), _number(found[2])
    if low is None or high is None or low > high:
        return None
    inside = [
        p for p, text in enumerate(values.texts) if (n := _number(text)) is not None and low <= n <= high
    ]
    return runs_of(inside)


def _read_mask(text: str, values: Values) -> list[Run] | None:
    """Values that show through a mask: `12***`, `1[0-9]`, `J*** S****`, `2024-03-XX`, `A.*`."""
    pattern = _pattern_of(text)
    if pattern is None:
        return None
    start = re.match(r"[^\W_]*", text.casefold())
    literal = start.group() if start else ""
    first = _MASKED.search(text)
    if first is not None:
        literal = literal[: first.start()]
    classes = _CLASSES.search(text)
    if classes is not None:
        literal = literal[: classes.start()]
    texts, places = values.by_text
    low = bisect_left(texts, literal)
    high = bisect_left(texts, literal + "\U0010ffff")
    found = [places[n] for n in range(low, high) if pattern.fullmatch(texts[n])]
    return runs_of(sorted(found)) if found else None


def _pattern_of(text: str) -> re.Pattern[str] | None:
    masked = _MASKED.search(text) is not None
    if not masked and not _CLASSES.search(text):
        return None
    shown = sum(map(str.isalnum, _MASKED.sub("", text)))
    if not shown or len(text) > 200:
        return None
    made = []
    for part in re.split(
        r"(\[[^\]\\]{1,40}\]|\\d|\.\*|[*?_#█▇■●•▪⬛…]+|(?<![^\W_])[xX]+(?![^\W\d_])|(?<=\d)[xX]+|[xX]{2,})",
        text.casefold(),
    ):
        if not part:
            continue
        if part[0] == "[" and len(part) > 1:
            made.append(part)
        elif part == r"\d":
            made.append(r"\d")
        elif part == ".*" or _MASKED.fullmatch(part[0]) or set(part) <= set("xX"):
            made.append(".*?" if len(part) != 1 else ".+?" if part != "*" else ".*?")
        else:
            made.append(re.escape(part))
    try:
        return re.compile("".join(made), re.DOTALL)
    except re.error:
        return None
