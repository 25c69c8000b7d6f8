"""Zip packages of Office files: opened within bounds, and written without times, comments or leftovers."""

from __future__ import annotations

import io
import lzma
import struct
import zipfile
import zlib
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar

from heteronym.errors import InputError

LARGEST_PART = 128 << 20  # bytes of a part that is read
_LARGEST_WHOLE = 512 << 20  # bytes, all parts unpacked
_MOST_PARTS = 20_000
_DENSEST = 400  # unpacked bytes per stored byte; texts reach 30
_SMALL = 32 << 20  # below this, density harms nobody
_NO_TIME = (1980, 1, 1, 0, 0, 0)
_unfolded: ContextVar[list[int]] = ContextVar("bytes unfolded of one document and all that are in it")


@contextmanager
def within_budget() -> Iterator[None]:
    """One bound for a document and all packages inside of it."""
    before = _unfolded.set([0])
    try:
        yield
    finally:
        _unfolded.reset(before)


def unpack(content: bytes, name: str) -> dict[str, bytes]:
    """The parts by name; a file that would unpack beyond all measure is refused before it does."""
    broken = InputError(f"{name}: is a broken package, or none")
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as package:
            members = package.infolist()
            whole = sum(member.file_size for member in members)
            budget = _unfolded.get([0])
            budget[0] += whole
            if (
                budget[0] > _LARGEST_WHOLE
                or len(members) > _MOST_PARTS
                or whole > _LARGEST_WHOLE
                or any(_is_large(member) for member in members)
                or (whole > _SMALL and whole > _DENSEST * len(content))
            ):
                raise InputError(f"{name}: unfolds to {whole >> 20} MB, which no document needs; not opened")
            if any(member.flag_bits & 1 for member in members):
                raise InputError(f"{name}: is protected by a password; save it without one")
            if len({member.filename for member in members}) < len(members):
                raise broken
            return {member.filename: package.read(member) for member in members if not member.is_dir()}
    except (zipfile.BadZipFile, zlib.error, lzma.LZMAError, struct.error, EOFError, LookupError, OSError,
            RuntimeError, ValueError):  # fmt: skip
        raise broken from None


def _is_large(member: zipfile.ZipInfo) -> bool:
    return member.file_size > LARGEST_PART and member.filename.endswith((".xml", ".rels"))


def repack(content: bytes, changed: Mapping[str, bytes], removed: Collection[str] = ()) -> bytes:
    """The same parts, some of them changed or removed; a file without changes is the same bytes."""
    if not changed and not removed:
        return content
    made = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(made, "w") as new:
        for member in old.infolist():
            if member.filename in removed:
                continue
            fresh = zipfile.ZipInfo(member.filename, _NO_TIME)
            fresh.external_attr = member.external_attr
            part = changed.get(member.filename)
            new.writestr(fresh, old.read(member) if part is None else part, member.compress_type)
    return made.getvalue()
