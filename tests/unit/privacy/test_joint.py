"""The joint model: its audit against the definition, its choice of labels against both."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.naive.joint import PLAIN, Row, narrowed, violations

from heteronym.model.release import Released
from heteronym.model.sets import Sets
from heteronym.privacy._tallies import Candidates, Promise, Tally
from heteronym.privacy.joint import Joint

LABELS = [
    ("codes", "item", "A"),
    ("codes", "item", "B"),
    ("text", "term", "rome"),
    ("note", "term", "rome"),
    ("found", "term", "GPE:Rome"),
    ("found", "term", "GPE:Oslo"),
    ("text", "term", "italy"),
    ("text", "placeholder", "GPE"),
    ("note", "placeholder", "GPE"),
    ("text", "link", "[20-30]"),
    ("visit", "event", "2021"),
    ("visit", "event", "2022-Q1"),
]
GENERAL = frozenset({6})
ROWS = st.lists(
    st.tuples(
        st.integers(0, 1),  # group
        st.integers(0, 5),  # person
        st.dictionaries(st.integers(0, len(LABELS) - 3), st.integers(1, 3), max_size=4),
        st.integers(len(LABELS) - 2, len(LABELS) - 1),
    ),
    min_size=1,
    max_size=14,
)


def as_released(rows: list[tuple[int, int, dict[int, int]]]) -> Released:
    owner = [n for n, (_, _, shown) in enumerate(rows) for _ in shown]
    code = [label for _, _, shown in rows for label in sorted(shown)]
    sets = Sets.of_pairs(np.array(owner, np.int64), np.array(code, np.int64), owners=len(rows), codes=99)
    return Released(
        group_of_row=np.array([group for group, _, _ in rows], np.int64),
        person_of_row=np.array([person for _, person, _ in rows], np.int64),
        unit="persons",
        quasi=("age",),
        shown=sets,
        labels=LABELS,
        times=np.array([shown[label] for _, _, shown in rows for label in sorted(shown)], np.int64),
        general=GENERAL,
        term_columns=frozenset({"found"}),
    )


def as_read(rows: list[tuple[int, int, dict[int, int]]]) -> list[Row]:
    """What a reader sees: an event that every row of a group shows tells nothing."""
    names: dict[int, tuple[str, str]] = {}
    for number, (attribute, kind, text) in enumerate(LABELS):
        space = attribute if kind in ("item", "event") else ""
        string = f"[{text}]" if kind == "placeholder" else text.split(":")[-1].lower()
        plain = kind in ("item", "term") and number not in GENERAL
        names[number] = (PLAIN * plain + space, string)
    read: list[Row] = []
    for group, person, shown in rows:
        counts: Counter[tuple[str, str]] = Counter()
        for number, often in shown.items():
            everywhere = all(number in other for g, _, other in rows if g == group)
            if LABELS[number][1] != "event" or not everywhere:
                counts[names[number]] += often
        read.append((group, person, counts))
    return read


@settings(derandomize=True, max_examples=250, deadline=None)
@given(ROWS, st.integers(2, 3), st.sampled_from([1, 2, 3, "all"]), st.booleans())
def test_the_audit_says_what_the_definition_says(
    given_rows: list[Any], k: int, m: Any, absence: bool
) -> None:
    absence = absence and m in (1, 2)
    # a person's columns are alike on all its rows
    rows = [(person % 2, person, {**shown, event: 1}) for _, person, shown, event in given_rows]
    bad = violations(as_read(rows), k=k, m=m, absence=absence)
    verdict = Joint(k, m, absence).audit(as_released(rows))
    assert verdict.holds == (not bad), bad


def test_a_person_whose_rows_are_in_two_groups_is_alone() -> None:
    rows = [(0, 0, {}), (1, 0, {}), (0, 1, {}), (0, 2, {})]
    assert not Joint(2, 1).audit(as_released(rows)).holds


def test_what_is_released_unchanged_must_not_link_the_rows_of_a_person() -> None:
    rows = [(0, person, {}) for person in (0, 0, 1, 1, 2, 2)]
    seen = as_released(rows)
    assert Joint(3, 2).audit(seen).holds
    object.__setattr__(seen, "linking", np.array([0, 0, 1, 1, 2, 2]))
    assert "linked" in Joint(3, 2).audit(seen).detail
    object.__setattr__(seen, "linking", np.array([0, 0, 0, 0, 0, 0]))  # the same for all tells nothing
    assert Joint(3, 2).audit(seen).holds


@pytest.mark.parametrize("seed", range(40))
def test_compiled_and_plain_tallies_take_the_same_labels(seed: int) -> None:
    rng = np.random.default_rng(seed)
    person_of_row = np.sort(rng.integers(0, 8, 14))
    persons = 8
    many = int(rng.integers(10, 60))
    row = np.sort(rng.integers(0, 14, many))
    label = rng.integers(0, 6, many)
    order = np.lexsort((row, label))
    row, label = row[order], label[order]
    names, first = np.unique(label, return_index=True)
    candidates = Candidates(names, np.r_[first, many], person_of_row[row], row, rng.random(len(names)) < 0.1)
    counted = rng.random(len(names)) < 0.5
    for m in (1, 2):
        promise = Promise(int(rng.integers(2, 4)), m)
        fast = Tally(promise, person_of_row[row], row, person_of_row, persons, 6)
        plain = Tally(promise._replace(absence=False), person_of_row[row], row, person_of_row, persons, 6)
        from heteronym.privacy._tallies import _Plain

        plain._plain = _Plain(promise, persons, person_of_row, by_row=True)
        assert (fast.take(candidates, counted) == plain.take(candidates, counted)).all()


def test_an_attacker_with_m_labels_never_narrows_below_k() -> None:
    rows: list[Row] = [
        (0, person, Counter({("=", "rome"): 1, ("", "[GPE]"): 1 + person % 2})) for person in range(6)
    ]
    assert not violations(rows, k=3, m=2)
    assert narrowed(rows, 1, [("", "[GPE]"), ("", "[GPE]")]) == 3
    assert narrowed(rows, 0, [("=", "rome"), ("", "[GPE]")]) == 6
