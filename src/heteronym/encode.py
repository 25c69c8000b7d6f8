"""Dataset and mentions into a PersonView: the only place where table, set and text become one.

Every attribute is coded once, to integers in the order of its scale; persons are numbered by their
key. After this, nothing looks at cells again until labels are written.

Cost        O(n log n) per column; memory is a few integers per cell and per pair of person and element
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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
from heteronym.model.mention import Mentions, Status
from heteronym.model.person_view import Column, Domain, PersonView
from heteronym.model.schema import Attribute, Role, Scale
from heteronym.model.sets import Sets, one_number
from heteronym.model.terms import normalize
from heteronym.registry import recoders


def encode(
    dataset: Dataset, mentions: Mentions | None = None, *, direct: frozenset[str] = frozenset()
) -> PersonView:
    """One record per person. Mentions that are linked to a column, or of a direct type, are no terms."""
    quasi, sensitive = (
        tuple(_encode_column(name, dataset)[0] for name in dataset.schema.named(role))
        for role in (Role.QUASI, Role.SENSITIVE)
    )
    events = [_encode_column(name, dataset) for name in dataset.schema.named(Role.EVENT)]
    mentions = Collection(()).build() if mentions is None else mentions
    person_of_row, persons = number_persons(dataset)
    return PersonView(
        quasi,
        _encode_elements(dataset, mentions, direct, events),
        person_of_row,
        persons,
        sensitive,
        tuple(column for column, _ in events),
        household=number_households(dataset),
        weight=weights_of(dataset),
    )


def recoder_of(attribute: Attribute) -> Recoder:
    """The part that labels an attribute."""
    given = {} if attribute.recode is None else attribute.recode.parameters
    return recoders.build(attribute.labelled_by, given)


# --- columns --------------------------------------------------------------------------------------


def _encode_column(name: str, dataset: Dataset) -> tuple[Column, NDArray[np.int32]]:
    """The column, and the code of each of its cells."""
    attribute, recoder = dataset.schema[name], recoder_of(dataset.schema[name])
    cells, row_of = _one_value_a_cell(dataset.frame[name], attribute)
    values, codes = _code_cells(cells, attribute, dataset, recoder)
    person, persons = number_persons(dataset)
    person = person if row_of is None else person[row_of]
    sets, person_set = _value_sets(person, codes, persons, len(values) + 1)
    size = int(np.count_nonzero(np.bincount(sets.codes)))
    domain = Domain(name, attribute, values, size, dataset.hierarchies.get(name))
    return Column(domain, recoder.shape(domain), sets, person_set), codes


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
    cells: pl.Series, attribute: Attribute, dataset: Dataset, recoder: Recoder
) -> tuple[NDArray[np.generic], NDArray[np.int32]]:
    name, source, missing = cells.name, dataset.source, dataset.missing
    hierarchy = dataset.hierarchies.get(name)
    if cells.dtype == REPEATED:
        different, number = distinct_cells(cells)
        try:
            values, codes = _code_cells(different, attribute, dataset, recoder)
        except InputError:  # told again with the numbers of all rows
            return _code_cells(cells.cast(pl.String), attribute, dataset, recoder)
        return values, np.append(codes, np.int32(len(values)))[number]
    if attribute.scale is Scale.NUMERIC:
        parsed = numbers(cells, source=source, missing=missing)
    elif attribute.scale is Scale.DATE:
        parsed = days(cells, attribute.format, source=source, missing=missing)
    else:
        parsed = (sensitive_cells if attribute.role is Role.SENSITIVE else text_cells)(cells, missing)
    if hierarchy is not None:
        return _code_by_list(parsed.cast(pl.String), hierarchy.leaves, "its hierarchy", source)
    if getattr(recoder, "coarsens", None) is attribute.scale:
        parsed = recoder.coarsen(parsed)
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
    return domain.to_numpy(), _places(parsed, domain)


def _places(values: pl.Series, known: pl.Series) -> NDArray[np.int32]:
    """Where each value stands among the known ones; what is not there, and missing, behind the last."""
    place = pl.arange(len(known), dtype=pl.Int32, eager=True)
    return values.replace_strict(known, place, default=len(known), return_dtype=pl.Int32).to_numpy()


def _code_by_list(
    values: pl.Series, known: tuple[str, ...], what: str, source: str
) -> tuple[NDArray[np.generic], NDArray[np.int32]]:
    codes = _places(values, pl.Series(known, dtype=pl.String))
    lacking = np.flatnonzero(values.is_not_null().to_numpy() & (codes == len(known)))
    if len(lacking):
        rows = (lacking + 1).tolist()
        raise InputError(f"{source}: column '{values.name}': {what} lacks the value of {row_list(rows)}")
    return np.array(known, object), codes


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

# What tells elements apart, in their order. `place` orders domains: types (-1) by name, then columns of items
# and events as they stand; `leaf` is the place in a hierarchy.
_TERM = ["place", "domain", "leaf", "term", "sense", "context"]


@dataclass(frozen=True, repr=False, eq=False)
class _ColumnElements:
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
    events: Sequence[tuple[Column, NDArray[np.int32]]],
) -> Elements:
    schema, (person_of_row, persons) = dataset.schema, number_persons(dataset)
    parts = [_entries_of(name, dataset) for name in (*schema.named(Role.TERMS), *schema.named(Role.ITEMS))]
    parts += [_values_of(column, codes, place) for place, (column, codes) in enumerate(events, len(parts))]
    shown = _showing(mentions, direct)
    terms, number = _mentioned(mentions, shown)
    vocabulary, element_of = _numbered([*(one.vocabulary for one in parts), terms])
    of_mention = np.full(len(mentions), -1, np.int32)
    of_mention[shown] = element_of[-1][number]
    count = max(vocabulary.height, 1)
    cells = {one.name: one.cells(element, count) for one, element in zip(parts, element_of, strict=False)}
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
        masked=np.unique(of_mention[shown & (mentions.status == Status.MASKED)]),
    )


def _numbered(parts: list[pl.DataFrame]) -> tuple[pl.DataFrame, list[NDArray[np.int32]]]:
    """One row per element, and for every entry of every part the element that it is."""
    whole = pl.concat(parts, how="diagonal_relaxed").with_columns(pl.col(pl.String).fill_null(""))
    constant = whole.select(pl.col(_TERM).eq_missing(pl.col(_TERM).first()).all()).row(0)
    telling = [name for name, same in zip(_TERM, constant, strict=True) if not same] or ["term"]
    order = vocabulary_order(whole, telling)
    whole = whole[order]
    number = whole.select(pl.struct(telling).rle_id()).to_series()
    element = np.empty(whole.height, np.int32)
    element[order] = number.to_numpy()
    first = number.diff().ne_missing(0)
    return whole.filter(first), np.split(element, np.cumsum([part.height for part in parts])[:-1])


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
    senses = vocabulary.select("sense", "context").with_row_index("element")
    senses = senses.filter((pl.col("sense") != "") | (pl.col("context") != ""))
    return {element: (sense, context) for element, sense, context in senses.iter_rows()}


def _entries_of(name: str, dataset: Dataset) -> _ColumnElements:
    """What the cells of a set-valued column hold: items, or terms with their types."""
    attribute = dataset.schema[name]
    cell_of_row, entries = split_cells(dataset.frame[name], attribute.separator)
    different, number = distinct_texts(entries["entry"])
    if attribute.role is Role.TERMS:
        spelt, fault = _typed_terms(different), "entries without a type in {}; write them TYPE:term"
    else:
        spelt, fault = _items_of(different, name, dataset), "its hierarchy lacks items of {}"
    bad = spelt["term"].is_null().to_numpy()
    if bad.any():
        rows = np.flatnonzero(np.isin(cell_of_row, entries["cell"].to_numpy()[bad[number]])) + 1
        message = fault.format(row_list(rows.tolist()))
        raise InputError(f"{dataset.source}: column '{name}': {message}")
    vocabulary = spelt.with_columns(count=np.bincount(number, minlength=len(different)))
    return _ColumnElements(name, vocabulary, entries["cell"].to_numpy(), number, cell_of_row)


def _typed_terms(entries: pl.Series) -> pl.DataFrame:
    """TYPE:term; no term where one of both is empty."""
    parts = entries.str.splitn(":", 2).struct.unnest().select(pl.all().str.strip_chars())
    spelt = parts.select(place=-1, domain="field_0", spelling="field_1")
    said = (pl.col("domain") != "") & (pl.col("spelling") != "")
    return spelt.with_columns(term=pl.when(said).then(_normalized(spelt["spelling"])))


def _normalized(spellings: pl.Series) -> pl.Series:
    """Terms of spellings; plain ASCII, the common case, is normalized without leaving polars."""
    plain = spellings.str.contains(r"^[!#-&(-,./-_a-~]+( [!#-&(-,./-_a-~]+)*$")
    terms = spellings.str.to_lowercase()
    if not plain.all():
        odd = (~plain).arg_true()
        terms = terms.scatter(odd, [normalize(spelling) for spelling in spellings.gather(odd)])
    return terms.alias("term")


def _items_of(entries: pl.Series, name: str, dataset: Dataset) -> pl.DataFrame:
    """Items as they are spelt; no term where the hierarchy does not know them."""
    cells, schema = dataset.frame[name], dataset.schema
    plain = schema[name].separator is None and not cells.dtype.is_nested() and not holds_json_lists(cells)
    if plain and schema.person is None and cells.n_unique() > 1:
        raise PlanError(
            f"attributes.{name}: items need a 'separator', JSON lists, or one row per person and item "
            "with data.person named"
        )
    spelt = pl.DataFrame({"spelling": entries, "term": entries})
    spelt = spelt.with_columns(place=schema.named(Role.ITEMS).index(name), domain=pl.lit(name))
    hierarchy = dataset.hierarchies.get(name)
    if hierarchy is None:
        return spelt
    leaf = entries.cast(pl.Enum(list(hierarchy.leaves)), strict=False).to_physical()
    return spelt.with_columns(leaf=leaf, term=pl.when(leaf.is_not_null()).then("term"))


def _values_of(column: Column, codes: NDArray[np.int32], place: int) -> _ColumnElements:
    """The values of an event column, each an element; their order is that of their codes."""
    known, number, count = np.unique(codes, return_inverse=True, return_counts=True)
    texts = [*column.domain.texts(), ""]
    vocabulary = pl.DataFrame(
        {"spelling": [texts[code] for code in known.tolist()], "term": known.astype(str), "leaf": known}
    ).with_columns(place=place, domain=pl.lit(column.name), count=count)
    each = np.arange(len(known), dtype=np.int32)
    return _ColumnElements(column.name, vocabulary, each, each, number.astype(np.int32))


def _showing(mentions: Mentions, direct: frozenset[str]) -> NDArray[np.bool_]:
    """The mentions that are terms: neither linked to a column nor of a direct type."""
    quasi = np.array([type_ not in direct for type_ in mentions.types], np.bool_)
    shown: NDArray[np.bool_] = (mentions.link < 0) & quasi[mentions.type]
    return shown


def _mentioned(mentions: Mentions, shown: NDArray[np.bool_]) -> tuple[pl.DataFrame, NDArray[np.int64]]:
    """The vocabulary of the mentions that show, and which of it each of them is."""
    schema = dict.fromkeys(("domain", "term", "sense", "context"), pl.String)
    terms = pl.DataFrame(mentions.terms, schema=schema, orient="row")
    count = np.bincount(mentions.term[shown], minlength=terms.height)
    used = np.flatnonzero(count)
    number = np.cumsum(count > 0) - 1
    # the cells of a column, not their number, decide how a term is spelt that texts have, too
    vocabulary = terms[used].with_columns(place=-1, leaf=pl.lit(None, pl.UInt32), spelling="term", count=0)
    return vocabulary, number[mentions.term[shown]]


# --- what else tells persons apart ------------------------------------------------------------------


def content_of_rows(
    dataset: Dataset, mentions: Mentions | None, *, direct: frozenset[str] = frozenset()
) -> NDArray[np.int64]:
    """A number per row for what a release shows of it: cells that stay, sets, texts without names.

    It follows from what can be released alone: neither identifiers, nor mentions that are linked to a column
    or of a direct type, nor the order of rows have a part in it.
    """
    schema = dataset.schema
    shown = [n for n, one in schema if one.role not in (Role.IDENTIFIER, Role.TEXT)]
    cells = [comparable_cells(dataset.frame[name]) for name in shown]
    if mentions is not None:
        cells += [_without_names(dataset.frame[name], mentions, name, direct) for name in mentions.columns]
    ranks = [column.rank("dense").fill_null(0).to_numpy().astype(np.int64) for column in cells]
    key = one_number([(rank, int(rank.max(initial=0)) + 1) for rank in ranks], dataset.rows)
    return np.unique(key, return_inverse=True)[1]


def _without_names(texts: pl.Series, mentions: Mentions, name: str, direct: frozenset[str]) -> pl.Series:
    """Texts with types in the place of mentions that no release shows."""
    cells = texts.cast(pl.String).to_list()
    hidden = ~_showing(mentions, direct) & (mentions.column == mentions.columns.index(name))
    for i in np.flatnonzero(hidden)[::-1].tolist():  # from behind: places before stay where they are
        row = int(mentions.row[i])
        text, kind = str(cells[row]), mentions.types[mentions.type[i]]
        cells[row] = f"{text[: mentions.start[i]]}[{kind}]{text[mentions.end[i] :]}"
    return pl.Series(name, cells, pl.String)
