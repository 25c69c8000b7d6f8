"""Hierarchy files: two forms, one meaning, and what is wrong with them."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from tests.naive.hierarchies import has_cycle

from heteronym.errors import InputError
from heteronym.io.hierarchies import build_hierarchy, read_hierarchy, render_hierarchy
from heteronym.io.hierarchy_flaws import Paths, flaws_of

ROWS = [
    ["Berlin", "Germany", "Europe", "*"],
    ["Germany", "Germany", "Europe", "*"],  # a value that is also a node with other leaves
    ["Oslo", "Norway", "Europe", "*"],
    ["Lima", "Peru", "America", "*"],
    ["# odd", "Peru", "America", "*"],
    ['"quoted"', "Peru", "America", "*"],
]


def paths(rows: list[list[str]]) -> Paths:
    return Paths(tuple(map(tuple, rows)), tuple(range(1, len(rows) + 1)), "test")


@pytest.mark.parametrize("ending", [".csv", ".txt"])
def test_both_forms_are_read_back_as_they_were(ending: str, tmp_path: Path) -> None:
    file = tmp_path / f"h{ending}"
    file.write_text(render_hierarchy(ROWS, outline=ending == ".txt"), "utf-8")
    found, wanted = read_hierarchy(file), build_hierarchy(ROWS)
    assert found.leaves == wanted.leaves
    assert found.names == wanted.names
    assert (found.node == wanted.node).all()


def test_an_outline_may_have_several_roots_comments_tabs_and_leaves_at_any_depth(tmp_path: Path) -> None:
    file = tmp_path / "h.txt"
    file.write_text("# places\nEurope\n\tNorway\n\t\tOslo\n\n\tMalta\nMars\n", "utf-8")
    found = read_hierarchy(file)
    assert found.leaves == ("Oslo", "Malta", "Mars")
    assert found.names[-1] == ("*",)


FATAL = {
    "cycle": [["a", "b", "a", "*"]],
    "cycle over two rows": [["x", "a", "b", "*"], ["y", "b", "a", "*"]],
    "duplicate": [["a", "b", "*"], ["a", "c", "*"]],
    "duplicate, though equal": [["a", "b", "*"], ["a", "b", "*"]],
    "parents": [["a", "b", "c", "*"], ["d", "b", "e", "*"]],
    "blank leaf": [["", "b", "*"]],
    "blank node": [["a", "", "*"]],
}


@pytest.mark.parametrize("case", FATAL)
def test_what_cannot_be_used_is_refused(case: str) -> None:
    assert case.split(",")[0].split(" ")[0] in {
        flaw.name for flaw in flaws_of(paths(FATAL[case])) if flaw.fatal
    }
    with pytest.raises(InputError):
        build_hierarchy(FATAL[case])


def test_a_refusal_names_rows_and_no_value() -> None:
    flaws = flaws_of(paths([["secret", "b", "*"], ["x", "b", "*"], ["secret", "b", "*"]]))
    assert [str(flaw) for flaw in flaws if flaw.fatal] == ["rows 1 and 3 have the same leaf"]


REMARKS = {
    "uneven": [["a", "b", "c", "*"], ["d", "*"]],
    "flat": [["a", "*"], ["b", "*"]],
    "ambiguous": [["a", "b", "c", "*"], ["b", "d", "c", "*"]],
}


@pytest.mark.parametrize("case", REMARKS)
def test_what_is_odd_is_remarked(case: str) -> None:
    flaws = flaws_of(paths(REMARKS[case]))
    assert case in {flaw.name for flaw in flaws}
    assert not any(flaw.fatal for flaw in flaws)


def test_cycles_are_found_as_by_walking_every_path() -> None:
    seen = set()
    for seed in range(400):
        rng = random.Random(seed)
        rows = [
            [rng.choice("abcdefgh") for _ in range(rng.randint(1, 4))] + ["*"]
            for _ in range(rng.randint(1, 4))
        ]
        found = any(flaw.name == "cycle" for flaw in flaws_of(paths(rows)))
        assert found == has_cycle(rows), rows
        seen.add(found)
    assert seen == {True, False}
