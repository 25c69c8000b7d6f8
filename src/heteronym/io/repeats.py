"""Columns that repeat an identifier in other writing: S1001 for S-1001, 17 for 0017, a name in capitals.

Two values are one if letters and digits agree after case, accents, separators and zeros in front are gone.
A value that is marked (letters with digits, a long number, several words) repeats an identifier in whichever
row it stands with it alone; others must do so in more rows than they would by chance, or in all rows.

Cost        O(n) per pair of columns
Randomness  none
"""

from __future__ import annotations

import polars as pl

_LEAST_LONG = 5  # characters of an identifier that is found inside of a longer cell
_LEAST_ROWS = 3  # that all agree: fewer say nothing
_BY_CHANCE = 3.0  # times as many as expected


def repeating_rows(cells: pl.Series, keys: pl.Series) -> list[int]:
    """Rows, counted from 1, whose cell is or holds the identifier of the row; [] if that is just chance."""
    both = pl.DataFrame({"cell": cells, "key": keys}).with_row_index("row", offset=1).drop_nulls()
    both = both.with_columns(
        pl.col("cell", "key").str.strip_chars().str.to_lowercase(),
        _core("cell").alias("shown"),
        _core("key").alias("own"),
    ).filter(pl.col("own") != "")
    if not both.height:
        return []
    holds = (pl.col("key").str.len_chars() >= _LEAST_LONG) & pl.col("cell").str.contains(
        pl.col("key"), literal=True
    )
    both = both.with_columns((pl.col("shown") == pl.col("own")).alias("same"), holds.alias("holds"))
    found = both.filter(pl.col("same") | pl.col("holds"))
    if not found.height:
        return []
    every = bool(both["same"].all()) and both["own"].n_unique() >= _LEAST_ROWS
    if every or _is_beyond_chance(both, found.height):
        return found["row"].to_list()
    alone = pl.col("same").all().over("shown")  # the cell stands with this identifier and no other
    return both.filter(pl.col("same") & alone & _is_marked("key", "own"))["row"].to_list()


def holds_identifiers_of_others(cells: pl.Series, keys: pl.Series, persons: pl.Series | None) -> list[int]:
    """Rows, counted from 1, whose cell is an identifier of another person; only long codes and full names.

    What several persons share is nobody's; `persons` is None where rows are persons.
    """
    both = pl.DataFrame({"cell": cells, "key": keys}).with_row_index("row", offset=1)
    whose = pl.col("row") if persons is None else persons.alias("person")
    both = both.with_columns(_core("cell").alias("shown"), _core("key").alias("own"), whose.alias("whose"))
    own, letters = pl.col("own"), pl.col("own").str.count_matches(r"\p{L}")
    digits = own.str.count_matches(r"\d")
    code = (letters > 0) & (digits >= 3) & (own.str.len_chars() >= _LEAST_LONG)
    name = (digits == 0) & (letters >= 8) & (pl.col("key").str.count_matches(r"\p{L}{2,}").is_between(2, 8))
    single = pl.col("whose").n_unique().over("own") == 1
    marked = both.filter((code | name) & single)["own"].drop_nulls().unique()
    return both.filter(pl.col("shown").is_in(marked.implode()))["row"].to_list() if len(marked) else []


def _core(name: str) -> pl.Expr:
    plain = pl.col(name).str.replace(r"\.0+\s*$", "").str.normalize("NFKD").str.to_lowercase()
    letters = plain.str.replace_all(r"[^\p{L}\p{N}]", "")
    return letters.str.replace_all(r"(^|\p{L})0+(\d)", "${1}${2}")


def _is_marked(key: str, core: str) -> pl.Expr:
    letters, digits = (pl.col(core).str.count_matches(kind) for kind in (r"\p{L}", r"\d"))
    mixed = (letters > 0) & (digits > 1) & (pl.col(core).str.len_chars() > 3)
    words = pl.col(key).str.count_matches(r"[\p{L}\p{N}]{2,}")
    return mixed | ((letters == 0) & (digits >= 7)) | (words > 1)


def _is_beyond_chance(both: pl.DataFrame, found: int) -> bool:
    """Whether more rows agree than if the column were shuffled."""
    times = (
        both.group_by("shown")
        .len("cells")
        .join(both.group_by("own").len("keys"), left_on="shown", right_on="own")
        .select((pl.col("cells") * pl.col("keys")).sum())
        .item()
    )
    return found >= max(2, 0.01 * both.height) and found > _BY_CHANCE * float(times or 0) / both.height
