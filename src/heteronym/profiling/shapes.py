"""What the values of a column look like: dates, numbers, names of persons, streets, keys, lists, free text.

Cost        O(n) per column for dates and numbers; all other looks see at most 2,000 different values
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from itertools import permutations
from typing import Any

import polars as pl

from heteronym.errors import InputError
from heteronym.io.values import DATE_FORMATS, numbers, parse_days, swapped_order
from heteronym.knowledge.wordlists import first_names, words

SAMPLE = 2_000
SEPARATORS = ("\n", "|", ";", ",", "/", " ")
_TIMES = ("", " %H:%M", " %H:%M:%S", "T%H:%M:%S")
_MOST = 0.8  # share of values that must look alike

_OF_CODES = 0.95
_MONTHS = ("%m/%Y", "%Y-%m", "%m.%Y", "%B %Y", "%b %Y")  # a day that is told less exactly than others
_MOST_FORMATS = 4
_FORMATS = (*DATE_FORMATS, *(f"%d{apart}%{month}{apart}%y" for month in "mb" for apart in "./- "), "%m/%d/%y")
_FIRST_YEAR = 1000  # with four digits
_POSTCODE = re.compile(
    r"\s*(?:[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}|[A-Z]\d[A-Z\d] ?[A-Z\d]{4}"
    r"|[A-Z]\d[A-Z] ?\d[A-Z]\d|\d{4} ?[A-Z]{2})\s*"
)

# Shapes that only identifiers have; whole values.
_CERTAIN = {
    "mail addresses": r"[^@\s]+@[^@\s]+\.[a-zA-Z]{2,}",
    "web addresses": r"(?:https?://|www\.)\S+",
    "IP addresses": r"\d{1,3}(?:\.\d{1,3}){3}|(?:[0-9a-fA-F]{1,4}:){3,7}[0-9a-fA-F:]{1,9}",
    "MAC addresses": r"(?:[0-9a-fA-F]{2}[:-]){5}[0-9a-fA-F]{2}",
    "UUIDs": r"\{?[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}\}?",
    "bank account numbers": r"[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){3,7}(?: ?[A-Z0-9]{1,3})?",
    "telephone numbers": r"(?:\+|00)\d[\d ()/.-]{6,}\d|\(?0\d{1,5}\)?[ /-]\d[\d /-]{4,}\d|"
    r"\(\d{3}\) ?\d{3}-\d{4}",
}


def known_sample(values: pl.Series) -> list[str]:
    return values.drop_nulls().unique(maintain_order=True).head(SAMPLE).to_list()


def share_of(sample: list[str], fits: Callable[[str], Any]) -> float:
    return sum(bool(fits(value)) for value in sample) / max(len(sample), 1)


def mean(values: pl.Series) -> float:
    found = values.mean()
    return float(found) if isinstance(found, (int, float)) else 0.0


def scale_of(cells: pl.Series) -> dict[str, Any]:
    """Scale of a column with what the plan needs for it."""
    known = cells.drop_nulls()
    if not len(known):
        return {"scale": "nominal"}
    try:
        numbers(known, source="")
        return {"scale": "numeric"} if not _is_compact_date(known) else {"scale": "date", "format": "%Y%m%d"}
    except InputError:
        pass
    sample = known.unique().head(SAMPLE)
    for format_ in (f"{day}{time}" for day in _FORMATS for time in _TIMES):
        if _unread(sample, format_) == 0 and _unread(known, format_) == 0:
            iso = format_.startswith("%Y-%m-%d")
            return {"scale": "date"} if iso else {"scale": "date", "format": format_}
    if parse_days(known.str.slice(0, 10), "%Y-%m-%d").null_count():
        mixed = mixed_formats(known.unique()) if sample.str.contains(r"\d").all() else None
        return {"scale": "nominal"} if mixed is None else {"scale": "date", "format": mixed}
    # only a time of day may stand behind the day
    return {"scale": "date" if known.str.contains(r"^.{10}([T ][\d:.,Z+-]+)?$").all() else "nominal"}


def _unread(cells: pl.Series, format_: str) -> int:
    """How many cells the format does not read; `98` is no year of four digits."""
    found = parse_days(cells, format_)
    return found.null_count() + int((found.dt.year() < _FIRST_YEAR).sum())


def mixed_formats(known: pl.Series) -> str | None:
    """Formats that together read every cell as a day, commonest first, with bars between; None if none do."""
    rest, found = known, list[str]()
    while len(rest) and len(found) < _MOST_FORMATS:
        failed = [(_unread(rest, one), one) for one in (*_FORMATS, *_MONTHS)]
        fewest, best = min(failed, key=lambda each: each[0])
        if fewest == len(rest) or (not found and fewest > len(rest) / 2):
            return None
        found.append(best)
        rest = rest.filter(parse_days(rest, best).is_null())
    return None if len(rest) else "|".join(found)


def holds_codes(values: pl.Series) -> bool:
    """One word with digits in nearly every cell, and long enough to number persons."""
    return share_of(known_sample(values), re.compile(r"\s*(?=\S*\d)\S{4,40}\s*").fullmatch) > _OF_CODES


def holds_words(values: pl.Series) -> bool:
    """Common words in most cells, as a subject or a title has them: no keys, and no names."""
    common = words("common_words")

    def is_worded(value: str) -> bool:
        return any(word in common for word in re.findall(r"\b[a-z]{4,}\b", value))

    return share_of(known_sample(values), is_worded) > 0.5 and not holds_full_names(values)


def looks_like_postcodes(values: pl.Series) -> bool:
    """Codes of letters and digits as the post of Britain, Ireland, Canada and the Netherlands gives them."""
    return share_of(known_sample(values), _POSTCODE.fullmatch) > _MOST


def _is_compact_date(known: pl.Series) -> bool:
    """Eight digits that are all days between 1900 and 2099."""
    text = known.str.strip_chars()
    return bool(text.str.contains(r"^(?:19|20)\d{6}$").all()) and parse_days(text, "%Y%m%d").null_count() == 0


def order_is_open(values: pl.Series, format_: str) -> bool:
    """Whether day and month could be swapped everywhere."""
    swapped = swapped_order(format_)
    return swapped is not None and parse_days(values.drop_nulls(), swapped).null_count() == 0


def certain_content(values: pl.Series) -> str | None:
    """What identifiers the values are, if their shape leaves no doubt."""
    sample = known_sample(values)
    for what, pattern in _CERTAIN.items():
        shape = re.compile(rf"\s*(?:{pattern})\s*")
        if share_of(sample, shape.fullmatch) > _MOST:
            return what
    return None


@cache
def _street() -> re.Pattern[str]:
    """A house number before or behind something with a word for streets in it."""
    given = words("street_words")
    apart = "|".join(sorted(re.escape(word.lstrip("*")) for word in given))
    ends = "|".join(sorted(re.escape(word[1:]) for word in given if word.startswith("*")))
    word = rf"(?:\b(?:{apart})\b|\w(?:{ends})\b)\.?"
    return re.compile(rf"(?i)^\d+\s?\w?,?\s.*{word}|{word}.*\s\d+\s?\w?$")


@cache
def _titles() -> re.Pattern[str]:
    return re.compile(rf"(?i)^(?:(?:{'|'.join(sorted(words('person_titles')))})\.?\s+)+")


@cache
def _name_words() -> tuple[frozenset[str], frozenset[str]]:
    first = frozenset(word.casefold() for word in first_names())
    return first, frozenset(word.casefold() for word in words("surnames"))


def _looks_like_full_name(value: str) -> bool:
    parts = [part for part in re.split(r"[\s,]+", _titles().sub("", value.strip())) if part]
    if not 2 <= len(parts) <= 4 or any(re.search(r"\d", part) for part in parts):
        return False
    first, last = _name_words()
    known = [part.casefold().strip(".") for part in parts]
    pieces = [piece for part in known for piece in part.split("-")]
    capital = [part for part in parts if part.casefold() not in _particles()]
    if len(capital) > 1 and all(part[:1].isupper() for part in capital):
        abbreviated = any(_INITIALS.fullmatch(part) for part in capital) and any(len(p) > 2 for p in capital)
        return abbreviated or any(piece in first for piece in pieces)
    # two words that are names, not one that may be either, and none that only holds a sentence together
    spoken = not value.islower() and any(part in words("grammar_words") for part in parts)
    return not spoken and any(one in first and other in last for one, other in permutations(pieces, 2))


@cache
def _particles() -> frozenset[str]:
    from heteronym.text.lexicon import lexicon

    return lexicon("common").words("NAME_PARTICLES")


_INITIALS = re.compile(r"(?:[^\W\d_]\.-?)+")


def holds_full_names(values: pl.Series) -> bool:
    """First and last names together.

    A third known is enough, because lists know few of the world's names; where most values differ, two
    capitalized words are enough.
    """
    sample = known_sample(values)
    part = rf"(?:{_INITIALS.pattern}|[^\W\d_][^\W\d]*\.?(?:[-'’][^\W\d]+)*)"
    shaped = share_of(sample, re.compile(rf"\s*{part}(?:,?\s{part}){{1,3}}\s*").fullmatch)
    if shaped <= _MOST:
        return False
    several = values.drop_nulls()
    own = len(several) > 20 and several.n_unique() > 0.3 * len(several)
    titled = share_of(
        sample, lambda value: all(word[:1].isupper() for word in re.split(r"[\s,]+", value.strip()))
    )
    return share_of(sample, _looks_like_full_name) > 1 / 3 or (own and titled > _MOST)


def holds_single_names(values: pl.Series) -> bool:
    """First or last names alone, in a column whose name tells nothing."""
    first, last = _name_words()
    sample = known_sample(values)
    if len(sample) < 5:
        return False
    return share_of(sample, lambda v: v.strip()[:1].isupper() and v.strip().casefold() in first | last) > 0.6


def holds_streets(values: pl.Series) -> bool:
    return share_of(known_sample(values), _street().search) > 0.6


def looks_numbered(values: pl.Series) -> bool:
    """Whole numbers, all different, that count upwards or have one large number of digits."""
    known = values.drop_nulls().str.strip_chars()
    if len(known) < 10 or known.n_unique() < len(known) or not known.str.contains(r"^\d+$").all():
        return False
    digits = known.str.len_chars()
    if digits.min() == digits.max() and mean(digits) >= 6:
        return True
    whole = known.cast(pl.Int64, strict=False).drop_nulls()
    low, high = whole.min(), whole.max()
    return isinstance(low, int) and isinstance(high, int) and high - low < 2 * len(whole)


def is_text(values: pl.Series, *, named: bool = False) -> bool:
    """Sentences and remarks, however often they repeat; where the column's name says so, short ones, too."""
    known = values.drop_nulls().head(SAMPLE)
    if not len(known):
        return False
    several = known.str.count_matches(r"\p{L}+[\s,.;:]+\p{L}+") > (0 if named else 1)
    length = mean(known.str.len_chars())
    if named and mean(several) > 0.5 and length > 12:
        different = known.n_unique()
        if length > 40 or different > 0.3 * len(known) or different > _KINDS:
            return True
    if named and share_of(known_sample(known), _names_somebody) > _SOME_CONTACTS:
        return True
    return (length > 40 and mean(several) > 0.5) or _are_remarks(known)


