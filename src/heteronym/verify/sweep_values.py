"""What the sweep looks for: the writings of a value, when they are marked enough, and where they stand.

The rules are those of docs/own-values.md, in the auditor's own words. A telling is a folded writing; it
stands where a text folds to it, with borders of words around it and nothing between its characters but
what the value has there, the groups of a number, a hyphen at a line's end or spaced letters.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from datetime import date
from functools import lru_cache
from itertools import pairwise
from typing import Literal, NamedTuple

import numpy as np
import polars as pl

from heteronym.verify.folding import Placed, folded_value
from heteronym.verify.names import grammar, is_counted

Kind = Literal["identifier", "surface", "item"]

_LETTERS = re.compile(r"[^\W\d_]+")
_WORD = re.compile(r"[^\W_]+")
_LABELS = ("id", "no", "nr", "number", "mrn", "record", "patient", "case", "ref")
_TITLES = frozenset("dr herr frau miss mr mrs ms prof sir".split())
_PARTICLES = frozenset("al da de del den der di du el la le van von".split())
_MOST_NAMES = 8  # words of a name: more are a sentence
_LEAST = 3  # characters of anything that is swept for
_LEAST_DIGITS = 4  # of a number that counts in its person's rows; shorter ones need a label
_LEAST_CORE = 5  # digits of a code that tell it without its letters
_LONGEST_CODE = 40  # characters: figures of a sentence are no code
_LEAST_MIXED = 5  # letters and digits of a part that tells a whole
_MANY_VALUES = 20  # of an identifier with one word: it tells none of them
_LEAST_ANYWHERE = 5  # characters of a code, with three digits, that counts in anybody's rows
_LEAST_NUMBER_ANYWHERE = 7  # digits
_LEAST_NAME_ANYWHERE = 8  # letters of two words
_CERTAIN = 10  # characters that need no borders
_SPARSE = 1 / 1000  # share of all numbers of so many digits that may be identifiers

_GROUPS = re.compile(r"[\s,٬.\-−\u2010-\u2015/⁄∕()'’_:∶·•‧∙・+]{1,3}")
_BETWEEN = re.compile(r"[\s,٬.\-\u2010-\u2015/()'’_:;#=@+\\]{1,4}")
_LINE_END = re.compile(
    r"[-\u2010\u2011\u00ad]?\s*\n[\s>|#*+/%;\-]*|[-\u2010\u2011]\s+(?:[>|#*+/%;]+\s*)*|[\u201c-\u201f\xab\xbb]"
)
_PLURAL = re.compile(r"(?:e?s|['’]s)(?![^\W_])")
_WHOLE = re.compile(r"\.0+\s*\Z")  # the end of "17.0"
_NO_CENTS = re.compile(r"[.,]0{1,2}(?!\d)")
_BETWEEN_BLANKS = re.compile(r"[\s,;()\[\]]+")
_NUMBERED = re.compile(r"([^\d(\[#]+?)[\s,;:(\[#/\-]+\d+[\])]?\Z")
_ZEROS = re.compile(r"(?<!\d)0+(?=\d)")
_DAY = re.compile(r"(\d{4})-(\d\d)-(\d\d)(?:[T ].*)?")


class Telling(NamedTuple):
    folded: str
    breaks: tuple[int, ...]  # places inside it where the value itself has a gap
    kind: Kind
    name: str = ""
    capital: bool = False  # only written with a capital: a word of grammar


# --- the writings of a value ------------------------------------------------------------------------


@lru_cache(maxsize=65_536)
def tellings_of_identifier(value: str, name: str) -> tuple[Telling, ...]:
    """All that tells an identifier in the rows of its person."""
    return tuple(dict.fromkeys(one for one in _of_identifier(value, name) if len(one.folded) >= _LEAST))


def _of_identifier(value: str, name: str) -> Iterator[Telling]:
    digits = "".join(c for fold in folded_value(value)[:1] for c in fold if c.isdigit())
    if value.strip().isdigit() and len(digits) < _LEAST_DIGITS:
        for label in dict.fromkeys((*_LABELS, *folded_value(name))):
            yield Telling(label + digits, (len(label),), "identifier", name)
        return
    yield from _whole(value, name)
    core = digits.lstrip("0")
    if len(core) >= _LEAST_CORE:
        yield Telling(digits, (), "identifier", name)
        yield Telling(core, (), "identifier", name)
    local, at, host = value.partition("@")
    if at:
        yield from _whole(local, name)
        yield from _whole(f"{local} at {host.replace('.', ' dot ')}", name)
    yield from _of_names(local if at else value, name)
    yield from _of_day(value, name)


def _whole(value: str, name: str, kind: Kind = "identifier") -> Iterator[Telling]:
    words = _WORD.findall(value)
    for fold in folded_value(value):
        small = len(words) == 1 and fold in grammar()
        yield Telling(fold, _breaks(value, fold), kind, name, capital=small)


def _breaks(value: str, folded: str) -> tuple[int, ...]:
    """Where a folded value had a gap, or changed from letters to digits."""
    at, breaks = 0, set()
    for word in _WORD.findall(value):
        breaks.add(at)
        at += len(folded_value(word)[0])
    breaks |= {i for i, (a, b) in enumerate(pairwise(folded), 1) if a.isdigit() != b.isdigit()}
    return tuple(sorted(place for place in breaks if 0 < place < len(folded)))


def _of_names(value: str, name: str) -> Iterator[Telling]:
    """The words of a name, and its first and last one in the other order or with an initial."""
    words = _LETTERS.findall(value)
    if not 1 < len(words) <= _MOST_NAMES or any(map(str.isdigit, value)):
        return
    names = [
        word
        for place, word in enumerate(words)
        if word.lower() not in _TITLES and (word.lower() not in _PARTICLES or place == len(words) - 1)
    ]
    hyphenated = [chunk for chunk in value.replace(",", " ").split() if len(_LETTERS.findall(chunk)) > 1]
    for word in (*names, *hyphenated):
        yield from _whole(word, name)
    if len(names) > 1:
        first, last = names[0], names[-1]
        yield from _whole(f"{last} {first}", name)
        yield from _whole(f"{first} {last}", name)
        if len(last) >= _LEAST_CORE:
            yield from _whole(f"{first[0]} {last}", name)


def shared_words(values: pl.Series) -> frozenset[str]:
    """Words that so many values of an identifier have that they tell none."""
    holders = Counter(
        word for value in values.unique().to_list() for word in set(_WORD.findall(value.lower()))
    )
    return frozenset(word for word, count in holders.items() if count > _MANY_VALUES)


def tellings_of_parts(value: str, name: str, shared: frozenset[str]) -> Iterator[Telling]:
    """Of several words with digits: the name before a number, and words that mix letters and digits."""
    if "@" in value or len(_BETWEEN_BLANKS.split(value.strip())) < 2 or not any(map(str.isdigit, value)):
        return
    numbered = _NUMBERED.match(value.strip())
    names = _LETTERS.findall(numbered[1]) if numbered else []
    if 1 < len(names) <= _MOST_NAMES and shared.isdisjoint(word.lower() for word in names):
        for word in names:
            if len(word) > _LEAST and word.lower() not in _TITLES and word.lower() not in grammar():
                yield from (one._replace(capital=True) for one in _whole(word, name))
    for chunk in _BETWEEN_BLANKS.split(value):
        glued = "".join(_WORD.findall(chunk))
        is_mixed = not glued.isdigit() and any(map(str.isdigit, glued))
        if is_mixed and len(glued) >= _LEAST_MIXED and shared.isdisjoint((chunk.lower(), glued.lower())):
            yield from _whole(chunk, name)


def _of_day(value: str, name: str) -> Iterator[Telling]:
    found = _DAY.fullmatch(value.strip())
    if found is None:
        return
    try:
        day = date(*map(int, found.groups()))
    except ValueError:
        return
    for order in ("%Y%m%d", "%d%m%Y", "%m%d%Y"):
        yield Telling(day.strftime(order), (), "identifier", name)


def tellings_of_surface(surface: str, kind: Kind = "surface", name: str = "") -> Iterator[Telling]:
    """What was masked or hidden, whole: one word of four letters, a code with a digit, or several words."""
    words = _WORD.findall(surface)
    digits = sum(map(str.isdigit, surface))
    letters = sum(map(str.isalpha, surface))
    marked = (digits and letters and digits + letters >= _LEAST) or digits >= _LEAST_CORE
    if marked or (not digits and letters > _LEAST) or (len(words) > 1 and letters > _LEAST):
        yield from _whole(surface, name, kind)


def strong_tellings(values: Sequence[str], name: str) -> Iterator[Telling]:
    """Whole values that are marked enough to be an identifier in whoever's rows or files."""
    of_digits = Counter(len(value) for value in values if value.isdigit())
    for value in values:
        [fold, *_] = folded_value(value)
        digits, words = sum(map(str.isdigit, fold)), _LETTERS.findall(value)
        letters = len(fold) - digits
        if not letters:
            share = of_digits[len(value)] / (9 * 10 ** max(len(value) - 1, 0))
            marked = digits >= _LEAST_NUMBER_ANYWHERE and (not value.isdigit() or share < _SPARSE)
        elif digits:
            marked = len(fold) >= _LEAST_ANYWHERE and digits >= 3
        else:
            long = [word for word in words if len(word) > 1 and word.lower() not in grammar()]
            marked = "@" in value or (1 < len(long) <= _MOST_NAMES and letters >= _LEAST_NAME_ANYWHERE)
        if marked and len(fold) >= _LEAST_ANYWHERE:
            yield from _whole(value, name)


