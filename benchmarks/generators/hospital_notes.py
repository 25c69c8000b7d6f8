"""Hospital notes about made-up people, each value in many spellings, with a list of what stands where.

The list says for every note which surfaces of the person's own values stand in it, and of which column: the
truth that a leak count needs.
"""

from __future__ import annotations

import datetime as dt
import random
import tomllib
from pathlib import Path
from typing import NamedTuple

import polars as pl

from benchmarks.generators import spellings

_POOLS = tomllib.loads((Path(__file__).parent / "notes.toml").read_text("utf-8"))


class Told(NamedTuple):
    """A surface of a value of the person's own, as it stands in a note."""

    row: int
    column: str
    surface: str


class Person(NamedTuple):
    first: str
    last: str
    login: str
    mrn: str
    phone: str
    sex: str
    age: int
    birth: dt.date
    zip: str
    city: str
    department: str
    skill: str
    income: str
    drugs: tuple[str, ...]


def pool(name: str) -> list[str]:
    text: str = _POOLS[name]
    return text.split(";") if ";" in text else [word.replace("_", " ") for word in text.split()]


def person(number: int, rng: random.Random) -> Person:
    first, last = rng.choice(pool("first")), rng.choice(pool("last"))
    age = rng.randint(14, 89)
    return Person(
        first=first,
        last=last,
        login=f"{spellings.ascii_of(first)[0]}{spellings.ascii_of(last)}{number % 97}".lower(),
        mrn=f"MRN-{rng.randrange(10**6, 10**7)}",
        phone=f"+44 {rng.randrange(20, 29)} {rng.randrange(7000, 7999)} {rng.randrange(1000, 9999)}",
        sex=rng.choice(["F", "M"]),
        age=age,
        birth=dt.date(2024 - age, rng.randint(1, 12), rng.randint(1, 28)),
        zip=str(rng.choice([10115, 10117, 20095, 20097, 50667, 50668])),
        city=rng.choice(pool("city")),
        department=rng.choice(pool("department")),
        skill=rng.choice(pool("skill")),
        income=rng.choice(pool("income")),
        drugs=tuple(sorted(rng.sample(pool("drug"), rng.randint(1, 3)))),
    )


def note(who: Person, rng: random.Random, *, about: list[str]) -> tuple[str, list[tuple[str, str]]]:
    """A text, and (column, surface) of the own values in it."""
    makers = {
        "name": lambda: ("name", spellings.names(who.first, who.last, rng)),
        "login": lambda: ("code", spellings.logins(who.login, rng)),
        "mrn": lambda: ("code", spellings.codes(who.mrn, rng)),
        "phone": lambda: ("code", spellings.phones(who.phone, rng)),
        "age": lambda: ("age", spellings.ages(who.age, who.sex, rng)),
        "birth": lambda: ("day", spellings.days(who.birth, rng)),
        "zip": lambda: ("code", rng.choice([who.zip, f"{who.zip}-{rng.randrange(1000, 9999)}"])),
        "city": lambda: ("word", spellings.words(who.city, rng)),
        "department": lambda: ("word", spellings.words(who.department, rng)),
        "skill": lambda: ("word", who.skill),
        "income": lambda: ("amount", spellings.amounts(who.income, rng)),
        "drugs": lambda: ("drug", rng.choice(who.drugs)),
    }
    sentences: list[str] = []
    told: list[tuple[str, str]] = []
    for column in rng.sample(about, rng.randint(0, min(4, len(about)))):
        kind, surface = makers[column]()
        sentences.append(rng.choice(_POOLS["sentences"][kind]).format(surface))
        told.append((column, surface))
    if rng.random() < 0.3:
        sentences.append(rng.choice(_POOLS["sentences"]["relative"]).format(rng.choice(pool("relative"))))
    sentences += rng.sample(_POOLS["sentences"]["filler"], rng.randint(0, 2))
    rng.shuffle(sentences)
    return " ".join(sentences), told


COLUMNS = ["name", "login", "mrn", "phone", "age", "birth", "zip", "city", "department", "income", "drugs"]


def cells_of(who: Person) -> dict[str, object]:
    own = who._asdict() | {"name": f"{who.first} {who.last}", "drugs": " ".join(who.drugs)}
    return own | {"birth": who.birth.isoformat()}


def hospital_notes(size: int, seed: int = 1) -> tuple[pl.DataFrame, list[Told]]:
    """About `size` notes of persons with one to four each, and what they tell."""
    rng = random.Random(seed)
    rows: list[dict[str, object]] = []
    told: list[Told] = []
    number = 0
    while len(rows) < size:
        who = person(number, rng)
        number += 1
        for _ in range(rng.randint(1, 4)):
            text, own = note(who, rng, about=COLUMNS)
            told += [Told(len(rows), column, surface) for column, surface in own]
            cells = cells_of(who)
            row = {"id": f"P{number:05d}"} | {name: cells[name] for name in [*COLUMNS, "sex"]}
            rows.append(row | {"diagnosis": rng.choice("asthma gout flu".split()), "note": text})
    return pl.DataFrame(rows[:size]), [one for one in told if one.row < size]


def hospital_table(size: int, seed: int = 1) -> pl.DataFrame:
    return hospital_notes(size, seed)[0]


PLAN: dict[str, object] = {
    "data": {"person": "id"},
    "attributes": {
        "id": {"role": "identifier"},
        "name": {"role": "identifier"},
        "login": {"role": "identifier"},
        "mrn": {"role": "identifier"},
        "phone": {"role": "identifier"},
        "age": {"role": "quasi", "scale": "numeric", "entities": ["AGE"]},
        "birth": {"role": "quasi", "scale": "date", "entities": ["DATE"]},
        "zip": {"role": "quasi", "recode": "prefix", "entities": ["POSTCODE"]},
        "city": {"role": "quasi", "entities": ["GPE"]},
        "department": {"role": "quasi", "entities": ["ORG"]},
        "income": {"role": "quasi", "scale": "numeric", "entities": ["CARDINAL"]},
        "drugs": {"role": "items", "separator": " "},
        "sex": {"role": "quasi"},
        "diagnosis": {"role": "sensitive"},
        "note": {"role": "text"},
    },
    "privacy": [{"model": "kkm-anonymity", "k": 5, "m": 1}, {"model": "k-anonymity", "k": 5}],
    "text": {"model": "none"},
}
