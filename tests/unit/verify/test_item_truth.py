"""The auditor checks that released items are true of the row, and that no item is lost."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from heteronym.io.hierarchies import build_hierarchy
from heteronym.model.schema import Attribute, Role
from heteronym.verify.labels import item_members
from heteronym.verify.truth import untrue_items

ITEMS = Attribute(role=Role.ITEMS, separator=" ")
TREE = build_hierarchy([["A", "low", "*"], ["B", "low", "*"], ["C", "high", "*"]])


@pytest.mark.parametrize(
    ("label", "items"),
    [
        ("(B,D)", {"B", "D"}),
        ("B", {"B"}),
        (r"(a\,b,c\(d\))", {"a,b", "c(d)"}),
        (r"\(x)", {"(x)"}),
        (r"(x\\y,z)", {"x\\y", "z"}),
    ],
)
def test_a_block_is_read_back_as_its_items(label: str, items: set[str]) -> None:
    assert item_members(label) == items


@pytest.mark.parametrize(
    ("released", "source", "true"),
    [
        ("(A,B) C", "A C", True),
        ("(A,B) C", "B A C", True),
        ("(A,B)", "A C", False),  # C was lost
        ("(A,B) C", "A", False),  # C was invented
        ("low C", "A B C", True),
        ("low", "C", False),
        ("*", "A C", True),
        ("", "", True),
        (None, "A", False),
    ],
)
def test_labels_must_stand_for_the_items_of_their_row(released: str | None, source: str, true: bool) -> None:
    shown = pl.Series([released], dtype=pl.String)
    found = untrue_items(shown, pl.Series([source]), np.array([0]), ITEMS, TREE)
    assert (not len(found)) == true
