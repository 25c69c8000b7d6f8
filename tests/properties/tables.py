"""Random schemas and tables: every scale, missing cells, odd characters, several rows per person."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Any

import polars as pl
from hypothesis import strategies as st

WORDS = st.sampled_from(
    [
        "a",
        "b",
        "B",
        "Zürich",
        "北京",
        "😀",
        "a,b",
        "{x}",
        "y\\",
        '"q"',
        " s ",
        "*",
        "[1-2]",
        "e\u0301",
        "-",
        "NA",
    ]
)
JOBS = ["cook", "baker", "nurse", "doctor", "judge"]
JOB_HIERARCHY = "cook;food;*\nbaker;food;*\nnurse;health;*\ndoctor;health;*\njudge;law;*\n"
LEVELS = ["low", "mid", "high"]

COLUMNS: dict[str, tuple[dict[str, Any], st.SearchStrategy[Any], Any]] = {
    "whole": ({"scale": "numeric"}, st.integers(-50, 50), pl.Int64),
    "part": ({"scale": "numeric"}, st.sampled_from([-1.5, 0.0, 0.25, 1e-6, 3.0, 1e9]), pl.Float64),
    "huge": ({"scale": "numeric"}, st.integers(-(2**60), 2**60), pl.Int64),
    "day": ({"scale": "date"}, st.dates(date(1850, 1, 1), date(2150, 12, 31)), pl.Date),
    "word": ({}, WORDS, pl.String),
    "level": ({"scale": "ordinal", "order": LEVELS}, st.sampled_from(LEVELS), pl.String),
    "zip": ({"recode": "prefix"}, st.text("89*", min_size=1, max_size=4), pl.String),
    "job": ({"hierarchy": "job.csv"}, st.sampled_from(JOBS), pl.String),
    "star": ({"recode": "suppress"}, WORDS, pl.String),
    "same": ({"scale": "numeric"}, st.just(0), pl.Int64),
    "truth": ({}, st.booleans(), pl.Boolean),
}


@dataclass(frozen=True)
class Case:
    frame: pl.DataFrame
    plan: dict[str, Any]
    k: int

    @property
    def persons(self) -> int:
        return self.frame["id"].n_unique() if self.plan.get("data") else self.frame.height

    @property
    def quasi(self) -> list[str]:
        return [name for name, a in self.plan["attributes"].items() if a["role"] == "quasi"]

    def __repr__(self) -> str:
        return f"Case(k={self.k}, plan={self.plan}, rows={self.frame.rows()})"


@st.composite
def cases(draw: st.DrawFn, *, hierarchy: bool = True) -> Case:
    names = [name for name in COLUMNS if hierarchy or name != "job"]
    quasi = draw(st.lists(st.sampled_from(names), min_size=1, max_size=4, unique=True))
    rows = draw(st.integers(2, 24))
    several = draw(st.booleans())
    missing = draw(st.sampled_from([0.0, 0.0, 0.3, 1.0]))
    columns: dict[str, pl.Series] = {}
    if several:
        keys = draw(st.lists(st.integers(0, max(1, rows // 2)), min_size=rows, max_size=rows))
        columns["id"] = pl.Series("id", [f"p{key}" for key in keys])
    else:
        columns["id"] = pl.Series("id", [f"p{row}" for row in range(rows)])
    for name in quasi:
        _, values, kind = COLUMNS[name]
        cell = values if missing == 0 else st.none() if missing == 1 else st.one_of(st.none(), values)
        columns[name] = pl.Series(name, draw(st.lists(cell, min_size=rows, max_size=rows)), kind)
    columns["note"] = pl.Series(
        "note", draw(st.lists(st.one_of(st.none(), WORDS), min_size=rows, max_size=rows)), pl.String
    )
    columns["number"] = pl.Series("number", list(range(rows)), pl.Int64)
    frame = pl.DataFrame(columns)
    persons = columns["id"].n_unique() if several else rows
    k = draw(st.integers(2, max(2, persons)))
    attributes: dict[str, Any] = {"id": {"role": "identifier"}}
    attributes |= {name: {"role": "quasi", **COLUMNS[name][0]} for name in quasi}
    attributes |= {"note": {"role": "sensitive"}, "number": {"role": "plain"}}
    plan: dict[str, Any] = {
        "attributes": attributes,
        "privacy": [{"model": "k-anonymity", "k": k}],
        "partition": {"method": "mondrian", "cut": draw(st.sampled_from(["gain", "widest"]))},
    }
    if several:
        plan["data"] = {"person": "id"}
    return Case(frame, plan, k)
