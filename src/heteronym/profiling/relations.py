"""Tables by whom their rows are about."""

from __future__ import annotations

from heteronym.assertions.schemas import Relation, classify_relation
from heteronym.io.tables import Table
from heteronym.knowledge.column_names import naming_of

# What a column's name may say that only people have; a postcode or a place may be anything's.
_TRAITS = ("first_name", "last_name", "national_number", "person", "birth", "age", "sex", "job", "trait")


def relations_of(table: Table) -> tuple[Relation, ...]:
    """Each table by whom its rows are about."""
    listed = table.relations or ((table.name, tuple(table.frame.columns)),)
    return tuple(
        classify_relation(
            name, columns, traits=[c for c in columns if any(trait in naming_of(c) for trait in _TRAITS)]
        )
        for name, columns in listed
    )
