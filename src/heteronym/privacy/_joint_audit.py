"""The audit of the joint model: persons per combination of shown labels, counted plainly.

Written from the definition alone, on what the auditor rebuilt; it shares nothing with the choice of
labels. A feature is "shows this label at least j times"; labels that stand for themselves are just there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from heteronym.model.release import Released

Ints = NDArray[np.int64]

_AT_ONCE = 20_000_000  # combinations in memory


@dataclass(frozen=True)
class Counted:
    """Why the promise is broken, if it is, and the fewest persons of any group or combination."""

    reasons: tuple[str, ...]
    fewest: int


class Shown(NamedTuple):
    """Which owner (a person, or a row) shows which label how often; owners of a group are together."""

    owner: Ints
    label: Ints
    times: Ints


def count_shown(released: Released, *, k: int, m: int | Literal["all"], absence: bool) -> Counted:
    persons, person = np.unique(released.person_of_row, return_inverse=True)
    rows = len(person)
    if not rows:
        return Counted(("nothing was released",), 0)
    group = _group_of_person(released.group_of_row, person, len(persons))
    sizes = np.bincount(group)
    reasons = []
    if (sizes < k).any():
        reasons.append(f"{int((sizes < k).sum())} groups have fewer than {k} {released.unit}")
    if m != 1 and _linked(released, person, group[person], k):  # one label has no arrangement
        reasons.append("rows of a person can be linked, and arrangements over rows are not counted")
    label, counted = _identities(released)
    several = _in_several_spellings(released, label, group[person])
    if several:
        reasons.append(f"{several} labels of items or events stand in several spellings within a group")
    by_row = _shown_by_row(released, label, group[person])
    by_person = _summed(Shown(person[by_row.owner], by_row.label, by_row.times))
    fewest = int(sizes.min())
    levels = [("", by_person, np.arange(len(persons)), group)]
    if rows > len(persons):
        levels.append((" within a row", by_row, person, group[person]))
    for where, shown, person_of, group_of in levels:
        if m == "all":
            often = np.where(counted[shown.label], shown.times, 1)
            rare, least = _rare_records(shown._replace(times=often), person_of, group_of, k)
            what = "complete sets of labels"
        elif absence:
            rare, least = _rare_patterns(shown, counted, person_of, group_of, k=k, m=m)
            what = f"patterns of up to {m} labels"
        else:
            rare, least = _rare_combinations(shown, counted, person_of, group_of, k=k, m=m)
            what = f"combinations of up to {m} labels"
        fewest = min(fewest, least or fewest)
        if rare:
            reasons.append(f"{rare} {what}{where} are shown by fewer than {k} {released.unit} of their group")
    return Counted(tuple(reasons), fewest)


def _group_of_person(group_of_row: Ints, person: Ints, persons: int) -> Ints:
    """Persons are of one group if the columns of all their rows are released alike."""
    low = np.full(persons, np.iinfo(np.int64).max)
    high = np.full(persons, -1)
    np.minimum.at(low, person, group_of_row)
    np.maximum.at(high, person, group_of_row)
    torn = np.flatnonzero(low != high)
    low[torn] = group_of_row.max() + 1 + np.arange(len(torn))  # each a group of its own
    group: Ints = np.unique(low, return_inverse=True)[1]
    return group


def _linked(released: Released, person: Ints, group: Ints, k: int) -> bool:
    """Whether what is released unchanged tells which rows are of one person."""
    if released.linking is None:
        return False
    value = np.unique(np.stack([group, released.linking]), axis=1, return_inverse=True)[1].ravel()
    pairs, times = np.unique(np.stack([value, person]), axis=1, return_counts=True)
    holders = np.bincount(pairs[0])
    return bool(((times > 1) & (holders[pairs[0]] < k)).any())


def _identities(released: Released) -> tuple[Ints, NDArray[np.bool_]]:
    """The number of what each label is to a reader (-1: an attacker does not know it), and whether it counts
    how often it shows.

    London in two texts, or in a text and among terms, is one label. Items and events are told apart by their
    columns; a text that shows an item shows that label. The year of a visit and a year in a text are two.
    """
    number_of: dict[tuple[str, str], int] = {}
    column_of: dict[str, str] = {}
    for attribute, kind, text in released.labels:
        if kind == "item":
            column_of.setdefault(_read(text), attribute)
    label = np.full(len(released.labels), -1, np.int64)
    counted: dict[int, bool] = {}
    for number, (attribute, kind, text) in enumerate(released.labels):
        if kind == "item" and (attribute, text) in released.sensitive_items:
            continue
        if kind in ("item", "event"):
            key = (attribute, _read(text))
        elif kind == "placeholder":
            key = ("", f"[{text}]")
        else:
            # of terms in a column, the type stands before the first colon
            shown = _read(
                text.split(":", 1)[1] if attribute in released.term_columns and ":" in text else text
            )
            key = (column_of.get(shown, ""), shown)
        label[number] = number_of.setdefault(key, len(number_of))
        several = kind in ("placeholder", "link", "event") or number in released.general
        counted[int(label[number])] = counted.get(int(label[number]), False) or several
    return label, np.array([counted[n] for n in range(len(number_of))], np.bool_)


def _read(text: str) -> str:
    return " ".join(text.split()).casefold()


def _in_several_spellings(released: Released, label: Ints, group: Ints) -> int:
    """Labels of cells that are one to whoever counts them, and two strings to whoever reads them."""
    in_cells = np.array([kind in ("item", "event") for _, kind, _ in released.labels], np.bool_) & (
        label >= 0
    )
    code = released.shown.codes
    there = in_cells[code] if len(code) else np.zeros(0, np.bool_)
    row = released.shown.owners()[there]
    strings = np.unique(np.stack([group[row], label[code[there]], code[there]]), axis=1)
    return int(strings.shape[1] - np.unique(strings[:2], axis=1).shape[1])


def _shown_by_row(released: Released, label: Ints, group: Ints) -> Shown:
    row, code = released.shown.owners(), released.shown.codes
    times = released.times if released.times is not None else np.ones(len(code), np.int64)
    if not len(code):
        return Shown(row, code.astype(np.int64), times)
    keep = (label[code] >= 0) & ~_on_every_row(released, row, code, label[code], group)
    return _summed(Shown(row[keep], label[code[keep]], times[keep]))


def _on_every_row(
    released: Released, row: Ints, code: NDArray[np.int32], label: Ints, group: Ints
) -> NDArray[np.bool_]:
    """Event labels that every row of a group shows, and nothing else of it: they tell the number of rows,
    which nobody can see."""
    event = np.array([kind == "event" for _, kind, _ in released.labels], np.bool_)[code]
    span = int(label.max()) + 2
    key = group[row] * span + label + 1
    _, number = np.unique(key, return_inverse=True)
    often = np.bincount(number, weights=event)
    elsewhere = np.bincount(number, weights=~event)
    rows = np.bincount(group)[group[row]]
    every: NDArray[np.bool_] = event & (often[number] == rows) & (elsewhere[number] == 0)
    return every


def _summed(shown: Shown) -> Shown:
    span = int(shown.label.max(initial=0)) + 1
    key, number = np.unique(shown.owner * span + shown.label, return_inverse=True)
    return Shown(key // span, key % span, np.bincount(number, weights=shown.times).astype(np.int64))


def rare_labels(released: Released, *, k: int, m: int | Literal["all"]) -> NDArray[np.bool_]:
    """Which of the shown labels (as `released.shown` lists them) too few persons of their group show: alone,
    or, if there is none such, with another one; of a pair the label with fewer holders."""
    persons, person = np.unique(released.person_of_row, return_inverse=True)
    group = _group_of_person(released.group_of_row, person, len(persons))
    label, counted = _identities(released)
    by_row = _shown_by_row(released, label, group[person])
    by_person = _summed(Shown(person[by_row.owner], by_row.label, by_row.times))
    most = m if isinstance(m, int) else 2
    span = int(label.max(initial=0)) + 1
    rare: set[int] = set()  # group * span + label
    levels = [(by_person, np.arange(len(persons)), group), (by_row, person, group[person])]
    levels = [level for level in levels if len(level[0].owner)]
    for level in levels:
        rare |= _rare_alone(*level, counted, k=k, most=most, span=span)
    for level in levels if most > 1 and not rare else ():
        rare |= _rare_in_pairs(*level, k=k, span=span)
    code = released.shown.codes
    key = group[person][released.shown.owners()] * span + label[code]
    found: NDArray[np.bool_] = (label[code] >= 0) & np.isin(key, np.array(sorted(rare), np.int64))
    return found


def _rare_alone(
    shown: Shown, person_of: Ints, group_of: Ints, counted: NDArray[np.bool_], *, k: int, most: int, span: int
) -> set[int]:
    owner, feature = _features(shown, counted, most)
    key, number = np.unique(group_of[owner] * (span * most) + feature, return_inverse=True)
    few = key[_persons_of(number, person_of[owner]) < k]
    return set((few // (span * most) * span + few % (span * most) // most).tolist())


def _rare_in_pairs(shown: Shown, person_of: Ints, group_of: Ints, *, k: int, span: int) -> set[int]:
    """Plainly: it is asked only where a promise is broken, and no label alone breaks it."""
    mine: dict[int, list[int]] = {}
    holders: dict[tuple[int, int], set[int]] = {}
    for owner, label in zip(shown.owner.tolist(), shown.label.tolist(), strict=True):
        mine.setdefault(owner, []).append(label)
        holders.setdefault((int(group_of[owner]), label), set()).add(int(person_of[owner]))
    pairs: dict[tuple[int, int, int], set[int]] = {}
    for owner, labels in mine.items():
        for one, other in combinations(sorted(labels), 2):
            pairs.setdefault((int(group_of[owner]), one, other), set()).add(int(person_of[owner]))
    rare = [pair for pair, some in pairs.items() if len(some) < k]
    return {g * span + min(both, key=lambda label: (len(holders[g, label]), label)) for g, *both in rare}


# --- combinations ---------------------------------------------------------------------------------


def _features(shown: Shown, counted: NDArray[np.bool_], most: int) -> tuple[Ints, Ints]:
    """Owner and feature of everything shown; feature = label * most + j - 1. Ascending by owner."""
    often = np.where(counted[shown.label], np.minimum(shown.times, most), 1)
    place = np.repeat(np.arange(len(often)), often)
    j = np.arange(len(place)) - np.repeat(np.cumsum(often) - often, often)
    return shown.owner[place], shown.label[place] * most + j


def _rare_combinations(
    shown: Shown, counted: NDArray[np.bool_], person_of: Ints, group_of: Ints, *, k: int, m: int
) -> tuple[int, int]:
    """How many combinations fewer than k persons of a group show, and the fewest persons of any."""
    if not len(shown.owner):
        return 0, 0
    owner, feature = _features(shown, counted, m)
    rare, fewest = 0, len(person_of)
    span = int(feature.max()) + 1
    ends = np.searchsorted(owner, owner, side="right")
    # combinations with the same first feature are counted together
    first = np.argsort(group_of[owner] * span + feature, kind="stable")
    cost = np.cumsum((ends[first] - first) ** (m - 1) if m > 1 else np.ones(len(first)))
    starts = group_of[owner[first]] * span + feature[first]
    part = (cost // _AT_ONCE).astype(np.int64)
    part = np.maximum.accumulate(part[np.searchsorted(starts, starts)])  # not within one first feature
    for number in np.unique(part):
        last = first[part == number]
        combination = np.unique(group_of[owner[last]] * span + feature[last], return_inverse=True)[1]
        for size in range(1, m + 1):
            if size > 1:
                last, combination = _longer(last, combination, ends, feature, m)
                if not len(last):
                    break
            holders = _persons_of(combination, person_of[owner[last]])
            rare += int((holders < k).sum())
            fewest = min(fewest, int(holders.min()))
    return rare, fewest


def _longer(last: Ints, combination: Ints, ends: Ints, feature: Ints, most: int) -> tuple[Ints, Ints]:
    """Every combination with one more feature of its owner, of another label."""
    more = ends[last] - last - 1
    place = np.repeat(np.arange(len(last)), more)
    step = np.arange(len(place)) - np.repeat(np.cumsum(more) - more, more) + 1
    new = last[place] + step
    other = feature[new] // most != feature[last[place]] // most
    new, place = new[other], place[other]
    span = int(feature.max()) + 1
    return new, np.unique(combination[place] * span + feature[new], return_inverse=True)[1]


def _persons_of(combination: Ints, person: Ints) -> Ints:
    """Persons of each combination."""
    span = int(person.max()) + 1
    pairs = np.unique(combination * span + person)
    holders: Ints = np.bincount(pairs // span)
    return holders


# --- absence, and complete records ----------------------------------------------------------------


def _rare_patterns(
    shown: Shown, counted: NDArray[np.bool_], person_of: Ints, group_of: Ints, *, k: int, m: int
) -> tuple[int, int]:
    """As before, for what owners show and what they do not; every pattern of a group is looked at."""
    owner, feature = _features(shown, counted, m + 1)
    rare, fewest = 0, len(person_of)
    for group in np.unique(group_of).tolist():
        owners = np.flatnonzero(group_of == group)
        place = {o: n for n, o in enumerate(owners.tolist())}
        bits: dict[int, int] = {}
        mine = group_of[owner] == group if len(owner) else np.zeros(0, np.bool_)
        for o, f in zip(owner[mine].tolist(), feature[mine].tolist(), strict=True):
            bits[f] = bits.get(f, 0) | 1 << place[o]
        persons = person_of[owners].tolist()
        for held in _patterns((1 << len(owners)) - 1, sorted(bits.items()), m, m + 1):
            found = len({persons[n] for n in range(len(owners)) if held >> n & 1})
            rare += 0 < found < k
            fewest = min(fewest, found or fewest)
    return rare, fewest


def _patterns(held: int, features: Sequence[tuple[int, int]], left: int, most: int) -> Iterator[int]:
    """Owners of every pattern of up to `left` features."""
    for number, (feature, bits) in enumerate(features):
        rest = [other for other in features[number + 1 :] if other[0] // most != feature // most]
        for some in (held & bits, held & ~bits):
            yield some
            if some and left > 1:
                yield from _patterns(some, rest, left - 1, most)


def _rare_records(shown: Shown, person_of: Ints, group_of: Ints, k: int) -> tuple[int, int]:
    """Complete sets of labels with counts."""
    records: dict[int, list[tuple[int, int]]] = {owner: [] for owner in range(len(person_of))}
    for owner, label, often in zip(
        shown.owner.tolist(), shown.label.tolist(), shown.times.tolist(), strict=True
    ):
        records[owner].append((label, often))
    held: dict[tuple[int, tuple[tuple[int, int], ...]], set[int]] = {}
    for owner, record in records.items():
        held.setdefault((int(group_of[owner]), tuple(record)), set()).add(int(person_of[owner]))
    sizes = Counter(len(persons) for persons in held.values())
    return sum(often for size, often in sizes.items() if size < k), min(sizes)
