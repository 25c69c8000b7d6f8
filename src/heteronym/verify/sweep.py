"""The blunt check: nothing that had to go stands anywhere in what was written, mentions or no mentions.

Every cell and every other file of a release is folded (`verify.folding`) and searched for identifiers of
the originals (in the rows of their person, and, where they are marked enough, anywhere), for the surfaces
that were masked, and for items that their holder's label hides. It knows no mention, no edit and no
offset; what counts as the same value, and which values are marked enough, is written in
docs/own-values.md. Says counts, columns and row numbers, never text.

Cost        O(characters): one fold of each text, one hash per character, a look at what agrees
Randomness  none
"""

from __future__ import annotations

import gzip
import io
import re
import zipfile
import zlib
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from heteronym.errors import row_list
from heteronym.model.plan import Plan
from heteronym.model.release import Check
from heteronym.model.schema import Role
from heteronym.run import current
from heteronym.verify.entries import read_entries
from heteronym.verify.folding import FoldedText, Placed, placed, readings_of
from heteronym.verify.ordinary import words_among
from heteronym.verify.originals import Originals
from heteronym.verify.sweep_values import (
    Kind,
    Telling,
    repeats_identifier,
    shared_words,
    stands,
    strong_tellings,
    tellings_of_identifier,
    tellings_of_parts,
    tellings_of_surface,
)
from heteronym.verify.values import nested_text

ANYBODY = -1  # whose rows a value is searched in, where it is those of all
_CHUNK = 2_000_000  # characters that are hashed at once
_WINDOWS = (3, 5)  # characters of a value that are hashed
_DEPTH = 3  # of files in files
_LARGEST = 1 << 28  # bytes
_TAG = re.compile(r"</?[A-Za-z!?][^<>]{0,400}>")
_DIGEST = re.compile(r"[0-9A-Fa-f]{32,}")  # nobody's value unless it is all of it
_ONE_NUMBER = re.compile(r"\d+|\d{1,3}(?:([,.'’\s])\d{3})(?:\1\d{3})*")
_BETWEEN_CELLS = str.maketrans(dict.fromkeys(',;\t\r\n"', "|"))
_ODD, _WHOSE = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xD6E8FEB86659FD93)

Spans = Mapping[tuple[int, str], Sequence[tuple[int, int]]]  # by released row and column


class Place(NamedTuple):
    """Where something stands: released row, column and offsets there, and what it is of."""

    row: int
    column: str
    start: int
    end: int
    kind: Kind
    name: str  # the attribute; of a surface ""


class Sweep(NamedTuple):
    """All that was found: in cells, and in files beside them (name of the file, attribute)."""

    places: Sequence[Place]
    in_files: Sequence[tuple[str, str]]


def sweep(
    files: Mapping[str, bytes],
    released: pl.DataFrame,
    plan: Plan,
    originals: Originals,
    masked: Iterable[tuple[int, str]] = (),
    put: Spans | None = None,
) -> Sweep:
    """Search everything that was written for everything that had to go.

    files   what was written, by name; the data file, too, whose cells are those of `released`
    masked  person (as `originals` numbers them) and surface of whatever was masked in a text
    put     what the release put into its texts, by row and column: an item or a surface inside is none
    """
    wanted = _everything_wanted(released, plan, originals, masked)
    found = _in_cells(wanted, released, plan, originals, put or {})
    seen = {telling.folded for _, telling in found}
    places = sorted({place for place, _ in found})
    outside = sorted(set(_in_files(wanted, files, seen, plan)))
    return Sweep(_without_ordinary(places, released, originals), outside)


def _everything_wanted(
    released: pl.DataFrame, plan: Plan, originals: Originals, masked: Iterable[tuple[int, str]]
) -> _Wanted:
    wanted = _Wanted()
    _want_identifiers(wanted, plan, originals)
    _want_hidden_items(wanted, released, plan, originals)
    for person, surface in masked:
        wanted.add(person, tellings_of_surface(surface))
    wanted.settle()
    return wanted


def _in_cells(
    wanted: _Wanted, released: pl.DataFrame, plan: Plan, originals: Originals, put: Spans
) -> list[tuple[Place, Telling]]:
    found = [*_in_texts(wanted, released, plan, originals, put)]
    found += _in_columns(wanted, released, plan, originals)
    return [one for one in found if one[0].row >= 0]


