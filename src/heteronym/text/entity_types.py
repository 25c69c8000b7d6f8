"""The types of things that mentions are: one table, the only place that decides about them.

A type is *direct* (always removed, never a term, never in the NCP), *quasi* (a term of the person,
kept only where the group shares it) or, if it is not sensitive by default, left alone unless a plan
names it. Where the lists of HIPAA Safe Harbor (45 CFR 164.514(b)(2)(i), letters A to R), GDPR
(article 4(1) and the special categories of article 9) and NIST SP 800-122 name a type, the row says so.
A plan may bring types of its own (`patterns`, `words`): they are quasi and sensitive.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Literal

Treatment = Literal["remove", "joint", "leave"]
Group = Literal["ontonotes", "identifier", "demographic"]


@dataclass(frozen=True)
class EntityType:
    """One row of the table."""

    name: str
    direct: bool
    sensitive: bool
    group: Group
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


def _quasi(name: str, group: Group, hipaa: str, gdpr: str, nist: str, help: str) -> EntityType:
    return EntityType(name, False, True, group, hipaa, gdpr, nist, help)


def _direct(name: str, hipaa: str, gdpr: str, nist: str, help: str) -> EntityType:
    return EntityType(name, True, True, "identifier", hipaa, gdpr, nist, help)


def _harmless(name: str, help: str) -> EntityType:
    return EntityType(name, False, False, "ontonotes", "", "", "", help)


_TABLE: tuple[EntityType, ...] = (
    # PERSON is on everybody's list of identifiers, yet quasi here: texts name friends, writers and
    # politicians far more often than their author, the paper counts names among a person's terms
    # (Table 4), and a name shared by a whole group tells nobody apart. A name that only one person's
    # texts hold is suppressed either way. `text.direct: [PERSON]` makes it direct.
    _quasi(
        "PERSON",
        "ontonotes",
        "A",
        "name",
        "distinguishing",
        "names of people, also partial ones and initials; quasi because most names in a text are not its "
        "author's and a name shared by the whole group singles nobody out (paper 000, Table 4)",
    ),
    _quasi(
        "NORP",
        "ontonotes",
        "R",
        "ethnic origin, political opinions, religious beliefs (art. 9)",
        "linkable",
        "nationalities, ethnic, religious and political groups",
    ),
    _quasi(
        "FAC",
        "ontonotes",
        "B",
        "location data",
        "linkable",
        "buildings, streets, airports, hospitals, prisons",
    ),
    _quasi(
        "ORG", "ontonotes", "", "social identity", "linkable", "companies, agencies, institutions by name"
    ),
    _quasi(
        "GPE",
        "ontonotes",
        "B",
        "location data",
        "linkable",
        "countries, states, regions with a government, cities",
    ),
    _quasi(
        "LOC",
        "ontonotes",
        "B",
        "location data",
        "linkable",
        "mountains, rivers, seas, regions without a government",
    ),
    _quasi("PRODUCT", "ontonotes", "", "", "linkable", "vehicles, devices, foods, software by name"),
    _quasi("EVENT", "ontonotes", "", "", "linkable", "named battles, games, storms, festivals"),
    _quasi("WORK_OF_ART", "ontonotes", "", "cultural identity", "", "titles of books, songs, films"),
    _harmless("LAW", "laws, articles, conventions: what is cited, not who is meant"),
    _quasi("LANGUAGE", "ontonotes", "", "cultural identity", "linkable", "named languages"),
    _quasi(
        "DATE",
        "ontonotes",
        "C",
        "",
        "distinguishing",
        "dates, periods and durations of a day or more, also relative",
    ),
    _quasi("TIME", "ontonotes", "", "", "linkable", "times of day and durations below a day"),
    _quasi("PERCENT", "ontonotes", "", "", "linkable", "percentages"),
    _quasi("MONEY", "ontonotes", "", "economic identity", "linkable", "amounts of money with their unit"),
    _quasi(
        "QUANTITY",
        "ontonotes",
        "",
        "physical identity",
        "linkable",
        "measurements: weight, distance, counts tied to a person",
    ),
    # Without a type of their own, "the Court" and "the Government" would be ORG, the commonest false alarm.
    _harmless("INSTITUTION", "institutions by a common noun only: 'the Supreme Court', 'the Government'"),
    _harmless("ORDINAL", "first, second: tells an order, not a person"),
    _harmless("CARDINAL", "numerals that no other type covers"),
    _direct("MAIL", "F", "online identifier", "distinguishing", "mail addresses"),
    _direct("URL", "N", "online identifier", "linkable", "web addresses"),
    _direct("PHONE", "D E", "identification number", "distinguishing", "telephone and fax numbers"),
    _direct("IP", "O", "online identifier", "linkable", "IP and MAC addresses"),
    _direct("CARD", "J", "identification number", "distinguishing", "payment card numbers"),
    _direct("IBAN", "J", "identification number", "distinguishing", "bank account numbers"),
    _direct(
        "CODE",
        "G H I J K L M R",
        "identification number",
        "distinguishing",
        "numbers that stand for one person, case or thing: case, record, passport, licence, plate, ...",
    ),
    _direct("USERNAME", "R", "online identifier", "linkable", "handles and account names"),
    _direct("ADDRESS", "B", "location data", "distinguishing", "postal addresses with street and number"),
    _quasi(
        "POSTCODE", "identifier", "B", "location data", "linkable", "postal codes; often a column's own type"
    ),
    _quasi(
        "AGE", "demographic", "C", "physical identity", "linkable", "ages; Safe Harbor lists those over 89"
    ),
    _quasi("JOB", "demographic", "", "economic identity", "linkable", "occupations, ranks, titles of office"),
    _quasi(
        "RELIGION",
        "demographic",
        "",
        "religious beliefs (art. 9)",
        "linkable",
        "creeds and offices of a creed",
    ),
    _quasi("MARITAL", "demographic", "", "social identity", "linkable", "marital status"),
    _quasi(
        "FAMILY",
        "demographic",
        "",
        "social identity",
        "linkable",
        "family roles: who somebody is to somebody",
    ),
    _quasi("EDUCATION", "demographic", "", "social identity", "linkable", "degrees and schooling"),
    _quasi(
        "HEALTH", "demographic", "", "health (art. 9)", "linkable", "conditions and disabilities of a person"
    ),
    _quasi(
        "ORIGIN",
        "demographic",
        "R",
        "ethnic origin (art. 9)",
        "linkable",
        "descent, birth and minority status",
    ),
)

TYPES: dict[str, EntityType] = {row.name: row for row in _TABLE}

DIRECT: frozenset[str] = frozenset(row.name for row in _TABLE if row.direct)
SENSITIVE: frozenset[str] = frozenset(row.name for row in _TABLE if row.sensitive)
ONTONOTES: tuple[str, ...] = tuple(
    row.name for row in _TABLE if row.group == "ontonotes" and row.name != "INSTITUTION"
)


def is_known(type: str) -> bool:
    return type in TYPES


def is_direct(type: str, *, direct: Collection[str] | None = None) -> bool:
    """Whether mentions of the type are always removed; a plan's `direct` list replaces the default."""
    if direct is not None:
        return type in direct
    return type in DIRECT


def is_sensitive(type: str) -> bool:
    """Whether the type counts when the plan names no types. A plan's own types always do."""
    row = TYPES.get(type)
    return row is None or row.sensitive
