"""Attackers with up to m known elements on releases under the joint model: items, events, mentions, links.

One attacker knows even what each element of the target became in its group, which is all that the definition
grants; the others are those of `heteronym attack`. Broken releases show that they would find something.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np
import polars as pl
import pytest

import heteronym as hn
from heteronym.api.attack import attack_table
from heteronym.io.plans import make_plan
from heteronym.model.attack import AttackResult, Knowledge, ReleasedTable
from tests.naive.joint import PLAIN, Row, narrowed
from tests.properties.test_joint import plan_for, random_people, read_release, read_text, with_names

ATTACKS = ["linkage-columns", "linkage-elements", "linkage-both", "placeholders"]
Label = tuple[str, str]
Elements = dict[tuple[str, str], set[Label]]  # of a group: what each element became


def released(
    seed: int, k: int, m: Any, *, absence: bool = False
) -> tuple[pl.DataFrame, ReleasedTable, Knowledge]:
    people = random_people(seed)
    plan = plan_for(k, m, absence, {"method": "joint", "delta": 1.0} if seed % 2 else {"method": "mondrian"})
    release = hn.anonymize(people, plan)
    person = people["id"].to_numpy()
    table = ReleasedTable(
        release.data, make_plan(plan), person[release.source_row], np.asarray(release.source_row)
    )
    return people, table, Knowledge(people, person)


def found(table: ReleasedTable, knowledge: Knowledge, only: list[str], **given: Any) -> list[AttackResult]:
    return list(attack_table(table, knowledge, only=only, parameters=given).results)


@pytest.mark.parametrize("seed", range(12))
def test_no_attack_narrows_below_k(seed: int) -> None:
    k, m = 2 + seed % 3, [1, 2, 2, "all"][seed % 4]
    _, table, knowledge = released(seed, k, m)
    results = found(table, knowledge, ATTACKS)
    assert [result.holds for result in results] == [True] * len(ATTACKS)
    assert all(result.certainty <= 1 / k + 1e-9 for result in results)
    assert "events" in results[2].detail


@pytest.mark.parametrize("seed", range(12))
def test_who_knows_what_m_elements_became_finds_k_persons(seed: int) -> None:
    k, m = 2 + seed % 2, 1 + seed % 2
    people, table, _ = released(seed, k, m)
    assert table.person is not None
    assert table.source_row is not None
    rows = read_release(table.frame, table.person.tolist())
    became = what_became(people[table.source_row.tolist()], table.frame, rows)
    tried = 0
    for person, (group, elements) in sorted(elements_of_persons(people, table, rows).items()):
        known = [next(iter(became[group][e])) for e in sorted(elements) if len(became[group][e]) == 1]
        for size in range(1, m + 1):
            for some in combinations(known, size):
                # a cell of a set shows a label once, however many of its items became it
                sets = {label for label in some if label[0].endswith("codes")}
                others = [label for label in some if label not in sets]
                # what is left of the target's own; or all of it, which may have gone from everybody's rows
                shown = own_of(rows, person, [*sets, *others])
                assert narrowed(rows, person, shown) >= k
                assert narrowed(rows, person, [*sets, *others]) not in range(1, k)
                tried += len(shown) > 0
    assert tried


def own_of(rows: list[Row], target: int, known: list[Label]) -> list[Label]:
    """As many of the known labels as the target shows."""
    own: Counter[Label] = Counter()
    for _, person, shown in rows:
        own.update(shown if person == target else {})
    return [*(own & Counter(known)).elements()]


def elements_of_persons(
    people: pl.DataFrame, table: ReleasedTable, rows: list[Row]
) -> dict[int, tuple[int, set[tuple[str, str]]]]:
    found: dict[int, tuple[int, set[tuple[str, str]]]] = {}
    originals = people[np.asarray(table.source_row).tolist()].iter_rows(named=True)
    for (group, person, _), row in zip(rows, originals, strict=True):
        mine = found.setdefault(person, (group, set()))[1]
        mine |= {("codes", item) for item in (row["codes"] or "").split()}
        mine |= {(name, str(row[name])) for name in ("visit", "ward")}
        mine |= {("text", one) for name in ("text", "note") for one in mentions(row[name])}
    return found


def mentions(text: str | None) -> list[str]:
    """What recognizers find in a text of the generator."""
    pattern = r"\b(?:Rome|Oslo|Paris|Lyon|Bonn|nurse|clerk|pilot)\b|555\d{4}|\b3\d\b(?= years old)"
    return re.findall(pattern, text or "")


def what_became(originals: pl.DataFrame, data: pl.DataFrame, rows: list[Row]) -> dict[int, Elements]:
    """By group what each element became, read off wherever texts of a row lost no sentence."""
    became: dict[int, Elements] = defaultdict(lambda: defaultdict(set))
    data = with_names(data)
    constant = {
        (name, group)
        for name in ("visit", "ward")
        for group in {group for group, _, _ in rows}
        if len({row[name] for row, (g, _, _) in zip(data.to_dicts(), rows, strict=True) if g == group}) == 1
    }
    for (group, _, _), before, after in zip(
        rows, originals.iter_rows(named=True), data.iter_rows(named=True), strict=True
    ):
        of = became[group]
        for name in ("visit", "ward"):
            if (name, group) not in constant:  # otherwise nothing is told
                of[name, str(before[name])].add((name, after[name] or ""))
        for entry in re.findall(r"\([^)]*\)|[^ ]+", after["codes"] or ""):
            for item in re.findall(r"\w+", entry):
                of["codes", item].add(("codes" if entry.startswith("(") else PLAIN + "codes", entry))
        for name in ("text", "note"):
            surfaces, shown = mentions(before[name]), labels_in(after[name], str(after["age"]))
            if (before[name] or "").count(".") == (after[name] or "").count("."):
                assert len(surfaces) == len(shown)
                for surface, label in zip(surfaces, shown, strict=True):
                    of["text", surface].add(label)
    for of in became.values():
        assert all(len(labels) == 1 for labels in of.values())  # never of who holds it
    return became


def labels_in(text: str | None, age: str) -> list[Label]:
    """The labels of a text, in their order."""
    return [label for one in re.findall(r"[^.]+\.", text or "") for label in ordered(one.strip(), age)]


def ordered(sentence: str, age: str) -> list[Label]:
    shown = read_text(sentence, age)
    return sorted(shown.elements(), key=lambda label: sentence.lower().find(label[1].lower()))


def changed(table: ReleasedTable, row: int, column: str, value: str) -> ReleasedTable:
    cells = table.frame[column].cast(pl.String).to_list()
    cells[row] = value
    return replace(table, frame=table.frame.with_columns(pl.Series(column, cells, pl.String)))


def test_the_attacks_find_what_is_broken_on_purpose() -> None:
    """Four persons of one group with two rows each; then one of them shows what nobody else does."""
    people = pl.DataFrame(
        {
            "id": [n // 2 for n in range(8)],
            "age": [30 + n // 2 for n in range(8)],
            "codes": ["A"] * 8,
            "found": [None] * 8,
            "text": ["I am here."] * 8,
            "note": [None] * 8,
            "visit": ["2021-01-05", "2021-06-07"] * 4,
            "ward": ["east"] * 8,
        }
    )
    frame = people.drop("id").with_columns(
        age=pl.lit("[30-33]"), visit=pl.Series(["2021-Q1", "2021-Q2"] * 4), text=pl.lit("I am [30-33].")
    )
    plan = make_plan(plan_for(4, 2, False, {"method": "joint"}))
    table = ReleasedTable(frame, plan, people["id"].to_numpy(), np.arange(8))
    knowledge = Knowledge(people, people["id"].to_numpy())
    names = ["linkage-both", "placeholders"]
    assert [result.holds for result in found(table, knowledge, names)] == [True, True]
    lone_day = changed(table, 0, "visit", "2021-01-05")
    assert [result.holds for result in found(lone_day, knowledge, names)] == [True, False]
    lone_quarter = table
    for row, label in {1: "2021", 3: "2021-Q3", 5: "2021-Q3", 7: "2021-Q3"}.items():
        lone_quarter = changed(lone_quarter, row, "visit", label)  # nobody else's may be a day in June
    assert [result.holds for result in found(lone_quarter, knowledge, names)] == [False, False]
    twice = changed(table, 0, "text", "I am [30-33]. She is [30-33].")  # a link that one shows twice more
    assert [result.holds for result in found(twice, knowledge, ["placeholders"])] == [False]
    alone = changed(table, 0, "note", "Call [PHONE] now.")
    assert [result.holds for result in found(alone, knowledge, ["placeholders"])] == [False]


def test_pairs_are_no_promise_where_one_element_may_be_known() -> None:
    _, table, knowledge = released(0, 2, 1)
    pairs = Counter(
        (row["visit"], row["ward"], re.findall(r"\[[A-Z]+\]", row["text"] or "") != [])
        for row in with_names(table.frame).iter_rows(named=True)
    )
    assert min(pairs.values()) < 2  # somebody is told apart by two labels together
    [result] = found(table, knowledge, ["placeholders"])
    assert result.holds
