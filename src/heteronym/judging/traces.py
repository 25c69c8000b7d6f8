"""What gives values away although nobody wrote them: hashes, encodings, pseudonyms, shifts and groups."""

from __future__ import annotations

import base64
import codecs
import hashlib
import re
import zlib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from heteronym.judging.columns import Column, moments, numbered
from heteronym.judging.meanings import Ints
from heteronym.run import current

_HEX = re.compile(r"(?:0x)?([0-9a-fA-F]{6,128})")
_BASE64 = re.compile(r"[A-Za-z0-9+/_-]{8,172}={0,6}")
_KINDS = (
    "md5",
    "sha1",
    "sha224",
    "sha256",
    "sha384",
    "sha512",
    "sha3_224",
    "sha3_256",
    "sha3_384",
    "sha3_512",
    "blake2b",
    "blake2s",
)
_SHORT = 10  # hexadecimal digits from which one agreement is no chance
_MOST_TRIED = 400_000  # values that are hashed
_AGREE = 0.9  # share of rows that a constant must hold for
_LEAST_ROWS = 5
_ONE_TO_ONE = 0.98
_EXPECTED = 0.8  # a value that so many have is no secret

Readable = Callable[[str], bool]


# --- hashes and encodings ----------------------------------------------------------------------------


class Broken(NamedTuple):
    """Cells or words that were found to be a known value in disguise."""

    kind: str  # unkeyed-hash | encoded
    how: str  # the function
    known: str  # column of the data
    words: frozenset[str]  # as they stand in the release


def looks_hashed(words: Iterable[str]) -> set[str]:
    """Words that could be digests or encodings."""
    return {
        word
        for word in words
        if (
            _HEX.fullmatch(word)
            and (
                any(map(str.isdigit, word))
                and (len(word) >= 16 or re.search("[a-fA-F]", word) or _is_hex_of_figures(word))
            )
        )
        or (
            _BASE64.fullmatch(word)
            and len(word) % 4 != 1
            and not word.isalpha()
            and not word.isdigit()
            and len(word) >= 8
        )
    }


def _is_hex_of_figures(word: str) -> bool:
    """Whether a number reads as the bytes of another: 31323334 for 1234."""
    return len(word) >= 8 and re.fullmatch(r"(?:3\d)+", word) is not None


def is_long_digest(word: str) -> bool:
    """Whether a word is a digest by its length alone, wherever it stands."""
    return _HEX.fullmatch(word) is not None and len(word) >= 16


def break_hashes(words: set[str], known: Mapping[str, Sequence[str]]) -> list[Broken]:
    """Which of these words are digests or encodings of known values, by column of the data."""
    if not words:
        return []
    by_head: dict[str, set[str]] = defaultdict(set)
    for word in words:
        for written in _as_hex(word):
            by_head[written[:6]].add(word)
    exact = {word: set(_as_hex(word)) for word in words}
    found: dict[tuple[str, str, str], set[str]] = defaultdict(set)
    for column, values in known.items():
        current().poll()
        for value in list(dict.fromkeys(values))[:_MOST_TRIED]:
            for how, digest in _digests(value):
                for word in by_head.get(digest[:6], ()):
                    if any(digest.startswith(w) or w.startswith(digest) for w in exact[word]):
                        found["unkeyed-hash", how, column].add(word)
            for how, told in _encodings(value):
                if told in words:
                    found["encoded", how, column].add(told)
    return [
        Broken(*key, frozenset(some))
        for key, some in found.items()
        if any(len(word) >= _SHORT for word in some)
        or len(some) >= max(3, 0.5 * len(words))
        or key[0] == "encoded"
    ]


def _as_hex(word: str) -> Iterator[str]:
    plain = _HEX.fullmatch(word)
    if plain:
        yield plain[1].lower()
    elif len(word) >= 16:
        try:
            padded = word.translate(str.maketrans("-_", "+/")) + "=" * (-len(word) % 4)
            yield base64.b64decode(padded, validate=True).hex()
        except ValueError:
            return


