"""The owner's registry of releases: who was in which group of which release, in keyed hashes, sealed.

A file of lines. The first says by which key it is sealed, each further one is a release: a name that only the
key can make, and its content encrypted (AES-256-GCM). Persons and values inside are hashes by the same key
(HMAC-SHA256, 64 bits), so that even an opened registry has no names. The key is a file of its own, mode 600.

Cost        O(persons) hashes per release
Randomness  key and nonces from the operating system
"""

from __future__ import annotations

import base64
import fcntl
import hmac
import io
import json
import os
import zipfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heteronym.errors import InputError, OutputError, UsageError
from heteronym.io.owner_files import write_owned

_KIND, _VERSION = "heteronym registry", 1
_NONCE = 12


@dataclass(frozen=True, repr=False, eq=False)
class PastRelease:
    """Who was in which group, and which sensitive values each group shows, in keyed hashes."""

    name: str  # of the release, by its data file
    k: int  # smallest group that was promised
    person: NDArray[np.uint64]
    group: NDArray[np.int64]  # beside `person`
    value_group: NDArray[np.int64]
    value_column: NDArray[np.uint64]
    value: NDArray[np.uint64]  # beside `value_group`

    def groups_of(self, person: NDArray[np.uint64]) -> NDArray[np.int64]:
        """The group of each of these persons, -1 for who is not in this release."""
        if not len(self.person):
            return np.full(len(person), -1, np.int64)
        order = np.argsort(self.person)
        place = np.minimum(np.searchsorted(self.person[order], person), len(order) - 1)
        return np.where(self.person[order][place] == person, self.group[order][place], -1)

    def __repr__(self) -> str:
        return f"PastRelease({len(self.person)} persons)"


class Registry:
    """A registry file with its key."""

    def __init__(self, path: Path, key: bytes) -> None:
        self.path, self._key = path, key

    def __repr__(self) -> str:
        return f"Registry({self.path.name})"

    def hashes(self, kind: str, texts: Iterable[str]) -> NDArray[np.uint64]:
        """Numbers that only the owner can make, the same for the same text."""
        begin = hmac.new(self._key, f"{kind}\0".encode(), "sha256")
        found = bytearray()
        for text in texts:
            one = begin.copy()
            one.update(text.encode("utf-8", "surrogatepass"))
            found += one.digest()[:8]
        return np.frombuffer(bytes(found), "<u8").astype(np.uint64)

    def name_of(self, data: bytes) -> str:
        """What a release with this data file is called here."""
        return hmac.digest(self._key, b"release\0" + data, "sha256").hex()[:32]

    def read(self) -> list[PastRelease]:
        return [] if not self.path.exists() else [self._opened(line) for line in self._lines()[1:]]

    @contextmanager
    def entering(self, release: PastRelease) -> Iterator[None]:
        """The release is in the registry while it is published; it is taken out if that fails."""
        with self._locked():
            before = self.path.read_bytes() if self.path.exists() else None
            head = {"kind": _KIND, "version": _VERSION, "check": self._check()}
            lines = [json.dumps(head).encode()] if before is None else self._lines()
            kept = [line for line in lines[1:] if _parsed(line, self.path).get("release") != release.name]
            self._write(b"".join(line + b"\n" for line in [lines[0], *kept, self._sealed(release)]))
            try:
                yield
            except BaseException:
                self.path.unlink() if before is None else self._write(before)
                raise

    @contextmanager
    def _locked(self) -> Iterator[None]:
        with open(self.path.parent / f".{self.path.name}.lock", "w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield

    def _write(self, content: bytes) -> None:
        fresh = self.path.parent / f".{self.path.name}.{os.getpid()}"
        try:
            fresh.unlink(missing_ok=True)
            write_owned(fresh, content)
            os.replace(fresh, self.path)
        except OSError as error:
            raise OutputError(f"{self.path}: cannot be written ({error.strerror})") from None

    def _lines(self) -> list[bytes]:
        lines = self.path.read_bytes().splitlines()
        head = _parsed(lines[0] if lines else b"", self.path)
        if head.get("kind") != _KIND or head.get("version") != _VERSION:
            raise InputError(f"{self.path}: no registry of releases")
        if not hmac.compare_digest(str(head.get("check")), self._check()):
            raise InputError(f"{self.path}: was made with another key")
        return lines

    def _check(self) -> str:
        return hmac.digest(self._key, b"which key is this", "sha256").hex()[:16]

    def _sealed(self, release: PastRelease) -> bytes:
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM

        out = io.BytesIO()
        np.savez_compressed(
            out,
            k=np.array(release.k),
            **{name: getattr(release, name) for name in _ARRAYS},
        )
        nonce = os.urandom(_NONCE)
        sealed = nonce + AESGCM(self._seal_key()).encrypt(nonce, out.getvalue(), release.name.encode())
        return json.dumps({"release": release.name, "sealed": base64.b64encode(sealed).decode()}).encode()

    def _opened(self, line: bytes) -> PastRelease:
        from cryptography.exceptions import InvalidTag
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM

        try:
            entry = _parsed(line, self.path)
            name, sealed = str(entry["release"]), base64.b64decode(entry["sealed"], validate=True)
            content = AESGCM(self._seal_key()).decrypt(sealed[:_NONCE], sealed[_NONCE:], name.encode())
            with np.load(io.BytesIO(content), allow_pickle=False) as found:
                return PastRelease(name, int(found["k"]), **{one: found[one] for one in _ARRAYS})
        except (InvalidTag, KeyError, TypeError, ValueError, zipfile.BadZipFile):
            raise InputError(f"{self.path}: damaged, or changed by somebody else") from None

    def _seal_key(self) -> bytes:
        """Not the key of the hashes itself: one key, one purpose."""
        return hmac.digest(self._key, b"seal", "sha256")


_ARRAYS = ("person", "group", "value_group", "value_column", "value")


def _parsed(line: bytes, path: Path) -> dict[str, Any]:
    try:
        content = json.loads(line)
    except (ValueError, RecursionError):
        content = None
    if not isinstance(content, dict):
        raise InputError(f"{path}: no registry of releases, or damaged")
    return content


def open_registry(path: Path, *, key: Path | None = None, release: Path | None = None) -> Registry:
    """A registry, or a new one; its key lies beside it, or where the owner says. A new one gets a new key."""
    where = key or path.with_name(f"{path.name}.key")
    for file in (path, where):
        if release is not None and release.resolve() in file.resolve().parents:
            raise UsageError("--registry must lie outside the release folder")
        if not file.parent.is_dir():
            raise UsageError(f"--registry: no folder {file.parent}")
    if not where.exists():
        if path.exists():
            raise InputError(f"{where}: the key of {path.name} is missing")
        _write_key(where)
    try:
        kept = bytes.fromhex(where.read_text("ascii").strip())
    except (OSError, ValueError):
        kept = b""
    if len(kept) < 16:
        raise InputError(f"{where}: is no key (at least 32 hexadecimal digits)")
    registry = Registry(path, kept)
    if path.exists():
        registry._lines()
    return registry


def _write_key(path: Path) -> None:
    try:
        write_owned(path, f"{os.urandom(32).hex()}\n".encode())
    except OSError as error:
        raise OutputError(f"{path}: cannot be written ({error.strerror})") from None
