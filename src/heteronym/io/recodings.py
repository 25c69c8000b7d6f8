"""Partition and recoding in the owner's folder: written with a release, read back to explain it or go on.

Three Parquet files: the group of each person (by key, or by row number where rows are persons), the
label of each column of each group, and what became of each element of each group, by its name.
"""

from __future__ import annotations

import io
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import polars as pl

from heteronym.errors import InputError
from heteronym.io.persons import number_persons
from heteronym.io.values import text_cells
from heteronym.model.dataset import Dataset
from heteronym.model.partition import Partition
from heteronym.model.person_view import PersonView, Sets
from heteronym.model.recoding import ElementLabels, Fate, Label, Recoding

PARTITION_FILE, COLUMNS_FILE, ELEMENTS_FILE = "partition.parquet", "columns.parquet", "elements.parquet"
_ELEMENT = ["domain", "name", "sense", "context"]


def recoding_files(
    dataset: Dataset, view: PersonView, partition: Partition, recoding: Recoding
) -> dict[str, bytes]:
    """The owner's files by name."""
    labels = recoding.elements
    elements = _elements(view)[labels.of_group.codes].with_columns(
        group=pl.Series(labels.of_group.owners()),
        fate=pl.Series([fate.name.lower() for fate in Fate], dtype=pl.String).gather(labels.fate),
        label=pl.Series([*(label.text for label in labels.labels), None], dtype=pl.String).gather(
            np.where(labels.label < 0, len(labels.labels), labels.label)
        ),
        stands_for=pl.Series([*(label.stands_for for label in labels.labels), 1], dtype=pl.Int64).gather(
            np.where(labels.label < 0, len(labels.labels), labels.label)
        ),
    )
    columns = [
        pl.DataFrame({"attribute": name, "group": range(partition.count), "label": list(texts)}, _COLUMNS)
        for name, texts in recoding.columns.items()
    ]
    return {
        PARTITION_FILE: _parquet(pl.DataFrame({"person": _keys(dataset), "group": partition.group})),
        COLUMNS_FILE: _parquet(pl.concat([pl.DataFrame(schema=_COLUMNS), *columns])),
        ELEMENTS_FILE: _parquet(elements.select("group", *_ELEMENT, "fate", "label", "stands_for")),
    }


def read_recoding(folder: Path, dataset: Dataset, view: PersonView) -> tuple[Partition, Recoding]:
    """What was decided for this data; refused if it was decided for other persons or elements."""
    groups, columns, elements = (
        _read(folder / name) for name in (PARTITION_FILE, COLUMNS_FILE, ELEMENTS_FILE)
    )
    if groups["person"].to_list() != _keys(dataset).to_list():
        raise InputError(f"{folder}: was written for other persons than those of {dataset.source}")
    partition = Partition(groups["group"].to_numpy().astype(np.int32))
    known = _elements(view).with_row_index("element")
    found = elements.join(known, on=_ELEMENT, how="left", nulls_equal=True).sort("group", "element")
    if found["element"].null_count():
        raise InputError(f"{folder}: knows items or terms that {dataset.source} does not have")
    named = ["label", "stands_for"]
    labels = found.drop_nulls("label").select(named).unique(maintain_order=True)
    numbered = found.join(labels.with_row_index("number"), on=named, how="left", maintain_order="left")
    fates = pl.Series([fate.name.lower() for fate in Fate])
    made = ElementLabels(
        Sets(
            np.r_[0, np.cumsum(np.bincount(found["group"].to_numpy(), minlength=partition.count))],
            found["element"].to_numpy().astype(np.int32),
        ),
        found["fate"].cast(pl.Enum(fates)).to_physical().to_numpy().astype(np.uint8),
        numbered["number"].cast(pl.Int32).fill_null(-1).to_numpy(),
        tuple(Label(*row) for row in labels.iter_rows()),
    )
    by_name: Mapping[str, list[str | None]] = {
        str(name): part.sort("group")["label"].to_list()
        for (name,), part in columns.group_by("attribute", maintain_order=True)
    }
    return partition, Recoding(by_name, made)


_COLUMNS = {"attribute": pl.String, "group": pl.Int64, "label": pl.String}


def _keys(dataset: Dataset) -> pl.Series:
    """A text per person, in the order of their numbers."""
    person_of_row, persons = number_persons(dataset)
    if dataset.schema.person is None:
        return pl.Series(range(1, persons + 1)).cast(pl.String)
    first = np.empty(persons, np.int64)
    first[person_of_row[::-1]] = np.arange(dataset.rows)[::-1]
    return text_cells(dataset.frame[dataset.schema.person]).str.strip_chars().gather(first)


def _elements(view: PersonView) -> pl.DataFrame:
    elements = view.elements
    senses = [elements.senses.get(e, ("", "")) for e in range(len(elements))] if elements.senses else []
    return pl.DataFrame(
        {
            "domain": pl.Series([d.name for d in elements.domains], dtype=pl.String).gather(elements.domain),
            "name": pl.Series(list(elements.names), dtype=pl.String),
            "sense": pl.Series([s for s, _ in senses] or [""] * len(elements), dtype=pl.String),
            "context": pl.Series([c for _, c in senses] or [""] * len(elements), dtype=pl.String),
        }
    )


def _parquet(frame: pl.DataFrame) -> bytes:
    out = io.BytesIO()
    frame.write_parquet(out)
    return out.getvalue()


def _read(path: Path) -> pl.DataFrame:
    try:
        return pl.read_parquet(path)
    except (OSError, pl.exceptions.PolarsError):
        raise InputError(f"{path}: cannot be read") from None