def sweep_checks(found: Sweep) -> list[Check]:
    """What the verdict says of it."""
    if not found.places and not found.in_files:
        return [Check("sweep", True, "nothing that had to go stands anywhere in what was written")]
    said = []
    if found.places:
        counts = Counter(f"{one.kind} of '{one.name}'" if one.name else one.kind for one in found.places)
        said.append(", ".join(f"{n} {what}" for what, n in sorted(counts.items())))
        columns = ", ".join(sorted({one.column for one in found.places}))
        said[-1] += f" in {columns}, released {row_list(sorted({one.row + 1 for one in found.places}))}"
    by_file: dict[str, set[str]] = defaultdict(set)
    for file, name in found.in_files:
        by_file[file].add(name)
    said += [f"{file} holds a value of {', '.join(sorted(names))}" for file, names in sorted(by_file.items())]
    return [Check("sweep", False, "; ".join(said))]


def files_check(
    files: Mapping[str, bytes], released: pl.DataFrame, plan: Plan, originals: Originals
) -> Check:
    """Whether an identifier of the data stands in any byte of the written files, cells apart."""
    by_file: dict[str, set[str]] = defaultdict(set)
    wanted = _everything_wanted(released, plan, originals, ())
    found = set(_in_files(wanted, files, set(), plan))
    if any(file.startswith("data.") for file, _ in found):  # what cells hold, the search of cells tells
        seen = {telling.folded for _, telling in _in_cells(wanted, released, plan, originals, {})}
        found = set(_in_files(wanted, files, seen, plan))
    for file, name in sorted(found):
        by_file[file].add(name)
    said = [f"{file} holds a value of {', '.join(sorted(names))}" for file, names in sorted(by_file.items())]
    fine = "no identifier of the data stands in any byte of the written files"
    return Check("files", not said, "; ".join(said) or fine)


# --- what is wanted ---------------------------------------------------------------------------------


class _Wanted:
    """Values by person and by the hash of their first characters."""

    def __init__(self) -> None:
        self._by_person: dict[int, dict[Telling, None]] = defaultdict(dict)
        self._hashes: dict[int, NDArray[np.uint64]] = {}  # by window, in order
        self._tellings: dict[int, dict[int, list[Telling]]] = {}  # by window and hash

    def add(self, person: int, tellings: Iterable[Telling]) -> None:
        self._by_person[person].update(dict.fromkeys(tellings))

    def __bool__(self) -> bool:
        return any(map(len, self._hashes.values()))

    def __contains__(self, one: tuple[int, Telling]) -> bool:
        return one[1] in self._by_person.get(one[0], ())

    def settle(self) -> None:
        """The hashes, after all is added."""
        shortest, longest = _WINDOWS
        for window in _WINDOWS:
            people: list[int] = []
            mine: list[Telling] = []
            for person, tellings in self._by_person.items():
                for one in tellings:
                    if len(one.folded) >= shortest and (len(one.folded) >= longest) == (window == longest):
                        people.append(person)
                        mine.append(one)
            heads = np.array([one.folded[:window] for one in mine], f"U{window}")
            codes = heads.view(np.uint32).reshape(-1, window) if mine else np.zeros((0, window), np.uint32)
            hashes = _mixed(_hashes(codes.T), np.array(people, np.int64))
            by_hash: dict[int, list[Telling]] = defaultdict(list)
            for number, telling in zip(hashes.tolist(), mine, strict=True):
                by_hash[number].append(telling)
            self._tellings[window], self._hashes[window] = by_hash, np.unique(hashes)

    def candidates(
        self, texts: Sequence[str], persons: NDArray[np.int64]
    ) -> Iterator[tuple[int, int, Telling]]:
        """Text, place and value wherever the first characters of a value agree, of that person or anybody."""
        lengths = np.fromiter(map(len, texts), np.int64, len(texts)) + 1
        codes = np.frombuffer("\x00".join([*texts, ""]).encode("utf-32-le", "surrogatepass"), np.uint32)
        of_text = np.repeat(np.arange(len(texts)), lengths)
        begins = np.cumsum(lengths) - lengths
        for window in _WINDOWS:
            known = self._hashes[window]
            if not len(known) or len(codes) < window:
                continue
            places = len(codes) - window + 1
            plain = _hashes([codes[shift : shift + places] for shift in range(window)])
            for people in (persons[of_text[:places]], None) if (persons != ANYBODY).any() else (None,):
                hashes = _mixed(plain, people)
                for at in np.flatnonzero(_is_among(hashes, known)).tolist():
                    text = int(of_text[at])
                    place = at - int(begins[text])
                    for telling in self._tellings[window][int(hashes[at])]:
                        if texts[text].startswith(telling.folded, place):
                            yield text, place, telling


