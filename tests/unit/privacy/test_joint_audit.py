"""What the audit of the joint model must not pass over, one break at a time, beside a release that holds."""

from __future__ import annotations

import numpy as np
import pytest

from heteronym.model.release import ModelVerdict, Released
from heteronym.model.sets import Sets
from heteronym.privacy.joint import Joint

LABELS = [("text", "term", "rome"), ("text", "term", "oslo"), ("text", "term", "bern")]
LABELS += [("text", "placeholder", "GPE"), ("text", "term", "gpe")]
ROME, OSLO, BERN, MASK, WORD = range(5)


def audited(
    rows: list[tuple[int, int, set[int]]], *, k: int = 2, m: int = 2, absence: bool = False
) -> ModelVerdict:
    """Rows are group, person and the labels that show."""
    owner = [n for n, (_, _, shown) in enumerate(rows) for _ in shown]
    code = [label for _, _, shown in rows for label in sorted(shown)]
    return Joint(k, m, absence).audit(
        Released(
            group_of_row=np.array([group for group, _, _ in rows], np.int64),
            person_of_row=np.array([person for _, person, _ in rows], np.int64),
            unit="persons",
            quasi=("age",),
            shown=Sets.of_pairs(
                np.array(owner, np.int64), np.array(code, np.int64), owners=len(rows), codes=len(LABELS)
            ),
            labels=LABELS,
        )
    )


def persons(*shown: set[int]) -> list[tuple[int, int, set[int]]]:
    return [(0, person, labels) for person, labels in enumerate(shown)]


def test_two_labels_together_are_counted() -> None:
    held = persons({ROME, OSLO}, {ROME}, {OSLO}, set())
    assert audited(held, m=1).holds
    assert audited(held, m=2).detail.startswith("1 combinations of up to 2 labels are shown by fewer than 2")
    assert audited([*held, (0, 4, {ROME, OSLO})], m=2).holds


def test_three_labels_together_are_counted() -> None:
    pairs = [{ROME, OSLO}, {ROME, BERN}, {OSLO, BERN}]
    held = persons({ROME, OSLO, BERN}, *pairs)
    assert audited(held, m=2).holds
    assert audited(held, m=3).smallest_group == 1
    assert not audited(held, m=3).holds
    assert audited(persons({ROME, OSLO, BERN}, *pairs, {ROME, OSLO, BERN}), m=3).holds


def test_what_stands_in_one_row_is_more_than_what_a_person_shows() -> None:
    """Both persons of the pair show both labels, but only one shows them side by side."""
    apart = [(0, 0, {ROME}), (0, 0, {OSLO}), (0, 1, {ROME, OSLO}), (0, 1, set())]
    assert "within a row" in audited(apart).detail
    together = [(0, 0, {ROME, OSLO}), (0, 0, set()), (0, 1, {ROME, OSLO}), (0, 1, set())]
    assert audited(together).holds


def test_persons_whose_rows_lie_in_two_groups_do_not_hide_each_other() -> None:
    torn = [(group, person, {ROME}) for person in (0, 1) for group in (0, 1)]
    whole = [(0, person, {ROME}) for person in (2, 3)]
    assert not audited([*torn, *whole], m=1).holds
    assert audited(whole, m=1).holds


def test_what_is_known_to_be_absent_is_counted_where_it_is_asked_for() -> None:
    held = persons({ROME}, {ROME}, {ROME}, set())  # who has no Rome is alone
    assert audited(held, m=1).holds
    assert not audited(held, m=1, absence=True).holds
    assert audited(persons({ROME}, {ROME}, set(), set()), m=1, absence=True).holds


def test_a_placeholder_is_not_a_word_that_reads_like_its_type() -> None:
    assert not audited(persons({MASK}, {WORD}), m=1).holds
    assert audited(persons({MASK}, {MASK}), m=1).holds


@pytest.mark.parametrize("k", [2, 3])
def test_the_fewest_persons_of_a_combination_are_told(k: int) -> None:
    assert audited(persons({ROME, OSLO}, {ROME, OSLO}, {ROME}, {OSLO}), k=k).smallest_group == 2
