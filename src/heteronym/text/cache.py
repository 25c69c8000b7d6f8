"""Remembers what was recognized, so that an interrupted run resumes and a second one is quick.

An entry is found by a keyed hash of the text and of what recognized it; it holds offsets, types, scores,
sources and rules, never text. The key is drawn once per cache folder and readable by its owner only: without
it, nobody can test whether a given text was seen. Entries are committed batch by batch.

Cost        one hash and one lookup per text
Randomness  the key, from the operating system
"""

from __future__ import annotations

import hashlib
import json
import os
import secrets
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar

from heteronym.contracts import Recognizer
from heteronym.errors import OutputError
from heteronym.model.mention import Span

_FORMAT = 2
_AT_ONCE = 500  # entries per query; SQLite takes 999 parameters at least


class SpanCache:
    """Spans by keyed hash in one SQLite file."""

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder)
        try:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._key = self._read_key()
            self._base = sqlite3.connect(
                self.folder / "spans.sqlite",
                timeout=60,  # several workers write in turn
                isolation_level="IMMEDIATE",
            )
            self._base.execute(
                "create table if not exists spans (hash blob primary key, found blob) without rowid"
            )
            self._base.commit()
        except (OSError, sqlite3.Error):
            raise OutputError(
                f"the cache cannot be used: {self.folder}. Leave it out or name another folder."
            ) from None

    def __repr__(self) -> str:
        return f"SpanCache({self.folder})"

    def close(self) -> None:
        self._base.close()

    def _read_key(self) -> bytes:
        path = self.folder / "key"
        if not path.exists():
            # Written under another name first: two runs that start together must agree on one key.
            fresh = self.folder / f"key.{os.getpid()}.{secrets.token_hex(4)}"
            handle = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(handle, "wb") as file:
                file.write(secrets.token_bytes(32))
            try:
                os.link(fresh, path)
            except FileExistsError:
                pass
            finally:
                fresh.unlink()
        return path.read_bytes()

    def hash_of(self, text: str, recognizer: str) -> bytes:
        digest = hashlib.blake2b(key=self._key, digest_size=24)
        digest.update(f"{_FORMAT}\0{recognizer}\0".encode())
        digest.update(text.encode("utf-8", "surrogatepass"))
        return digest.digest()

    def get(self, hashes: Sequence[bytes]) -> dict[bytes, list[Span]]:
        """What is known of these hashes."""
        known: dict[bytes, list[Span]] = {}
        for begin in range(0, len(hashes), _AT_ONCE):
            some = hashes[begin : begin + _AT_ONCE]
            marks = ",".join("?" * len(some))
            query = f"select hash, found from spans where hash in ({marks})"
            for hashed, found in self._base.execute(query, some):
                known[hashed] = [Span(*entry) for entry in json.loads(found)]
        return known

    def put(self, entries: Sequence[tuple[bytes, Sequence[Span]]]) -> None:
        """Keep these, now: what is not committed is lost when the run is interrupted."""
        self._base.executemany(
            "insert or replace into spans values (?, ?)",
            [(hashed, json.dumps(spans, separators=(",", ":")).encode()) for hashed, spans in entries],
        )
        self._base.commit()


@dataclass(frozen=True)
class Cached:
    """A recognizer that asks the cache first."""

    recognizer: Recognizer
    folder: str = field(metadata={"help": "folder of the cache"})

    languages: ClassVar[frozenset[str]] = frozenset()
    batch: ClassVar[int] = 200  # texts between two commits

    def recognize(self, texts: Sequence[str]) -> list[list[Span]]:
        cache = SpanCache(self.folder)
        try:
            name = fingerprint(self.recognizer)
            hashes = [cache.hash_of(text, name) for text in texts]
            known = cache.get(list(dict.fromkeys(hashes)))
            missing = {hashed: text for hashed, text in zip(hashes, texts) if hashed not in known}
            fresh = list(missing.items())
            for begin in range(0, len(fresh), self.batch):
                some = fresh[begin : begin + self.batch]
                found = self.recognizer.recognize([text for _, text in some])
                entries = [(hashed, spans) for (hashed, _), spans in zip(some, found)]
                cache.put(entries)
                known.update((hashed, list(spans)) for hashed, spans in entries)
            return [list(known[hashed]) for hashed in hashes]
        finally:
            cache.close()


def fingerprint(recognizer: Recognizer) -> str:
    """What an entry depends on: the parts with their parameters, the program, the model's weights."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        program = version("heteronym")
    except PackageNotFoundError:
        program = "source"
    digest = hashlib.blake2b(digest_size=16)
    digest.update(f"{program}\0{recognizer!r}\0".encode())
    for part in getattr(recognizer, "parts", (recognizer,)):
        stamp = getattr(part, "stamp", None)
        if stamp is not None:
            digest.update(stamp().encode())
    return digest.hexdigest()
