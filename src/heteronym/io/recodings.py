"""Partition and recoding in the owner's folder: written with a release, read back to explain it or go on.

Parquet files: the group of each person (by key, or by row number where rows are persons), the label of
each column of each group and the values behind it, what became of each element of each group, by its
name, and what each mention was taken for. A JSON file has what only some plans have: nodes of columns that
are recoded alike everywhere, numbers in place of labels, how groups are named, which markers' sentences go.
"""

from __future__ import annotations

import io
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from heteronym.errors import InputError, reading
from heteronym.io.persons import person_keys
from heteronym.model.dataset import Dataset
from heteronym.model.mention import Mentions, Status
from heteronym.model.partition import Partition
from heteronym.model.person_view import PersonView
from heteronym.model.recoding import ElementLabels, Fate, Label, Naming, Recoding
from heteronym.model.sets import Sets

PARTITION_FILE, COLUMNS_FILE, ELEMENTS_FILE = "partition.parquet", "columns.parquet", "elements.parquet"
VALUES_FILE, DECISIONS_FILE, MORE_FILE = "values.parquet", "decisions.parquet", "recoding.json"
WITHHELD = "withheld: "  # before the name of a column: who withholds the cell
_ELEMENT = ["domain", "name", "sense", "context"]


def recoding_files(
    dataset: Dataset,
    view: PersonView,
    partition: Partition,
    recoding: Recoding,
    mentions: Mentions | None = None,
) -> dict[str, bytes]:
    """The owner's files by name."""
    labels = recoding.elements
    owners = labels.of_group.owners()
    which = np.where(labels.label < 0, len(labels.labels), labels.label)  # behind the last: none
    elements = _elements(view)[labels.of_group.codes].with_columns(
        group=pl.Series(owners),
        holders=pl.Series(partition.holders(view, owners, labels.of_group.codes)),
        fate=_named([fate.name.lower() for fate in Fate], labels.fate),
        label=_named([*(one.text for one in labels.labels), None], which),
        stands_for=pl.Series([*(one.stands_for for one in labels.labels), 1], dtype=pl.Int64).gather(which),
    )
    columns = [
        pl.DataFrame(
            {
                "attribute": name,
                "group": range(partition.count),
                "label": list(texts),
                "withheld": partition.withheld_by_group(name),
            },
            _COLUMNS,
        )
        for name, texts in recoding.columns.items()
    ]
    withheld = {name: partition.withheld[name] for name in recoding.columns if name in partition.withheld}
    files = {
        PARTITION_FILE: _parquet(
            pl.DataFrame(
                {"person": person_keys(dataset), "group": partition.group}
                | {f"{WITHHELD}{name}": away for name, away in withheld.items()}
            )
        ),
        COLUMNS_FILE: _parquet(pl.concat([pl.DataFrame(schema=_COLUMNS), *columns])),
        VALUES_FILE: _parquet(_values(view, partition)),
        ELEMENTS_FILE: _parquet(
            elements.select("group", *_ELEMENT, "fate", "label", "stands_for", "holders")
        ),
    }
    if mentions is not None:
        files[DECISIONS_FILE] = _parquet(_decisions(view, mentions))
    more = {
        "splits": dict(partition.splits),
        "nodes": {name: nodes.tolist() for name, nodes in partition.nodes.items()},
        "numbers": {name: {n: [*v] for n, v in of.items()} for name, of in recoding.numbers.items()},
        "names": {name: [*map(int, naming)] for name, naming in recoding.names.items()},
        "gone": None if labels.gone is None else [labels.gone.ptr.tolist(), labels.gone.codes.tolist()],
    }
    return files | {MORE_FILE: json.dumps(more).encode()}


def _values(view: PersonView, partition: Partition) -> pl.DataFrame:
    """How many members of each group have which value of each column."""
    parts = [pl.DataFrame(schema=_VALUES)]
    for column in view.columns:
        owner, code = column.pairs()
        group, span = partition.group[owner], column.domain.missing_code + 1
        key = group[group >= 0].astype(np.int64) * span + code[group >= 0]
        pairs, persons = np.unique(key, return_counts=True)
        values = column.domain.values
        texts = pl.Series([*map(str, values.tolist()), None], dtype=pl.String)
        parts.append(
            pl.DataFrame(
                {
                    "attribute": pl.repeat(column.name, len(pairs), eager=True, dtype=pl.String),
                    "group": pairs // span,
                    "value": texts.gather(pairs % span),
                    "persons": persons,
                },
                _VALUES,
            )
        )
    return pl.concat(parts)


def _decisions(view: PersonView, mentions: Mentions) -> pl.DataFrame:
    """What was found where, by whom, and which element or column it is; rows count from 1 as in the map."""
    element = view.elements.of_mention
    known = _elements(view)[np.maximum(element, 0)] if len(view.elements) else None
    found = pl.DataFrame(
        {
            "row": mentions.row.astype(np.int64) + 1,
            "column": _named(mentions.columns, mentions.column),
            "start": mentions.start,
            "end": mentions.end,
            "type": _named(mentions.types, mentions.type),
            "score": mentions.score,
            "source": _named(mentions.sources, mentions.source),
            "rule": _named(mentions.rules, mentions.rule),
            "status": _named([status.name.lower() for status in Status], mentions.status),
            "link": _named(
                [*mentions.links, None], np.where(mentions.link < 0, len(mentions.links), mentions.link)
            ),
        }
    )
    for name in _ELEMENT:
        column = pl.Series(name, [None] * found.height, dtype=pl.String) if known is None else known[name]
        found = found.with_columns(pl.when(pl.Series(element >= 0)).then(column).alias(name))
    return found


def _named(names: Sequence[str | None], which: NDArray[Any]) -> pl.Series:
    return pl.Series(list(names), dtype=pl.String).gather(which.astype(np.int64))


def read_recoding(folder: Path, dataset: Dataset, view: PersonView) -> tuple[Partition, Recoding]:
    """What was decided for this data; refused if it was decided for other persons or elements."""
    groups, columns, elements = (
        _read(folder / name) for name in (PARTITION_FILE, COLUMNS_FILE, ELEMENTS_FILE)
    )
    if groups["person"].to_list() != person_keys(dataset).to_list():
        raise InputError(f"{folder}: was written for other persons than those of {dataset.source}")
    withheld = {
        name.removeprefix(WITHHELD): groups[name].to_numpy()
        for name in groups.columns
        if name.startswith(WITHHELD)
    }
    with reading(folder / MORE_FILE):
        more = json.loads((folder / MORE_FILE).read_bytes())
    nodes, gone = {name: np.array(codes) for name, codes in more["nodes"].items()}, more["gone"]
    partition = Partition(groups["group"].to_numpy().astype(np.int32), more["splits"], nodes, withheld)
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
        None if gone is None else Sets(np.array(gone[0]), np.array(gone[1], np.int32)),
    )
    by_name: Mapping[str, list[str | None]] = {
        str(name): part.sort("group")["label"].to_list()
        for (name,), part in columns.group_by("attribute", maintain_order=True)
    }
    names = {name: [Naming(one) for one in naming] for name, naming in more["names"].items()}
    return partition, Recoding(by_name, made, more["numbers"], names)


_COLUMNS = {"attribute": pl.String, "group": pl.Int64, "label": pl.String, "withheld": pl.Int64}
_VALUES = {"attribute": pl.String, "group": pl.Int64, "value": pl.String, "persons": pl.Int64}


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
