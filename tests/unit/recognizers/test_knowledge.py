"""What the program knows, and the table of types."""

from __future__ import annotations

import pytest

from heteronym.knowledge.places import countries, kinds, type_of
from heteronym.knowledge.wordlists import nationalities, words
from heteronym.text.entity_types import DIRECT, TYPES, is_direct, is_sensitive


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Georgia", ("country", "state")),
        ("New York", ("state",)),
        ("Bavaria", ("state",)),
        ("Ankara", ("city",)),
        ("Europe", ("continent",)),
        ("Nowhereville", ()),
    ],
)
def test_a_name_has_all_kinds_of_place_that_bear_it(name: str, expected: tuple[str, ...]) -> None:
    assert kinds(name)[: len(expected)] == expected
    assert bool(kinds(name)) == bool(expected)


def test_places_know_their_type() -> None:
    assert (type_of("Scandinavia"), type_of("Poland"), type_of("Łódź"), type_of("Xyzzy")) == (
        "LOC",
        "GPE",
        "GPE",
        None,
    )


def test_countries_are_known_by_all_their_names() -> None:
    assert {countries()[name] for name in ("UK", "Britain", "United Kingdom")} == {"United Kingdom"}
    assert nationalities()["Poles"] == "Poland"


def test_word_lists_hold_words() -> None:
    assert {"engineer", "nurse"} <= words("occupations")
    assert {"Mary", "Robert"} <= words("first_names")
    assert "New Yorker" in words("peoples")


def test_the_table_has_the_types_of_ontonotes_and_ours() -> None:
    theirs = [name for name, row in TYPES.items() if row.group == "ontonotes" and name != "INSTITUTION"]
    assert len(theirs) == 18
    ours = (
        "MAIL URL PHONE POSTCODE AGE JOB IP CARD IBAN CODE ADDRESS USERNAME RELIGION MARITAL FAMILY"
    ).split()
    assert set(ours) <= set(TYPES)
    assert all(row.help for row in TYPES.values())


def test_direct_types_are_those_that_name_one_person_alone() -> None:
    assert {"MAIL", "URL", "PHONE", "CODE", "IBAN", "CARD"} <= DIRECT
    assert not is_direct("PERSON")
    assert is_direct("PERSON", direct=["PERSON"])
    assert not is_direct("MAIL", direct=["PERSON"])


def test_laws_and_numbers_are_left_alone_and_own_types_are_not() -> None:
    assert [is_sensitive(t) for t in ("LAW", "ORDINAL", "CARDINAL", "INSTITUTION")] == [False] * 4
    assert is_sensitive("TEAM")
    assert "TEAM" not in TYPES
    assert {row.treatment for row in TYPES.values()} == {"remove", "joint", "leave"}
