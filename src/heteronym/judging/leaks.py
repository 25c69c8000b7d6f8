"""Every kind of leak, looked for in an opened case, each told by rows and columns."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence

import numpy as np
import polars as pl

from heteronym.judging.columns import Column, column_names, flat_texts, numbered
from heteronym.judging.crowds import Tables, fitting_persons
from heteronym.judging.disguises import OTHER_PREFIX, own_words_in_cells, own_words_in_texts
from heteronym.judging.findings import Finding
from heteronym.judging.hidden import told_by_texts
from heteronym.judging.judge import Counted, Opened
from heteronym.judging.label_forms import is_wiped
from heteronym.judging.meanings import Ints
from heteronym.judging.pairs import patterns_of
from heteronym.judging.pieces import roles_of
from heteronym.judging.texts import Left, Mention, identifiers_left, shaped_identifiers
from heteronym.judging.traces import (
    Broken,
    break_hashes,
    counted_back,
    is_long_digest,
    looks_hashed,
    one_to_one,
    repeated_as,
    told_by_groups,
)
from heteronym.model.schema import Attribute, Role
from heteronym.run import current
from heteronym.verify.originals import Originals
from heteronym.verify.sweep import sweep

Standing = Sequence[tuple[Mention, int, int, int]]
_COMMON = 0.05  # of the persons: what so many texts name is no person's identifier


def leaks_of(opened: Opened, counted: Counted, stands: Standing) -> list[Finding]:
    """All findings, in no order."""
    found: list[Finding] = []
    for step in (identifier_columns, hashes, disguises, pseudonyms, shifts, groups, copies, untrue):
        current().poll()
        found += step(opened)
    found += crowds(opened, counted)
    found += in_texts_and_cells(opened, stands)
    found += beside_columns(opened)
    return found


def finding(
    opened: Opened,
    kind: str,
    columns: Sequence[str],
    rows: Iterable[int],
    detail: str = "",
    *,
    counts: bool = True,
) -> Finding:
    """A finding about these released rows (counted from 0)."""
    places = sorted(set(rows))
    persons = len(np.unique(opened.tables.shown_person[places])) if places else 0
    return Finding(kind, tuple(columns), tuple(row + 1 for row in places), persons, detail, counts)


# --- crowds -----------------------------------------------------------------------------------------


def crowds(opened: Opened, counted: Counted) -> Iterator[Finding]:
    """Rows behind which fewer than k persons could be."""
    k, m = opened.case.k, opened.case.m
    names = [column.name for column in opened.known]
    sets = roles_of(opened.case.attributes, Role.ITEMS, Role.TERMS)
    done = counted.columns < k
    if done.any():
        yield finding(
            opened, "alone-by-columns", names, np.flatnonzero(done).tolist(), _sizes(counted.columns, k)
        )
    for kind, crowds_by_m, more in (
        ("alone-with-items", counted.items, sets),
        ("alone-with-words", counted.words, [*sets, *opened.texts.names]),
    ):
        for pieces, crowd in crowds_by_m.items():
            few = (crowd < k) & ~done
            if few.any():
                known = f"who knows {pieces} of them: {_sizes(np.where(few, crowd, k), k)}"
                yield finding(
                    opened, kind, [*names, *more], np.flatnonzero(few).tolist(), known, counts=pieces <= m
                )
                done = done | few


def _sizes(crowd: Ints, k: int) -> str:
    few = crowd[crowd < k]
    return f"{int((few == 1).sum())} rows with one person behind them, {len(few)} with fewer than {k}"


# --- identifiers ------------------------------------------------------------------------------------


def identifier_columns(opened: Opened) -> Iterator[Finding]:
    """Identifier columns that are released as they were, or so that few could be meant."""
    case = opened.case
    for column in opened.columns:
        if column.attribute.role is not Role.IDENTIFIER or column.is_coded:
            continue
        rows = np.flatnonzero(opened.matched.sure)
        patterns, of_row = patterns_of([column], case.released.height)
        tables = Tables([column], case.person, opened.matched.source, case.released.height)
        behind = fitting_persons(tables, patterns, case.k)[of_row]
        readable = column.meanings.is_read[column.label_of_row]
        telling = (behind > 0) & (behind < case.k) & readable
        own = np.ones(case.released.height, np.bool_)
        own[rows] = column.fit(rows, opened.matched.source[rows])
        unsure = ~opened.matched.sure & telling
        if unsure.sum() < 0.9 * (~opened.matched.sure).sum():
            telling &= opened.matched.sure  # names of others, as surrogates are
        telling &= own
        if telling.any():
            yield finding(opened, "identifier-in-column", [column.name], np.flatnonzero(telling).tolist())


def in_texts_and_cells(opened: Opened, stands: Standing) -> Iterator[Finding]:
    """Identifiers that stand somewhere, by the mentions, by the sweep and by their shape."""
    places: dict[tuple[str, str], set[int]] = defaultdict(set)
    kinds: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)

    def add(kind: str, one: Left) -> None:
        places[kind, one.column].add(one.row)
        kinds[kind, one.column][one.type] += 1

    for one in identifiers_left(opened.texts, stands, opened.case.person):
        add("identifier-in-text", one)
    for one in shaped_identifiers(opened.texts):
        add("identifier-in-text", one)
    names = opened.texts.names
    for one in _swept(opened):
        add("identifier-in-text" if one.column in names else "identifier-in-cells", one)
    for (kind, column), rows in places.items():
        told = ", ".join(f"{what} {count}" for what, count in sorted(kinds[kind, column].items()))
        yield finding(opened, kind, [column], rows, f"places by type or column: {told}")


def _swept(opened: Opened) -> Iterator[Left]:
    """What the auditor's sweep finds of identifiers, hidden items and names that recognizers found."""
    case = opened.case
    names = column_names(case.released.columns, case.original.columns)
    released = case.released.rename({there: name for name, there in names.items() if there != name})
    attributes = dict(case.attributes)
    for name in released.columns:
        if name not in attributes:
            attributes[name] = Attribute(role=Role.PLAIN)
    plan = case.plan.model_copy(update={"attributes": attributes})
    nobody = case.original.height
    frame = pl.concat([case.original, case.original.clear(1)], how="vertical")
    source = np.where(opened.matched.sure, opened.matched.source, nobody)
    person = np.r_[case.person, int(case.person.max(initial=-1)) + 1]
    originals = Originals(frame, source, person, case.hierarchies, case.missing)
    masked = _surfaces(opened)
    put: dict[tuple[int, str], list[tuple[int, int]]] = {}
    for row, name, laid in opened.texts.all():
        if laid.share > 0.4 and (spans := laid.put_in()):
            put[row, name] = spans
    for place in sweep({}, released, plan, originals, masked, put).places:
        yield Left(place.row, place.column, place.start, place.end, place.name or place.kind)


