"""Who sees what looks like a hash tries all values it can think of.

Reference   Marx et al. 2018, "Hashing of personally identifiable information is not sufficient"
Guarantee   finds cells that are plain digests of a value of the data, or of a number up to a million
Cost        O((distinct values + numbers) * kinds of hash), only where a column looks like hashes
Randomness  none
"""

from __future__ import annotations

import base64
import hashlib
import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
import polars as pl

from heteronym.contracts import Rng
from heteronym.io.values import text_cells
from heteronym.model.attack import AttackResult, Knowledge, ReleasedTable, Threat
from heteronym.registry import attacks
from heteronym.run import current

_LOOKS = re.compile(r"[0-9a-fA-F]{8}|[0-9a-fA-F]{16}|[0-9a-fA-F]{32,128}|[A-Za-z0-9+/_-]{22,88}={0,2}")
_KINDS: dict[int, tuple[str, ...]] = {  # by number of bytes
    4: ("crc32", "adler32"),
    16: ("md5",),
    20: ("sha1",),
    28: ("sha224", "sha3_224"),
    32: ("sha256", "sha3_256", "blake2s"),
    48: ("sha384", "sha3_384"),
    64: ("sha512", "sha3_512", "blake2b"),
}


@attacks.register("unkeyed-hashes")
@dataclass(frozen=True)
class UnkeyedHashes:
    """Knows the values that occur in the data, not who has which; tries numbers as well."""

    threat: ClassVar[Threat] = "linkability"

    numbers: int = field(
        default=1_000_000, metadata={"help": "numbers that are tried as keys", "min": 0, "max": 100_000_000}
    )

    def attack(self, release: ReleasedTable, knowledge: Knowledge, *, rng: Rng) -> AttackResult:
        columns = {name: _digests(release.frame[name]) for name in release.frame.columns}
        columns = {name: cells for name, cells in columns.items() if cells}
        rows = release.frame.height
        if not columns:
            return AttackResult(
                "unkeyed-hashes", self.threat, rows, 0, 0.0, 0.0, True, "no released column looks like hashes"
            )
        wanted = {digest for cells in columns.values() for digest in cells.values()}
        sizes = {len(digest) for digest in wanted}
        broken = set()
        for number, word in enumerate(self._words(knowledge)):
            for size in sizes & set(_KINDS):
                broken |= {digest for kind in _KINDS[size] if (digest := _hashed(kind, word)) in wanted}
            if number % 50_000 == 0:
                current().poll()
        hit = np.zeros(rows, np.bool_)
        names = []
        for name, cells in columns.items():
            open_cells = [cell for cell, digest in cells.items() if digest in broken]
            if open_cells:
                names.append(name)
                hit |= release.frame[name].is_in(open_cells).fill_null(False).to_numpy()
        found = int(hit.sum())
        detail = f"{len(columns)} columns look like hashes"
        if names:
            detail += f"; those of {', '.join(names)} are plain digests, undone for {found} rows"
        return AttackResult(
            "unkeyed-hashes", self.threat, rows, found, float(found > 0), 0.0, not found, detail
        )

    def _words(self, knowledge: Knowledge) -> Iterator[bytes]:
        for name in knowledge.frame.columns:
            cells = knowledge.frame[name]
            if cells.dtype.is_nested() or isinstance(cells.dtype, (pl.Binary, pl.Object)):
                continue
            for word in text_cells(cells).drop_nulls().unique().to_list():
                yield from {form.encode() for form in (word, word.strip(), word.lower(), word.upper())}
        for number in range(self.numbers):
            yield b"%d" % number


def _hashed(kind: str, word: bytes) -> bytes:
    if kind in ("crc32", "adler32"):
        return int(getattr(zlib, kind)(word)).to_bytes(4, "big")
    return hashlib.new(kind, word, usedforsecurity=False).digest()


def _digests(cells: pl.Series) -> dict[str, bytes]:
    """Cells that could be digests, with their bytes; empty unless nearly all are."""
    if cells.dtype != pl.String:
        return {}
    known = cells.drop_nulls().unique().to_list()
    found = {cell: _LOOKS.fullmatch(cell) for cell in known}
    if not known or sum(match is not None for match in found.values()) < 0.9 * len(known):
        return {}
    read = {cell: _bytes_of(cell) for cell, match in found.items() if match}
    return {cell: digest for cell, digest in read.items() if len(digest) in _KINDS}


def _bytes_of(cell: str) -> bytes:
    try:
        return bytes.fromhex(cell)
    except ValueError:
        pass
    try:
        return base64.b64decode(
            cell.translate(str.maketrans("-_", "+/")) + "=" * (-len(cell) % 4), validate=True
        )
    except ValueError:
        return b""