def _digests(value: str) -> Iterator[tuple[str, str]]:
    forms = dict.fromkeys((value, value.strip(), value.lower(), value.upper(), re.sub(r"\W", "", value)))
    for form in forms:
        content = form.encode()
        for kind in _KINDS:
            yield kind, hashlib.new(kind, content, usedforsecurity=False).hexdigest()
        yield "crc32", f"{zlib.crc32(content):08x}"


def _encodings(value: str) -> Iterator[tuple[str, str]]:
    content = value.encode()
    if len(value) < 4:
        return
    yield "base64", base64.b64encode(content).decode()
    yield "base64", base64.b64encode(content).decode().rstrip("=")
    yield "base64", base64.urlsafe_b64encode(content).decode().rstrip("=")
    yield "base32", base64.b32encode(content).decode()
    yield "hex", content.hex()
    yield "hex", content.hex().upper()
    if value.isascii() and value.isdigit():
        yield "hex", f"{int(value[:32]):x}"
        yield "hex", f"0x{int(value[:32]):x}"
    if value[::-1] != value:
        yield "written backwards", value[::-1]
    if any(c.isascii() and c.isalpha() for c in value):
        yield "rot13", codecs.encode(value, "rot13")


# --- pseudonyms ---------------------------------------------------------------------------------------


class Coded(NamedTuple):
    """Labels that stand for one value each."""

    recovered: Ints  # released rows whose value is told by how often it occurs
    values: int  # so recovered
    in_order: bool  # the labels come in the order of the values


def one_to_one(labels: Ints, values: Ints) -> bool:
    """Whether each label goes with one value and each value with one label, but for a few rows."""
    pairs = Counter(zip(labels.tolist(), values.tolist(), strict=True))
    if len(pairs) < 2:
        return False
    of_label: dict[int, int] = {}
    of_value: dict[int, int] = {}
    for (label, value), _ in pairs.most_common():
        of_label.setdefault(label, value)
        of_value.setdefault(value, label)
    agree = sum(
        n for (label, value), n in pairs.items() if of_label[label] == value and of_value[value] == label
    )
    return agree >= _ONE_TO_ONE * len(labels)


def counted_back(labels: Ints, values: Ints, everybody: Ints, texts: Sequence[str | None]) -> Coded:
    """What the frequencies of values, which others know, tell of consistent labels.

    A value is recovered where as many rows have it as show its label, and no other value occurs so often.
    """
    times = Counter(everybody.tolist())
    often = Counter(times.values())
    shown = Counter(labels.tolist())
    as_often = Counter(shown.values())
    told: set[int] = set()
    for label, value in dict.fromkeys(zip(labels.tolist(), values.tolist(), strict=True)):
        count = times[value]
        if shown[label] == count and often[count] == 1 and as_often[count] == 1 and count > 1:
            told.add(label)
    rows = np.flatnonzero(np.isin(labels, list(told)))
    return Coded(rows, len(told), _in_order(labels, values, texts))


def _in_order(labels: Ints, values: Ints, texts: Sequence[str | None]) -> bool:
    """Whether the labels come in the order of the values, or in the opposite one."""
    pairs = sorted({(value, label) for label, value in zip(labels.tolist(), values.tolist(), strict=True)})
    shown = [texts[label] or "" for _, label in pairs]
    if len(pairs) < 10:
        return False
    numbers = [re.findall(r"\d+", text) for text in shown]
    keys: list[float]
    if all(len(found) == 1 for found in numbers):
        keys = [float(found[0]) for found in numbers]
    else:
        order = {text: n for n, text in enumerate(sorted(set(shown)))}
        keys = [order[text] for text in shown]
    steps = np.sign(np.diff(keys))
    return bool((steps > 0).mean() > 0.98 or (steps < 0).mean() > 0.98)