def _hashes(codes: Sequence[NDArray[np.uint32]] | NDArray[np.uint32]) -> NDArray[np.uint64]:
    made = np.zeros(codes[0].shape if len(codes) else 0, np.uint64)
    for code in codes:
        made = (made + code.astype(np.uint64) + np.uint64(1)) * _ODD
        made ^= made >> np.uint64(29)
    return made


def _mixed(hashes: NDArray[np.uint64], people: NDArray[np.int64] | None) -> NDArray[np.uint64]:
    """A hash that also tells whose value it is; None: anybody's."""
    if people is None:
        made = hashes ^ _WHOSE
    else:
        made = (people + 2).astype(np.uint64)
        made *= _WHOSE
        made ^= hashes
    made *= _ODD
    return made


def _is_among(hashes: NDArray[np.uint64], known: NDArray[np.uint64]) -> NDArray[np.bool_]:
    """Most are told by a few of their bits; the rest are looked up."""
    bits = min(max(int(len(known) * 16).bit_length(), 12), 26)
    table = np.zeros(1 << bits, np.bool_)
    shift = np.uint64(64 - bits)
    table[(known >> shift).astype(np.int64)] = True
    among = table[(hashes >> shift).astype(np.int64)]
    maybe = np.flatnonzero(among)
    at = np.minimum(np.searchsorted(known, hashes[maybe]), len(known) - 1)
    among[maybe] = known[at] == hashes[maybe]
    return among


def _want_identifiers(wanted: _Wanted, plan: Plan, originals: Originals) -> None:
    for name, attribute in plan.attributes.items():
        if attribute.role is not Role.IDENTIFIER or name not in originals.frame.columns:
            continue
        if originals.frame[name].dtype.is_nested():
            continue  # an object is no word of a text
        both = _pairs(originals.frame[name], originals)
        shared = shared_words(both["value"])
        for person, value in both.iter_rows():
            wanted.add(person, tellings_of_identifier(value, name))
            wanted.add(person, tellings_of_parts(value, name, shared))
        holders = both.group_by("value").agg(pl.col("person").n_unique())
        alone = holders.filter(pl.col("person") == 1)["value"].to_list()
        wanted.add(ANYBODY, strong_tellings(alone, name))


def _pairs(cells: pl.Series, originals: Originals) -> pl.DataFrame:
    """Person and value, each once, none missing."""
    values = _as_texts(cells).str.strip_chars()
    pairs = pl.DataFrame({"person": originals.person, "value": values}).drop_nulls().unique()
    return pairs.filter(~pl.col("value").is_in(["", *originals.missing])).sort("person", "value")


def _as_texts(cells: pl.Series) -> pl.Series:
    """Cells as texts, lists and objects as JSON; what is none (bytes, spans of time) is missing."""
    if cells.dtype.is_nested():
        read = [None if one is None else nested_text(one) for one in cells.to_list()]
        return pl.Series(cells.name, read, pl.String)
    try:
        return cells.cast(pl.String)
    except pl.exceptions.PolarsError:
        return pl.Series(cells.name, [None] * len(cells), pl.String)


def _want_hidden_items(wanted: _Wanted, released: pl.DataFrame, plan: Plan, originals: Originals) -> None:
    """Items that no row of their holder shows as they are."""
    if not any(attribute.role is Role.TEXT for attribute in plan.attributes.values()):
        return
    for name, attribute in plan.attributes.items():
        both = name in originals.frame.columns and name in released.columns
        if attribute.role is not Role.ITEMS or not both:
            continue
        held = read_entries(originals.frame[name], attribute.separator, held=True)
        shown = read_entries(released[name], attribute.separator)
        whose = originals.released_person[shown.row].tolist()
        low = [text.casefold() for text in shown.texts]
        visible = set(zip(whose, (low[code] for code in shown.code.tolist()), strict=True))
        pairs = zip(
            originals.person[held.row].tolist(), (held.texts[c] for c in held.code.tolist()), strict=True
        )
        for person, item in sorted(set(pairs)):
            if (person, item.casefold()) not in visible:
                wanted.add(person, tellings_of_surface(item, "item", name))


