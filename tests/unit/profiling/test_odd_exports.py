"""Exports as offices, shops and clubs write them, unlike the other data here: roles, and a whole run."""

from __future__ import annotations

import random
from pathlib import Path

import polars as pl

import heteronym as hn
from heteronym.profiling.first_reading import read_first
from heteronym.profiling.shapes import scale_of, set_separator


def drawn(values: list[str], rows: int = 120, seed: int = 3) -> list[str]:
    return random.Random(seed).choices(values, k=rows)


def columns(frame: pl.DataFrame) -> dict[str, hn.profiling.draft.ColumnProfile]:  # type: ignore[name-defined]
    return {column.name: column for column in hn.profile(frame, trial=False).columns}


def test_years_of_two_digits_are_no_years_of_the_roman_empire() -> None:
    assert scale_of(pl.Series(["12/05/98", "30/01/04", "07/11/00"]))["format"] == "%d/%m/%y"
    assert scale_of(pl.Series(["12-Jan-23", "30-Mar-24"]))["format"] == "%d-%b-%y"
    found = columns(pl.DataFrame({"dob": [f"{d:02d}/{m:02d}/{y:02d}" for d, m, y in _DAYS]}))["dob"]
    assert (found.scale, found.role) == ("date", "quasi")
    assert "two digits" in found.reason


_DAYS = [(n % 28 + 1, n % 12 + 1, n % 100) for n in range(150)]


def test_a_currency_without_decimals_does_not_decide_the_sign() -> None:
    money = {
        "reserve": ["GBP 500", "GBP 7500"],
        "bond": ["USD 1", "USD 20"],
        "paid": ["\u00a31,200.50", "\u00a33.10"],
    }
    found = read_first(pl.DataFrame(money))
    assert found.decimal == "."
    assert found.frame.rows() == [("500", "1", "1200.50"), ("7500", "20", "3.10")]


def test_marks_are_answers_and_counts_are_not() -> None:
    marks = [*"123456789"]
    frame = pl.DataFrame(
        {
            "Maths": drawn([*marks, "U"], seed=1),
            "English": drawn(marks, seed=2),
            "Science": drawn([*marks, "X"], seed=3),
            "cars": drawn(["0", "1", "2", "3"], seed=4),
            "rooms": drawn(["1", "2", "3", "4"], seed=5),
            "pets": drawn(["0", "1", "2", "3"], seed=6),
        }
    )
    roles = {name: column.role for name, column in columns(frame).items()}
    assert [roles[name] for name in ("Maths", "English", "Science")] == ["sensitive"] * 3
    assert [roles[name] for name in ("cars", "rooms", "pets")] == ["quasi"] * 3


def test_steps_of_agreement_are_answers() -> None:
    steps = ["Strongly agree", "Agree", "Neither", "Disagree", "Strongly disagree"]
    places = ["pier", "harbour", "old market", "north gate", "mill"]
    frame = pl.DataFrame(
        {
            **{name: drawn(steps, seed=n) for n, name in enumerate(["food", "noise", "beds"])},
            **{name: drawn(places, seed=9 + n) for n, name in enumerate(["first", "second", "third"])},
        }
    )
    roles = [column.role for column in columns(frame).values()]
    assert roles == ["sensitive"] * 3 + ["quasi"] * 3


def test_coordinates_are_told_from_wages() -> None:
    rng = random.Random(1)
    degrees = [f"{rng.uniform(-8, 16):.5f}" for _ in range(80)]
    wages = [str(rng.randint(19_000, 61_000)) for _ in range(80)]
    assert columns(pl.DataFrame({"lon": degrees}))["lon"].role == "quasi"
    assert columns(pl.DataFrame({"lon": wages}))["lon"].role == "sensitive"


def test_hours_are_no_disease() -> None:
    found = columns(pl.DataFrame({"Std/Woche": drawn(["38,5", "40", "20"]), "STD": drawn(["pos", "neg"])}))
    assert (found["Std/Woche"].role, found["STD"].role) == ("quasi", "sensitive")


def test_a_key_alone_is_left_out_though_it_repeats() -> None:
    keys = [f"{n:04x}-ab" for n in range(40)]
    found = columns(pl.DataFrame({"uid": drawn(keys), "plan": drawn(["free", "pro"])}))
    assert found["uid"].role == "identifier"


def test_short_remarks_with_addresses_are_texts_whatever_their_column_is_called() -> None:
    said = ["love it", "too expensive", *(f"cancel {n}@example.org please" for n in range(20))]
    assert columns(pl.DataFrame({"feedback": drawn(said, 400)}))["feedback"].role == "text"


def test_slashes_part_lists() -> None:
    places = ["GK", "DF", "MF", "FW", "W"]
    lists = ["/".join(random.Random(n).sample(places, n % 3 + 1)) for n in range(40)]
    assert set_separator(pl.Series(drawn(lists))) == "/"


def test_money_and_names_with_dots_are_released(tmp_path: Path) -> None:
    """The auditor reads numbers of texts that it holds once, and columns whose names end in a dot."""
    rng = random.Random(5)
    lines = ["Geb.;Kl.;Betrag"] + [
        f"{rng.randint(1960, 1999)};{rng.choice('ABC')};{rng.choice(['0,00 €', '1,50 €', '1.204,20 €'])}"
        for _ in range(200)
    ]
    data = tmp_path / "export.csv"
    data.write_text("\n".join(lines) + "\n", "utf-8")
    plan = hn.profile(data).plan
    assert plan["data"]["decimal"] == ","
    release = hn.anonymize(data, plan, output=tmp_path / "release")
    assert release.verdict.holds
