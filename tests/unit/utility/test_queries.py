"""Counts of one's own, against counting rows one by one."""

from __future__ import annotations

import random
from typing import Any

import polars as pl
import pytest

from heteronym.errors import UsageError
from heteronym.model.schema import Attribute, Role, Scale
from heteronym.utility.queries import Side, answers, count
from heteronym.utility.reading import read_labels, read_values

AGE = Attribute(role=Role.QUASI, scale=Scale.NUMERIC)
PART = Attribute(role=Role.QUASI, scale=Scale.NUMERIC)
DAY = Attribute(role=Role.QUASI, scale=Scale.DATE)
CITY = Attribute(role=Role.QUASI)


def frame(seed: int, rows: int = 60) -> pl.DataFrame:
    rng = random.Random(seed)
    return pl.DataFrame(
        {
            "age": [rng.choice([None, *range(18, 40)]) for _ in range(rows)],
            "part": [rng.choice([0.5, 1.25, 2.0, -3.5]) for _ in range(rows)],
            "day": [f"200{rng.randint(3, 5)}-0{rng.randint(1, 9)}-1{rng.randint(0, 9)}" for _ in range(rows)],
            "city": [rng.choice(["Ulm", "Rom", "New York", None]) for _ in range(rows)],
            "codes": [
                " ".join(rng.sample(["250", "401", "a"], rng.randint(0, 3))) or None for _ in range(rows)
            ],
            "text": [rng.choice(["An engineer.", "engineering", "the ENGINEER's", ""]) for _ in range(rows)],
        }
    )


def side(table: pl.DataFrame) -> Side:
    cells = {
        n: read_values(table[n], a) for n, a in (("age", AGE), ("part", PART), ("day", DAY), ("city", CITY))
    }
    return Side(
        cells,
        {"codes": (table["codes"], Role.ITEMS, " "), "text": (table["text"], Role.TEXT, " ")},
        table.height,
    )


def has(row: dict[str, Any], item: str) -> bool:
    return item in (row["codes"] or "").split()


QUERIES = {
    "age < 30": lambda r: r["age"] is not None and r["age"] < 30,
    "age <= 30": lambda r: r["age"] is not None and r["age"] <= 30,
    "age > 30": lambda r: r["age"] is not None and r["age"] > 30,
    "age >= 30": lambda r: r["age"] is not None and r["age"] >= 30,
    "age = 30": lambda r: r["age"] == 30,
    "age != 30": lambda r: r["age"] is not None and r["age"] != 30,
    "age in (20, 30)": lambda r: r["age"] in (20, 30),
    "part <= 1.25": lambda r: r["part"] <= 1.25,
    "part < 1.25": lambda r: r["part"] < 1.25,
    "part > 1.25": lambda r: r["part"] > 1.25,
    "part = -3.5": lambda r: r["part"] == -3.5,
    "day >= 2004-05": lambda r: r["day"] >= "2004-05-01",
    "day > 2004": lambda r: r["day"] >= "2005-01-01",
    "day = 2004": lambda r: r["day"].startswith("2004"),
    "city = 'New York'": lambda r: r["city"] == "New York",
    "city != Ulm": lambda r: r["city"] not in (None, "Ulm"),
    "city in (Ulm, Rom)": lambda r: r["city"] in ("Ulm", "Rom"),
    "codes has 250": lambda r: has(r, "250"),
    "age < 30 and codes has 250": lambda r: r["age"] is not None and r["age"] < 30 and has(r, "250"),
    "codes has 250 or codes has 401": lambda r: has(r, "250") or has(r, "401"),
    "not (city = Ulm or city = Rom) and age > 20": lambda r: (
        r["city"] not in ("Ulm", "Rom") and r["age"] is not None and r["age"] > 20
    ),
    "text has engineer": lambda r: r["text"] in ("An engineer.", "the ENGINEER's"),
}


@pytest.mark.parametrize("query", QUERIES)
def test_a_query_on_values_counts_the_rows_that_satisfy_it(query: str) -> None:
    for seed in range(5):
        table = frame(seed)
        assert count(query, side(table)) == sum(map(QUERIES[query], table.iter_rows(named=True)))


def labelled(**columns: list[str | None]) -> Side:
    attributes = {"age": AGE, "day": DAY, "city": CITY}
    cells = {n: read_labels(pl.Series(n, c), attributes[n]) for n, c in columns.items() if n in attributes}
    sets = {"codes": (pl.Series("codes", columns["codes"]), Role.ITEMS, " ")} if "codes" in columns else {}
    return Side(cells, sets, 2)


@pytest.mark.parametrize(
    ("query", "columns", "expected"),
    [
        ("age < 30", {"age": ["[20-39]", "[25-34]"]}, 1.0),
        ("age = 30", {"age": ["[21-30]", "30"]}, 1.1),
        ("age >= 30", {"age": ["[20-29]", "*"]}, 0.0),
        ("age < 30", {"age": ["[20-29]", "*"]}, 2.0),  # suppressed is like the others
        ("city = a", {"city": ["{a,b}", "{b,c}"]}, 0.5),
        ("city in (a, b)", {"city": ["{a,b}", "{b,c}"]}, 1.5),
        ("day < 2005", {"day": ["[2004-2005]", "2004-05"]}, 1 + 366 / 731),
        ("codes has B", {"codes": ["(B,D) x", "x"]}, 0.5),
        ("codes has x and codes has B", {"codes": ["(B,D) x", "B x"]}, 1.5),
    ],
)
def test_labels_count_in_parts(query: str, columns: dict[str, list[str | None]], expected: float) -> None:
    assert count(query, labelled(**columns)) == pytest.approx(expected)


def test_an_error_is_relative_to_the_true_count() -> None:
    told = answers(["age < 30"], side(frame(1)), labelled(age=["[20-39]", "[25-34]"]))[0]
    assert told["error"] == pytest.approx(abs(told["before"] - 1) / told["before"])


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("", "empty"),
        ("age", "ends"),
        ("age <", "ends"),
        ("agee < 3", "age"),
        ("age < secret", "numbers"),
        ("day < secret", "days"),
        ("city < x", "no order"),
        ("city has x", "no set"),
        ("codes = 250", "`has`"),
        ("age < 3 and", "ends"),
        ("(age < 3", "parenthesis"),
        ("age < 3 age > 2", "expected"),
        ("age ~ 3", "comparison"),
        ("city in a", "list"),
        ('city = "a', "character"),
    ],
)
def test_what_cannot_be_read_is_refused_with_a_reason(query: str, said: str) -> None:
    with pytest.raises(UsageError, match=said) as error:
        count(query, side(frame(0)))
    assert "secret" not in str(error.value)
