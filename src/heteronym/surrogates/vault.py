"""The vault: what was replaced by what, in the owner's folder alone.

Without a passphrase the key is a file beside a readable vault, both of mode 600. With a passphrase the vault
is sealed, and the key follows from the passphrase, so that one passphrase gives one set of
surrogates wherever it is used.

Reference   scrypt (RFC 7914) for the keys, AES-256-GCM (NIST SP 800-38D) for the seal
Guarantee   a sealed vault opens with its passphrase only, and shows any change to it
Cost        scrypt: about 0.2 s and 64 MB, two or three times per run
Randomness  key, salt and nonce from the operating system
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import os
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from heteronym.errors import InputError, UsageError
from heteronym.model.edit import Edit
from heteronym.model.terms import normalize

VAULT, KEY = "vault.json", "pseudonyms.key"
_KIND, _VERSION = "heteronym vault", 1
_COST = {"n": 1 << 16, "r": 8, "p": 1}
_MOST_COST = 1 << 20  # a vault that asks for more is no vault of ours
_NAMES_SALT = b"heteronym surrogates 1"
_MOST_ATTEMPTS = 3_000

Replacement = tuple[int, str, str]  # where in the released text a surrogate stands, itself, the original


@dataclass(eq=False, repr=False)
class Vault:
    """Key, surrogates given so far, and the way back for each document. Holds personal data."""

    key: bytes
    passphrase: str | None = None
    given: dict[tuple[str, str], str] = field(default_factory=dict)  # (kind, term) -> surrogate
    documents: dict[str, list[Replacement]] = field(default_factory=dict)  # digest of the result -> way back

    def __post_init__(self) -> None:
        self._taken = {(kind, normalize(new)) for (kind, _), new in self.given.items()}
        self._avoided: set[tuple[str, str]] = set()
        self._numbers = Counter(kind[1:-1] for kind, _ in self.given if kind.startswith("["))

    def __repr__(self) -> str:
        return f"Vault({len(self.given)} surrogates, {len(self.documents)} documents)"

    def avoid(self, kind: str, term: str) -> None:
        """This term stands in the documents: it must be nobody's surrogate."""
        self._avoided.add((kind, normalize(term)))

    def ask(self, kind: str, term: str, make: Callable[[int], str | None]) -> str | None:
        """The surrogate given before, else the first that is free; None if there is none."""
        known = self.given.get((kind, term))
        if known is not None:
            return known
        for attempt in range(_MOST_ATTEMPTS):
            new = make(attempt)
            if new is None:
                return None
            if self._is_free(kind, normalize(new)) and normalize(new) != normalize(term):
                self.given[kind, term] = new
                self._taken.add((kind, normalize(new)))
                return new
        return None

    def _is_free(self, kind: str, new: str) -> bool:
        """Whether it is nobody's surrogate, and neither it nor a part of it stands in the documents."""
        parts = {new, *new.replace("-", " ").split()}
        return (kind, new) not in self._taken and not any((kind, part) in self._avoided for part in parts)

    def has_number(self, kind: str, term: str) -> bool:
        return (f"[{kind}]", term) in self.given

    def number(self, kind: str, term: str) -> str:
        """A numbered placeholder: the same for the same term, counted on from what was given before."""
        known = self.given.get((f"[{kind}]", term))
        if known is None:
            self._numbers[kind] += 1
            known = f"[{kind} {self._numbers[kind]}]"
            self.given[f"[{kind}]", term] = known
        return known

    def remember(self, released: str, way_back: list[Replacement]) -> None:
        self.documents[digest(released)] = way_back

    def remember_cell(self, column: str, released: str, back: list[Replacement]) -> None:
        """The way back for a cell of a table; none where rows with other originals read alike."""
        name = cell_digest(column, released)
        if self.documents.setdefault(name, back) != back:
            self.documents[name] = []

    def files(self) -> dict[str, bytes]:
        """The owner's files."""
        content = {
            "given": [[kind, term, new] for (kind, term), new in sorted(self.given.items())],
            "documents": self.documents,
            "check": _fingerprint(self.key),
        }
        if self.passphrase is None:
            head = {"kind": _KIND, "version": _VERSION, "sealed": False}
            return {KEY: self.key.hex().encode() + b"\n", VAULT: _json({**head, **content})}
        return {VAULT: _sealed(_json(content), self.passphrase)}


def way_back(text: str, edits: Sequence[Edit]) -> list[Replacement]:
    """Where in the result each surrogate stands, itself, and what stood there."""
    moved, places = 0, []
    for edit in sorted(edits):
        start = edit.start + moved
        places.append((start, edit.text, text[edit.start : edit.end]))
        moved += len(edit.text) - (edit.end - edit.start)
    return places


def digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def cell_digest(column: str, cell: str) -> str:
    return digest(f"{column}\x00{cell}")


def open_vault(owner: Mapping[str, bytes], passphrase: str | None) -> Vault:
    """The vault among the owner's files, or a new one with the key they hold."""
    if passphrase is not None and not passphrase:
        raise UsageError("the passphrase is empty")
    content = _parsed(owner[VAULT]) if VAULT in owner else None
    if content is not None and content.get("sealed") is not False:
        if passphrase is None:
            raise InputError(f"{VAULT}: is sealed; it needs its passphrase (--passphrase)")
        content = _opened(content, passphrase)
    elif content is not None and passphrase is not None:
        raise InputError(f"{VAULT}: was written without a passphrase; leave the passphrase out")
    vault = Vault(_key(owner, passphrase), passphrase)
    if content is None:
        return vault
    if not hmac.compare_digest(str(content.get("check")), _fingerprint(vault.key)):
        raise InputError(f"{KEY}: is not the key of {VAULT}")
    try:
        given = {(str(kind), str(term)): str(new) for kind, term, new in content["given"]}
        documents = {
            str(name): [(int(start), str(new), str(old)) for start, new, old in edits]
            for name, edits in content["documents"].items()
        }
    except (KeyError, TypeError, ValueError, AttributeError):
        raise InputError(f"{VAULT}: is damaged") from None
    return Vault(vault.key, passphrase, given, documents)


def _key(owner: Mapping[str, bytes], passphrase: str | None) -> bytes:
    if KEY in owner:
        try:
            key = bytes.fromhex(owner[KEY].decode("ascii").strip())
        except (UnicodeDecodeError, ValueError):
            key = b""
        if len(key) < 16:
            raise InputError(f"{KEY}: is no key (at least 32 hexadecimal digits)")
        return key
    if passphrase is not None:
        return _stretched(passphrase, _NAMES_SALT, _COST)
    if VAULT in owner:
        raise InputError(f"{KEY}: is missing beside {VAULT}")
    return os.urandom(32)


def _stretched(passphrase: str, salt: bytes, cost: Mapping[str, int]) -> bytes:
    from cryptography.hazmat.primitives.kdf.scrypt import Scrypt

    return Scrypt(salt=salt, length=32, **cost).derive(passphrase.encode("utf-8", "surrogatepass"))


def _sealed(content: bytes, passphrase: str) -> bytes:
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    salt, nonce = os.urandom(16), os.urandom(12)
    head = {"kind": _KIND, "version": _VERSION, "sealed": True, "scrypt": _COST, "salt": salt.hex()}
    sealed = AESGCM(_stretched(passphrase, salt, _COST)).encrypt(nonce, content, None)
    return _json({**head, "nonce": nonce.hex(), "content": base64.b64encode(sealed).decode()})


def _opened(stored: Mapping[str, Any], passphrase: str) -> dict[str, Any]:
    from cryptography.exceptions import InvalidTag
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    try:
        cost = {name: int(stored["scrypt"][name]) for name in _COST}
        if cost["n"] * cost["r"] * cost["p"] > _MOST_COST * 8:
            raise ValueError
        salt, nonce = bytes.fromhex(stored["salt"]), bytes.fromhex(stored["nonce"])
        sealed = base64.b64decode(stored["content"], validate=True)
        content = AESGCM(_stretched(passphrase, salt, cost)).decrypt(nonce, sealed, None)
    except InvalidTag:
        raise InputError(f"{VAULT}: the passphrase does not open it, or it was changed") from None
    except (KeyError, TypeError, ValueError):
        raise InputError(f"{VAULT}: is damaged") from None
    return dict(json.loads(content))


def _parsed(content: bytes) -> dict[str, Any]:
    try:
        parsed = json.loads(content)
    except (UnicodeDecodeError, ValueError, RecursionError):
        parsed = None
    if not isinstance(parsed, dict) or parsed.get("kind") != _KIND:
        raise InputError(f"{VAULT}: is no vault, or damaged")
    if parsed.get("version") != _VERSION:
        raise InputError(f"{VAULT}: of another version of the program")
    return parsed


def _fingerprint(key: bytes) -> str:
    return hmac.digest(key, b"which key is this", hashlib.sha256).hex()[:16]


def _json(content: Mapping[str, Any]) -> bytes:
    return json.dumps(content, ensure_ascii=True, separators=(",", ":")).encode()
