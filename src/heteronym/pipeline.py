"""The order of the steps, in memory: scan, link, encode, partition, recode, rewrite, measure.

The only file that knows it. Nothing is written here; `publish` does that, after an audit.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from heteronym import registry
from heteronym.encode import encode, holds_json_lists, recoder_name
from heteronym.errors import InputError, PlanError
from heteronym.io.hierarchies import read_hierarchy
from heteronym.io.plan_checks import check_listed, check_unchanged
from heteronym.io.plans import Parts, build_parts, make_schema
from heteronym.io.row_order import pseudonym_numbers, row_order
from heteronym.io.tables import Table
from heteronym.io.values import text_cells
from heteronym.measures.ncp import kept_pairs
from heteronym.model.dataset import Dataset
from heteronym.model.mention import Mentions
from heteronym.model.partition import ElementRecoding, Partition
from heteronym.model.person_view import PersonView, Sets
from heteronym.model.plan import Plan
from heteronym.model.schema import Role
from heteronym.run import Run
from heteronym.text.entity_types import is_direct
from heteronym.text.join import join_entities
from heteronym.text.language import language_share
from heteronym.text.link import link
from heteronym.text.rewrite import placeholder, rewrite
from heteronym.text.scan import adopt, recognizers_for, scan, texts_of


@dataclass(frozen=True, repr=False, eq=False)
class Draft:
    """A release that nobody has audited yet, beside what the owner may know about it."""

    frame: pl.DataFrame  # released columns, rows in an order that follows from them alone
    source_row: NDArray[np.int64]  # where each released row came from
    person: NDArray[np.int64]  # person number of each released row
    dataset: Dataset
    mentions: Mentions | None
    kept: NDArray[np.bool_]  # per mention, whether it was to stay as it was
    measures: Mapping[str, Any]
    counts: Mapping[str, int]
    unchanged: tuple[str, ...]  # columns released as they came

    def __repr__(self) -> str:
        return f"Draft({self.frame.height} rows, columns {self.frame.columns})"


def make_dataset(table: Table, plan: Plan, *, folder: Path | None = None) -> Dataset:
    """A table with what the plan says about it; hierarchies are looked for beside the plan."""
    schema = make_schema(plan, table.frame.columns, table.source)
    hierarchies = {
        name: read_hierarchy((folder or Path()) / attribute.hierarchy)
        for name, attribute in schema
        if attribute.hierarchy is not None and attribute.role in (Role.QUASI, Role.ITEMS)
    }
    dataset = Dataset(schema, table.frame, hierarchies, frozenset(plan.data.missing), table.source)
    check_listed(dataset)
    check_unchanged(dataset)
    return dataset


def make_draft(
    dataset: Dataset,
    plan: Plan,
    *,
    mentions: Mentions | None = None,
    run: Run | None = None,
) -> Draft:
    """Everything between reading and writing."""
    clock = run or Run()
    parts = build_parts(plan)
    check_feasible(dataset, plan, parts)
    rng = np.random.default_rng(plan.seed)
    found = _find_mentions(dataset, plan, clock, mentions)
    direct = frozenset(
        type_
        for type_ in (found.types if found is not None else ())
        if is_direct(type_, direct=plan.text.direct)
    )
    with clock.step("encode"):
        view = encode(dataset, found, direct=direct)
        _check_size(view, parts)
    if hasattr(parts.partitioner, "compile"):
        with clock.step("compile"):
            parts.partitioner.compile(view)
    with clock.step("partition"):
        partition = parts.partitioner.partition(view, models=parts.models, rng=rng)
    with clock.step("recode"):
        recodings = _recode_elements(view, partition, parts, rng)
        element = None if found is None else _element_of(found, view)
        if found is not None and element is not None:
            recodings = [_spelt_alike(recoding, view, partition, found, element) for recoding in recodings]
        columns = _released_columns(dataset, view, partition, recodings)
        kept = np.zeros(0, np.bool_)
        if found is not None and element is not None:
            texts, kept = _rewritten(dataset, view, partition, recodings, found, element, columns)
            columns |= texts
        frame = pl.DataFrame(
            [
                columns[name].alias(name) if name in columns else dataset.frame[name]
                for name, attribute in dataset.schema
                if attribute.role is not Role.IDENTIFIER
            ]
        )
        person = view.person_of_row.astype(np.int64)
        keys = frame
        if plan.release.person_key == "pseudonym" and dataset.schema.person is not None:
            frame, number = _with_pseudonyms(frame, person, dataset)
            keys = keys.insert_column(keys.width, number.alias("\0number"))
        order = row_order(keys)
        frame, person = frame[order], person[order]
    with clock.step("measure"):
        measures = {
            name: measure.measure(view, partition, recodings=recodings)
            for name, measure in parts.measures.items()
        }
        measures["splits"] = dict(partition.splits)
    terms = sum(1 for d in view.elements.domains if d.is_terms)
    counts = {
        "persons": view.persons,
        "rows": view.rows,
        "terms": int(np.array([d.is_terms for d in view.elements.domains], bool)[view.elements.domain].sum())
        if terms
        else 0,
        "items": len(view.elements),
        "mentions": 0 if found is None else len(found),
    }
    counts["items"] -= counts["terms"]
    if plan.text.language == "en":
        counts["rows_not_english"] = sum(
            language_share(texts_of(dataset.frame[name])).other for name in dataset.schema.named(Role.TEXT)
        )
    unchanged = tuple(
        name for name, attribute in dataset.schema if attribute.role in (Role.PLAIN, Role.SENSITIVE)
    )
    return Draft(
        frame,
        order,
        person,
        dataset,
        found,
        kept,
        {k: v for k, v in measures.items() if v},
        counts,
        unchanged,
    )


def check_feasible(dataset: Dataset, plan: Plan, parts: Parts) -> None:
    """What can be known impossible before the run."""
    schema = dataset.schema
    if not schema.named(Role.QUASI, Role.ITEMS, Role.TERMS, Role.TEXT):
        raise PlanError("no column has role quasi, items, terms or text: there is nothing to anonymize")
    for name in schema.named(Role.TEXT):
        text_cells(dataset.frame[name])  # refuses what is no text
    protected = {kind for model in parts.models for kind in model.protects}
    needs = [
        ("columns", schema.named(Role.QUASI)),
        ("terms", schema.named(Role.TERMS, Role.TEXT)),
        ("items", schema.named(Role.ITEMS)),
    ]
    for kind, names in needs:
        if names and kind not in protected:
            able = ", ".join(
                name
                for name in registry.privacy_models.names()
                if kind in getattr(registry.privacy_models.get(name), "protects", ())
            )
            raise PlanError(f"privacy: no model protects the {kind} of '{names[0]}'. Models that do: {able}")


def _check_size(view: PersonView, parts: Parts) -> None:
    least = max(getattr(model, "k", model.least_persons) for model in parts.models)
    if least > view.persons:
        raise InputError(f"k = {least} is larger than the number of persons, {view.persons}")


# --- text -----------------------------------------------------------------------------------------


def _find_mentions(
    dataset: Dataset,
    plan: Plan,
    clock: Run,
    given: Mentions | None,
) -> Mentions | None:
    if not dataset.schema.named(Role.TEXT):
        return None
    with clock.step("scan"):
        found = find(dataset, plan, run=clock) if given is None else adopt(dataset, given, plan.text)
    with clock.step("link"):
        return join_entities(dataset, link(dataset, found, plan.text), contexts=plan.text.contexts)


def find(dataset: Dataset, plan: Plan, *, run: Run | None = None) -> Mentions:
    """Mentions of all texts, not yet linked; large corpora are shared among all cores."""
    run = run or Run()

    def tell(done: int, total: int) -> None:
        run.tell(done / total if total else 1.0, "scan")

    remembered = None if run.cache is None else str(run.cache)
    parts = recognizers_for(plan.text, folder=run.folder, processes=0, cache=remembered)
    return scan(dataset, plan.text, recognizers=parts, progress=tell)


def _rewritten(
    dataset: Dataset,
    view: PersonView,
    partition: Partition,
    recodings: Sequence[ElementRecoding],
    mentions: Mentions,
    element: NDArray[np.int64],
    labels: Mapping[str, pl.Series],
) -> tuple[dict[str, pl.Series], NDArray[np.bool_]]:
    """Text columns with every mention kept, replaced by its type, or by the label of its column."""
    kept = np.zeros(len(mentions), np.bool_)
    asked = element >= 0
    group = partition.group[view.person_of_row[mentions.row[asked]]]
    kept[asked] = kept_pairs(group, element[asked].astype(np.int32), recodings, view.elements.names)
    holders = np.array([placeholder(type_) for type_ in mentions.types], object)
    replacements: NDArray[Any] = holders[mentions.type] if len(mentions) else np.empty(0, object)
    replacements[kept] = None
    for number, name in enumerate(mentions.links):
        mine = mentions.link == number
        label = labels[name].gather(mentions.row[mine]).fill_null("").to_list()
        replacements[mine] = label
    texts = {
        name: pl.Series(
            name,
            rewrite(texts_of(dataset.frame[name]), mentions, replacements.tolist(), column=name),
            pl.String,
        )
        for name in mentions.columns
    }
    return texts, kept


def _element_of(mentions: Mentions, view: PersonView) -> NDArray[np.int64]:
    """The element that each mention shows; -1 for linked ones and those of direct types."""
    elements = view.elements
    domains = pl.DataFrame(
        {"column": [d.attribute for d in elements.domains], "type": [d.type for d in elements.domains]},
        schema={"column": pl.String, "type": pl.String},
    )
    known = domains[elements.domain].with_columns(term=pl.Series(list(elements.names), dtype=pl.String))
    asked_for = pl.DataFrame(
        {
            "column": pl.Series(list(mentions.columns), dtype=pl.String).gather(mentions.column),
            "type": pl.Series(list(mentions.types), dtype=pl.String).gather(mentions.type),
            "term": pl.Series(list(mentions.terms), dtype=pl.String).gather(mentions.term),
        }
    )
    element = (
        asked_for.join(
            known.with_row_index("element"), on=["column", "type", "term"], how="left", maintain_order="left"
        )
        .get_column("element")
        .cast(pl.Int64)
        .fill_null(-1)
        .to_numpy()
    )
    return np.where(mentions.link < 0, element, -1)


def _spelt_alike(
    recoding: ElementRecoding,
    view: PersonView,
    partition: Partition,
    mentions: Mentions,
    element: NDArray[np.int64],
) -> ElementRecoding:
    """Suppresses terms that a group spells differently: "Smith" beside "John Smith" would tell who."""
    if mentions.spelling is None:
        return recoding
    shown = element >= 0
    count = max(len(view.elements), 1)
    group = partition.group[view.person_of_row[mentions.row[shown]]].astype(np.int64)
    pairs = pl.DataFrame({"pair": group * count + element[shown], "spelling": mentions.spelling[shown]})
    several = pairs.group_by("pair").agg(pl.col("spelling").n_unique()).filter(pl.col("spelling") > 1)
    owner = np.repeat(np.arange(len(recoding.of_group)), np.diff(recoding.of_group.ptr))
    torn = np.isin(owner * count + recoding.of_group.codes, several["pair"].to_numpy())
    return replace(recoding, label=np.where(torn, -1, recoding.label).astype(np.int32))


# --- columns --------------------------------------------------------------------------------------


def _recode_elements(
    view: PersonView, partition: Partition, parts: Parts, rng: np.random.Generator
) -> list[ElementRecoding]:
    kinds = {domain.is_terms for domain in view.elements.domains}
    recodings = []
    if True in kinds:
        recodings.append(parts.terms.recode(view, partition, models=parts.models, rng=rng))
    if False in kinds and parts.items is not None:
        recodings.append(parts.items.recode(view, partition, models=parts.models, rng=rng))
    return recodings


def _released_columns(
    dataset: Dataset, view: PersonView, partition: Partition, recodings: Sequence[ElementRecoding]
) -> dict[str, pl.Series]:
    group_of_row = partition.group[view.person_of_row]
    columns: dict[str, pl.Series] = {}
    for column in view.columns:
        recoder = registry.recoders.build(recoder_name(column.domain.attribute))
        labels = recoder.labels(column.domain, partition.covers(column))
        columns[column.name] = pl.Series(column.name, labels, pl.String).gather(group_of_row)
    for name in dataset.schema.named(Role.TERMS, Role.ITEMS):
        columns[name] = _released_sets(name, dataset, view, group_of_row, recodings)
    return columns


def _released_sets(
    name: str,
    dataset: Dataset,
    view: PersonView,
    group_of_row: NDArray[np.int32],
    recodings: Sequence[ElementRecoding],
) -> pl.Series:
    """A set-valued column with the labels of its row's elements, each once, sorted."""
    elements = view.elements
    cells = len(elements.of_cell)
    # Equal cells in one group are released alike: each is put together once.
    pairs, pair_of_row = np.unique(
        group_of_row.astype(np.int64) * max(cells, 1) + elements.cell_of_row, return_inverse=True
    )
    mine = np.array([domain.attribute == name for domain in elements.domains], np.bool_)[elements.domain]
    shown = _shown_labels(pairs // max(cells, 1), elements.of_cell, pairs % max(cells, 1), mine, recodings)
    types = pl.Series(
        [f"{domain.type}:" if domain.is_terms else "" for domain in elements.domains], dtype=pl.String
    )
    domain = elements.domain[shown["element"].to_numpy()]
    entries = shown.select("pair", (types.gather(domain) + shown["label"]).alias("entry")).unique()
    lists = (
        pl.DataFrame({"pair": np.arange(len(pairs), dtype=np.int32)})
        .join(
            entries.group_by("pair").agg(pl.col("entry").sort()), on="pair", how="left", maintain_order="left"
        )
        .get_column("entry")
    )
    column, separator = dataset.frame[name], dataset.schema[name].separator
    if isinstance(column.dtype, (pl.List, pl.Array)):
        return lists.fill_null([]).gather(pair_of_row).alias(name)
    if separator is None and holds_json_lists(column):
        written = [json.dumps(entry or [], ensure_ascii=False) for entry in lists.to_list()]
        return pl.Series(name, written, pl.String).gather(pair_of_row)
    return lists.list.join(separator or " ").gather(pair_of_row).alias(name)


def _shown_labels(
    group: NDArray[np.int64],
    of_cell: Sets,
    cell: NDArray[np.int64],
    mine: NDArray[np.bool_],
    recodings: Sequence[ElementRecoding],
) -> pl.DataFrame:
    """Pair (of group and cell), element and label of every element that is not suppressed."""
    lengths = np.diff(of_cell.ptr)[cell]
    pair = np.repeat(np.arange(len(cell), dtype=np.int32), lengths)
    within = np.arange(len(pair)) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    element = of_cell.codes[np.repeat(of_cell.ptr[cell], lengths) + within]
    chosen = mine[element]
    seen = pl.DataFrame(
        {"pair": pair[chosen], "element": element[chosen], "group": group[pair[chosen]].astype(np.int32)}
    )
    parts = [pl.DataFrame(schema={"pair": pl.Int32, "element": pl.Int32, "label": pl.String})]
    for recoding in recodings:
        of_group = np.repeat(
            np.arange(len(recoding.of_group), dtype=np.int32), np.diff(recoding.of_group.ptr)
        )
        shown = recoding.label >= 0
        labels = pl.DataFrame(
            {
                "group": of_group[shown],
                "element": recoding.of_group.codes[shown],
                "label": pl.Series(list(recoding.labels), dtype=pl.String).gather(recoding.label[shown]),
            }
        )
        parts.append(seen.join(labels, on=["group", "element"]).select("pair", "element", "label"))
    return pl.concat(parts)


def _with_pseudonyms(
    frame: pl.DataFrame, person: NDArray[np.int64], dataset: Dataset
) -> tuple[pl.DataFrame, pl.Series]:
    """The person key as numbers in the order of what is released of each person."""
    key = dataset.schema.person
    assert key is not None
    number = pl.Series(key, pseudonym_numbers(frame, person))
    place = [name for name, a in dataset.schema if a.role is not Role.IDENTIFIER or name == key].index(key)
    return frame.clone().insert_column(place, ("P" + number.cast(pl.String)).alias(key)), number