# --- where they stand -------------------------------------------------------------------------------


def stands(telling: Telling, view: Placed, at: int) -> bool:
    """Whether a telling that agrees with the folded text at a place is written there."""
    end = at + len(telling.folded)
    breaks = [place - at for place in range(at + 1, end) if view.gap(place)]
    if telling.capital and not view.shown[view.at[at]].isupper():
        return False
    if telling.kind == "identifier" and is_counted(view.shown, view.at[at], view.at[end - 1] + 1):
        return False
    is_number = telling.folded.isdigit()
    if not is_number and len(telling.folded) >= _CERTAIN and not breaks:
        return True
    if not (_begins(view, at, is_number) and _ends(view, end, is_number)):
        return False
    if len(breaks) == len(telling.folded) - 1 > _LEAST:
        return True  # spaced letters
    return all(_is_gap(telling, view, at, place) for place in breaks)


def _is_gap(telling: Telling, view: Placed, at: int, place: int) -> bool:
    """Whether the value may have a gap at a place inside it, and this one."""
    gap = view.gap(at + place)
    if place in telling.breaks:
        return _BETWEEN.fullmatch(gap) is not None
    if telling.folded[place - 1].isdigit() and telling.folded[place].isdigit():
        return _GROUPS.fullmatch(gap) is not None
    return _LINE_END.fullmatch(gap) is not None


