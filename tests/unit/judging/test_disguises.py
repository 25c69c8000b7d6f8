"""Words of a row's own identifiers that somebody turned about."""

from __future__ import annotations

import numpy as np

from heteronym.judging.disguises import OTHER_PREFIX, own_words_in_texts
from heteronym.judging.texts import TextPairs, has_word

KNOWN = {"name": ["Ada Quirkewell", "Bo Lumbard"], "phone": ["0157 8812345", "0160 4412345"]}


def told(first: str, second: str) -> dict[tuple[str, str], list[int]]:
    pairs = TextPairs(["note"], {"note": [first, second]}, {"note": ["Slept.", "Ate."]}, np.array([0, 1]))
    return own_words_in_texts(pairs, KNOWN)


def test_only_the_own_words_of_a_row_count() -> None:
    assert told("llewekriuq", "drabmul") == {("note", "written backwards"): [0, 1]}
    assert told("drabmul", "dhvexrjryy") == {}
    assert told("dhvexrjryy", "fine") == {("note", "in rot13"): [0]}


def test_a_number_behind_another_prefix() -> None:
    assert told("tel 00491578812345", "+49 (0)160 44 12 345") == {("note", OTHER_PREFIX): [0, 1]}
    assert told("00491604412345", "8812345") == {}


def test_figures_behind_a_letter_and_a_stroke_are_a_value_but_no_part_of_a_number() -> None:
    assert has_word("to D-04258", "04258") == (5, 10)
    assert has_word("0157-04258", "04258") is None
    assert has_word("a04258f", "04258") is None
