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


FILLERS = (
    "The blood pressure was measured twice and stayed within the usual range.",
    "Sleep improved a little after the change of the evening dose.",
    "No fever, no cough, appetite as before.",
    "We talked about exercise and about walking every day for half an hour.",
    "The wound heals well and the stitches can come out next week.",
    "A letter with the results will be sent by the laboratory.",
    "Pain is felt mostly in the morning and after long sitting.",
    "The next visit is planned with the same team.",
)


def long_notes(count: int, seed: int = 1) -> pl.DataFrame:
    """`count` notes of about a hundred words each: what notes_like says, among sentences about nobody."""
    rng = np.random.default_rng(seed)
    frame = notes_like(count, seed).head(count)
    notes = []
    for note in frame["note"].to_list():
        while note.count(" ") < 99:
            note += f" {FILLERS[int(rng.integers(len(FILLERS)))]}"
            if rng.random() < 0.25:
                note += f" Value {int(rng.integers(1000))} noted."
        notes.append(note)
    return frame.with_columns(pl.Series("note", notes))
