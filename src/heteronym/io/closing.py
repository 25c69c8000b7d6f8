"""The last line of a mentions file, {"covered", "digest"}, says which texts were looked at.

Whoever reviews may change, add and take out the other lines, but a file without it was cut off. A file of
added lines alone, which nobody scanned, needs none.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import polars as pl

from heteronym.errors import InputError
from heteronym.model.dataset import Dataset
from heteronym.model.schema import Role


def closing_line(dataset: Dataset, mentions: int | None = None) -> str:
    """Which texts were looked at; with the number of mentions where nobody may change them."""
    columns = dataset.schema.named(Role.TEXT)
    fields = {"covered": {"columns": columns, "rows": dataset.rows}, "digest": digest_of_texts(dataset)}
    return json.dumps(fields if mentions is None else {**fields, "mentions": mentions})


def closing_line_of_files(texts: Mapping[str, str]) -> str:
    """The same for documents: name -> text."""
    digest = hashlib.sha256()
    for name, text in texts.items():
        digest.update(f"{len(name)}:{name}{len(text)}:{text}".encode("utf-8", errors="surrogatepass"))
    return json.dumps({"covered": {"files": list(texts)}, "digest": digest.hexdigest()})


def digest_of_texts(dataset: Dataset) -> str:
    """SHA-256 over the text columns: for each its name as JSON, then length and bytes of every text.

    Texts without characters count as missing ones, which are written as one dash.
    """
    digest = hashlib.sha256()
    for name in dataset.schema.named(Role.TEXT):
        texts = dataset.frame[name].cast(pl.String).fill_null("")
        cells = [text.encode("utf-8", errors="surrogatepass") or b"-" for text in texts.to_list()]
        digest.update(json.dumps(name).encode() + b"".join(b"%d:%s" % (len(c), c) for c in cells))
    return digest.hexdigest()


def check_complete(path: Path, closing: Closing | None, dataset: Dataset, *, scanned: bool) -> None:
    """Refuses what was cut off, or belongs to other texts; `scanned`: not all lines were added by hand."""
    if closing is None:
        if scanned:
            raise InputError(
                f"{path}: was cut off: the last line, which says which texts were looked at, is missing. "
                "Scan again"
            )
        return
    if closing.fields.get("digest") != digest_of_texts(dataset):
        raise InputError(
            f"{path}: line {closing.number}: was written for other texts than those of {dataset.source}. "
            "Scan again"
        )


class Closing(NamedTuple):
    """The line that says which texts were looked at."""

    number: int
    fields: Mapping[str, Any]