def _surfaces(opened: Opened) -> list[tuple[int, str]]:
    """Person and surface of direct mentions, without what many texts name."""
    case = opened.case
    holders: dict[str, set[int]] = defaultdict(set)
    for mention in case.mentions:
        if mention.is_direct:
            holders[mention.term].add(int(case.person[mention.row]))
    most = max(20, _COMMON * len(np.unique(case.person)))
    return [
        (int(case.person[one.row]), (opened.texts.original[one.column][one.row] or "")[one.start : one.end])
        for one in case.mentions
        if one.is_direct and len(holders[one.term]) <= most and one.column in opened.texts.original
    ]


def copies(opened: Opened) -> Iterator[Finding]:
    """Released columns that the data does not have, and that repeat one of it."""
    case = opened.case
    names = set(column_names(case.released.columns, case.original.columns).values())
    rows = np.flatnonzero(opened.matched.sure)
    if len(rows) < 5:
        return
    for extra in case.released.columns:
        if extra in names:
            continue
        shown = [text.strip().casefold() if text else None for text in flat_texts(case.released[extra])]
        for name in roles_of(case.attributes, Role.QUASI, Role.EVENT, Role.IDENTIFIER):
            known = flat_texts(case.original[name])
            pairs = [
                (shown[row], (known[at] or "").strip().casefold())
                for row, at in zip(rows.tolist(), opened.matched.source[rows].tolist(), strict=True)
            ]
            kind = repeated_as(pairs)
            if kind is not None:
                yield finding(opened, kind, [extra, name], rows.tolist())
                break


