"""How cells are written, and who the rows are about, on tables as people keep them."""

from __future__ import annotations

import json
import random
from pathlib import Path

import polars as pl
import pytest

import heteronym as hn
from heteronym.io.given import read_given
from heteronym.model.plan import DataPlan
from heteronym.profiling.first_reading import read_first
from heteronym.profiling.shapes import is_text, mixed_formats, scale_of
from heteronym.verify.tables import read_data
from heteronym.verify.values import cell_text


def roles(profile: hn.Profile) -> dict[str, str]:  # type: ignore[name-defined]
    return {column.name: column.role for column in profile.columns}


@pytest.mark.parametrize(
    ("cells", "decimal", "first"),
    [
        (["1.234,50 €", "8,20", "12", "-3,1"], ",", "1234.50"),
        (["26,700", "31,250", "1,026,000"], ".", "26700"),
        (["$ 1,200.50", "$ 3", "$ 17.25"], ".", "1200.50"),
        (["1'200.50", "80.10", "7.00"], ".", "1200.50"),
        (["CHF 12,50", "CHF 8,10", "CHF 1.012,00"], ",", "12.50"),
    ],
)
def test_numbers_with_signs_are_numbers(cells: list[str], decimal: str, first: str) -> None:
    found = read_first(pl.DataFrame({"amount": cells}))
    assert (found.decimal, found.frame["amount"][0]) == (decimal, first)
    assert scale_of(found.frame["amount"])["scale"] == "numeric"


@pytest.mark.parametrize(
    "cells", [["12.3.4", "7.1.2"], ["41 44", "12 45"], ["1,2", "a,b"], ["10.0.0.1", "1.2.3.4"]]
)
def test_what_only_looks_like_numbers_stays(cells: list[str]) -> None:
    assert read_first(pl.DataFrame({"amount": cells})).decimal is None


def test_the_auditor_reads_the_same_numbers() -> None:
    signs = ["1.234,50 €", "8,2", None, "-3", "n/a", "12 EUR", "17", "1.000"]
    frame = pl.DataFrame({"a": signs, "b": ["1,2", "x", "3", "4", "5", "6", "7", "8"], "c": signs[::-1]})
    plan = DataPlan(decimal=",", missing=("n/a",))
    assert read_data(frame, plan).frame.equals(read_given(frame, plan)[0].frame)


def test_a_word_for_missing_does_not_hide_numbers() -> None:
    found = read_first(pl.DataFrame({"age": ["17", "unk", "44"], "town": ["Bonn", "unknown", "Trier"]}))
    assert found.missing == ("unk",)
    assert found.frame["age"].null_count() == 1


def test_dates_in_several_formats_are_dates() -> None:
    days = pl.Series([f"{day:02}/0{1 + day % 9}/1980" for day in range(1, 29)] + ["14-Nov-1961", "03/1999"])
    assert mixed_formats(days) == "%d/%m/%Y|%d-%b-%Y|%m/%Y"
    assert scale_of(days)["scale"] == "date"


def visits(rng: random.Random) -> pl.DataFrame:
    rows = []
    for person in range(60):
        first, last = rng.choice(["Ann", "Ben", "Cleo", "Dora"]), f"Mar{chr(97 + person % 26)}on"
        born = f"19{rng.randrange(30, 99)}-0{rng.randrange(1, 9)}-11"
        for _ in range(rng.randrange(2, 5)):
            spelling = rng.choice([f"{first} {last}", f"{last.upper()}, {first}", f"{first[0]}. {last}"])
            rows.append(
                {"holder": f"T{person:05}", "patient": spelling, "dob": born, "ward": rng.choice("ABCD")}
            )
    return pl.DataFrame(rows)


def test_a_column_of_codes_is_the_person_where_names_are_spelled_in_several_ways() -> None:
    found = hn.profile(visits(random.Random(3)), trial=False)
    assert (found.person, found.persons) == ("holder", 60)
    assert found.question is None


def test_few_values_are_no_person_key_without_a_question() -> None:
    rows = pl.DataFrame({"customer_id": [f"C{n % 12:04}" for n in range(600)], "spent": range(600)})
    found = hn.profile(rows, trial=False)
    assert found.person == "customer_id"
    assert found.text.splitlines()[0].startswith("# QUESTION: Are the rows about 12 persons")


def test_names_of_products_are_no_persons() -> None:
    names = [f"VAC{n % 7} (MAKER ({n % 7}))" for n in range(300)]
    keys = [f"{900000 + n // 2}" for n in range(300)]
    rows = pl.DataFrame({"VAX_NAME": names, "REP_ID": keys, "SEX": ["F", "F", "M", "M"] * 75})
    found = hn.profile(rows, trial=False)
    assert found.person == "REP_ID"
    assert roles(found)["VAX_NAME"] in ("quasi", "event")


def test_a_flag_that_is_set_or_missing_tells_something() -> None:
    rows = pl.DataFrame({"DIED": ["Y" if n % 9 == 0 else None for n in range(90)], "SEX": ["F", "M"] * 45})
    assert roles(hn.profile(rows, trial=False))["DIED"] == "quasi"


def test_short_remarks_that_repeat_are_texts() -> None:
    said = ["spoke to Anna Smith on 0113 496 0000", "no answer, will try again", "left a note with her son"]
    assert is_text(pl.Series(said * 40))
    assert not is_text(pl.Series(["Head of the department", "Adult Care", "Bank of Scotland"] * 40))


def test_answers_on_one_scale_are_sensitive() -> None:
    rng = random.Random(1)
    rows = {
        f"q{n}_{name}": [rng.randrange(1, 6) for _ in range(80)] for n, name in enumerate(["a", "b", "c"])
    }
    found = hn.profile(pl.DataFrame({**rows, "age": [20 + n % 40 for n in range(80)]}), trial=False)
    assert [roles(found)[name] for name in rows] == ["sensitive"] * 3


@pytest.mark.parametrize(
    "name",
    ["salary band", "Lohngruppe", "tranche de salaire", "faixa salarial", "salarisschaal", "palkkaluokka"],
)
def test_bands_of_pay_are_sensitive(name: str) -> None:
    rows = pl.DataFrame({name: ["A", "B", "C"] * 30, "age": [20 + n % 30 for n in range(90)]})
    plan = hn.profile(rows, trial=False).plan
    assert plan["attributes"][name]["role"] == "sensitive"
    assert {"model": "l-diversity", "l": 2, "attribute": name} in plan["privacy"]


def tickets(count: int, longest: int) -> list[dict[str, object]]:
    return [
        {
            "ticket": n,
            "customer": {"id": f"C{n % 40:03}", "home": {"city": ["Bonn", "Trier", None][n % 3]}},
            "tags": ["a", "b"][: n % 3],
            "messages": [
                {"by": "agent", "text": f"line {i}", "cost": 1.5 * i} for i in range(n % (longest + 1))
            ],
        }
        for n in range(count)
    ]


@pytest.mark.parametrize("longest", [3, 12])
def test_objects_in_json_become_columns_for_both_readers(tmp_path: Path, longest: int) -> None:
    path = tmp_path / "data.jsonl"
    path.write_text("\n".join(map(json.dumps, tickets(60, longest))))
    ours, theirs = read_given(path)[0].frame, read_data(path, DataPlan()).frame
    assert ours.columns == theirs.columns
    assert ("messages.text" in ours.columns) == (longest > 8)
    for name in ours.columns:
        mine, other = (frame[name].to_list() for frame in (ours, theirs))
        assert [*map(cell_text, mine)] == [*map(cell_text, other)]
    assert roles(hn.profile(path, trial=False))["customer.id"] == "identifier"
