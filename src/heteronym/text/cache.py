"""Remembers what was recognized, so that an interrupted run resumes and a second one is quick.

An entry is found by a keyed hash of the text and of what recognized it; it holds offsets, types, scores,
sources and rules, never text. The key is drawn once per cache folder and readable by its owner only: without
it, nobody can test whether a given text was seen, or leave entries that hide mentions, because every entry is
authenticated with it. What recognized a text is told by the parts' parameters and by the program's own rules,
word lists and weights. Entries are committed batch by batch.

Cost        one hash and one lookup per text
Randomness  the key, from the operating system
"""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import secrets
import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, fields, is_dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import ClassVar

from heteronym.contracts import Recognizer
from heteronym.errors import OutputError
from heteronym.model.mention import Span
from heteronym.text.parallel import Parallel

_FORMAT = 3
_SEAL = 16  # bytes


class SpanCache:
    """Spans by keyed hash in one SQLite file."""

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder)
        try:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._key = self._read_key()
            path = self.folder / "spans.sqlite"
            path.touch(mode=0o600)  # SQLite gives its further files the mode of the first
            if path.stat().st_uid == os.getuid():
                path.chmod(0o600)
            # Several workers write in turn.
            self._base = sqlite3.connect(path, timeout=60, isolation_level="IMMEDIATE")
            self._base.execute(
                "create table if not exists spans (hash blob primary key, found blob) without rowid"
            )
            self._base.commit()
        except (OSError, sqlite3.Error):
            raise OutputError(
                f"the cache cannot be used: {self.folder}. Leave it out or name another folder."
            ) from None

    def close(self) -> None:
        self._base.close()

    def _seal(self, hashed: bytes, found: bytes) -> bytes:
        return hashlib.blake2b(hashed + found, key=self._key, digest_size=_SEAL, person=b"entry").digest()

    def _read_key(self) -> bytes:
        path = self.folder / "key"
        if not path.exists():
            # Written under another name first: two runs that start together must agree on one key.
            with NamedTemporaryFile(dir=self.folder) as fresh, suppress(FileExistsError):
                fresh.write(secrets.token_bytes(32))
                fresh.flush()
                os.link(fresh.name, path)
        return path.read_bytes()

    def hash_of(self, text: str, recognizer: str) -> bytes:
        digest = hashlib.blake2b(key=self._key, digest_size=24)
        digest.update(f"{_FORMAT}\0{recognizer}\0".encode())
        digest.update(text.encode("utf-8", "surrogatepass"))
        return digest.digest()

    def get(self, hashes: Sequence[bytes]) -> dict[bytes, list[Span]]:
        """What is known of these hashes."""
        known: dict[bytes, list[Span]] = {}
        query = "select found from spans where hash = ?"
        for hashed in hashes:
            for (sealed,) in self._base.execute(query, (hashed,)):
                seal, found = sealed[:_SEAL], sealed[_SEAL:]
                if hmac.compare_digest(seal, self._seal(hashed, found)):  # others are read anew
                    known[hashed] = [Span(*entry) for entry in json.loads(found)]
        return known

    def put(self, entries: Sequence[tuple[bytes, Sequence[Span]]]) -> None:
        """Keep these, now: what is not committed is lost when the run is interrupted."""
        written = [(hashed, json.dumps(spans, separators=(",", ":")).encode()) for hashed, spans in entries]
        self._base.executemany(
            "insert or replace into spans values (?, ?)",
            [(hashed, self._seal(hashed, found) + found) for hashed, found in written],
        )
        self._base.commit()


@dataclass(frozen=True)
class Cached:
    """A recognizer that asks the cache first; workers are given only what it does not know."""

    recognizer: Recognizer
    folder: str = field(metadata={"help": "folder of the cache"})
    processes: int = field(default=1, metadata={"help": "as of Parallel", "min": 0})

    languages: ClassVar[frozenset[str]] = frozenset()
    batch: ClassVar[int] = 200  # texts between two commits

    def recognize(self, texts: Sequence[str]) -> list[list[Span]]:
        cache = SpanCache(self.folder)
        fresh: list[tuple[bytes, Sequence[Span]]] = []
        try:
            name = fingerprint(self.recognizer)
            hashes = [cache.hash_of(text, name) for text in texts]
            known: dict[bytes, Sequence[Span]] = {**cache.get(list(dict.fromkeys(hashes)))}
            missing = {text: hashed for hashed, text in zip(hashes, texts) if hashed not in known}
            for batch, found in Parallel(self.recognizer, self.processes).in_batches(missing):
                fresh += [(missing[text], spans) for text, spans in zip(batch, found, strict=True)]
                if len(fresh) >= self.batch:
                    cache.put(fresh)
                    known.update(fresh)
                    fresh = []
            known.update(fresh)
            return [list(known[hashed]) for hashed in hashes]
        finally:
            cache.put(fresh)  # whatever ends the work, nothing is read twice
            cache.close()


def fingerprint(recognizer: Recognizer) -> str:
    """What an entry depends on: the parts with all their parameters, the program's rules and weights."""
    description = f"{_rules_of_the_program()}\0{_described(recognizer)}\0"
    return hashlib.blake2b(description.encode(), digest_size=16).hexdigest()


def _described(value: object) -> str:
    """A part with every parameter, word lists included, which its repr keeps to itself. Only ever hashed."""
    if is_dataclass(value) and not isinstance(value, type):
        inside = {field.name: _described(getattr(value, field.name)) for field in fields(value) if field.repr}
        return f"{type(value).__module__}.{type(value).__qualname__}{sorted(inside.items())}"
    if isinstance(value, Mapping):
        return str(sorted((_described(key), _described(item)) for key, item in value.items()))
    if isinstance(value, (list, tuple)):
        return str([_described(item) for item in value])
    if isinstance(value, (set, frozenset)):
        return str(sorted(_described(item) for item in value))
    return repr(value)


@cache
def _rules_of_the_program() -> str:
    """A digest of the files that decide what is found: other rules, lists or weights meet no old entries."""
    root, digest = Path(str(files("heteronym"))), hashlib.blake2b(digest_size=16)
    models = root / "text" / "models"
    for path in sorted(path for room in ("text", "knowledge", "model") for path in (root / room).rglob("*")):
        # All files of a model count: weights have suffixes of their own, or none.
        weights = models in path.parent.parents and path.suffix != ".pyc" and path.is_file()
        if weights or path.suffix in (".py", ".txt", ".tsv", ".toml", ".json"):
            content = hashlib.blake2b(path.read_bytes()).digest()
            digest.update(f"{path.relative_to(root)}\0".encode() + content)
    return digest.hexdigest()
