"""The two statements of the proof of `joint` that are about counting, on random releases.

A set shows a label once per cell, however many items of the cell became it, or not at all; a text shows it
once per mention. Any sentence may go, and any entry of a set; what is left of an element reads alike in all
of its group.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from functools import cache
from typing import Any

import numpy as np
import polars as pl

import heteronym as hn
from tests.properties.test_joint import CITIES, JOBS, plan_for, random_people, with_names

SEEDS = range(12)
ELEMENT = re.compile(r"\b(?:" + "|".join([*CITIES, *JOBS]) + r")\b")
SHOWN = re.compile(ELEMENT.pattern + r"|\[(?:GPE|JOB|UNTYPED)\]")
ENTRY = re.compile(r"\([^)]*\)|[^ ]+")


@cache
def released(seed: int) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Persons as they came and as they are released, row beside row."""
    people = random_people(seed)
    plan = plan_for(2 + seed % 2, 1 + seed % 2, False, {"method": "mondrian"})
    plan["privacy"][0]["types"] = seed % 4 > 1
    release = hn.anonymize(people, plan)
    return people[np.asarray(release.source_row).tolist()], with_names(release.data)


def entries_of(cell: str | None) -> list[str]:
    return ENTRY.findall(cell or "")


def test_a_set_shows_a_label_at_most_once_per_cell_that_holds_one_of_its_items() -> None:
    fewer_than_elements = 0
    for seed in SEEDS:
        before, after = released(seed)
        groups = after["age"].cast(pl.String).to_list()
        label_of: dict[tuple[str, str], str] = {}
        for group, cell in zip(groups, after["codes"].to_list(), strict=True):
            label_of |= {
                (group, item): entry for entry in entries_of(cell) for item in re.findall(r"\w+", entry)
            }
        wanted: Counter[Any] = Counter()
        sent: dict[Any, set[str]] = defaultdict(set)
        shown: Counter[Any] = Counter()
        for group, person, was, now in zip(
            groups, before["id"].to_list(), before["codes"].to_list(), after["codes"].to_list(), strict=True
        ):
            items = [item for item in (was or "").split() if (group, item) in label_of]
            if now is not None:  # a set that all rows of a person repeat is shown on one of them
                wanted.update({(person, label_of[group, item]) for item in items})
            for item in items:
                sent[person, label_of[group, item]].add(item)
            shown.update((person, entry) for entry in entries_of(now))
        assert shown <= wanted  # an entry may be gone
        fewer_than_elements += sum(shown[known] < len(items) for known, items in sent.items())
    assert fewer_than_elements  # two items of one cell became one label: it shows once


def test_what_is_left_of_an_element_reads_alike_whoever_holds_it() -> None:
    """Read off texts of one sentence: where several stand, nobody can tell which of them went."""
    gone_and_kept = 0
    for seed in SEEDS:
        before, after = released(seed)
        became: dict[Any, set[str]] = defaultdict(set)
        for was, now in zip(before.iter_rows(named=True), after.iter_rows(named=True), strict=True):
            for name in ("text", "note"):
                sentence, left = was[name] or "", now[name] or ""
                if sentence.count(".") != 1:
                    continue
                elements, labels = ELEMENT.findall(sentence), SHOWN.findall(left)
                if not elements:  # a telephone number, or an age
                    continue
                assert len(labels) in (0, len(elements))  # whole sentences go
                for place, element in enumerate(elements):
                    label = labels[place] if labels else "gone"
                    became[str(now["age"]), element].add(label)
        assert all(len(labels - {"gone"}) <= 1 for labels in became.values())
        gone_and_kept += sum(len(labels) > 1 for labels in became.values())
    assert gone_and_kept  # kept in one sentence, gone with another
