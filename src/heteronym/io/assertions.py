"""The owner's files of an analysis: identities, zero-privacy assertions and pointers."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from heteronym.errors import InputError
from heteronym.model.assertion import Ledger

IDENTITIES, ZERO, POINTERS = "identities.json", "zero.json", "pointers.json"


def ledger_files(
    names: Sequence[str], ledgers: Sequence[Ledger], variables: Sequence[str], labels: Sequence[str]
) -> dict[str, bytes]:
    """`identities.json` names the persons; `zero.json` and `pointers.json` name nobody."""
    identities = {
        "persons": dict(zip(variables, labels, strict=True)),
        "documents": {
            name: {"identities": ledger.identities, "surfaces": ledger.surfaces}
            for name, ledger in zip(names, ledgers, strict=True)
        },
    }
    numbered = [f"document {number}" for number in range(1, len(names) + 1)]
    identities["names"] = dict(zip(numbered, names, strict=True))
    zero = {number: ledger.zero for number, ledger in zip(numbered, ledgers, strict=True)}
    pointers = {number: dict(ledger.pointers) for number, ledger in zip(numbered, ledgers, strict=True)}
    return {IDENTITIES: as_json(identities), ZERO: as_json(zero), POINTERS: as_json(pointers)}


def as_json(content: Any) -> bytes:
    # Half a surrogate pair goes out and comes in again as it is.
    return (json.dumps(content, ensure_ascii=False, indent=1) + "\n").encode("utf-8", "surrogatepass")


def texts_from(files: Mapping[str, bytes]) -> dict[str, str]:
    """The documents themselves, restored from the owner's files."""
    try:
        identities = json.loads(files[IDENTITIES])
        pointers = json.loads(files[POINTERS])
    except (KeyError, ValueError):
        raise InputError(
            "the private folder lacks identities.json or pointers.json in readable form"
        ) from None
    found = {}
    for number, name in identities["names"].items():
        surfaces = identities["documents"][name]["surfaces"]
        template = pointers[number]["template"]
        found[name] = "".join(surfaces[part] if isinstance(part, int) else part for part in template)
    return found
