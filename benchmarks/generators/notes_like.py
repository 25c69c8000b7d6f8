"""Notes about made-up people: a person's columns, and texts that repeat some of them in words.

Names are drawn from the package's lists of first names, family names, cities and occupations, independent
of each other; sentences are few and plain, because searches and not recognizers are measured with them.
"""

from __future__ import annotations

import numpy as np
import polars as pl

from heteronym.knowledge.wordlists import lines

SENTENCES = (
    "{first} {last}, a {age} years old {job} from {city}, was seen on {day}.",
    "{first} lives in {city} and works as a {job}.",
    "Called on {day}; {first} {last} will come back next week.",
    "The {age} years old patient sleeps badly and asked for an earlier appointment.",
    "Referred by Dr {other} after two visits in {city}.",
    "No change since {day}. Mr or Mrs {last} was told to rest.",
)


def notes_like(size: int, seed: int = 1) -> pl.DataFrame:
    """`size` persons with one to four notes each."""
    rng = np.random.default_rng(seed)
    first_names = [word for line in lines("first_names.txt") for word in line.split()][:400]
    surnames = [word for line in lines("surnames.txt") for word in line.split()][:1000]
    jobs = [word.replace("_", " ") for line in lines("occupations.txt") for word in line.split()][:60]
    cities = [line.split("\t")[0] for line in lines("cities.tsv")[:300]]
    rows: list[dict[str, object]] = []
    for person in range(size):
        who: dict[str, object] = {
            "first": str(rng.choice(first_names)).title(),
            "last": str(rng.choice(surnames)).title(),
            "other": str(rng.choice(surnames)).title(),
            "job": str(rng.choice(jobs)),
            "city": str(rng.choice(cities)),
            "age": int(rng.integers(18, 90)),
        }
        for _ in range(int(rng.integers(1, 5))):
            day = str(np.datetime64("2023-01-01") + int(rng.integers(0, 700)))
            chosen = rng.choice(len(SENTENCES), int(rng.integers(1, 4)), replace=False)
            note = " ".join(SENTENCES[at].format(**who, day=day) for at in chosen.tolist())
            columns = {"id": person, "age": who["age"], "city": who["city"], "job": who["job"]}
            rows.append(columns | {"date": day, "note": note})
    return pl.DataFrame(rows)