# --- columns beside texts ----------------------------------------------------------------------------


def beside_columns(opened: Opened) -> Iterator[Finding]:
    """Texts that tell what a column hides, or that its value was changed."""
    found = told_by_texts(opened.texts, [*opened.columns, *_gone(opened)], opened.case.person)
    rows: dict[tuple[str, str, str], set[int]] = defaultdict(set)
    for one in found:
        kind = "text-contradicts-column" if one.contradicts else "text-tells-column"
        rows[kind, one.column, one.text].add(one.row)
    for (kind, column, text), places in sorted(rows.items()):
        yield finding(opened, kind, [column, text], places)


def _gone(opened: Opened) -> list[Column]:
    """Quasi columns that the release left out: the texts must not tell them either."""
    from heteronym.judging.columns import read_column

    case = opened.case
    there = {column.name for column in opened.columns}
    found = []
    for name in roles_of(case.attributes, Role.QUASI, Role.EVENT):
        if name not in there:
            wiped = pl.Series(name, ["*"] * case.released.height, pl.String)
            found.append(read_column(wiped, case.original[name], case.attributes[name], case.missing))
    return found


# --- traces -----------------------------------------------------------------------------------------


def hashes(opened: Opened) -> Iterator[Finding]:
    """Cells and words of texts that are digests or encodings of known values."""
    case = opened.case
    where: dict[str, dict[str, list[int]]] = defaultdict(lambda: defaultdict(list))
    for name in case.released.columns:
        texts = flat_texts(case.released[name])
        if name in opened.texts.released:
            continue
        distinct, _ = numbered(texts)
        words = {text for text in distinct if text}
        unread = next(
            (c for c in opened.columns if c.released == name and not c.meanings.is_read.all()), None
        )
        keep = looks_hashed(words)
        if unread is not None:
            keep |= {word for word in words if not is_wiped(word)}
        if len(keep) * 2 < len(words):
            keep = {word for word in keep if is_long_digest(word)}  # one among plain values
        if keep:
            for row, text in enumerate(texts):
                if text in keep:
                    where[name][text].append(row)
    for name in opened.texts.names:
        for row, word in _new_words(opened, name):
            where[name][word].append(row)
    words = {word for by_word in where.values() for word in by_word}
    if not words:
        return
    for broken in break_hashes(words, _known_values(opened)):
        for name, by_word in where.items():
            yield from _broken(opened, broken, name, by_word)


def disguises(opened: Opened) -> Iterator[Finding]:
    """Words of a row's own identifiers, turned about in its texts or among other signs in its cells."""
    attributes = opened.case.attributes
    known = {name: flat_texts(opened.case.original[name]) for name in roles_of(attributes, Role.IDENTIFIER)}
    for (name, how), rows in own_words_in_texts(opened.texts, known).items():
        kind = "identifier-in-text" if how == OTHER_PREFIX else "encoded"
        yield finding(opened, kind, [name], rows, f"identifiers {how}")
    for name, rows in own_words_in_cells(opened.columns, opened.matched.source, known).items():
        yield finding(opened, "identifier-in-cells", [name], rows, "words of identifiers in other signs")


def _broken(opened: Opened, broken: Broken, name: str, by_word: dict[str, list[int]]) -> Iterator[Finding]:
    hit = broken.words & by_word.keys()
    if hit and not (name == broken.known and broken.kind == "encoded" and broken.how == "plain"):
        rows = [row for word in hit for row in by_word[word]]
        yield finding(opened, broken.kind, [name], rows, f"{broken.how} of values of {broken.known}")


