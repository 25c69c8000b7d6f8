"""Attributes and what the owner says about them.

An attribute's role decides what happens to its values, its scale how they are compared, and
`entities` under which types its values may turn up in free text.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated

from pydantic import Field, field_validator

from heteronym.model.limits import LARGEST_NUMBER
from heteronym.model.part import Recoder, Strict

AGE = "AGE"  # the entity type of ages
SURROGATE = "surrogate"


class Role(StrEnum):
    IDENTIFIER = "identifier"  # never released as it is
    QUASI = "quasi"  # generalized until the models hold
    SENSITIVE = "sensitive"  # released; what the diversity models protect
    PLAIN = "plain"  # released unchanged
    EVENT = "event"  # a value of the row, not of the person; an element like an item
    ITEMS = "items"  # a set of items per person
    TERMS = "terms"  # a set of TYPE:term per person, found elsewhere
    TEXT = "text"  # free text


class Scale(StrEnum):
    NOMINAL = "nominal"
    ORDINAL = "ordinal"
    NUMERIC = "numeric"
    DATE = "date"


_RECODERS = {Scale.NOMINAL: "set", Scale.ORDINAL: "set", Scale.NUMERIC: "interval", Scale.DATE: "date"}


class Attribute(Strict):
    """One column: its role, how its values compare, how they are recoded."""

    role: Role = Field(description="what happens to the column")
    scale: Scale = Field(Scale.NOMINAL, description="how values compare")
    order: tuple[str, ...] = Field((), description="ordinal: the values from low to high")
    format: str | None = Field(None, description="date: strptime format; detected if left out")
    entities: tuple[str, ...] = Field((), description="entity types under which values occur in text")
    hierarchy: str | None = Field(None, description="CSV file, leaf first, or hierarchy in the package")
    recode: Recoder | None = Field(
        None, description="how labels are made; chosen by scale if left out. Identifiers: surrogate, or none"
    )
    weight: Annotated[float, Field(gt=0, le=LARGEST_NUMBER, allow_inf_nan=False)] = Field(
        1.0, description="importance of the attribute; losses are averaged with it"
    )
    separator: str | None = Field(None, min_length=1, description="items, terms: between two elements")
    sensitive: tuple[str, ...] = Field((), description="items: the sensitive ones")

    @field_validator("order", "entities", "sensitive", mode="before")
    @classmethod
    def _scalars_as_text(cls, value: object) -> object:
        # YAML reads `order: [1, 2, 3]` as numbers; the data's values are compared as text.
        if isinstance(value, (list, tuple)):
            return tuple(str(v) if isinstance(v, (int, float)) else v for v in value)
        return value

    @property
    def recoder(self) -> str | None:
        """The name of the recoder that the plan asks for."""
        return None if self.recode is None else self.recode.name

    @property
    def labelled_by(self) -> str:
        """The plan's recoder, or the scale's own; a sensitive column is released as it is, in no ranges."""
        if self.role is Role.SENSITIVE:
            return "set"
        return self.recoder or ("hierarchy" if self.hierarchy is not None else _RECODERS[self.scale])

    @property
    def is_interval(self) -> bool:
        """Whether labels are intervals of numbers."""
        plain = self.hierarchy is None and self.recoder in (None, "interval", "numbers")
        return self.role is Role.QUASI and self.scale is Scale.NUMERIC and plain

    @property
    def is_renamed(self) -> bool:
        """Whether an identifier is released as its surrogate."""
        return self.role is Role.IDENTIFIER and self.recoder == SURROGATE

    @property
    def is_birth(self) -> bool:
        """Whether ages in texts tell a date of the column: a quasi date with AGE among its types."""
        return self.role is Role.QUASI and self.scale is Scale.DATE and AGE in self.entities

    @property
    def turns_up(self) -> bool:
        """Whether values are looked for in texts: identifiers, items, words, whatever has entity types."""
        if self.role in (Role.TEXT, Role.TERMS, Role.PLAIN):
            return False
        if self.role in (Role.IDENTIFIER, Role.ITEMS) or self.entities:
            return True
        return self.role in (Role.QUASI, Role.EVENT) and self.scale in (Scale.NOMINAL, Scale.ORDINAL)


@dataclass(frozen=True)
class Schema:
    """The attributes of one table, in column order, with what the plan says about its rows."""

    attributes: Mapping[str, Attribute]
    person: str | None = None
    household: str | None = None
    weight: str | None = None

    def __iter__(self) -> Iterator[tuple[str, Attribute]]:
        return iter(self.attributes.items())

    def __getitem__(self, name: str) -> Attribute:
        return self.attributes[name]

    def named(self, *roles: Role) -> list[str]:
        """Names of the attributes with one of these roles, in column order."""
        return [name for name, attribute in self if attribute.role in roles]
