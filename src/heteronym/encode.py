"""Dataset and mentions into a PersonView: the only place where table, set and text become one.

Every attribute is coded once, to integers in the order of its scale; persons are numbered by their
key. After this, nothing looks at cells again until labels are written.

Cost        O(n log n) per column; memory is a few integers per cell and per pair of person and element
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from heteronym.errors import InputError, PlanError, row_list
from heteronym.io.values import days, numbers, text_cells
from heteronym.model.dataset import Dataset
from heteronym.model.hierarchy import Hierarchy
from heteronym.model.mention import Mentions
from heteronym.model.person_view import Column, Domain, ElementDomain, Elements, PersonView, Sets, distinct
from heteronym.model.schema import Attribute, Role, Scale
from heteronym.model.terms import normalize
from heteronym.registry import recoders

DEFAULT_RECODER = {
    Scale.NOMINAL: "set",
    Scale.ORDINAL: "set",
    Scale.NUMERIC: "interval",
    Scale.DATE: "date",
}


def encode(
    dataset: Dataset, mentions: Mentions | None = None, *, direct: frozenset[str] = frozenset()
) -> PersonView:
    """One record per person. Mentions that are linked to a column, or of a direct type, are no terms."""
    person_of_row, persons = number_persons(dataset)
    columns = tuple(
        _encode_column(name, dataset, person_of_row, persons) for name in dataset.schema.named(Role.QUASI)
    )
    elements = _encode_elements(dataset, mentions, direct, person_of_row, persons)
    return PersonView(columns, elements, person_of_row, persons)


def number_persons(dataset: Dataset) -> tuple[NDArray[np.int32], int]:
    key = dataset.schema.person
    if key is None:
        return np.arange(dataset.rows, dtype=np.int32), dataset.rows
    cells = dataset.frame[key]
    known = text_cells(cells, dataset.missing)
    if known.null_count():
        raise InputError(
            f"{dataset.source}: no person key in column '{key}', "
            f"{row_list((known.is_null().arg_true() + 1).to_list())}"
        )
    numbers_ = known.rank("dense").cast(pl.Int32).to_numpy() - 1
    return numbers_.astype(np.int32), int(numbers_.max()) + 1


def recoder_name(attribute: Attribute) -> str:
    """The plan's recoder, or the scale's own."""
    if attribute.recode is not None:
        return attribute.recode
    return "hierarchy" if attribute.hierarchy is not None else DEFAULT_RECODER[attribute.scale]


# --- columns --------------------------------------------------------------------------------------


def _encode_column(name: str, dataset: Dataset, person_of_row: NDArray[np.int32], persons: int) -> Column:
    attribute = dataset.schema[name]
    values, codes = _code_cells(name, attribute, dataset)
    present = np.unique(codes)
    domain = Domain(
        name=name,
        attribute=attribute,
        values=values,
        size=len(present),
        has_missing=bool(len(present) and present[-1] == len(values)),
        hierarchy=dataset.hierarchies.get(name),
    )
    shape = recoders.build(recoder_name(attribute)).shape(domain)
    sets, person_set = _value_sets(person_of_row, codes, persons, len(values) + 1)
    return Column(domain, shape, sets, person_set)


def _code_cells(
    name: str, attribute: Attribute, dataset: Dataset
) -> tuple[NDArray[np.generic], NDArray[np.int32]]:
    cells = dataset.frame[name]
    source, missing = dataset.source, dataset.missing
    hierarchy = dataset.hierarchies.get(name)
    if attribute.scale is Scale.NUMERIC:
        parsed = numbers(cells, source=source, missing=missing)
    elif attribute.scale is Scale.DATE:
        parsed = days(cells, attribute.format, source=source, missing=missing)
    else:
        parsed = text_cells(cells, missing)
    if hierarchy is not None:
        return _code_by_list(parsed.cast(pl.String), hierarchy.leaves, "its hierarchy", source)
    if attribute.scale is Scale.ORDINAL:
        if not attribute.order:
            raise PlanError(f"attributes.{name}: an ordinal column needs `order: [...]` or a hierarchy")
        if len(set(attribute.order)) < len(attribute.order):
            raise PlanError(f"attributes.{name}: `order` names a value twice")
        return _code_by_list(parsed, attribute.order, "`order`", source)
    domain = parsed.drop_nulls().unique().sort()
    codes = _codes_in(parsed, domain)
    if attribute.scale is Scale.DATE:
        return domain.to_numpy().astype("datetime64[D]"), codes
    if attribute.scale is Scale.NUMERIC:
        return domain.to_numpy(), codes
    return np.array(domain.to_list(), object), codes


def _codes_in(values: pl.Series, domain: pl.Series) -> NDArray[np.int32]:
    """Place of each value in the sorted domain; nulls get the place after the last."""
    if not len(domain):
        return np.zeros(len(values), np.int32)
    if values.dtype == pl.String:
        codes = values.cast(pl.Enum(domain)).to_physical()
    else:
        codes = domain.search_sorted(values.fill_null(domain[0]))
        codes = (
            codes.to_frame("c")
            .select(pl.when(values.is_null()).then(None).otherwise(pl.col("c")))
            .to_series()
        )
    return codes.cast(pl.Int32).fill_null(len(domain)).to_numpy().astype(np.int32)


def _code_by_list(
    values: pl.Series, known: tuple[str, ...], what: str, source: str
) -> tuple[NDArray[np.generic], NDArray[np.int32]]:
    codes = values.cast(pl.Enum(list(known)), strict=False).to_physical().cast(pl.Int32)
    lacking = values.is_not_null() & codes.is_null()
    if lacking.any():
        rows = (lacking.arg_true() + 1).to_list()
        raise InputError(f"{source}: column '{values.name}': {what} lacks the value of {row_list(rows)}")
    return np.array(known, object), codes.fill_null(len(known)).to_numpy().astype(np.int32)


def _value_sets(
    person_of_row: NDArray[np.int32], codes: NDArray[np.int32], persons: int, code_count: int
) -> tuple[Sets, NDArray[np.int32]]:
    """Distinct value sets, and which of them each person holds."""
    if persons == len(codes):
        by_person = np.empty(persons, np.int32)
        by_person[person_of_row] = codes
        used, person_set = np.unique(by_person, return_inverse=True)
        return Sets(np.arange(len(used) + 1), used.astype(np.int32)), person_set.astype(np.int32)
    sets = Sets.of_pairs(person_of_row, codes, owners=persons, codes=code_count)
    return _distinct_sets(sets)


def _distinct_sets(sets: Sets) -> tuple[Sets, NDArray[np.int32]]:
    lengths = np.diff(sets.ptr)
    mix = np.random.default_rng(0).integers(1, 1 << 63, int(sets.codes.max(initial=0)) + 1, dtype=np.uint64)
    digest = np.add.reduceat(mix[sets.codes], sets.ptr[:-1])
    _, first, number = np.unique(digest, return_index=True, return_inverse=True)
    if (lengths[first][number] != lengths).any() or not _equal_to(sets, first[number]):
        # two different sets with one digest: practically never, and never silently
        first, number = np.arange(len(sets)), np.arange(len(sets))
    codes = np.concatenate([sets[i] for i in first]) if len(first) else sets.codes
    return Sets(np.r_[0, np.cumsum(lengths[first])], codes), number.astype(np.int32)


def _equal_to(sets: Sets, other: NDArray[np.int64]) -> bool:
    lengths = np.diff(sets.ptr)
    within = np.arange(len(sets.codes)) - np.repeat(sets.ptr[:-1], lengths)
    return bool((sets.codes[np.repeat(sets.ptr[other], lengths) + within] == sets.codes).all())


# --- items and terms ------------------------------------------------------------------------------


@dataclass(frozen=True, repr=False, eq=False)
class _Found:
    """Elements of one attribute by cell; rows with equal cells share one."""

    attribute: str
    cell_of_row: NDArray[np.int32]
    spellings: pl.DataFrame  # type (null for items), term (normalized), spelling, cells: list of Int32


def _encode_elements(
    dataset: Dataset,
    mentions: Mentions | None,
    direct: frozenset[str],
    person_of_row: NDArray[np.int32],
    persons: int,
) -> Elements:
    found = [_terms_of(name, dataset) for name in dataset.schema.named(Role.TERMS)]
    found += [_items_of(name, dataset) for name in dataset.schema.named(Role.ITEMS)]
    if mentions is not None and len(mentions):
        found += [
            _mentioned_in(number, mentions, direct, dataset.rows) for number in range(len(mentions.columns))
        ]
    domains: list[ElementDomain] = []
    names: list[str] = []
    of_domain: list[NDArray[np.int32]] = []
    hierarchies: list[Hierarchy | None] = []
    sensitive: list[NDArray[np.bool_]] = []
    cell_of_row = np.zeros(dataset.rows, np.int32)
    per_attribute: list[tuple[NDArray[np.int32], pl.DataFrame]] = []
    for one in found:
        attribute = dataset.schema[one.attribute]
        hierarchy = dataset.hierarchies.get(one.attribute)
        # The most frequent spelling stands for the term; ties by the alphabet.
        spellings = (
            one.spellings.with_columns(pl.col("cells").list.len().alias("count"))
            .sort("type", "term", "count", "spelling", descending=[False, False, True, False])
            .with_columns(
                (
                    pl.col("type").ne_missing(pl.col("type").shift())
                    | pl.col("term").ne(pl.col("term").shift())
                )
                .fill_null(True)
                .alias("first")
            )
        )
        if hierarchy is not None:
            spellings = _in_leaf_order(spellings, hierarchy, one, dataset.source)
        numbered = spellings.select(
            "cells", (pl.col("first").cum_sum().cast(pl.Int32) - 1 + len(names)).alias("element")
        )
        spellings = spellings.filter("first")
        types = spellings["type"].unique(maintain_order=True).to_list()
        for type_ in types:
            of_domain.append(np.full(int(spellings["type"].eq_missing(type_).sum()), len(domains), np.int32))
            domains.append(ElementDomain(one.attribute, type_, attribute.weight))
            hierarchies.append(hierarchy)
        names += spellings["spelling"].to_list()
        sensitive.append(
            spellings["spelling"].is_in(list(attribute.sensitive)).to_numpy()
            if attribute.role is Role.ITEMS
            else np.zeros(spellings.height, np.bool_)
        )
        entries = numbered.explode("cells").rename({"cells": "cell"})
        per_attribute.append((one.cell_of_row, entries))
        _, cell_of_row = np.unique(
            cell_of_row.astype(np.int64) * (int(one.cell_of_row.max(initial=0)) + 1) + one.cell_of_row,
            return_inverse=True,
        )
    count = max(len(names), 1)
    cells = int(cell_of_row.max(initial=-1)) + 1
    by_person = [_pairs_of(person_of_row, persons, *part) for part in per_attribute]
    by_cell = [_pairs_of(cell_of_row, cells, *part) for part in per_attribute]
    return Elements(
        domains=tuple(domains),
        domain=np.concatenate(of_domain) if of_domain else np.empty(0, np.int32),
        names=names,
        sensitive=np.concatenate(sensitive) if sensitive else np.empty(0, np.bool_),
        of_person=Sets.of_pairs(*_all_pairs(by_person), owners=persons, codes=count),
        of_cell=Sets.of_pairs(*_all_pairs(by_cell), owners=cells, codes=count),
        cell_of_row=cell_of_row.astype(np.int32),
        hierarchies=tuple(hierarchies),
    )


def _pairs_of(
    owner_of_row: NDArray[np.int32], owners: int, cell_of_row: NDArray[np.int32], entries: pl.DataFrame
) -> pl.DataFrame:
    """(owner, element) for owners of rows; a cell that an owner has on many rows is looked at once."""
    cells = int(cell_of_row.max(initial=0)) + 1
    held = distinct(owner_of_row.astype(np.int64) * cells + cell_of_row)
    owned = pl.DataFrame({"owner": (held // cells).astype(np.int32), "cell": (held % cells).astype(np.int32)})
    return owned.join(entries, on="cell").select("owner", "element")


def _all_pairs(parts: list[pl.DataFrame]) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    if not parts:
        return np.empty(0, np.int32), np.empty(0, np.int32)
    pairs = pl.concat(parts)
    return pairs["owner"].to_numpy(), pairs["element"].to_numpy()


def split_cells(cells: pl.Series, separator: str | None) -> tuple[NDArray[np.int32], pl.DataFrame]:
    """A set-valued column as distinct cells: which one each row has, and the entries of each, trimmed."""
    is_list = isinstance(cells.dtype, (pl.List, pl.Array))
    flat = cells.cast(pl.List(pl.String)).list.join("\x00", ignore_nulls=True) if is_list else cells
    # A joined column repeats long cells on every row of a person: whatever is done to text is done once.
    frame = flat.rename("flat").to_frame()
    distinct = frame.unique(maintain_order=True).with_row_index("cell").cast({"cell": pl.Int32})
    number = frame.join(distinct, on="flat", how="left", nulls_equal=True, maintain_order="left")["cell"]
    text = text_cells(distinct["flat"])
    if is_list:
        lists = text.str.split("\x00")
    elif separator is not None:
        lists = text.str.split(separator)
    elif _looks_like_json(text):
        try:
            lists = text.str.json_decode(pl.List(pl.String))
        except pl.exceptions.PolarsError:
            raise InputError(f"column '{cells.name}': not all cells are JSON lists") from None
    else:
        lists = text.str.split("\x00")  # one entry per row
    entries = (
        pl.DataFrame({"cell": distinct["cell"], "entry": lists})
        .drop_nulls("entry")
        .explode("entry")
        .with_columns(pl.col("entry").str.strip_chars())
    )
    return number.to_numpy(), entries.filter(pl.col("entry").is_not_null() & (pl.col("entry") != ""))


def _looks_like_json(text: pl.Series) -> bool:
    known = text.drop_nulls().str.strip_chars()
    return bool(len(known)) and bool((known.str.starts_with("[") & known.str.ends_with("]")).all())


def _terms_of(name: str, dataset: Dataset) -> _Found:
    cell_of_row, entries = split_cells(dataset.frame[name], dataset.schema[name].separator)
    by_entry = entries.group_by("entry").agg(pl.col("cell").alias("cells"))
    parts = by_entry["entry"].str.splitn(":", 2).struct.unnest()
    typed = by_entry.select(
        "cells",
        parts["field_0"].str.strip_chars().alias("type"),
        parts["field_1"].str.strip_chars().alias("spelling"),
    )
    bad = typed.filter(pl.col("spelling").fill_null("").eq("") | pl.col("type").eq(""))
    if bad.height:
        cells = bad["cells"].explode().to_numpy()
        rows = (np.flatnonzero(np.isin(cell_of_row, cells)) + 1).tolist()
        raise InputError(
            f"{dataset.source}: column '{name}': entries without a type in {row_list(rows)}; "
            "write them TYPE:term"
        )
    return _Found(name, cell_of_row, typed.with_columns(_normalized(typed["spelling"])))


def _normalized(spellings: pl.Series) -> pl.Series:
    """Terms of spellings; plain ASCII, the common case, is normalized without leaving polars."""
    plain = spellings.str.contains(r"^[!#-&(-,./-_a-~]+( [!#-&(-,./-_a-~]+)*$")
    terms = spellings.str.to_lowercase()
    if not plain.all():
        odd = (~plain).arg_true()
        terms = terms.scatter(odd, [normalize(spelling) for spelling in spellings.gather(odd)])
    return terms.alias("term")


def holds_json_lists(cells: pl.Series) -> bool:
    """Whether a set-valued column without separator is written as JSON lists."""
    return not cells.dtype.is_nested() and _looks_like_json(text_cells(cells))


def _items_of(name: str, dataset: Dataset) -> _Found:
    cells, separator = dataset.frame[name], dataset.schema[name].separator
    plain = separator is None and not cells.dtype.is_nested() and not holds_json_lists(cells)
    if plain and dataset.schema.person is None and cells.n_unique() > 1:
        raise PlanError(
            f"attributes.{name}: items need a 'separator', JSON lists, or one row per person and item "
            "with data.person named"
        )
    cell_of_row, entries = split_cells(cells, separator)
    by_entry = entries.group_by("entry").agg(pl.col("cell").alias("cells"))
    return _Found(
        name,
        cell_of_row,
        by_entry.select(
            pl.lit(None, pl.String).alias("type"),
            pl.col("entry").alias("term"),
            pl.col("entry").alias("spelling"),
            "cells",
        ),
    )


def _mentioned_in(column: int, mentions: Mentions, direct: frozenset[str], count: int) -> _Found:
    quasi = np.array([type_ not in direct for type_ in mentions.types], np.bool_)
    chosen = (mentions.column == column) & (mentions.link < 0) & quasi[mentions.type]
    grouped = (
        pl.DataFrame(
            {
                "type": mentions.type[chosen],
                "term": mentions.term[chosen],
                "cells": mentions.row[chosen].astype(np.int32),
            }
        )
        .unique()
        .group_by("type", "term")
        .agg("cells")
    )
    term = pl.Series(list(mentions.terms), dtype=pl.String).gather(grouped["term"])
    spellings = grouped.select(
        pl.Series(list(mentions.types), dtype=pl.String).gather(grouped["type"]).alias("type"),
        term.alias("term"),
        term.alias("spelling"),
        "cells",
    )
    return _Found(mentions.columns[column], np.arange(count, dtype=np.int32), spellings)


def _in_leaf_order(spellings: pl.DataFrame, hierarchy: Hierarchy, found: _Found, source: str) -> pl.DataFrame:
    place = pl.DataFrame({"spelling": hierarchy.leaves}).with_row_index("leaf")
    placed = spellings.join(place, on="spelling", how="left")
    lacking = placed.filter(pl.col("leaf").is_null())
    if lacking.height:
        cells = lacking["cells"].explode().to_numpy()
        rows = (np.flatnonzero(np.isin(found.cell_of_row, cells)) + 1).tolist()
        raise InputError(
            f"{source}: column '{found.attribute}': its hierarchy lacks items of {row_list(rows)}"
        )
    return placed.sort("leaf").drop("leaf")