def _are_remarks(known: pl.Series) -> bool:
    """Short sentences, or a telephone number or mail address among words: "spoke to Anna on 01134960000"."""
    sample = known_sample(known)
    if share_of(sample, lambda value: _CONTACT.search(value) and _SPOKEN.search(value)) > _SOME_CONTACTS:
        return True
    return share_of(sample, _is_sentence) > 0.5


def _names_somebody(value: str) -> bool:
    """A name behind other words; few remarks that repeat are no list of kinds if they say who."""
    first, last = _name_words()
    said = [word.strip(".,;:!?()\"'") for word in value.split()][1:]
    names = [word.casefold() for word in said if word[:1].isupper()]
    return any((word in first or word in last) and word not in words("common_words") for word in names)


def _is_sentence(value: str) -> bool:
    """Four words or more, two of them of grammar beside those that names of things hold."""
    parts = [part.strip(".,;:!?()\"'").casefold() for part in value.split()]
    held = [part for part in parts if part in words("grammar_words") and part not in _IN_NAMES]
    return len(parts) > 3 and len(held) > 1 and any(part not in held for part in parts)


_CONTACT = re.compile(r"[^@\s]+@[^@\s]+\.[a-zA-Z]{2,}|(?<![\w.])\+?\(?\d[\d ()/-]{7,}\d(?!\w)")
_SPOKEN = re.compile(r"[^\W\d_]{2,}\W+[^\W\d_]{2,}")
_SOME_CONTACTS = 0.05
_KINDS = 15  # of remarks that repeat, beyond which they are written rather than chosen from a list
_IN_NAMES = frozenset("of the and for in on at de la du des der die das und et y e".split())


def set_separator(values: pl.Series, *, named: bool = False) -> str | None:
    """The separator of a set-valued column: it occurs often, and its entries repeat across cells.

    Names of persons, streets and goods hold blanks and commas, too. So a blank, and any separator of as many
    entries in every cell, counts only between codes or where the column's name speaks of lists.
    """
    known = values.drop_nulls().head(20_000)
    if len(known) < (5 if named else 20):
        return None
    for separator in SEPARATORS:
        lists = known.str.split(separator)
        counts = lists.list.len()
        if mean(counts > 1) < (0.05 if named else 0.3):
            continue
        entries = lists.explode().str.strip_chars()
        entries = entries.filter(entries != "")
        if (
            not len(entries)
            or mean(entries.str.len_chars()) >= 30
            or mean(entries.str.count_matches(" ")) > 2
        ):
            continue
        if named:
            return separator
        repeats = entries.n_unique() < 0.5 * known.n_unique()
        as_names = mean(entries.str.contains(r"^\p{Lu}\p{Ll}+"))
        if separator == " " and (as_names > 0.3 or counts.n_unique() < 3):
            continue
        if repeats and counts.n_unique() > 1:
            return separator
    return None