def _begins(view: Placed, at: int, is_number: bool) -> bool:
    place = view.at[at]
    if not place:
        return True
    before, first = view.shown[place - 1], view.shown[place]
    if is_number:
        while place and view.shown[place - 1] == "0":
            place -= 1
        before = view.shown[place - 1] if place else " "
        continues = before in ".," and place > 1 and view.shown[place - 2].isdigit()
        return not (before.isdigit() or continues)
    return not before.isalnum() or _changes(before, first)


def _ends(view: Placed, end: int, is_number: bool) -> bool:
    place = view.at[end - 1] + 1
    if place >= len(view.shown):
        return True
    last, behind = view.shown[place - 1], view.shown[place]
    if is_number:
        continues = behind in ".," and place + 1 < len(view.shown) and view.shown[place + 1].isdigit()
        continues &= _NO_CENTS.match(view.shown, place) is None
        return not (behind.isdigit() or continues)
    if not behind.isalnum() or _changes(last, behind):
        return True
    return last.isalpha() and _PLURAL.match(view.shown, place) is not None


def _changes(before: str, behind: str) -> bool:
    """Between letters and digits, and from a small letter to a capital."""
    return before.isdigit() != behind.isdigit() or (before.islower() and behind.isupper())


# --- columns that repeat an identifier --------------------------------------------------------------


