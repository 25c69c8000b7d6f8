"""Schemas: whether a table is about nobody, about one person per row, or about several.

A column refers to an individual if its name says so ("patient_name", "doctor", "email"); a relation that
is called by a role (PATIENT) is about that person. No column: zero; one: atomic; several persons:
compound.

Reference   Al-Fedaghi (paper 004), section 6, the HOSPITAL schema
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from heteronym.assertions.wording import with_article
from heteronym.knowledge.lexicons import sex_of_role, singular
from heteronym.model.assertion import AssertionClass

_NAMES = frozenset("name surname forename firstname lastname fullname username".split())
_PERSONAL = frozenset("ssn email mail phone mobile passport birthdate birthday dob".split())
_PARTS = frozenset("first last full middle given family maiden user".split())
_KEYS = frozenset("id number no nr key code".split())
_ROLES = {"employee", "customer", "user", "client", "person", "citizen"}
_LETTERS = "XYZM"


@dataclass(frozen=True)
class Relation:
    """A relation of a schema, by what its rows say of whom."""

    name: str
    kind: AssertionClass
    persons: tuple[str, ...]  # roles
    columns: tuple[str, ...]  # those that refer to them
    assertions: tuple[str, ...]  # the rows as sentences, with variables
    explanation: str

    @property
    def private(self) -> bool:
        return self.kind != "zero"

    def to_dict(self) -> dict[str, Any]:
        """As plain data; the class and those who are named, not the sentences."""
        return {
            "name": self.name,
            "class": self.kind,
            "persons": list(self.persons),
            "columns": list(self.columns),
            "explanation": self.explanation,
        }


def classify_relation(name: str, columns: Sequence[str], *, traits: Sequence[str] = ()) -> Relation:
    """Zero, atomic or compound, by the number of persons that the columns refer to.

    `traits` are columns that only people have (an age, a sex): where nothing refers to a person by name, they
    say that every row is about one after all.
    """
    own = _role_in(_words(name))
    if own is None and any(_tells_somebody(_words(column)) for column in columns):
        own = "person" if not _is_thing(name) else None
    persons: dict[str, list[str]] = {}
    for column in columns:
        words = _words(column)
        role = _role_in(words)
        if role is not None and set(words) - {role} <= _NAMES | _KEYS | _PARTS | {singular(role)}:
            persons.setdefault(role, []).append(column)
        elif own is not None and (set(words) & (_NAMES | _PERSONAL) or set(words) <= _KEYS):
            persons.setdefault(own, []).append(column)
    if own is not None and own in _role_names(name) and own not in persons:
        persons[own] = []
    if own is not None and own in persons and len(persons) > 1 and own not in _role_names(name):
        persons = {role: named for role, named in persons.items() if role != own} or persons
    if not persons and traits and not _is_thing(name):
        persons["person"] = []
    kind: AssertionClass = "zero" if not persons else "atomic" if len(persons) == 1 else "compound"
    referring = tuple(column for named in persons.values() for column in named)
    return Relation(
        name,
        kind,
        tuple(persons),
        referring,
        _sentences(name, columns, persons),
        _explanation(name, kind, tuple(persons), referring or tuple(traits)),
    )


def classify_schema(relations: Mapping[str, Sequence[str]]) -> list[Relation]:
    return [classify_relation(name, columns) for name, columns in relations.items()]


def schema_text(relations: Mapping[str, Sequence[str]]) -> str:
    """A schema written out as sentences, which can be analyzed like any text."""
    sentences = [s for relation in classify_schema(relations) for s in relation.assertions]
    return " ".join(f"{sentence}." for sentence in sentences)


def _words(name: str) -> list[str]:
    spaced = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name)
    return [word.lower() for word in re.findall(r"[A-Za-z]+", spaced)]


def _role_in(words: Sequence[str]) -> str | None:
    for word in words:
        one = singular(word)
        if len(one) > 2 and (one in _ROLES or sex_of_role(one) is not None):
            return one
    return None


def _role_names(name: str) -> set[str]:
    return {role for word in _words(name) if (role := _role_in([word])) is not None}


def _tells_somebody(words: Sequence[str]) -> bool:
    return bool(set(words) & (_PERSONAL | (_NAMES - {"name"}))) or (
        "name" in words and bool(set(words) & _PARTS)
    )


def _is_thing(name: str) -> bool:
    return bool(
        {"product", "company", "department", "file", "item"} & {singular(word) for word in _words(name)}
    )


def _called(role: str, variable: str) -> str:
    return f"Dr. {variable}" if role == "doctor" else f"{role} {variable}"


def _sentences(name: str, columns: Sequence[str], persons: Mapping[str, Sequence[str]]) -> tuple[str, ...]:
    referring = {c for named in persons.values() for c in named if not set(_words(c)) & _PERSONAL}
    plain = [" ".join(_words(column)) for column in columns if column not in referring and _words(column)]
    letters = iter(_LETTERS)
    if not persons:
        key, *rest = plain or [name.lower()]
        entity = " ".join(_words(name))
        counted = f"{entity} {key}" if key in _KEYS else key
        return tuple(f"The {column} of {counted} X is Z" for column in rest)
    if len(persons) == 1:
        (role,) = persons
        named = [f"The name of the {role} is X"] if any("name" in _words(c) for c in persons[role]) else []
        return (*named, *(_attribute(role, column) for column in plain))
    called = " with ".join(_called(role, next(letters)) for role in persons)
    return tuple(f"The {column} of {called} is {next(letters, 'M')}" for column in plain)


def _attribute(role: str, column: str) -> str:
    thing = column.rsplit(" ", 1)
    if len(thing) == 2 and thing[1] in _KEYS:
        return f"The {role} has {thing[0]} Y"
    return f"The {column} of the {role} is M"


def _explanation(name: str, kind: str, persons: Sequence[str], columns: Sequence[str]) -> str:
    if kind == "zero":
        return f"{name}: no column refers to a person, so its rows hold no private information"
    by = f" (by {', '.join(columns)})" if columns else ""
    if kind == "atomic":
        return f"{name}: every row is about one person, {with_article(persons[0])}{by}"
    listed = " and ".join(map(with_article, persons))
    return f"{name}: every row ties {listed} together{by}; it tells something of each of them"
