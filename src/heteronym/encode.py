"""Dataset and mentions into a PersonView: the only place where table, set and text become one.

Every attribute is coded once, to integers in the order of its scale; persons are numbered by their
key. After this, nothing looks at cells again until labels are written.

Cost        O(n log n) per column; memory is a few integers per cell and per pair of person and element
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from heteronym.contracts import Recoder
from heteronym.errors import InputError, PlanError, row_list
from heteronym.io.households import number_households, weights_of
from heteronym.io.many_texts import distinct_texts, vocabulary_order
from heteronym.io.persons import number_persons
from heteronym.io.repeated import REPEATED, distinct_cells
from heteronym.io.sets import holds_json_lists, split_cells
from heteronym.io.values import comparable_cells, days, numbers, sensitive_cells, text_cells
from heteronym.model.collect import Collection
from heteronym.model.dataset import Dataset
from heteronym.model.elements import Cells, ElementDomain, Elements
from heteronym.model.mention import Mentions
from heteronym.model.person_view import Column, Domain, PersonView
from heteronym.model.schema import Attribute, Role, Scale
from heteronym.model.sets import Sets
from heteronym.model.terms import normalize
from heteronym.registry import recoders


def encode(
    dataset: Dataset, mentions: Mentions | None = None, *, direct: frozenset[str] = frozenset()
) -> PersonView:
    """One record per person. Mentions that are linked to a column, or of a direct type, are no terms."""
    person_of_row, persons = number_persons(dataset)
    quasi, sensitive, events = (
        tuple(_encode_column(name, dataset, person_of_row, persons) for name in dataset.schema.named(role))
        for role in (Role.QUASI, Role.SENSITIVE, Role.EVENT)
    )
    mentions = Collection(()).build() if mentions is None else mentions
    elements = _encode_elements(dataset, mentions, direct, person_of_row, persons, events)
    return PersonView(
        quasi, elements, person_of_row, persons, sensitive, events,
        household=number_households(dataset), weight=weights_of(dataset),
    )  # fmt: skip


def recoder_of(attribute: Attribute) -> Recoder:
    """The part that labels an attribute."""
    given = {} if attribute.recode is None else attribute.recode.parameters
    return recoders.build(attribute.labelled_by, given)


# --- columns --------------------------------------------------------------------------------------


def _encode_column(name: str, dataset: Dataset, person_of_row: NDArray[np.int32], persons: int) -> Column:
    attribute = dataset.schema[name]
    cells, row_of = _one_value_a_cell(dataset.frame[name], attribute)
    values, codes = _code_cells(cells, attribute, dataset)
    person = person_of_row if row_of is None else person_of_row[row_of]
    sets, person_set = _value_sets(person, codes, persons, len(values) + 1)
    size = int(np.count_nonzero(np.bincount(sets.codes)))
    domain = Domain(name, attribute, values, size, dataset.hierarchies.get(name))
    by_row = None if row_of is not None or persons == dataset.rows else codes
    return Column(domain, recoder_of(attribute).shape(domain), sets, person_set, by_row)


def _one_value_a_cell(cells: pl.Series, attribute: Attribute) -> tuple[pl.Series, NDArray[np.uint32] | None]:
    """The cells, or where a sensitive column holds sets, its values one by one with the row of each."""
    if attribute.role is not Role.SENSITIVE:
        return cells, None
    if isinstance(cells.dtype, (pl.Struct, pl.Object)):
        return comparable_cells(cells), None
    lists = isinstance(cells.dtype, (pl.List, pl.Array))
    if not lists and attribute.separator is None:
        return cells, None
    split = cells if lists else text_cells(cells).str.split(attribute.separator or "")
    values = pl.DataFrame({cells.name: split}).with_row_index("row").explode(cells.name)
    return values[cells.name], values["row"].to_numpy()


def _code_cells(
    cells: pl.Series, attribute: Attribute, dataset: Dataset
) -> tuple[NDArray[np.generic], NDArray[np.int32]]:
    name, source, missing = cells.name, dataset.source, dataset.missing
    hierarchy = dataset.hierarchies.get(name)
    if cells.dtype == REPEATED:
        different, number = distinct_cells(cells)
        try:
            values, codes = _code_cells(different, attribute, dataset)
        except InputError:  # told again with the numbers of all rows
            return _code_cells(cells.cast(pl.String), attribute, dataset)
        return values, np.append(codes, np.int32(len(values)))[number]
    if attribute.scale is Scale.NUMERIC:
        parsed = numbers(cells, source=source, missing=missing)
    elif attribute.scale is Scale.DATE:
        parsed = days(cells, attribute.format, source=source, missing=missing)
    else:
        parsed = (sensitive_cells if attribute.role is Role.SENSITIVE else text_cells)(cells, missing)
    recoder = recoder_of(attribute)
    if hierarchy is None and getattr(recoder, "coarsens", None) is attribute.scale:
        parsed = recoder.coarsen(parsed)
    if hierarchy is not None:
        return _code_by_list(parsed.cast(pl.String), hierarchy.leaves, "its hierarchy", source)
    # a column of ordered categories brings its order along
    order = attribute.order or (
        tuple(cells.dtype.categories.to_list()) if isinstance(cells.dtype, pl.Enum) else ()
    )
    if attribute.scale is Scale.ORDINAL and (order or attribute.role in (Role.QUASI, Role.EVENT)):
        if not order:
            raise PlanError(f"attributes.{name}: an ordinal column needs `order: [...]` or a hierarchy")
        if len(set(order)) < len(order):  # polars would quote the value
            raise PlanError(f"attributes.{name}: `order` names a value twice")
        return _code_by_list(parsed, order, "`order`", source)
    domain = parsed.drop_nulls().unique().sort()
    return domain.to_numpy(), _codes_in(parsed, domain)


def _codes_in(values: pl.Series, domain: pl.Series) -> NDArray[np.int32]:
    """Place of each value in the sorted domain; nulls get the place after the last."""
    if not len(domain):
        return np.zeros(len(values), np.int32)
    if values.dtype == pl.String:
        codes = values.cast(pl.Enum(domain)).to_physical()
    else:
        codes = domain.search_sorted(values.fill_null(domain[0])).set(values.is_null(), None)
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
        present = np.zeros(code_count, np.bool_)  # sorting would take far longer
        present[by_person] = True
        used = np.flatnonzero(present).astype(np.int32)
        return Sets(np.arange(len(used) + 1), used), (np.cumsum(present, dtype=np.int32) - 1)[by_person]
    return Sets.of_pairs(person_of_row, codes, owners=persons, codes=code_count).distinct()


# --- items and terms ------------------------------------------------------------------------------

_VOCABULARY = {
    "domain": pl.String,
    "place": pl.Int32,  # order of domains: types by name, then items columns as they stand
    "term": pl.String,
    "sense": pl.String,
    "context": pl.String,
    "spelling": pl.String,
    "count": pl.UInt32,
    "leaf": pl.UInt32,  # place in a hierarchy
}
_TERM = ["place", "domain", "leaf", "term", "sense", "context"]


@dataclass(frozen=True, repr=False, eq=False)
class _Found:
    """The elements of a set-valued or event column, each spelling once, and in which cells they are."""

    name: str
    vocabulary: pl.DataFrame
    cell: NDArray[np.int32]  # beside `entry`, a number in `vocabulary`
    entry: NDArray[np.int32]
    cell_of_row: NDArray[np.int32]

    def cells(self, element: NDArray[np.int32], codes: int) -> Cells:
        """With the element that each entry is."""
        owners = int(self.cell_of_row.max(initial=-1)) + 1
        of_cell = Sets.of_pairs(self.cell, element[self.entry], owners=owners, codes=codes)
        return Cells(of_cell, self.cell_of_row)


def _encode_elements(
    dataset: Dataset,
    mentions: Mentions,
    direct: frozenset[str],
    person_of_row: NDArray[np.int32],
    persons: int,
    events: tuple[Column, ...] = (),
) -> Elements:
    schema = dataset.schema
    found = [_terms_of(name, dataset) for name in schema.named(Role.TERMS)]
    found += [_items_of(name, dataset) for name in schema.named(Role.ITEMS)]
    found += [_values_of(column, person_of_row, place) for place, column in enumerate(events, len(found))]
    shown = _showing(mentions, direct)
    terms, number = _mentioned(mentions, shown)
    vocabulary, element_of = _numbered([*(one.vocabulary for one in found), terms])
    of_mention = np.full(len(mentions), -1, np.int32)
    of_mention[shown] = element_of[-1][number]
    count = max(vocabulary.height, 1)
    cells = {one.name: one.cells(element, count) for one, element in zip(found, element_of, strict=False)}
    held = [column.held(person_of_row) for column in cells.values()]
    held.append((person_of_row[mentions.row[shown]].astype(np.int64), of_mention[shown]))
    owner, code = (np.concatenate(part) for part in zip(*held, strict=True))
    codes_of = {name: column.of_cell.codes for name, column in cells.items()}
    for place, name in enumerate(mentions.columns):
        codes_of[name] = of_mention[(mentions.column == place) & shown]
    domains, of_domain = _domains(vocabulary, dataset, codes_of)
    return Elements(
        domains=domains,
        domain=of_domain,
        names=vocabulary["spelling"].to_list(),
        sensitive=_sensitive(vocabulary, dataset),
        of_person=Sets.of_pairs(owner, code, owners=persons, codes=count),
        cells=cells,
        of_mention=of_mention,
        mention_row=mentions.row,
        mention_column=mentions.column,
        text_columns=tuple(mentions.columns),
        column_weights={name: schema[name].weight for name in schema.named(Role.TEXT, Role.TERMS)},
        mention_spelling=mentions.spelling,
        hierarchies=tuple(None if d.is_terms else dataset.hierarchies.get(d.name) for d in domains),
        senses=_senses(vocabulary),
    )


def _numbered(parts: list[pl.DataFrame]) -> tuple[pl.DataFrame, list[NDArray[np.int32]]]:
    """One row per element, and for every entry of every part the element that it is."""
    whole = pl.concat(parts)
    telling = [name for name in _TERM if not _is_constant(whole[name])] or ["term"]
    order = vocabulary_order(whole, telling)
    whole = whole[order]
    first = whole.select(
        pl.any_horizontal(pl.col(name).ne_missing(pl.col(name).shift()) for name in telling)
    ).to_series()
    if len(first):
        first[0] = True
    element = np.empty(whole.height, np.int32)
    element[order] = first.cum_sum().to_numpy().astype(np.int32) - 1
    return whole.filter(first), np.split(element, np.cumsum([part.height for part in parts])[:-1])


def _is_constant(column: pl.Series) -> bool:
    return not len(column) or bool(column.eq_missing(column[0]).all())


def _domains(
    vocabulary: pl.DataFrame, dataset: Dataset, held: Mapping[str, NDArray[np.int32]]
) -> tuple[tuple[ElementDomain, ...], NDArray[np.int32]]:
    """Domains, each as weighty as the weightiest column that holds it, and the domain of each element."""
    place = vocabulary.select(pl.struct("place", "domain"))
    of_domain = place.select(pl.all().rle_id()).to_series().to_numpy().astype(np.int32)
    weight: dict[int, float] = {}
    for name, codes in held.items():
        for domain in np.unique(of_domain[codes]).tolist():
            weight[domain] = max(weight.get(domain, 0.0), dataset.schema[name].weight)
    events = dataset.schema.named(Role.EVENT)
    heads = vocabulary.select("domain", "place").unique(maintain_order=True)
    domains = tuple(
        ElementDomain(name, place < 0, weight.get(number, 1.0), place >= 0 and name in events)
        for number, (name, place) in enumerate(heads.iter_rows())
    )
    return domains, of_domain


def _sensitive(vocabulary: pl.DataFrame, dataset: Dataset) -> NDArray[np.bool_]:
    flags = np.zeros(vocabulary.height, np.bool_)
    for name in dataset.schema.named(Role.ITEMS):
        named = pl.col("spelling").is_in(pl.Series(dataset.schema[name].sensitive, dtype=pl.String).implode())
        mine = (pl.col("place") >= 0) & (pl.col("domain") == name) & named
        flags |= vocabulary.select(mine).to_series().to_numpy()
    return flags


def _senses(vocabulary: pl.DataFrame) -> dict[int, tuple[str, str]]:
    told = vocabulary.select("sense", "context").with_row_index("element")
    told = told.filter((pl.col("sense") != "") | (pl.col("context") != ""))
    return {element: (sense, context) for element, sense, context in told.iter_rows()}


def _terms_of(name: str, dataset: Dataset) -> _Found:
    cell_of_row, entries = split_cells(dataset.frame[name], dataset.schema[name].separator)
    distinct_entries, number = _distinct_entries(entries)
    parts = distinct_entries["entry"].str.splitn(":", 2).struct.unnest().select(pl.all().str.strip_chars())
    typed = distinct_entries.select("count", domain=parts["field_0"], spelling=parts["field_1"])
    bad = typed.select(pl.col("spelling").fill_null("").eq("") | pl.col("domain").eq("")).to_series()
    if bad.any():
        cells = entries["cell"].to_numpy()[bad.to_numpy()[number]]
        rows = (np.flatnonzero(np.isin(cell_of_row, cells)) + 1).tolist()
        raise InputError(
            f"{dataset.source}: column '{name}': entries without a type in {row_list(rows)}; "
            "write them TYPE:term"
        )
    vocabulary = _vocabulary(typed.with_columns(_normalized(typed["spelling"])), place=-1)
    return _Found(name, vocabulary, entries["cell"].to_numpy(), number, cell_of_row)


def _distinct_entries(entries: pl.DataFrame) -> tuple[pl.DataFrame, NDArray[np.int32]]:
    """Each entry once with its number of cells, and the number of every one."""
    different, number = distinct_texts(entries["entry"])
    count = np.bincount(number, minlength=len(different)).astype(np.uint32)
    return pl.DataFrame({"entry": different, "count": count}), number


def _vocabulary(given: pl.DataFrame, *, place: int) -> pl.DataFrame:
    """The columns of a vocabulary, those that are not given left empty."""
    empty = {"sense": "", "context": "", "leaf": None}
    return given.with_columns(
        pl.lit(place).alias("place"),
        *(pl.lit(value).alias(name) for name, value in empty.items() if name not in given.columns),
    ).select(pl.col(name).cast(kind) for name, kind in _VOCABULARY.items())


def _normalized(spellings: pl.Series) -> pl.Series:
    """Terms of spellings; plain ASCII, the common case, is normalized without leaving polars."""
    plain = spellings.str.contains(r"^[!#-&(-,./-_a-~]+( [!#-&(-,./-_a-~]+)*$")
    terms = spellings.str.to_lowercase()
    if not plain.all():
        odd = (~plain).arg_true()
        terms = terms.scatter(odd, [normalize(spelling) for spelling in spellings.gather(odd)])
    return terms.alias("term")


def _items_of(name: str, dataset: Dataset) -> _Found:
    cells, separator = dataset.frame[name], dataset.schema[name].separator
    plain = separator is None and not cells.dtype.is_nested() and not holds_json_lists(cells)
    if plain and dataset.schema.person is None and cells.n_unique() > 1:
        raise PlanError(
            f"attributes.{name}: items need a 'separator', JSON lists, or one row per person and item "
            "with data.person named"
        )
    cell_of_row, entries = split_cells(cells, separator)
    spellings, number = _distinct_entries(entries)
    spellings = spellings.select(
        "count", pl.col("entry").alias("term"), pl.col("entry").alias("spelling"), domain=pl.lit(name)
    )
    hierarchy = dataset.hierarchies.get(name)
    if hierarchy is not None:
        leaves = pl.Enum(list(hierarchy.leaves))
        spellings = spellings.with_columns(leaf=pl.col("term").cast(leaves, strict=False).to_physical())
        lacking = spellings["leaf"].is_null().to_numpy()
        if lacking.any():
            absent = entries["cell"].to_numpy()[lacking[number]]
            rows = (np.flatnonzero(np.isin(cell_of_row, absent)) + 1).tolist()
            raise InputError(
                f"{dataset.source}: column '{name}': its hierarchy lacks items of {row_list(rows)}"
            )
    place = dataset.schema.named(Role.ITEMS).index(name)
    return _Found(name, _vocabulary(spellings, place=place), entries["cell"].to_numpy(), number, cell_of_row)


def _values_of(column: Column, person_of_row: NDArray[np.int32], place: int) -> _Found:
    """The values of an event column, each an element; their order is that of their codes."""
    codes, number = np.unique(column.codes_by_row(person_of_row), return_inverse=True)
    texts = [*column.domain.texts(), ""]
    spelt = pl.DataFrame(
        {"spelling": [texts[code] for code in codes.tolist()], "term": codes.astype(str), "leaf": codes}
    ).with_columns(domain=pl.lit(column.name), count=pl.Series(np.bincount(number, minlength=len(codes))))
    vocabulary = _vocabulary(spelt, place=place)
    each = np.arange(len(codes), dtype=np.int32)
    return _Found(column.name, vocabulary, each, each, number.astype(np.int32))


def _showing(mentions: Mentions, direct: frozenset[str]) -> NDArray[np.bool_]:
    """The mentions that are terms: neither linked to a column nor of a direct type."""
    quasi = np.array([type_ not in direct for type_ in mentions.types], np.bool_)
    shown: NDArray[np.bool_] = (mentions.link < 0) & quasi[mentions.type]
    return shown


def _mentioned(mentions: Mentions, shown: NDArray[np.bool_]) -> tuple[pl.DataFrame, NDArray[np.int32]]:
    """The vocabulary of the mentions that show, and which of it each of them is."""
    schema = dict.fromkeys(("domain", "term", "sense", "context"), pl.String)
    terms = pl.DataFrame(mentions.terms, schema=schema, orient="row")
    count = np.bincount(mentions.term[shown], minlength=terms.height).astype(np.uint32)
    used = np.flatnonzero(count)
    number = np.full(terms.height, -1, np.int32)
    number[used] = np.arange(len(used), dtype=np.int32)
    vocabulary = _vocabulary(
        terms[used].with_columns(spelling=pl.col("term"), count=pl.Series(count[used])), place=-1
    )
    return vocabulary, number[mentions.term[shown]]
