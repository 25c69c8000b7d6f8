"""Patients of INFORMS with visits and a note per visit: columns, items, events and text of the same person.

1 to 8 visits per person over three years (geometric, mean 3). A note of 40 to 120 words names two of the
person's own diagnosis codes, one place and one other date; in half of the notes the person's own age or birth
year; in a tenth a value of another patient. Nothing else depends on the person. These rates are fixed.

The people are those of `informs_rt.csv` (docs/data.md) below the folder HETERONYM_SHARED, or patients-like
where there is none.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

import numpy as np
import polars as pl

from benchmarks.generators.baskets_like import patients_like
from benchmarks.generators.known_terms import cities

FIRST_DAY, DAYS = np.datetime64("2005-01-01"), 3 * 365
MOST_VISITS, MEAN_VISITS = 8, 3
LEAST_WORDS, MOST_WORDS = 40, 120
OWN_VALUE, OTHER_VALUE = 0.5, 0.1
QUASI = ("month_of_birth", "year_of_birth", "race", "years_of_education", "income")

CODES = (
    "Findings agree with code {first} and with code {second}.",
    "Treated for code {first}; code {second} was looked at as well.",
    "Code {first} is stable, code {second} needs another look.",
)
PLACES = ("Came here from {place} this time.", "Works near {place} now.", "Was last treated in {place}.")
DATES = (
    "The first complaints began on {day}.",
    "A letter of {day} is in the file.",
    "An appointment on {day} was missed.",
)
OWN_AGE = "The patient is {age} years old."
OWN_YEAR = "The patient was born in {year}."
OTHERS = (
    "The neighbour who waited outside is {age} years old.",
    "The neighbour who waited outside was born in {year}.",
    "The neighbour who waited outside has code {code}.",
)
FILLERS = (
    "Sleep was good and appetite was as usual.",
    "No fever, no cough and no pain at rest.",
    "Blood pressure was taken twice and was normal both times.",
    "The results were explained and all questions were answered.",
    "Rest was advised, with plenty of water and short walks.",
    "Medication stays as it is and was taken as told.",
    "The next visit was arranged with the front desk before leaving.",
    "Breathing was quiet and the skin was warm and dry.",
    "There was nothing new to report about the family.",
    "A leaflet about diet was handed over and talked through.",
)


class Known(NamedTuple):
    """What a note may tell."""

    year: int
    visit: np.datetime64
    place: str
    codes: list[str]
    other_year: int
    other_code: str


def informs_visits(size: int, seed: int = 1) -> pl.DataFrame:
    """The visits of `size` patients, or of all there are."""
    people = _people(size, seed)
    rng = np.random.default_rng([seed, 2005])
    places = cities(400)
    popular = np.cumsum(1.0 / (np.arange(len(places)) + 4.0))
    popular /= popular[-1]
    visits = np.minimum(rng.geometric(1 / MEAN_VISITS, people.height), MOST_VISITS)
    columns = {name: people[name].to_list() for name in ("year_of_birth", "diagnosis_codes")}
    codes = [cell.split(" ") for cell in columns["diagnosis_codes"]]
    rows: list[tuple[int, str, str, str]] = []
    for person, count in enumerate(visits.tolist()):
        days = FIRST_DAY + np.sort(rng.integers(0, DAYS, count))
        treated = _by_visit(codes[person], count, rng)
        for day, mine in zip(days.tolist(), treated, strict=True):
            other = int(rng.integers(0, people.height))
            known = Known(
                columns["year_of_birth"][person],
                np.datetime64(day),
                places[int(np.searchsorted(popular, rng.random(), side="right"))],
                mine,
                columns["year_of_birth"][other],
                codes[other][int(rng.integers(0, len(codes[other])))],
            )
            rows.append((person, str(day), " ".join(mine), _note(known, rng)))
    made = pl.DataFrame(rows, ["person", "visit", "codes", "note"], orient="row")
    return people.select("rid", *QUASI)[made["person"]].hstack(made.drop("person"))


def informs_file() -> Path | None:
    """The real patients, where there are any."""
    shared = os.environ.get("HETERONYM_SHARED")
    path = Path(shared or "") / "data" / "informs" / "informs_rt.csv"
    return path if shared is not None and path.is_file() else None


def _people(size: int, seed: int) -> pl.DataFrame:
    path = informs_file()
    if path is None:
        return patients_like(size, seed)
    people = pl.read_csv(path, schema_overrides={"diagnosis_codes": pl.String})
    return people if size >= people.height else people.sample(size, seed=seed)


def _by_visit(codes: list[str], count: int, rng: np.random.Generator) -> list[list[str]]:
    """The codes of each visit: every code at one visit at least, two or more at each where there are two."""
    at = rng.integers(0, count, len(codes))
    found = []
    for visit in range(count):
        mine = {code for code, when in zip(codes, at.tolist(), strict=True) if when == visit}
        while len(mine) < min(2, len(codes)):
            mine.add(codes[int(rng.integers(0, len(codes)))])
        found.append(sorted(mine))
    return found


def _note(known: Known, rng: np.random.Generator) -> str:
    two = rng.permutation(known.codes)[:2].tolist()
    told = known.visit - np.timedelta64(int(rng.integers(10, 700)), "D")
    day = told.astype(object)
    age = int(str(known.visit)[:4]) - known.year
    sentences = [
        _one(CODES, rng).format(first=two[0], second=two[-1]),
        _one(PLACES, rng).format(place=known.place),
        _one(DATES, rng).format(day=f"{day.day} {day:%B %Y}"),
    ]
    if rng.random() < OWN_VALUE:
        sentences.append((OWN_AGE if rng.random() < 0.5 else OWN_YEAR).format(age=age, year=known.year))
    if rng.random() < OTHER_VALUE:
        other = age + known.year - known.other_year
        told_of = {"age": other, "year": known.other_year, "code": known.other_code}
        sentences.append(_one(OTHERS, rng).format(**told_of))
    wanted = int(rng.integers(LEAST_WORDS, MOST_WORDS - 10))
    fillers = rng.permutation(FILLERS).tolist()
    while _words(sentences) < wanted and fillers:
        sentences.append(fillers.pop())
    return " ".join(rng.permutation(sentences).tolist())


def _one(sentences: tuple[str, ...], rng: np.random.Generator) -> str:
    return sentences[int(rng.integers(0, len(sentences)))]


def _words(sentences: list[str]) -> int:
    return sum(sentence.count(" ") + 1 for sentence in sentences)
