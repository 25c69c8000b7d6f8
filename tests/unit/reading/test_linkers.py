from __future__ import annotations

from typing import Any

import pytest

from heteronym.model.schema import Attribute
from heteronym.registry import linkers

AGE = Attribute.model_validate({"role": "quasi", "scale": "numeric", "entities": ["AGE"]})
DATE = Attribute.model_validate({"role": "quasi", "scale": "date", "entities": ["DATE"]})
NAME = Attribute.model_validate({"role": "quasi", "entities": ["GPE"]})


def part(linker: str, surface: str, values: list[Any], attribute: Attribute) -> str | None:
    (told,) = linkers.build(linker).links([surface], values, attribute=attribute)
    return None if told is None else surface[told[0] : told[1]]


@pytest.mark.parametrize(
    ("surface", "values", "expected"),
    [
        ("36 years old", ["36"], "36"),
        ("36-year-old", [36.0], "36"),
        ("thirty-six", ["36"], "thirty-six"),
        ("36 years old", ["35"], None),
        ("36 months old", ["36"], None),
        ("between 30 and 36", ["36"], None),
        ("36 or 36", ["36"], "36 or 36"),
        ("36 wise winters", ["36"], "36 wise winters"),
        ("old", ["36"], None),
    ],
)
def test_numbers_link_by_value_and_only_their_part(
    surface: str, values: list[Any], expected: str | None
) -> None:
    assert part("typed", surface, values, AGE) == expected


@pytest.mark.parametrize(
    ("surface", "expected"),
    [
        ("14 May 2004", "14 May 2004"),
        ("14/05/2004", "14/05/2004"),
        ("in May", "May"),
        ("2004", "2004"),
        ("May 2004", "May 2004"),
        ("15 May 2004", None),
        ("June", None),
        ("2005", None),
        ("Four days ago", None),
        ("14 May 2004 at noon", "14 May 2004 at noon"),
    ],
)
def test_partial_dates_link_to_a_date_that_they_contain(surface: str, expected: str | None) -> None:
    assert part("typed", surface, ["2004-05-14"], DATE) == expected


@pytest.mark.parametrize(
    ("linker", "surface", "value", "links"),
    [
        ("exact", "MEXICO", "Mexico", True),
        ("exact", "New  York", "new york", True),
        ("exact", "Mexicos", "Mexico", False),
        ("typed", "the UK", "UK", True),
        ("typed", "students", "Student", True),
        ("typed", "student", "Students", True),
        ("typed", "Paris", "London", False),
        ("fuzzy", "Philadelpia", "Philadelphia", True),
        ("fuzzy", "Londno", "London", True),
        ("fuzzy", "Iraq", "Iran", False),
        ("fuzzy", "Austria", "Australia", False),
        ("fuzzy", "Slovakia", "Slovenia", False),
        ("fuzzy", "88141", "88142", False),
    ],
)
def test_names_link_as_far_as_their_linker_goes(linker: str, surface: str, value: str, links: bool) -> None:
    assert part(linker, surface, [value], NAME) == (surface if links else None)


@pytest.mark.parametrize("linker", linkers.names())
@pytest.mark.parametrize("attribute", [AGE, DATE, NAME])
def test_every_linker_answers_for_every_surface(linker: str, attribute: Attribute) -> None:
    surfaces = ["", "x", "36", "🙂 in May", "a" * 5_000]
    parts = linkers.build(linker).links(surfaces, ["36", "Köln", ""], attribute=attribute)
    assert len(parts) == len(surfaces)
    for surface, told in zip(surfaces, parts):
        assert told is None or 0 <= told[0] < told[1] <= len(surface) or surface == ""


@pytest.mark.parametrize(
    ("surface", "values", "expected"),
    [
        ("Germany's capital", ["Berlin"], "Germany's capital"),
        ("the French capital", ["Paris"], "the French capital"),
        ("Germany's capital", ["Paris"], None),
        ("somewhere", ["Berlin"], None),
    ],
)
def test_descriptions_link_to_what_they_describe(
    surface: str, values: list[Any], expected: str | None
) -> None:
    assert part("described", surface, values, NAME) == expected
