"""Places, dates and jobs of the knowledge bases, the most popular first."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, timedelta

import numpy as np

from heteronym.knowledge.bases import base, kind_of_place
from heteronym.knowledge.wordlists import lines

END = date(2004, 8, 20)
DAYS = 36_525
YEARS = 100
_SPELLINGS = (
    "{d.day} {d:%B %Y}",
    "{d:%B} {d.day}, {d.year}",
    "{d:%Y-%m-%d}",
    "{d.day} {d:%b %Y}",
    "{d:%b} {d.day}, {d.year}",
    "{nth} {d:%B %Y}",
    "{d:%B} {nth}, {d.year}",
    "the {nth} of {d:%B %Y}",
    "{d:%d.%m.%Y}",
    "{d:%A}, {d.day} {d:%B %Y}",
    "{d:%A}, {d:%B} {d.day}, {d.year}",
    "{d.month}/{d.day}/{d.year}",
)


def known_terms(seed: int) -> dict[str, list[str]]:
    """Entity type -> terms, each once."""
    rng = np.random.default_rng([seed, 18])
    return {"GPE": _places(), "DATE": _dates(), "JOB": _jobs(rng)}


def cities(count: int) -> list[str]:
    """The largest cities."""
    places = base("places")
    order = np.argsort(-np.array(places.counts), kind="stable").tolist()
    return _once(places.names[node] for node in order if kind_of_place(places, node) == "city")[:count]


def _places() -> list[str]:
    """Countries, regions and cities by the people who live there."""
    places = base("places")
    order = np.argsort(-np.array(places.counts), kind="stable")
    return _once(places.names[node] for node in order.tolist() if places.parents(node))


def _dates() -> list[str]:
    """Years, months of the year, then months and days back from the end, in twelve spellings.

    As many as the law of the corpus has words for dates. 5/6/2004 may be two days, as it may in a blog.
    """
    days = [END - timedelta(days=back) for back in range(DAYS)]
    months = list(dict.fromkeys((day.year, day.month) for day in days))
    found = [str(year) for year in range(END.year, END.year - YEARS, -1)]
    found += [f"{date(2000, month, 1):%B}" for month in range(1, 13)]
    found += [f"{date(year, month, 1):%B %Y}" for year, month in months]
    found += [f"{day.day} {day:%B}" for day in days[:365]]
    for turn in range(len(_SPELLINGS)):
        for number, day in enumerate(days):
            spelling = _SPELLINGS[(number + turn) % len(_SPELLINGS)]
            found.append(spelling.format(d=day, nth=f"{day.day}{_ending(day.day)}"))
    return _once(found)


def _ending(day: int) -> str:
    return "th" if 10 < day < 14 else {1: "st", 2: "nd", 3: "rd"}.get(day % 10, "th")


def _jobs(rng: np.random.Generator) -> list[str]:
    """Common words for jobs, then the occupations' names, in an order that means nothing."""
    common = [
        word.replace("_", " ").replace("-", " ") for line in lines("occupations.txt") for word in line.split()
    ]
    known = [term for term in base("occupations").terms() if "/" not in term]
    return _once([*rng.permutation(common).tolist(), *rng.permutation(known).tolist()])


def _once(terms: Iterable[str]) -> list[str]:
    """Each term once; what would be read as two is left out."""
    return [term for term in dict.fromkeys(terms) if "|" not in term]
