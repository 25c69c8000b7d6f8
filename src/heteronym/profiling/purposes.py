"""Which plans are tried for a purpose, the strongest promise first, and when one leaves enough to use."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from heteronym.errors import UsageError, nearest

RANKS = ("joint-2", "joint-1", "joint-some", "items", "separate")  # promises, the strongest first
DELTAS = (None, 0.4, 0.6, 0.8)  # most the columns may lose, so that texts and sets keep more
_SMALL = 3  # groups that must be possible at least; with fewer persons k is 2


@dataclass(frozen=True)
class Purpose:
    """What a release is for."""

    name: str
    about: str
    k: int
    known: int
    floor: str
    masked: tuple[str, ...]


@dataclass(frozen=True)
class Setup:
    """What a plan promises, and how its groups are searched; roles of columns come from the profile."""

    rank: str
    k: int
    known: int = 2
    delta: float | None = None
    masked: tuple[str, ...] = ()  # types that are always removed, beside the usual ones
    only: tuple[str, ...] = ()  # types of terms that count; all if none is named
    release: Mapping[str, float] | None = None

    @property
    def is_joint(self) -> bool:
        return self.rank.startswith("joint")

    @property
    def promise(self) -> str:
        if self.is_joint:
            known = (
                f"any {self.known} items, events or terms" if self.known > 1 else "any item, event or term"
            )
            of = ""
            if self.only:
                of = " that tells " + ", ".join(self.only)
            return f"all columns and {known}{of}: {self.k} persons"
        known = f"any {self.known} items" if self.known > 1 else "any item"
        if self.rank == "items":
            return f"all columns and {known}: {self.k} persons"
        return f"all columns: {self.k} persons; {known} for themselves: {self.k} persons"

    @property
    def told(self) -> str:
        """How the search is set, in few words."""
        parts = [] if self.delta is None else [f"delta {self.delta:g}"]
        parts += [f"{name} {value:g}" for name, value in (self.release or {}).items()]
        return ", ".join(parts)


@cache
def _content() -> Mapping[str, Any]:
    text = files("heteronym").joinpath("presets", "purposes.toml").read_text("utf-8")
    return tomllib.loads(text)


def purposes() -> list[str]:
    return list(_content()["purpose"])


def purpose_called(name: str) -> Purpose:
    if name not in purposes():
        raise UsageError(
            f"no purpose is called '{name}': {', '.join(purposes())}.{nearest(name, purposes())}"
        )
    given = _content()["purpose"][name]
    return Purpose(name, given["about"], given["k"], given["known"], given["floor"], tuple(given["masked"]))


def enough() -> Mapping[str, float]:
    """Shares of words, items and what cells tell that a useful release keeps."""
    shares: Mapping[str, float] = _content()["useful"]
    return shares


def setups(
    purpose: Purpose, roles: Sequence[str], persons: int, *, linked: bool, joint: bool, thorough: bool
) -> list[Setup]:
    """What is tried: every promise from the strongest to the purpose's weakest, each with several searches.

    `linked` says that something is released as it is from which rows of a person could be told: `joint` then
    counts one thing that is known, as it refuses more.
    """
    k = purpose.k if persons >= _SMALL * purpose.k else 2
    some, masked = tuple(_content()["some"]), purpose.masked
    if not joint:
        known = sorted({purpose.known, 1}, reverse=True) if "items" in roles else [purpose.known]
        spare: list[Mapping[str, float] | None] = [None]
        if not {"text", "terms", "items"} & set(roles):
            spare += [{"suppress_cells_up_to": 0.01}, {"suppress_up_to": 0.02}]
        rank = "items" if "items" in roles else "separate"
        return [Setup(rank, k, m, None, masked, (), more) for m in known for more in spare]
    found = []
    for rank in RANKS[: RANKS.index(purpose.floor) + 1]:
        known_at_once = 2 if rank == "joint-2" else 1
        if known_at_once > purpose.known or (known_at_once > 1 and linked):
            continue
        if rank == "joint-some" and not {"text", "terms"} & set(roles):
            continue
        if rank == "items" and "items" not in roles:
            continue
        if rank in ("items", "separate"):
            # items by themselves are rarely few: two of them are known at once at no cost
            alone = rank == "separate" and "items" in roles
            found.append(Setup(rank, k, purpose.known if alone else 1, None, masked))
            continue
        only = tuple(t for t in some if t not in masked) if rank == "joint-some" else ()
        deltas = (*DELTAS, 0.25, 0.5, 0.7) if thorough else DELTAS
        found += [Setup(rank, k, known_at_once, delta, masked, only) for delta in deltas]
    return found