# --- where it stands --------------------------------------------------------------------------------


def _in_texts(
    wanted: _Wanted, released: pl.DataFrame, plan: Plan, originals: Originals, put: Spans
) -> Iterator[tuple[Place, Telling]]:
    person = originals.released_person
    rest = [
        _as_texts(released[n]).to_list()
        for n in released.columns
        if n in plan.attributes and plan.attributes[n].role is not Role.TEXT
        if not released[n].dtype.is_nested()
    ]
    for name in released.columns if wanted else ():
        if name not in plan.attributes or plan.attributes[name].role is not Role.TEXT:
            continue
        texts = released[name].cast(pl.String).to_list()
        for row, place in _found(wanted, texts, person):
            start, end, telling = place
            if telling.kind != "identifier" and _lies_in(start, end, put.get((row, name), ())):
                continue
            labels = (column[row] or "" for column in rest)
            if not _lies_in_a_label(texts[row] or "", start, end, labels):
                yield Place(row, name, start, end, telling.kind, telling.name), telling


def _found(
    wanted: _Wanted, texts: Sequence[str | None], person: NDArray[np.int64]
) -> Iterator[tuple[int, tuple[int, int, Telling]]]:
    """Row, and span with what it tells, wherever something wanted stands."""
    rows: list[int] = []
    readings: list[FoldedText] = []
    size = 0
    run = current()
    for row, text in enumerate([*texts, None]):
        for reading in readings_of(text) if text else ():
            rows.append(row)
            readings.append(reading)
            size += len(reading.folded) + 1
        if rows and (size > _CHUNK or row == len(texts)):
            run.poll()
            folded = [reading.folded for reading in readings]
            views: dict[int, Placed] = {}
            for number, at, telling in wanted.candidates(folded, person[np.array(rows)]):
                if number not in views:
                    views[number] = placed(texts[rows[number]] or "", readings[number])
                view = views[number]
                if stands(telling, view, at):
                    yield rows[number], (*view.span(at, at + len(telling.folded)), telling)
            rows, readings, size = [], [], 0


def _lies_in(start: int, end: int, spans: Iterable[tuple[int, int]]) -> bool:
    return any(first <= start and end <= last for first, last in spans)


def _lies_in_a_label(text: str, start: int, end: int, labels: Iterable[str]) -> bool:
    """Whether it is part of a longer label of the row, that the text repeats."""
    for label in labels:
        if len(label) > end - start:
            at = text.find(label, max(0, end - len(label)))
            if 0 <= at <= start and end <= at + len(label):
                return True
    return False


def _in_columns(
    wanted: _Wanted, released: pl.DataFrame, plan: Plan, originals: Originals
) -> Iterator[tuple[Place, Telling]]:
    """Cells that are no texts: identifiers that are marked enough, in labels only their row's own."""
    person, identifiers = originals.released_person, _identifiers_of_rows(plan, originals)
    surrogates = set(plan.surrogates)
    for name in released.columns:
        attribute = plan.attributes.get(name)
        if attribute is None or attribute.role is Role.TEXT or name in surrogates:
            continue
        if attribute.role is Role.IDENTIFIER:
            continue
        unchanged = attribute.role in (Role.PLAIN, Role.SENSITIVE)
        if released[name].dtype.is_nested() and not unchanged:
            continue
        cells = _as_texts(released[name])
        distinct = cells.drop_nulls().unique(maintain_order=True)
        hits: dict[str, tuple[int, int, Telling]] = {}
        nobody = np.full(len(distinct), ANYBODY, np.int64)
        for number, hit in _found(wanted, distinct.to_list(), nobody):
            hits.setdefault(distinct[number], hit)
        if hits:
            rows = cells.is_in(list(hits)).fill_null(False).to_numpy()
            for row in np.flatnonzero(rows).tolist():
                start, end, telling = hits[cells[row]]
                if not unchanged and (int(person[row]), telling) not in wanted:
                    continue  # a label that models protect may name what is another's
                yield Place(row, name, start, end, telling.kind, telling.name), telling
        if unchanged:
            yield from _repeated(cells, name, identifiers, originals.missing)


