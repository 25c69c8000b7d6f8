"""A release described for catalogues: `datapackage.json` (Data Package) and `croissant.json` (Croissant).

Reference   Data Package 2.0 with Table Schema; Croissant 1.0 of MLCommons
Guarantee   says nothing that facts.json or the header of the released table does not say
Cost        O(columns)
Randomness  none
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any, NamedTuple

import polars as pl

DATA_PACKAGE, CROISSANT = "datapackage.json", "croissant.json"
_MEDIA_TYPES = {
    "csv": "text/csv",
    "tsv": "text/tab-separated-values",
    "json": "application/json",
    "jsonl": "application/jsonl",
    "parquet": "application/vnd.apache.parquet",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}
_ALIKE = {"tab": "tsv", "txt": "csv", "ndjson": "jsonl", "pq": "parquet"}  # endings of one kind
_ROLES = {
    "quasi": "made coarser until enough persons share it; a label may stand for several values",
    "event": "of one row, made coarser until enough persons share it",
    "items": "a set of items; some were merged or left out",
    "terms": "a set of terms; some were left out",
    "text": "free text; what identifies was replaced or left out",
    "sensitive": "to be protected; as it was",
    "plain": "as it was",
}
_CONTEXT = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "sc": "https://schema.org/",
    "cr": "http://mlcommons.org/croissant/",
    "dct": "http://purl.org/dc/terms/",
    "conformsTo": "dct:conformsTo",
    "column": "cr:column",
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "extract": "cr:extract",
    "field": "cr:field",
    "fileObject": "cr:fileObject",
    "recordSet": "cr:recordSet",
    "source": "cr:source",
}


class DataFile(NamedTuple):
    """The released table as it lies on disk."""

    name: str
    size: int
    digest: str  # SHA-256, in hexadecimal
    table: pl.DataFrame
    delimiter: str | None = None
    encoding: str | None = None

    @property
    def kind(self) -> str:
        ending = self.name.rpartition(".")[2]
        return _ALIKE.get(ending, ending)

    @property
    def media_type(self) -> str:
        return _MEDIA_TYPES[self.kind]


def render_metadata(facts: Mapping[str, Any], data: DataFile) -> dict[str, bytes]:
    """Both files by their names."""
    made = {DATA_PACKAGE: _data_package(facts, data), CROISSANT: _croissant(facts, data)}
    return {
        name: (json.dumps(found, indent=1, ensure_ascii=False) + "\n").encode()
        for name, found in made.items()
    }


def _data_package(facts: Mapping[str, Any], data: DataFile) -> dict[str, Any]:
    resource: dict[str, Any] = {
        "name": "data",
        "type": "table",
        "path": data.name,
        "format": data.kind,
        "mediatype": data.media_type,
        "bytes": data.size,
        "hash": f"sha256:{data.digest}",
    }
    if data.delimiter is not None:
        resource |= {"dialect": {"delimiter": data.delimiter}, "encoding": data.encoding}
    fields = [
        {"name": column.name, "type": _type(column), "description": _description(facts, column.name)}
        for column in data.table
    ]
    resource["schema"] = {"fields": fields, "missingValues": [""]}
    return {
        "$schema": "https://datapackage.org/profiles/2.0/datapackage.json",
        "name": _slug(_title(facts)),
        "title": _title(facts),
        "description": _promise(facts),
        "created": f"{facts['made']}T00:00:00Z",
        "resources": [resource],
    }


def _croissant(facts: Mapping[str, Any], data: DataFile) -> dict[str, Any]:
    fields = [
        {
            "@type": "cr:Field",
            "@id": f"rows/{column.name}",
            "name": column.name,
            "description": _description(facts, column.name),
            "dataType": {"integer": "sc:Integer", "number": "sc:Float"}.get(_type(column), "sc:Text"),
            "source": {"fileObject": {"@id": data.name}, "extract": {"column": column.name}},
        }
        for column in data.table
    ]
    return {
        "@context": _CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": "http://mlcommons.org/croissant/1.0",
        "name": _slug(_title(facts)),
        "description": _promise(facts),
        "datePublished": facts["made"],
        "distribution": [
            {
                "@type": "cr:FileObject",
                "@id": data.name,
                "name": data.name,
                "contentUrl": data.name,
                "contentSize": f"{data.size} B",
                "encodingFormat": data.media_type,
                "sha256": data.digest,
            }
        ],
        "recordSet": [{"@type": "cr:RecordSet", "@id": "rows", "name": "rows", "field": fields}],
    }


def _title(facts: Mapping[str, Any]) -> str:
    return facts["data"].get("title") or "Anonymized release"


def _slug(title: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-") or "release"


def _promise(facts: Mapping[str, Any]) -> str:
    models = ", ".join(
        f"{model['model']} ({', '.join(f'{name} = {value}' for name, value in model['parameters'].items())})"
        for model in facts["verdict"]["models"]
    )
    rows = facts["data"]["rows"]
    return (
        f"{rows} rows, anonymized by heteronym and verified on the written files: {models}. See report.html."
    )


def _description(facts: Mapping[str, Any], column: str) -> str:
    role = facts["method"]["attributes"].get(column, {}).get("role", "")
    return _ROLES.get(role, "")


def _type(column: pl.Series) -> str:
    if column.dtype.is_integer():
        return "integer"
    if column.dtype.is_numeric():
        return "number"
    return "array" if column.dtype.is_nested() else "string"
