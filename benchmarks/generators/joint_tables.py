"""Random small datasets for the joint model: events, items, several rows and texts made of known sentences.

Every sentence has one place where a value stands, so that whoever knows the sentences can read what a release
shows there. Everything follows from a seed.
"""

from __future__ import annotations

import datetime as dt
import random
from dataclasses import dataclass
from typing import Any, NamedTuple

import polars as pl

from benchmarks.generators import spellings
from benchmarks.generators.fuzz_tables import FORMATS, IDENTIFIERS, QUASI, written
from benchmarks.generators.hospital_notes import Person, cells_of, person, pool

TEXTS = ("note", "letter")
EVENTS = ("visit", "ward")
JOBS = ("nurse", "pilot", "plumber", "lawyer")
# {0} is the surface of a value; no sentence holds anything else that could be taken for a value
SENTENCES: dict[str, tuple[str, ...]] = {
    "name": ("We rang {0} at home.", "We saw {0} alone.", "We wrote to {0} again."),
    "login": ("See {0} for more.", "File {0} was opened."),
    "mrn": ("See {0} for more.", "File {0} was opened."),
    "phone": ("Reached by {0} only.",),
    "age": ("Seen here, {0}, with a cough.", "Slept badly ({0})."),
    "birth": ("Born {0}, as told.",),
    "zip": ("Lives at {0} now.",),
    "city": ("Came via {0}.", "Moved from {0} then."),
    "drugs": ("Takes {0} as told.", "Asked about {0} again."),
    "other city": ("Has friends in {0}.", "Likes {0} most of all."),
    "job": ("Works as a {0}.", "Was a {0} once."),
}
PLAIN = ("The wound is clean and dry.", "Nothing new was found.")
SEARCHES: tuple[dict[str, Any], ...] = (
    {"method": "joint", "relational_weight": 0.5},
    {"method": "joint", "delta": 1.0},
    {"method": "mondrian"},
    {"method": "gdf"},
)


class Said(NamedTuple):
    """One sentence: its words around the place, the column that the value is of, and the value as written."""

    before: str
    behind: str
    column: str
    surface: str


@dataclass(frozen=True)
class JointCase:
    seed: int
    frame: pl.DataFrame
    plan: dict[str, Any]
    said: tuple[dict[str, tuple[Said, ...]], ...]  # per row and text column
    format: str
    k: int
    m: int | str
    absence: bool

    def write(self, folder: Any) -> list[Any]:
        return [written(self.frame, folder / f"people.{self.format}")]


def joint_case(seed: int) -> JointCase:
    rng = random.Random(seed)
    quasi = rng.sample(["age", "birth", "zip", "city", "sex"], rng.randint(1, 3))
    own = [name for name in IDENTIFIERS if rng.random() < 0.5]
    events = [name for name in EVENTS if rng.random() < 0.6]
    texts = TEXTS if rng.random() < 0.3 else TEXTS[:1]
    items, several = rng.random() < 0.6, rng.random() < 0.7
    held = [*own, *(c for c in quasi if c in SENTENCES), *(["drugs"] if items else [])]
    rows: list[dict[str, Any]] = []
    said: list[dict[str, tuple[Said, ...]]] = []
    for number in range(rng.randint(6, 26)):
        who = person(number, rng)
        sets = [
            tuple(rng.sample(who.drugs, rng.randint(0 if several else 1, len(who.drugs))))
            for _ in range(rng.randint(1, 3) if several else 1)
        ]
        who = who._replace(drugs=tuple(sorted(set().union(*sets))))  # a text tells what its writer holds
        mine = [name for name in held if name != "drugs" or who.drugs]
        for taken in sets:
            told = {text: tuple(_said(who, mine, rng)) for text in texts}
            cells = cells_of(who)
            row = {"id": f"J{seed % 100:02d}{number:04d}"} | {name: cells[name] for name in [*own, *quasi]}
            if items:
                row["drugs"] = " ".join(taken) or None
            row |= {name: _event(name, rng) for name in events}
            rows.append(row | {text: text_of(sentences, rng) for text, sentences in told.items()})
            said.append(told)
    k, m = rng.randint(2, 4), rng.choice([1, 1, 2, 2, 3, "all"])
    absence = m in (1, 2) and rng.random() < 0.3
    plan = _plan(quasi, own, events, texts, items=items, k=k, m=m, absence=absence, rng=rng)
    plan["privacy"][0]["types"] = seed % 5 == 0
    return JointCase(
        seed=seed,
        frame=pl.DataFrame(rows, infer_schema_length=None),
        plan=plan,
        said=tuple(said),
        format=rng.choice(FORMATS),
        k=k,
        m=m,
        absence=absence,
    )


def _event(name: str, rng: random.Random) -> str | None:
    if rng.random() < 0.1:
        return None
    if name == "ward":
        return rng.choice(["east", "east", "west", "north"])
    return (dt.date(2021, 1, 1) + dt.timedelta(days=rng.randrange(400))).isoformat()


def _said(who: Person, held: list[str], rng: random.Random) -> list[Said]:
    """Some sentences, none of the same kind twice."""
    makers = {
        "name": lambda: spellings.names(who.first, who.last, rng),
        "login": lambda: spellings.logins(who.login, rng),
        "mrn": lambda: spellings.codes(who.mrn, rng),
        "phone": lambda: spellings.phones(who.phone, rng),
        "age": lambda: spellings.ages(who.age, who.sex, rng),
        "birth": lambda: spellings.days(who.birth, rng),
        "zip": lambda: who.zip,
        "city": lambda: spellings.words(who.city, rng),
        "drugs": lambda: rng.choice(who.drugs),
        "other city": lambda: rng.choice(pool("city")),
        "job": lambda: rng.choice(JOBS),
    }
    chosen = rng.sample([*held, "other city", "job"], rng.randint(0, min(3, len(held) + 2)))
    sentences, used = [], set[str]()
    for column in chosen:
        sentence = rng.choice(SENTENCES[column])
        if sentence not in used:
            used.add(sentence)
            sentences.append(Said(*sentence.split("{0}"), column, makers[column]()))
    return sentences


def text_of(sentences: tuple[Said, ...], rng: random.Random) -> str:
    told = [one.before + one.surface + one.behind for one in sentences]
    return " ".join([*told, *rng.sample(PLAIN, rng.randint(0, 1))])


def _plan(
    quasi: list[str],
    own: list[str],
    events: list[str],
    texts: tuple[str, ...],
    *,
    items: bool,
    k: int,
    m: int | str,
    absence: bool,
    rng: random.Random,
) -> dict[str, Any]:
    attributes: dict[str, Any] = {name: {"role": "identifier"} for name in ["id", *own]}
    attributes |= {name: {"role": "quasi"} | QUASI[name] for name in quasi}
    if items:
        attributes["drugs"] = {"role": "items", "separator": " "}
    attributes |= {
        name: {"role": "event"} | ({"scale": "date"} if name == "visit" else {}) for name in events
    }
    attributes |= {name: {"role": "text"} for name in texts}
    cities = "|".join(city.replace(".", r"\.") for city in pool("city"))
    return {
        "version": 1,
        "data": {"person": "id"},
        "attributes": attributes,
        "privacy": [{"model": "joint", "k": k, "m": m, "absence": absence}],
        "partition": rng.choice(SEARCHES),
        "recode": {"terms": rng.choice(["suppress", "generalize"])},
        "text": {"model": "none", "patterns": {"GPE": cities, "JOB": "|".join(JOBS)}},
        "seed": rng.randrange(100),
    }
