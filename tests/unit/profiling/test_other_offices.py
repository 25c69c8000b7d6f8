"""First readings of registers that other trades and countries keep."""

from __future__ import annotations

import random

import polars as pl
import pytest

import heteronym as hn
from heteronym.knowledge.column_names import naming_of
from heteronym.model.plan import DataPlan
from heteronym.profiling.first_reading import read_first
from heteronym.profiling.shapes import holds_full_names, is_text
from heteronym.verify.tables import read_data


def roles(frame: pl.DataFrame) -> dict[str, str]:
    return {column.name: column.role for column in hn.profile(frame, trial=False).columns}


@pytest.mark.parametrize("code", ["EMP-", "EMP", "INV ", "TOP-"])
def test_keys_with_three_capitals_are_no_money(code: str) -> None:
    keys = [f"{code}{number}" for number in range(3000, 3040)]
    frame = pl.DataFrame({"key": keys, "price": [f"1.{number},50 €" for number in range(100, 140)]})
    found = read_first(frame)
    assert (found.decimal, found.frame["key"].to_list()) == (",", keys)
    assert read_data(frame, DataPlan(decimal=",")).frame["key"].to_list() == keys


def test_amounts_with_codes_of_currencies_are_numbers_to_both_readers() -> None:
    frame = pl.DataFrame({"fee": ["EUR 1.200,50", "PLN3,00", "CHF -4", "kr -5", "7,25 SEK"]})
    plain = ["1200.50", "3.00", "-4", "-5", "7.25"]
    assert read_first(frame).frame["fee"].to_list() == plain
    assert read_data(frame, DataPlan(decimal=",")).frame["fee"].to_list() == plain


def test_initials_and_particles_are_names() -> None:
    names = ["J. de Vries", "M. van Dijk", "A.-L. Bakker", "P.J. Smit", "K. Visser"] * 30
    assert holds_full_names(pl.Series(names))
    assert not holds_full_names(pl.Series(["E. coli", "S. aureus", "K. oxytoca"] * 30))
    assert (
        roles(pl.DataFrame({"tekening": names, "soort": ["a", "b", "c", "d", "e"] * 30}))["tekening"]
        == "identifier"
    )


@pytest.mark.parametrize(
    "name",
    [
        "Polishouder",
        "Kontoinhaber",
        "Fahrzeughalter",
        "Versicherungsnehmer",
        "försäkringstagare",
        "ENTERED_BY",
    ],
)
def test_holders_are_persons(name: str) -> None:
    assert "person" in naming_of(name)


@pytest.mark.parametrize("beside", ["Judge", "Vater", "médecin", "Entered by", "leraar", "padrino"])
def test_persons_beside_those_whom_rows_are_about_number_nobody(beside: str) -> None:
    rng = random.Random(3)
    held = ["Anna Huber", "Josef Maier", "Maria Gruber", "Karl Egger"] * 5
    held = [f"{name} {letter}." for name, letter in zip(held, "ABCDEFGHIJKLMNOPQRST", strict=True)]
    frame = pl.DataFrame(
        {
            beside: [rng.choice(held) for _ in range(100)],
            "room": [rng.choice("123") for _ in range(100)],
            "plea": [rng.choice(["guilty", "not guilty", "none"]) for _ in range(100)],
        }
    )
    draft = hn.profile(frame, trial=False)
    assert draft.person is None
    assert roles(frame)[beside] == "identifier"


def test_few_remarks_that_name_somebody_are_texts() -> None:
    remarks = pl.Series(["gest. 1915", "Nottaufe durch Hebamme Becker"] * 40)
    assert is_text(remarks, named=True)
    assert not is_text(pl.Series(["paid in full", "not yet paid"] * 40), named=True)


@pytest.mark.parametrize(
    "name", ["date_saisie", "fecha_registro", "data_modifica", "version_formulaire", "Verwerkingsdatum"]
)
def test_bookkeeping_is_told_without_the_words_that_join(name: str) -> None:
    assert "bookkeeping" in naming_of(name)


@pytest.mark.parametrize(
    "name",
    ["lønn", "Bruttojahresgehalt", "Lohnniveau", "brutoloon", "franja_salarial", "løngruppe", "palkkataso"],
)
def test_pay_is_sensitive_in_compounds(name: str) -> None:
    assert "sensitive" in naming_of(name)
    levels = pl.DataFrame({"kundnummer": list(range(900, 960)), name: ["A", "B", "C"] * 20})
    assert roles(levels)[name] == "sensitive"
