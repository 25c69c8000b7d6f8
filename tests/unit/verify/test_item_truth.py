"""The auditor checks that released items are true of the row, and that no item is lost."""

from __future__ import annotations

import polars as pl
import pytest

from heteronym.io.hierarchies import build_hierarchy
from heteronym.model.schema import Attribute, Role
from heteronym.verify.audit import _untrue_item_rows
from heteronym.verify.labels import item_members

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
    found = _untrue_item_rows(pl.Series([released], dtype=pl.String), pl.Series([source]), ITEMS, TREE)
    assert (not found) == true
