"""Counts a joint release by the definition, knowing the sentences of its texts and nothing of the program.

A group is the set of persons whose released quasi columns are equal. A person shows the labels in the places
of its sentences, its items and its events; a label that stands where it stood is just there, every other is
shown at least j times. Each combination of up to m labels that one person shows, or one row, must be shown
by k persons of the group, or within a row of k. What became of an element must not depend on who holds it.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any, NamedTuple

from benchmarks.generators.fuzz_tables import IDENTIFIERS
from benchmarks.generators.hospital_notes import Told
from benchmarks.generators.joint_tables import EVENTS, PLAIN, JointCase, Said
from benchmarks.leaks import core, folded, is_shown, left_over, stripped

_PLACEHOLDER = re.compile(r"\[(?:[A-Z_]+|\.\.\.)\]")
_ITEM = re.compile(r"\([^)]*\)|[^ ]+")
Label = tuple[str, str]


class Read(NamedTuple):
    """A place of a sentence that is still there, and what stands in it."""

    said: Said
    now: str


def read_text(said: Sequence[Said], text: str) -> list[Read] | None:
    """What stands in the places of the sentences; None if the text is none of these sentences."""
    parts = [
        rf"(?:{re.escape(one.before)}(?P<p{n}>.+?){re.escape(one.behind)}\s*)?" for n, one in enumerate(said)
    ]
    parts += [rf"(?:{re.escape(sentence)}\s*)?" for sentence in PLAIN]
    match = re.fullmatch("".join(parts), text, re.DOTALL)
    if match is None:
        return None
    return [Read(one, match[f"p{n}"]) for n, one in enumerate(said) if match[f"p{n}"] is not None]


def joint_violations(
    case: JointCase, rows: list[dict[str, Any]], person: list[str], source: list[int]
) -> list[str]:
    quasi = [name for name, a in case.plan["attributes"].items() if a["role"] == "quasi"]
    keys = [tuple(str(row[name]) for name in quasi) for row in rows]
    group = [sorted(set(keys)).index(key) for key in keys]
    texts = [name for name, a in case.plan["attributes"].items() if a["role"] == "text"]
    read: list[list[Read]] = []
    found: list[str] = []
    for row, at in zip(rows, source, strict=True):
        here: list[Read] = []
        for name in texts:
            told = read_text(case.said[at][name], str(row[name] or ""))
            if told is None:
                found.append(f"row {at} of '{name}' changed outside of its places")
            here += told or []
        read.append(here)
    if found:
        return found
    found += _leaks(read, rows, quasi)
    found += _depending_on_the_holder(read, group)
    shown = [_shown(case, *one) for one in zip(rows, read, strict=True)]
    replaced = {
        (g, label) for g, here in zip(group, shown, strict=True) for label, kept, _ in here if not kept
    }
    counted: list[Counter[Label]] = []
    for g, here in zip(group, shown, strict=True):
        often: Counter[Label] = Counter()
        for label, _, times in here:
            # a label that also stands for something else is told by its number
            often[label] = often[label] + times if (g, label) in replaced else 1
        counted.append(often)
    counted = _without_constant_events(group, counted)
    return found + _too_few(case, group, person, counted, replaced)


def _shown(case: JointCase, row: dict[str, Any], read: Sequence[Read]) -> list[tuple[Label, bool, int]]:
    """Label, whether it stands where it stood, and how often."""
    result: list[tuple[Label, bool, int]] = []
    entries = _ITEM.findall(str(row.get("drugs") or ""))
    for entry in set(entries):
        result.append((("drugs", entry), not entry.startswith("("), 1))
    for name in EVENTS:
        if name in case.plan["attributes"]:
            result.append(((name, str(row[name] or "")), False, 1))
    for said, now in read:
        label = row.get(said.column)
        placeholders = _PLACEHOLDER.findall(now)
        if placeholders:
            result += [(("", placeholder), False, 1) for placeholder in placeholders]
        elif said.column == "drugs":
            result.append((("drugs", now), not now.startswith("("), 1))
        elif label is not None and folded(str(label)) in folded(now):
            result.append((("", folded(str(label))), False, 1))
        else:
            result.append((("", folded(now)), now == said.surface, 1))
    return result


def _without_constant_events(group: Sequence[int], counted: list[Counter[Label]]) -> list[Counter[Label]]:
    """An event label that every row of a group shows tells the number of rows only."""
    labels: dict[tuple[int, str], set[str]] = defaultdict(set)
    for g, here in zip(group, counted, strict=True):
        for name, label in here:
            labels[g, name].add(label)
    return [
        Counter({one: n for one, n in here.items() if one[0] not in EVENTS or len(labels[g, one[0]]) > 1})
        for g, here in zip(group, counted, strict=True)
    ]


def _too_few(
    case: JointCase,
    group: Sequence[int],
    person: Sequence[str],
    rows: Sequence[Counter[Label]],
    replaced: set[tuple[int, Label]],
) -> list[str]:
    of_person: dict[tuple[int, str], Counter[Label]] = defaultdict(Counter)
    for g, who, here in zip(group, person, rows, strict=True):
        of_person[g, who].update(here)
    whole = [
        (g, who, Counter({label: n if (g, label) in replaced else 1 for label, n in here.items()}))
        for (g, who), here in of_person.items()
    ]
    members = Counter(g for g, _ in of_person)
    found = [f"a group of {size}" for size in members.values() if size < case.k]
    for where, records in (("person", whole), ("row", list(zip(group, person, rows, strict=True)))):
        for size in _few(records, case):
            found.append(f"{size} persons show some labels by {where}")
    return found


def _few(records: Sequence[tuple[int, str, Counter[Label]]], case: JointCase) -> Iterator[int]:
    holders: dict[Any, set[str]] = defaultdict(set)
    if case.absence:
        known: dict[int, set[Any]] = defaultdict(set)
        for g, _, here in records:
            known[g] |= set(_features(here, int(case.m) + 1))
        for g, who, here in records:
            mine = set(_features(here, int(case.m) + 1))
            for some in _some(sorted(known[g]), int(case.m)):
                holders[g, tuple((one, one in mine) for one in some)].add(who)
    else:
        for g, who, here in records:
            if case.m == "all":
                holders[g, frozenset(here.items())].add(who)
            else:
                for some in _some(sorted(_features(here, int(case.m))), int(case.m)):
                    holders[g, some].add(who)
    yield from (len(who) for who in holders.values() if len(who) < case.k)


def _features(here: Counter[Label], most: int) -> Iterator[tuple[Label, int]]:
    for label, often in here.items():
        yield from ((label, j) for j in range(1, min(often, most) + 1))


def _some(features: Sequence[tuple[Label, int]], m: int) -> Iterator[tuple[tuple[Label, int], ...]]:
    for size in range(1, m + 1):
        for some in combinations(features, size):
            if len({label for label, _ in some}) == size:
                yield some


def _depending_on_the_holder(read: Sequence[Sequence[Read]], group: Sequence[int]) -> list[str]:
    """A town, a job or a drug of a group is one thing in all its texts."""
    became: dict[Any, set[str]] = defaultdict(set)
    for g, here in zip(group, read, strict=True):
        for said, now in here:
            if said.column in ("city", "other city", "drugs", "job"):
                kind = "city" if "city" in said.column else said.column
                became[g, kind, folded(said.surface)].add(folded(now))
    return [f"a '{kind}' became {len(all_)} things" for (_, kind, _), all_ in became.items() if len(all_) > 1]


def _leaks(read: Sequence[Sequence[Read]], rows: Sequence[dict[str, Any]], quasi: Sequence[str]) -> list[str]:
    found = []
    for here, row in zip(read, rows, strict=True):
        labels = [str(row[name]) for name in quasi if row[name] is not None]
        for said, now in here:
            told = Told(0, said.column, said.surface)
            if said.column in IDENTIFIERS and left_over(told, stripped(now, labels)):
                found.append(f"'{said.column}' is left in a text as {said.surface!r}")
            shown = said.column in quasi and is_shown(core(told), str(row[said.column]))
            if said.column in quasi and not shown and left_over(told, stripped(now, labels)):
                found.append(f"'{said.column}' is left in a text as {said.surface!r}")
    return found
