"""A column of sets that is read at once says what its cells say one by one."""

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from heteronym.verify.entries import cell_entries, read_entries

CELLS = st.lists(st.none() | st.text(alphabet='ab ,|()\\[]"', max_size=12), max_size=8)


def by_cell(cells: pl.Series, separator: str | None, *, held: bool) -> list[list[str]]:
    read = read_entries(cells, separator, held=held)
    found: list[list[str]] = [[] for _ in range(len(cells))]
    for row, code in zip(read.row.tolist(), read.code.tolist(), strict=True):
        found[row].append(read.texts[code])
    assert len(set(read.texts)) == len(read.texts)
    return found


@given(CELLS, st.sampled_from([" ", ",", "|", "(", ", ", None]), st.booleans())
def test_columns_are_read_as_their_cells_are(
    cells: list[str | None], separator: str | None, held: bool
) -> None:
    one_by_one = [cell_entries(cell, separator, held=held) for cell in cells]
    assert by_cell(pl.Series(cells, dtype=pl.String), separator, held=held) == one_by_one


@pytest.mark.parametrize("separator", [" ", None])
def test_lists_and_categories_are_read_too(separator: str | None) -> None:
    lists = pl.Series([["a", "b c"], None, [], ["a"]])
    assert by_cell(lists, separator, held=False) == [["a", "b c"], [], [], ["a"]]
    names = pl.Series(["(a b) c", None, "c"], dtype=pl.Categorical)
    assert by_cell(names, " ", held=False) == [["(a b)", "c"], [], ["c"]]
    assert by_cell(names, " ", held=True) == [["(a", "b)", "c"], [], ["c"]]
