"""Counts of one's own, against counting rows one by one."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import polars as pl
import pytest
from tests.naive.queries import counted_by_all_worlds

from heteronym.errors import UsageError
from heteronym.model.schema import Attribute, Role, Scale
from heteronym.utility.chances import Side
from heteronym.utility.queries import answers, count
from heteronym.utility.read_cells import read_labels, read_values

AGE = Attribute(role=Role.QUASI, scale=Scale.NUMERIC)
PART = Attribute(role=Role.QUASI, scale=Scale.NUMERIC)
DAY = Attribute(role=Role.QUASI, scale=Scale.DATE)
CITY = Attribute(role=Role.QUASI)
ROWS_OF_ONE = 3


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
        np.arange(table.height) // ROWS_OF_ONE,
        is_labelled=False,
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
def test_a_query_on_values_counts_the_persons_and_rows_that_satisfy_it(query: str) -> None:
    for seed in range(5):
        table = frame(seed)
        rows = [n for n, row in enumerate(table.iter_rows(named=True)) if QUERIES[query](row)]
        found = count(query, side(table))
        assert found["rows"] == (len(rows),) * 3
        assert found["persons"] == (len({n // ROWS_OF_ONE for n in rows}),) * 3


def labelled(**columns: list[str | None]) -> Side:
    attributes = {"age": AGE, "day": DAY, "city": CITY}
    cells = {n: read_labels(pl.Series(n, c), attributes[n]) for n, c in columns.items() if n in attributes}
    sets = {"codes": (pl.Series("codes", columns["codes"]), Role.ITEMS, " ")} if "codes" in columns else {}
    return Side(cells, sets, np.arange(len(next(iter(columns.values())))))


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
        # conditions on one column are about one value
        ("age >= 25 and age < 30", {"age": ["[20-39]", "[10-19]"]}, 0.25),
        ("age < 25 or age >= 25", {"age": ["[20-39]", "[10-49]"]}, 2.0),
        ("age < 25 and not age < 25", {"age": ["[20-39]", "[10-49]"]}, 0.0),
        ("age != 30", {"age": ["[21-30]", None]}, 0.9),
        ("city = a or city = b", {"city": ["{a,b}", "{b,c}"]}, 1.5),
        ("codes has B and codes has D", {"codes": ["(B,D)", "(B,D) D"]}, 0.5),
        ("codes has B or codes has D", {"codes": ["(B,D)", "(B,D) D"]}, 2.0),
    ],
)
def test_labels_count_in_parts(query: str, columns: dict[str, list[str | None]], expected: float) -> None:
    found = count(query, labelled(**columns))
    assert found["rows"].expected == found["persons"].expected == pytest.approx(expected)


AGES = {"[20-22]": (20, 21, 22), "[21-22]": (21, 22), "20": (20,)}
CITIES = {"{a,b}": ("a", "b"), "{a,b,c}": ("a", "b", "c"), "a": ("a",)}
MIXED = {
    "age <= 21": lambda age, city: age <= 21,
    "age <= 21 and city = a": lambda age, city: age <= 21 and city == "a",
    "age > 20 and age < 22 or city in (b, c)": lambda age, city: age == 21 or city in ("b", "c"),
    "not (age = 21 and city != a)": lambda age, city: not (age == 21 and city != "a"),
}


@pytest.mark.parametrize("query", MIXED)
@pytest.mark.parametrize("seed", range(4))
def test_persons_with_several_rows_are_counted_as_all_worlds_have_them(query: str, seed: int) -> None:
    rng = random.Random(seed)
    person = [0, 0, 0, 1, 1, 2]
    ages = rng.choices(sorted(AGES), k=3)  # one value a person; cities differ from row to row
    cities = rng.choices(sorted(CITIES), k=6)
    column = pl.Series("age", [ages[p] for p in person])
    cells = {"age": read_labels(column, AGE), "city": read_labels(pl.Series("city", cities), CITY)}
    found = count(query, Side(cells, {}, np.array(person)), fixed=["age"])
    worlds = counted_by_all_worlds([AGES[a] for a in ages], [CITIES[c] for c in cities], person, MIXED[query])
    for unit, (mean, variance) in worlds.items():
        assert found[unit].expected == pytest.approx(mean)
        low = max(mean - 1.96 * variance**0.5, 0)
        assert found[unit].low == pytest.approx(low, abs=1e-6)
        assert found[unit].low <= mean <= found[unit].high + 1e-9


def test_the_range_holds_what_chance_does() -> None:
    rng = np.random.default_rng(1)
    ages = rng.integers(20, 40, 4000)
    labels = labelled(age=[f"[{a // 5 * 5}-{a // 5 * 5 + 4}]" for a in ages])
    inside = 0
    for bound in range(21, 40):
        told = count(f"age < {bound}", labels)["persons"]
        inside += told.low <= (ages < bound).sum() <= told.high
    assert inside >= 17  # of 19; a range of 95 % misses one


def test_a_question_with_too_many_ways_is_refused() -> None:
    ages = {"age": [f"[{a}-{a + 20}]" for a in range(30)]}
    many = " or ".join(f"age = {n}" for n in range(20))
    assert count(many, labelled(**ages))["rows"].expected > 0  # one value has one way each
    sets = " and ".join(f"codes has {chr(97 + n)}" for n in range(13))
    label = " ".join(f"({chr(97 + n)},{chr(65 + n)})" for n in range(13))
    with pytest.raises(UsageError, match="too many"):
        count(sets, labelled(codes=[label]))


def test_an_error_is_relative_to_the_true_count() -> None:
    told = answers(["age < 30"], side(frame(1)), labelled(age=["[20-39]", "[25-34]"]))[0]
    for unit in ("persons", "rows"):
        here = told[unit]
        assert here["error"] == pytest.approx(abs(here["before"] - 1) / here["before"])
        assert here["error_low"] <= -here["error"] <= here["error_high"]
    assert told["persons"]["before"] < told["rows"]["before"]


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
