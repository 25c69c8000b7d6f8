"""Columns that repeat an identifier in other writing: S1001 for S-1001, 17 for 0017, a name in capitals.

Two values are one if letters and digits agree after case, accents, separators and zeros in front are gone.
A value that is marked (letters with digits, a long number, several words) repeats an identifier in whichever
row it stands with it alone; others must do so in more rows than they would by chance, or in all rows. So must
parts: the digits of a code (48213 for MRN-48213), the words of a name in another order, and, in most rows,
its first or last word.

Cost        O(n) per pair of columns
Randomness  none
"""

from __future__ import annotations

import polars as pl

_LEAST_LONG = 5  # characters of an identifier that is found inside of a longer cell
_LEAST_ROWS = 3  # that all agree: fewer say nothing
_LEAST_SHARE, _MOST_SHARE = 0.01, 0.5  # of the rows that show a part of their identifier
_LONGEST_CODE = 40  # characters: figures of a sentence are no code
_MOST_WORDS = 8  # of a name: more are a sentence
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
        return _parts_of_identifiers(both)
    every = bool(both["same"].all()) and both["own"].n_unique() >= _LEAST_ROWS
    if every or _is_beyond_chance(both, found.height):
        return found["row"].to_list()
    alone = pl.col("same").all().over("shown")  # the cell stands with this identifier and no other
    marked = both.filter(pl.col("same") & alone & _is_marked("key", "own"))["row"].to_list()
    return marked or _parts_of_identifiers(both)


def _parts_of_identifiers(both: pl.DataFrame) -> list[int]:
    """Rows that show the digits of their code, or words of their name, far beyond chance."""
    digits = pl.col("own").str.replace_all(r"\D", "").str.strip_chars_start("0")
    coded = both.with_columns(
        pl.col("shown").str.replace_all(r"\D", "").str.strip_chars_start("0"), digits.alias("own")
    ).filter(
        (pl.col("own").str.len_chars() >= _LEAST_LONG) & (pl.col("key").str.len_chars() <= _LONGEST_CODE)
    )
    rows = _agreeing(coded, coded, _LEAST_SHARE)
    if rows:
        return rows
    words = pl.col("key").str.extract_all(r"\p{L}{3,}").list.eval(_folded(pl.element()))
    named = both.filter(~pl.col("key").str.contains(r"\d")).with_columns(words.alias("words"))
    named = named.filter(pl.col("words").list.len().is_between(2, _MOST_WORDS))
    cell = pl.col("cell").str.extract_all(r"\p{L}{3,}").list.eval(_folded(pl.element()))
    sorted_ = named.with_columns(
        cell.list.sort().list.join(" ").alias("shown"),
        pl.col("words").list.sort().list.join(" ").alias("own"),
    )
    if rows := _agreeing(sorted_, sorted_, _LEAST_SHARE):
        return rows
    for place in (0, -1):
        own = named.with_columns(pl.col("words").list.get(place).alias("own"))
        if rows := _agreeing(own, both, _MOST_SHARE):
            return rows
    return []


def _agreeing(both: pl.DataFrame, whole: pl.DataFrame, share: float) -> list[int]:
    found = both.filter(pl.col("shown") == pl.col("own"))
    enough = found.height >= max(_LEAST_ROWS, share * whole.height) and found["own"].n_unique() >= _LEAST_ROWS
    return found["row"].to_list() if enough and _is_beyond_chance(both, found.height) else []


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


def _folded(texts: pl.Expr) -> pl.Expr:
    return texts.str.normalize("NFKD").str.to_lowercase().str.replace_all(r"[^\p{L}\p{N}]", "")


def _core(name: str) -> pl.Expr:
    letters = _folded(pl.col(name).str.replace(r"\.0+\s*$", ""))
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