def repeated_as(pairs: Sequence[tuple[str | None, str]]) -> str | None:
    """How one column repeats another, as a kind of finding; None where it does not."""
    if len({known for _, known in pairs}) <= 2:
        return None
    if sum(shown == known for shown, known in pairs) >= _AGREE * len(pairs):
        return "copied-column"
    if sum(shown == known[::-1] for shown, known in pairs) >= _AGREE * len(pairs):
        return "encoded"
    values, value_of_row = numbered([known for _, known in pairs])
    try:
        order = np.argsort([float(value or "nan") for value in values], kind="stable")
    except ValueError:
        order = np.argsort([value or "" for value in values], kind="stable")
    labels, label_of_row = numbered([shown for shown, _ in pairs])
    ranks = np.argsort(order)[value_of_row]
    is_told = one_to_one(label_of_row, ranks) and _in_order(label_of_row, ranks, labels)
    return "ordered-pseudonyms" if is_told else None


# --- shifts -------------------------------------------------------------------------------------------


def constant_shift(column: Column, source: Ints) -> int | float | None:
    """What was added to all values, if it was the same everywhere."""
    numbers = column.source.numbers
    if numbers is None:
        return None
    shown = moments(column)[column.label_of_row]
    known = np.r_[np.asarray(numbers, np.float64), np.nan]
    rows = np.flatnonzero(source >= 0)
    difference = shown[rows] - known[column.value_of_row[source[rows]]]
    if np.isfinite(difference).sum() < _LEAST_ROWS:
        difference = _by_rank(shown, known[column.value_of_row])
    difference = difference[np.isfinite(difference)]
    if len(difference) < _LEAST_ROWS:
        return None
    steps, times = np.unique(np.round(difference, 6), return_counts=True)
    best = int(times.argmax())
    if times[best] < _AGREE * len(difference) or abs(steps[best]) < 1e-9:
        return None
    varied = len(np.unique(shown[np.isfinite(shown)])) > 2
    return float(steps[best]) if varied else None


def _by_rank(shown: NDArray[np.float64], known: NDArray[np.float64]) -> NDArray[np.float64]:
    """Smallest beside smallest, and so on: a constant shift keeps the order."""
    a, b = np.sort(shown[np.isfinite(shown)]), np.sort(known[np.isfinite(known)])
    return a - b if len(a) == len(b) and len(a) == len(shown) else np.zeros(0)


def noise(column: Column, source: Ints) -> float | None:
    """How far numbers lie off at most, in nearly all rows, where they were changed one by one."""
    numbers = column.source.numbers
    rows = np.flatnonzero(source >= 0)
    if numbers is None or len(rows) < _LEAST_ROWS:
        return None
    shown = moments(column)[column.label_of_row[rows]]
    known = np.r_[np.asarray(numbers, np.float64), np.nan][column.value_of_row[source[rows]]]
    off = np.abs(shown - known)
    off = off[np.isfinite(off)]
    if len(off) < 0.5 * len(rows):
        return None
    return float(np.quantile(off, 0.99))


# --- groups -------------------------------------------------------------------------------------------


def told_by_groups(of_row: Ints, person: Ints, shown: Sequence[str | None], least: int) -> Ints:
    """Rows of groups of at least so many persons that all show one same value, which few have over all."""
    frame = pl.DataFrame({"group": of_row, "person": person, "value": pl.Series(shown, dtype=pl.String)})
    known = frame["value"].drop_nulls()
    if not len(known):
        return np.zeros(0, np.int64)
    counts = known.value_counts()
    expected = counts.filter(pl.col("count") > _EXPECTED * len(known))["value"].to_list()
    groups = (
        frame.with_row_index("row")
        .group_by("group")
        .agg(
            pl.col("value").n_unique().alias("values"),
            pl.col("value").null_count().alias("empty"),
            pl.col("value").first().alias("value"),
            pl.col("person").n_unique().alias("persons"),
            pl.col("row"),
        )
    )
    alike = groups.filter(
        (pl.col("values") == 1)
        & (pl.col("empty") == 0)
        & (pl.col("persons") >= least)
        & ~pl.col("value").is_in(expected)
    )
    return np.sort(alike["row"].explode().drop_nulls().cast(pl.Int64).to_numpy())