def _identifiers_of_rows(plan: Plan, originals: Originals) -> dict[str, pl.Series]:
    """The identifier columns, by released row."""
    given = set(originals.frame.columns)
    names = [n for n, a in plan.attributes.items() if a.role is Role.IDENTIFIER and n in given]
    columns = {name: originals.frame[name] for name in names}
    plain = {name: cells for name, cells in columns.items() if not cells.dtype.is_nested()}
    return {name: _as_texts(cells)[originals.source_row] for name, cells in plain.items()}


def _repeated(
    cells: pl.Series, name: str, identifiers: Mapping[str, pl.Series], missing: Collection[str]
) -> Iterator[tuple[Place, Telling]]:
    for other, keys in identifiers.items():
        for row in repeats_identifier(cells, keys, missing):
            telling = Telling("", (), "identifier", other)
            yield Place(row, name, 0, len(cells[row]), "identifier", other), telling


def _in_files(
    wanted: _Wanted, files: Mapping[str, bytes], seen: set[str], plan: Plan
) -> Iterator[tuple[str, str]]:
    """Values of anybody in what is no cell: names of columns, properties, facts, report and plan."""
    if not wanted:
        return
    named = {reading.folded for name in plan.attributes for reading in readings_of(name)}
    for file, content in files.items():
        texts = list(_parts_of(file, content))
        is_data = file.startswith("data.")
        if is_data:  # two cells are not one value
            texts = [text.translate(_BETWEEN_CELLS) for text in texts]
        nobody = np.full(len(texts), ANYBODY, np.int64)
        digests = [[found.span() for found in _DIGEST.finditer(text)] for text in texts]
        for part, (start, end, telling) in _found(wanted, texts, nobody):
            known = telling.folded in named or (is_data and telling.folded in seen)
            by_chance = any(a <= start and end <= b and end - start < b - a for a, b in digests[part])
            if telling.folded.isdigit() and not telling.breaks and not is_data:
                # figures beside each other are no number
                by_chance |= _ONE_NUMBER.fullmatch(texts[part], start, end) is None
            if not known and not by_chance:
                yield file, telling.name


def _without_ordinary(
    places: Sequence[Place], released: pl.DataFrame, originals: Originals
) -> Sequence[Place]:
    """A surface or an item all of whose words are ordinary, and which is written so, is just words."""
    doubtful: dict[Place, tuple[str, ...]] = {}
    for one in places:
        if one.kind != "identifier":
            shown = str(released[one.column][one.row])[one.start : one.end]
            if not any(map(str.isdigit, shown)):
                doubtful[one] = tuple(shown.lower().split())
    if not doubtful:
        return places
    texts = {
        name: originals.frame[name].cast(pl.String).to_list()
        for name in {one.column for one in doubtful}
        if name in originals.frame.columns
    }
    asked = {word for words in doubtful.values() for word in words}
    common = words_among(asked, texts, originals.person)
    return [one for one in places if one not in doubtful or not common.issuperset(doubtful[one])]


def _parts_of(file: str, content: bytes, depth: int = 0) -> Iterator[str]:
    """A file as texts: what is packed is unpacked, every byte is read."""
    if content[:2] == b"PK" and depth < _DEPTH:
        with suppress(zipfile.BadZipFile), zipfile.ZipFile(io.BytesIO(content)) as packed:
            yield packed.comment.decode("utf-8", "replace")
            for member in packed.infolist():
                yield member.filename
                if member.file_size <= _LARGEST:
                    yield from _parts_of(member.filename, packed.read(member), depth + 1)
            return
    if content[:2] == b"\x1f\x8b" and depth < _DEPTH:
        with suppress(OSError, EOFError, zlib.error), gzip.open(io.BytesIO(content)) as packed_file:
            yield from _parts_of(file, packed_file.read(_LARGEST), depth + 1)
            return
    for text in _decoded(content):
        yield text if file.endswith((".html", ".htm")) else _TAG.sub(" | ", text)


def _decoded(content: bytes) -> Iterator[str]:
    yield content.decode("utf-8", "replace")
    if content.count(0) > len(content) // 8:
        yield content.decode("utf-16-le", "replace")
        yield content.decode("utf-16-be", "replace")
