"""The types of things that mentions are: one table, the only place that decides about them.

A type is *direct* (always removed, never a term, never in the NCP), *quasi* (a term of the person, kept
only where the group shares it) or, if it is not sensitive by default, left alone unless a plan names it. A
*measure* is quasi in a single document and left alone in tables. The rows are data
(`knowledge/entity_types.toml`); where the lists of HIPAA Safe Harbor (45 CFR 164.514(b)(2)(i), letters A to
R), GDPR (article 4(1) and the special categories of article 9) and NIST SP 800-122 name a type, the row
says so. A plan may bring types of its own (`patterns`, `words`): they are quasi and sensitive.
"""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from importlib.resources import files
from typing import Literal

Treatment = Literal["remove", "joint", "leave"]
TypeFamily = Literal["ontonotes", "identifier", "demographic"]


@dataclass(frozen=True)
class EntityType:
    """One row of the table."""

    name: str
    direct: bool
    sensitive: bool
    measure: bool  # in a table it counts only if the plan names it
    group: TypeFamily
    hipaa: str  # letters of the Safe Harbor list; "" if it is on none
    gdpr: str  # which words of article 4(1) or 9 it falls under; "" if none
    nist: str  # distinguishing | linkable | ""
    help: str

    @property
    def treatment(self) -> Treatment:
        """What happens by default: remove, decide jointly with the columns, or leave."""
        if self.direct:
            return "remove"
        return "joint" if self.sensitive else "leave"


def _table() -> Iterator[EntityType]:
    text = files("heteronym.knowledge").joinpath("entity_types.toml").read_text(encoding="utf-8")
    for name, row in tomllib.loads(text).items():
        kind = row.pop("kind")
        yield EntityType(name, kind == "direct", kind != "harmless", kind == "measure", **row)


MEASUREMENT = "MEASUREMENT"  # of a state, not of a person: harmless, and nothing else may have a part of it
VALUE = "VALUE"  # a value of the person's own columns that the plan gives no type

TYPES: dict[str, EntityType] = {row.name: row for row in _table()}

DIRECT: frozenset[str] = frozenset(row.name for row in TYPES.values() if row.direct)


def meaning(type: str) -> tuple[Treatment, str]:
    """What happens to a type by default, and what it is in words; a plan's own types are quasi."""
    row = TYPES.get(type)
    return ("joint", "a type of the plan") if row is None else (row.treatment, row.help)


def is_direct(type: str, *, direct: Collection[str] | None = None) -> bool:
    """Whether mentions of the type are always removed; a plan's `direct` list replaces the default."""
    return type in (DIRECT if direct is None else direct)


def is_sensitive(type: str, *, in_table: bool = False) -> bool:
    """Whether the type counts when the plan names no types. A plan's own types always do."""
    row = TYPES.get(type)
    return row is None or (row.sensitive and not (in_table and row.measure))
