"""Random small datasets with texts, items, joins and nasty spellings, each with a plan and a file format.

Everything follows from a seed. Columns, roles, `entities`, models, search and format are drawn; persons and
notes come from `hospital_notes`, with what was written where.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import polars as pl

from benchmarks.generators.hospital_notes import COLUMNS, Told, cells_of, note, person

QUASI: dict[str, dict[str, Any]] = {
    "age": {"scale": "numeric", "entities": ["AGE"]},
    "birth": {"scale": "date", "format": "%Y-%m-%d", "entities": ["DATE"]},
    "zip": {"recode": "prefix", "entities": ["POSTCODE"]},
    "city": {"entities": ["GPE"]},
    "department": {"entities": ["ORG"]},
    "skill": {"entities": ["PRODUCT"]},
    "income": {"scale": "numeric", "entities": ["CARDINAL"]},
    "sex": {},
}
# values that must go even where the plan gives no types: no ordinary words
BY_DEFAULT = {"city": {"Berlin", "Leeds", "Zürich", "Ulm", "Graz"}, "department": {"Cardiology", "Oncology"}}
IDENTIFIERS = ("name", "login", "mrn", "phone")
FORMATS = ("csv", "jsonl", "parquet", "xlsx")
SEARCHES: dict[str, tuple[dict[str, Any], ...]] = {
    "columns": (
        {"method": "mondrian"},
        {"method": "mondrian", "cut": "widest"},
        {"method": "gdf"},
        {"method": "k-member"},
    ),
    "items": (
        {"method": "mondrian"},
        {"method": "rum-bound", "delta": 1.0},
        {"method": "tum-bound", "delta": 1.0},
        {"method": "r-first"},
        {"method": "t-first"},
    ),
}


@dataclass(frozen=True)
class FuzzCase:
    seed: int
    frame: pl.DataFrame
    plan: dict[str, Any]
    told: tuple[Told, ...]
    format: str
    k: int
    m: int
    joined: bool
    typed: frozenset[str] = field(default_factory=frozenset)  # columns whose values must go in every form

    def write(self, folder: Path) -> list[Path]:
        """The files of the case; joined ones as two tables."""
        if not self.joined:
            return [written(self.frame, folder / f"people.{self.format}")]
        notes = ["id", "diagnosis", "note"]
        people = self.frame.drop(notes[1:]).unique("id", maintain_order=True)
        return [
            written(people, folder / f"people.{self.format}"),
            written(self.frame.select(notes), folder / f"notes.{self.format}"),
        ]


def written(frame: pl.DataFrame, path: Path) -> Path:
    writers = {"csv": "write_csv", "jsonl": "write_ndjson", "parquet": "write_parquet", "xlsx": "write_excel"}
    getattr(frame, writers[path.suffix[1:]])(path)
    return path


def fuzz_case(seed: int) -> FuzzCase:
    rng = random.Random(seed)
    quasi = rng.sample(sorted(QUASI), rng.randint(1, 4))
    own = [name for name in IDENTIFIERS if rng.random() < 0.7]
    items, several = rng.random() < 0.5, rng.random() < 0.5
    about = [c for c in [*COLUMNS, "skill"] if c in quasi or c in own or (c == "drugs" and items)]
    rows: list[dict[str, Any]] = []
    told: list[Told] = []
    for number in range(rng.randint(8, 30)):
        who = person(number, rng)
        for _ in range(rng.randint(1, 3) if several else 1):
            text, stands = note(who, rng, about=about)
            told += [Told(len(rows), column, surface) for column, surface in stands]
            cells = cells_of(who)
            chosen = [*own, *quasi, *(["drugs"] if items else [])]
            row = {"id": f"K{seed % 100:02d}{number:04d}"} | {name: cells[name] for name in chosen}
            rows.append(
                row
                | {
                    "diagnosis": rng.choice("asthma gout flu".split()),
                    "town": rng.choice(_TOWNS),
                    "note": text,
                }
            )
    persons = len({row["id"] for row in rows})
    if not items and random.Random(-seed).random() < 0.5:  # households, three persons to one
        rows = [{"home": f"H{int(row['id'][3:]) // 3:04d}", **row} for row in rows]
    k, m = rng.randint(2, max(2, persons // 4)), rng.randint(1, 2)
    typed = frozenset(c for c in quasi if QUASI[c].get("entities") and rng.random() < 0.7)
    return FuzzCase(
        seed=seed,
        frame=pl.DataFrame(rows).drop("town" if several else []),
        plan=_with_household(
            _plan(quasi, own, typed, items=items, several=several, k=k, m=m, rng=rng), "home" in rows[0]
        ),
        told=tuple(told),
        format=rng.choice(FORMATS),
        k=k,
        m=m if items else 0,
        joined=several and rng.random() < 0.5,
        typed=typed,
    )


def _with_household(plan: dict[str, Any], has_one: bool) -> dict[str, Any]:
    if has_one:
        plan["data"]["household"] = "home"
        plan["attributes"] = {"home": {"role": "identifier"}, **plan["attributes"]}
    return plan


_TOWNS = ["Berlin", "Leeds", "Ulm", "-"]


def _plan(
    quasi: list[str],
    own: list[str],
    typed: frozenset[str],
    *,
    items: bool,
    several: bool,
    k: int,
    m: int,
    rng: random.Random,
) -> dict[str, Any]:
    attributes: dict[str, Any] = {"id": {"role": "identifier"}} | {n: {"role": "identifier"} for n in own}
    for name in quasi:
        keys = {key: value for key, value in QUASI[name].items() if key != "entities" or name in typed}
        attributes[name] = {"role": "quasi"} | keys
    if items:
        attributes["drugs"] = {"role": "items", "separator": " "}
    attributes |= {"diagnosis": {"role": "sensitive"}, "town": {"role": "plain"}, "note": {"role": "text"}}
    if several:
        del attributes["town"]
    models: list[dict[str, Any]] = [{"model": "kkm-anonymity", "k": k, "m": m}] if items else []
    models.append({"model": "k-anonymity", "k": k})
    plan: dict[str, Any] = {
        "version": 1,
        "data": {"person": "id"},
        "attributes": attributes,
        "privacy": models,
        "partition": rng.choice(SEARCHES["items" if items else "columns"]),
        "text": {"model": "none"},
        "seed": rng.randrange(100),
    }
    return plan