def _new_words(opened: Opened, name: str) -> Iterator[tuple[int, str]]:
    """Words of released texts that look like digests and are not in the original."""
    pattern = re.compile(r"[0-9A-Za-z+/_=-]{6,}")
    for row, text in enumerate(opened.texts.released[name]):
        if not text:
            continue
        both = opened.texts.both(row, name)
        before = both[0] if both else ""
        for word in pattern.findall(text):
            for part in {word, word.strip("_-=+/"), *re.split(r"[_=-]", word)}:
                if (
                    len(part) >= 6
                    and part not in before
                    and any(map(str.isdigit, part))
                    and looks_hashed([part])
                ):
                    yield row, part


def _known_values(opened: Opened) -> dict[str, list[str]]:
    case = opened.case
    found = {}
    for name in roles_of(case.attributes, Role.IDENTIFIER, Role.QUASI, Role.SENSITIVE, Role.PLAIN):
        distinct, _ = numbered(flat_texts(case.original[name]))
        found[name] = [text for text in distinct if text]
    for name in opened.texts.original:
        surfaces = {
            (opened.texts.original[name][one.row] or "")[one.start : one.end]
            for one in case.mentions
            if one.column == name and one.is_direct
        }
        found[name] = sorted(surfaces)
    return found


def pseudonyms(opened: Opened) -> Iterator[Finding]:
    """Consistent stand-ins, in columns and in texts, that frequencies or their order tell."""
    rows = np.flatnonzero(opened.matched.sure)
    if len(rows) < 10:
        return
    for column in opened.columns:
        labels, values = column.label_of_row[rows], column.value_of_row[opened.matched.source[rows]]
        unread = (~column.meanings.is_read)[labels].mean() > 0.5
        if not (unread or column.is_coded) or not one_to_one(labels, values):
            continue
        coded = counted_back(labels, values, column.value_of_row, column.labels)
        if coded.values:
            told = f"{coded.values} values are the only ones that occur so often"
            yield finding(opened, "counted-back", [column.name], rows[coded.recovered].tolist(), told)
        if coded.in_order:
            yield finding(opened, "ordered-pseudonyms", [column.name], rows.tolist())
    yield from _in_texts(opened)


def _in_texts(opened: Opened) -> Iterator[Finding]:
    """Names that a text always replaces by one and the same other word."""
    swaps: list[tuple[int, str, str]] = []
    for name in opened.texts.names:
        by_place = {(m.row, m.start): m for m in opened.case.mentions if m.is_direct and m.column == name}
        if not by_place:
            continue
        for row, _, laid in ((r, n, a) for r, n, a in opened.texts.all() if n == name):
            at = int(opened.matched.source[row])
            for swap in laid.swaps:
                before = laid.original[swap.start : swap.end].strip()
                after = laid.released[swap.new_start : swap.new_end].strip()
                start = (
                    swap.start
                    + len(laid.original[swap.start : swap.end])
                    - len(laid.original[swap.start : swap.end].lstrip())
                )
                if (
                    (at, start) in by_place
                    and after
                    and not is_wiped(re.sub(r"\d+", "", after) if not re.search(r"\d", after) else "1")
                ):
                    swaps.append((row, before.casefold(), after.casefold()))
        if len(swaps) < 10:
            continue
        _, values = numbered([before for _, before, _ in swaps])
        shown, labels = numbered([after for _, _, after in swaps])
        if len(shown) < 3 or not one_to_one(labels, values):
            continue
        coded = counted_back(labels, values, values, shown)
        if coded.values:
            rows = [swaps[place][0] for place in coded.recovered.tolist()]
            told = f"{coded.values} names are the only ones that occur so often"
            yield finding(opened, "counted-back", [name], rows, told)


def shifts(opened: Opened) -> Iterator[Finding]:
    """Columns, and days of texts, that one constant moved."""
    for column in opened.columns:
        if column.shift and column.attribute.role is not Role.PLAIN:
            unit = " days" if column.source.is_days else ""
            shown = np.flatnonzero(column.meanings.is_read[column.label_of_row]).tolist()
            yield finding(
                opened, "shifted-by-constant", [column.name], shown, f"the same{unit} shift in all rows"
            )
    for name in opened.texts.names:
        rows = _shifted_days(opened, name)
        if rows:
            yield finding(
                opened, "shifted-by-constant", [name], rows, "days in the texts, all by the same shift"
            )


