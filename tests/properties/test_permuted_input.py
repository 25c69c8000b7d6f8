"""A release follows from what it shows, never from the order or the keys of the source.

Rows are shuffled and persons renamed; the released bytes stay the same. Numbers of surrogates are compared
under one key, so that only the order of the source could change them.
"""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from benchmarks.permuted import differing

import heteronym as hn
from tests.properties.test_surrogates_in_tables import NAMES

JOBS = ("cook", "baker", "nurse", "judge")
TOWNS = ("Rome", "Oslo", "Bern")
KEY = "ab" * 32  # of surrogates
QUASI: dict[str, Any] = {
    "age": {"role": "quasi", "scale": "numeric", "entities": ["AGE"]},
    "job": {"role": "quasi"},
}
K = {"model": "k-anonymity", "k": 3}


def people(seed: int, *, several: bool = False, persons: int = 24) -> pl.DataFrame:
    """Few different values, so that there are many ties; sorted by name, as files often are."""
    chance = random.Random(seed)
    rows: list[dict[str, Any]] = []
    for number in range(persons):
        name = f"{chance.choice(NAMES['female'])} {chance.choice(NAMES['surname'])}"
        age, job, codes = chance.randrange(30, 38), chance.choice(JOBS), chance.sample("ABCD", 2)
        for _ in range(chance.choice((1, 2)) if several else 1):
            town = chance.choice(TOWNS)
            rows.append(
                {
                    "id": f"p{number:03}",
                    "name": name,
                    "age": age,
                    "job": job,
                    "codes": " ".join(sorted(codes)),
                    "visit": f"2021-0{chance.randrange(1, 5)}-11",
                    "illness": chance.choice(("flu", "gout", "cold", "cough")),
                    "visits": chance.randrange(9),
                    "text": chance.choice((f"Ms {name} is {age}.", f"We met in {town}.", f"{town} again.")),
                }
            )
    order = {key: n for n, key in enumerate(sorted({r["name"] + r["id"] for r in rows}))}
    return pl.DataFrame(sorted(rows, key=lambda r: order[r["name"] + r["id"]]))


def plan(roles: dict[str, Any], *models: dict[str, Any], **more: Any) -> dict[str, Any]:
    columns = {name: {"role": "identifier"} for name in ("id", "name")} | roles
    data = {"person": "id"}
    text = {"model": "none", "patterns": {"GPE": "|".join(TOWNS)}}
    return {"data": data, "attributes": columns, "text": text, "privacy": list(models), **more}


ITEMS = {"codes": {"role": "items", "separator": " "}}
REST = {"illness": {"role": "sensitive"}, "visits": {"role": "plain"}}
TEXT = {"text": {"role": "text"}}
KKM = {"model": "kkm-anonymity", "k": 3, "m": 1}
PLANS: dict[str, tuple[dict[str, Any], bool]] = {
    "columns": (plan(QUASI | REST, K), False),
    "columns, several rows": (plan(QUASI | REST, K), True),
    "l-diversity": (plan(QUASI | REST, K, {"model": "l-diversity", "l": 2, "attribute": "illness"}), False),
    "k-member": (plan(QUASI | REST, K, partition={"method": "k-member"}), False),
    "gdf": (plan(QUASI | REST | TEXT, K, partition={"method": "gdf"}), True),
    "mdav": (plan({"age": QUASI["age"]} | REST, K, partition={"method": "mdav"}), False),
    "items by columns first": (plan(QUASI | ITEMS | REST, KKM, partition={"method": "r-first"}), False),
    "items by items first": (plan(QUASI | ITEMS | REST, KKM, partition={"method": "t-first"}), False),
    "items, bounded": (
        plan(QUASI | ITEMS | REST, KKM, partition={"method": "tum-bound", "delta": 1.0}),
        False,
    ),
    "texts": (plan(QUASI | REST | TEXT, K), True),
    "joint": (
        plan(
            QUASI | ITEMS | {"visit": {"role": "event", "scale": "date"}} | TEXT,
            {"model": "joint", "k": 3, "m": 1},
            partition={"method": "joint"},
        ),
        True,
    ),
    "left out": (plan(QUASI | REST | TEXT, K, release={"suppress_up_to": 0.2}), False),
    "withheld": (plan(QUASI | REST, K, release={"suppress_cells_up_to": 0.1}), False),
    "pseudonymous persons": (plan(QUASI | REST | TEXT, K, release={"person_key": "pseudonym"}), True),
    "surrogates": (
        plan(
            {"name": {"role": "identifier", "entities": ["PERSON"], "recode": "surrogate"}}
            | QUASI
            | REST
            | TEXT,
            K,
        ),
        True,
    ),
}


def permuted(frame: pl.DataFrame, chance: random.Random) -> pl.DataFrame:
    """The rows shuffled, the persons renamed."""
    order = chance.sample(range(frame.height), frame.height)
    keys = frame["id"].unique().sort().to_list()
    names = [f"q{n}" for n in chance.sample(range(1000), len(keys))]
    return frame[order].with_columns(pl.col("id").replace_strict(keys, names))


def released(frame: pl.DataFrame, how: dict[str, Any], folder: Path) -> bytes | str:
    """The released bytes; of what is refused, that it is."""
    private = folder / "own"
    private.mkdir(parents=True, mode=0o700)
    (private / "pseudonyms.key").write_text(KEY)
    frame.select(list(how["attributes"])).write_csv(folder / "people.csv")
    try:
        hn.anonymize(folder / "people.csv", how, output=folder / "out", private=private)
    except hn.PromiseError:
        return "refused"
    return (folder / "out" / "data.csv").read_bytes()


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("kind", PLANS)
def test_neither_the_order_of_rows_nor_the_keys_of_persons_change_a_release(
    kind: str, seed: int, tmp_path: Path
) -> None:
    how, several = PLANS[kind]
    frame = people(seed, several=several)
    other = permuted(frame, random.Random(seed))
    assert released(frame, how, tmp_path / "one") == released(other, how, tmp_path / "other")


@pytest.mark.parametrize("seed", [700006, 700082, 700094, 700190])
def test_which_of_two_sentences_goes_does_not_follow_the_order_of_rows(seed: int) -> None:
    """Under joint either would do; that of the person or row that came first was taken."""
    assert differing(seed) == []


def test_numbers_of_surrogates_do_not_follow_a_file_sorted_by_name(tmp_path: Path) -> None:
    """Whoever knows the names of all persons could otherwise count to the number of each."""
    chance = random.Random(1)
    first = chance.sample(NAMES["female"] + NAMES["male"], 60)
    names = sorted(f"{one} {chance.choice(NAMES['surname'])}" for one in first)
    frame = pl.DataFrame(
        {
            "name": names,
            "age": [chance.randrange(20, 80) for _ in names],
            "illness": [f"illness {chance.randrange(40)}" for _ in names],
        }
    )
    how = {
        "attributes": {
            "name": {"role": "identifier", "entities": ["PERSON"], "recode": "surrogate"},
            "age": {"role": "quasi", "scale": "numeric"},
            "illness": {"role": "sensitive"},
        },
        "privacy": [{"model": "k-anonymity", "k": 5}],
    }
    data = hn.anonymize(frame, how).data
    numbers = data["name"].str.extract(r"\[PERSON (\d+)\]").cast(pl.Int64)
    shown = data.with_columns(number=numbers).drop_nulls("number").sort("number")
    assert shown.height >= 30, "most groups hold names of several origins"
    content = shown.select("age", "illness")
    assert content.equals(content.sort("age", "illness"))  # an order that any reader can make
