"""Assertions: what a text says, of which individuals, in which class, how sensitive.

The words are those of Al-Fedaghi's theory of private information (paper 004): an assertion that refers to no
individual is a zero assertion, to one atomic, to several compound; a compound that only abbreviates several
assertions is a pseudo-compound. All of these hold personal data.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

AssertionClass = Literal["zero", "atomic", "compound", "pseudo-compound"]
Form = Literal["name", "pronoun", "role"]


@dataclass(frozen=True, repr=False)
class Referring:
    """A stretch of the text that refers to individuals; to none if it names a group."""

    start: int
    end: int
    form: Form
    persons: tuple[int, ...]
    head: str  # the noun, the name, the pronoun

    def __repr__(self) -> str:
        return f"Referring({self.form}, {self.start}-{self.end}, {len(self.persons)} persons)"


@dataclass(frozen=True, repr=False)
class Individual:
    """One human being that a text refers to."""

    number: int
    label: str  # the fullest name, else the phrase, else the pronoun
    names: tuple[str, ...]  # as spelt
    heads: tuple[str, ...]  # nouns and pronouns that refer to this person
    sex: str = ""

    @property
    def named(self) -> bool:
        return bool(self.names)

    def __repr__(self) -> str:
        return f"Individual({self.number})"


@dataclass(frozen=True, repr=False)
class Atom:
    """One person's share of an assertion in canonical form: (identity, zero-privacy version)."""

    person: int
    zero: str  # with Proprietor and someone
    someone: tuple[int, ...] = ()  # the person behind each "someone", in order

    def __repr__(self) -> str:
        return f"Atom(person {self.person}, {len(self.someone)} others)"


@dataclass(frozen=True, repr=False)
class Sensitivity:
    """How much an assertion may disturb: 0 no person, 1 a person, 2 delicate, 3 special category."""

    level: int
    categories: tuple[str, ...] = ()
    reasons: tuple[str, ...] = ()  # the words that decided
    score: int = 0  # breaks ties within a level

    def __repr__(self) -> str:
        return f"Sensitivity(level {self.level}, {', '.join(self.categories)})"


@dataclass(frozen=True, repr=False)
class Assertion:
    """A clause with its class, its proprietors in order of occurrence, and what it reduces to."""

    start: int
    end: int
    sentence: int
    kind: AssertionClass
    proprietors: tuple[int, ...]
    atoms: tuple[tuple[Atom, ...], ...] = ()  # of a pseudo-compound one tuple per part, else one
    has_verb: bool = True  # a greeting or a signature names somebody and says nothing
    groups: tuple[str, ...] = ()  # referents to several people, which name no individual
    sensitivity: Sensitivity = Sensitivity(0)
    suggestion: str = ""  # the assertion with less in it; "" if nothing is to be lowered
    suggested_level: int = 0

    def __repr__(self) -> str:
        return f"Assertion({self.kind}, {self.start}-{self.end}, {len(self.proprietors)} proprietors)"


@dataclass(frozen=True, repr=False, eq=False)
class Analysis:
    """Everything the analyzer says about one document."""

    text: str
    individuals: Sequence[Individual]
    referring: Sequence[Referring]
    assertions: Sequence[Assertion]
    warnings: Sequence[str] = ()
    name: str = "text"

    def __repr__(self) -> str:
        return f"Analysis({len(self.assertions)} assertions, {len(self.individuals)} individuals)"


@dataclass(frozen=True, repr=False)
class Ledger:
    """Owner's files of one document: `identities` and `surfaces` name persons, the others do not."""

    identities: list[Any]  # I
    zero: list[Any]  # Z
    variables: Mapping[int, str]  # person -> variable
    surfaces: list[str]  # what stood in each slot
    pointers: Mapping[str, Any]

    def __repr__(self) -> str:
        return f"Ledger({len(self.zero)} private assertions, {len(self.surfaces)} slots)"