_DAY = re.compile(r"\b(\d{4})-(\d{1,2})-(\d{1,2})\b|\b(\d{1,2})[/.](\d{1,2})[/.](\d{4})\b")


def _shifted_days(opened: Opened, name: str) -> list[int]:
    from datetime import date

    def days(text: str) -> list[int | None]:
        found: list[int | None] = []
        for match in _DAY.finditer(text):
            parts = [int(p) for p in match.groups() if p]
            year, month, day = parts if match[1] else (parts[2], parts[0], parts[1])
            try:
                found.append(date(year, month, day).toordinal())
            except ValueError:
                try:
                    found.append(date(year, day, month).toordinal())
                except ValueError:
                    found.append(None)
        return found

    steps: list[tuple[int, int]] = []
    for row in np.flatnonzero(opened.matched.sure).tolist():
        both = opened.texts.both(row, name)
        if both is None or not _DAY.search(both[1]):
            continue
        before, after = days(both[0]), days(both[1])
        if len(before) == len(after):
            steps += [
                (row, b - a) for a, b in zip(before, after, strict=True) if a is not None and b is not None
            ]
    if len(steps) < 5:
        return []
    [(step, times)] = Counter(step for _, step in steps).most_common(1)
    return [row for row, _ in steps] if step and times >= 0.9 * len(steps) else []


def groups(opened: Opened) -> Iterator[Finding]:
    """Groups whose sensitive value is the same for all of them."""
    case = opened.case
    if not opened.known:
        return
    _, of_row = patterns_of(opened.known, case.released.height)
    names = column_names(case.released.columns, case.original.columns)
    for name in roles_of(case.attributes, Role.SENSITIVE):
        if name not in names:
            continue
        shown = [
            None if text is None or is_wiped(text) else text
            for text in flat_texts(case.released[names[name]])
        ]
        rows = told_by_groups(of_row, opened.tables.shown_person, shown, 2)
        if len(rows):
            count = len(np.unique(of_row[rows]))
            yield finding(opened, "group-tells-value", [name], rows.tolist(), f"in {count} groups")


def untrue(opened: Opened) -> Iterator[Finding]:
    """A remark on labels that are not true of their rows."""
    rows = np.flatnonzero(opened.matched.sure)
    for column in opened.known:
        wrong = rows[~column.fit(rows, opened.matched.source[rows])]
        if len(wrong):
            yield finding(opened, "untrue-labels", [column.name], wrong.tolist(), counts=False)


# --- what was not looked at ---------------------------------------------------------------------------


def not_looked_at(opened: Opened) -> list[str]:
    """What no finding could be about, in words."""
    case, matched = opened.case, opened.matched
    said = []
    if not matched.sure.all():
        left = int((~matched.sure).sum())
        said.append(
            f"{left} of {case.released.height} rows could not be matched: "
            "their texts were searched, but not laid over the original ones"
        )
    for column in opened.columns:
        share = 1 - column.meanings.is_read[column.label_of_row].mean()
        if column.attribute.role in (Role.QUASI, Role.EVENT) and (share > 0 or column.is_coded):
            what = (
                "codes that nobody can read"
                if column.is_coded
                else f"{share:.0%} of its labels could not be read"
            )
            said.append(f"column {column.name}: {what}, taken to mean anything")
    names = column_names(case.released.columns, case.original.columns)
    extra = [name for name in case.released.columns if name not in names.values()]
    if extra:
        said.append(f"columns that the data does not have, searched for identifiers only: {', '.join(extra)}")
    if opened.texts.names:
        said.append("wording and style of the texts, and things that no recognizer found")
    if matched.how == "nothing" and case.plan.data.person is not None:
        said.append("rows were counted, not persons: nobody could tell whose they are")
    said.append("other releases about the same persons")
    return said
