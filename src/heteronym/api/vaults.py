"""Who remembers, in the owner's folder, what was replaced by what: document methods and releases."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Protocol, runtime_checkable

from heteronym.contracts import DocumentMethod
from heteronym.errors import UsageError, reading
from heteronym.io.sealed import seal
from heteronym.model.plan import Plan
from heteronym.registry import document_methods
from heteronym.surrogates.vault import KEY, VAULT, Vault, open_vault


@runtime_checkable
class KeepsVault(Protocol):
    """A method that remembers, in the owner's folder, what it replaced by what."""

    vault_files: Sequence[str]

    def opened(self, owner: Mapping[str, bytes], *, passphrase: str | None) -> DocumentMethod:
        """The method as it went on before, given the owner's files that it wrote then."""


def opened_method(method: DocumentMethod, private: Path | None, passphrase: str | None) -> DocumentMethod:
    """The method with what it remembers, if it is one that remembers."""
    if not isinstance(method, KeepsVault):
        if passphrase is not None and private is None:
            raise UsageError("a passphrase seals the owner's files; name their folder with --private")
        return method
    return method.opened(owner_files(private, method.vault_files), passphrase=passphrase)


def sealed_files(
    files: Mapping[str, bytes], method: DocumentMethod, passphrase: str | None
) -> dict[str, bytes]:
    """The owner's files as they are written; a vault seals itself, everything else is sealed here."""
    if passphrase is None or isinstance(method, KeepsVault):
        return dict(files)
    if not files:
        raise UsageError("a passphrase is for methods that write owner's files, such as pseudonyms")
    return {f"{name}.sealed": seal(content, passphrase) for name, content in files.items()}


def keeps_vault(method: str) -> bool:
    """Whether a document method, by its name, has a vault that a passphrase may seal."""
    return hasattr(document_methods.get(method), "vault_files")


def owner_files(private: Path | None, names: Sequence[str]) -> dict[str, bytes]:
    """Those of the owner's files that exist."""
    if private is None:
        return {}
    with reading(private):
        return {name: (private / name).read_bytes() for name in names if (private / name).is_file()}


def opened_vault(plan: Plan, private: Path | None, passphrase: str | None) -> Vault | None:
    """The vault of the owner's folder, or a new one, where the plan asks for surrogates."""
    if not plan.renames:
        if passphrase is not None:
            raise UsageError("a passphrase seals the vault of surrogates, and the plan asks for none")
        return None
    return open_vault(owner_files(private, (VAULT, KEY)), passphrase)