def repeats_identifier(cells: pl.Series, keys: pl.Series, missing: Collection[str] = ()) -> list[int]:
    """Rows whose cell is the identifier of the row in other writing, unless so many would be by chance."""
    both = pl.DataFrame({"cell": cells, "key": keys}).with_row_index("row").drop_nulls()
    absent = ["", *missing]
    both = both.filter(*(~pl.col(side).str.strip_chars().is_in(absent) for side in ("cell", "key")))
    if not both.height:
        return []
    own = [_core(value) for value in both["key"].to_list()]
    shown = [_core(value) for value in both["cell"].to_list()]
    same = np.array([a == b and a != "" for a, b in zip(own, shown, strict=True)])
    found = int(same.sum())
    if not found:
        return _repeats_parts(both, shown)
    elsewhere = {cell for cell, agrees in zip(shown, same.tolist(), strict=True) if not agrees}
    alone = np.array([cell not in elsewhere for cell in shown])  # the cell stands with this identifier only
    marked = np.array([_is_marked(value) for value in both["key"].to_list()]) & same & alone
    times, others = Counter(own), Counter(shown)
    expected = sum(count * others[value] for value, count in times.items() if value) / len(own)
    beyond_chance = found >= max(2, 0.01 * len(own)) and found > 3 * expected
    every = found == len(own) and len(times) >= _LEAST
    if not (beyond_chance or every):
        same = marked
    return [int(row) for row in both["row"].to_numpy()[same]] or _repeats_parts(both, shown)


def _repeats_parts(both: pl.DataFrame, shown: Sequence[str]) -> list[int]:
    """Rows whose cell is the digits of their code, their name in another order, or its first or last word, in
    so many rows that it is no chance."""
    keys = both["key"].to_list()
    codes = [_digits(key) if len(key) <= _LONGEST_CODE else "" for key in keys]
    codes = [code if len(code) >= _LEAST_CORE else "" for code in codes]
    names = [_names_of(key) for key in keys]
    first, last = [names_[0] for names_ in names], [names_[-1] for names_ in names]
    digits = [_digits(cell) for cell in both["cell"].to_list()]
    turned = [" ".join(sorted(_names_of(cell))) for cell in both["cell"].to_list()]
    any_order = [" ".join(sorted(words)) for words in names]
    asked = ((digits, codes, 0.01), (turned, any_order, 0.01), (shown, first, 0.5), (shown, last, 0.5))
    for cells, parts, share in asked:
        same = np.array([part != "" and cell == part for cell, part in zip(cells, parts, strict=True)])
        times, others = Counter(parts), Counter(cells)
        expected = sum(count * others[part] for part, count in times.items() if part) / len(parts)
        several = len({part for part, agrees in zip(parts, same.tolist(), strict=True) if agrees}) >= _LEAST
        if several and same.sum() >= max(_LEAST, share * len(parts)) and same.sum() > 3 * expected:
            return [int(row) for row in both["row"].to_numpy()[same]]
    return []


def _digits(value: str) -> str:
    [fold, *_] = folded_value(_WHOLE.sub("", value))
    return "".join(filter(str.isdigit, fold)).lstrip("0")


def _names_of(value: str) -> list[str]:
    """The words of a name, folded; one empty word where it is none."""
    words = [] if any(map(str.isdigit, value)) else [w for w in _LETTERS.findall(value) if len(w) >= _LEAST]
    return [folded_value(word)[0] for word in words] if 1 < len(words) <= _MOST_NAMES else [""]


@lru_cache(maxsize=65_536)
def _core(value: str) -> str:
    """Without separators and zeros in front: S-0017, s17 and S17.0 are one."""
    [fold, *_] = folded_value(_WHOLE.sub("", value))
    return fold.lstrip("0") if fold.isdigit() else _ZEROS.sub("", fold)


def _is_marked(value: str) -> bool:
    [fold, *_] = folded_value(value)
    digits = sum(map(str.isdigit, fold))
    mixed = 1 < digits < len(fold) and len(fold) > _LEAST
    number = digits == len(fold) >= _LEAST_NUMBER_ANYWHERE
    return mixed or number or len([word for word in _WORD.findall(value) if len(word) > 1]) > 1
