"""Kernels give the same in Python as compiled, to the last bit."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import heteronym as hn
from heteronym.compiled import are_compiled

SEEDS = range(3)
K = {"model": "k-anonymity", "k": 3}
KKM = {"model": "kkm-anonymity", "k": 3, "m": 2}
SENSITIVE = {"illness": {"role": "sensitive"}}
ITEMS = {"codes": {"role": "items", "separator": " "}}
TERMS = {"words": {"role": "terms", "separator": " "}}
PLANS: dict[str, tuple[list[dict[str, Any]], dict[str, Any], dict[str, Any]]] = {
    "columns": ([K], {}, {}),
    "l-diversity": ([K, {"model": "l-diversity", "l": 2}], SENSITIVE, {}),
    "t-closeness": ([K, {"model": "t-closeness", "t": 0.4}], SENSITIVE, {}),
    "mdav": ([K], {}, {"partition": {"method": "mdav"}}),
    "k-member": ([K], {}, {"partition": {"method": "k-member"}}),
    "items": ([KKM], ITEMS, {}),
    "items by utility": ([KKM], ITEMS, {"recode": {"items": {"method": "sets", "objective": "ul"}}}),
    "items of the table": ([K, {"model": "km-anonymity", "k": 3, "m": 3}], ITEMS, {}),
    "rum-bound": ([KKM], ITEMS, {"partition": {"method": "rum-bound", "delta": 0.8}}),
    "tum-bound": ([KKM], ITEMS, {"partition": {"method": "tum-bound", "delta": 0.9}}),
    "terms": ([K], TERMS, {}),
    "gdf": ([K], TERMS, {"partition": {"method": "gdf"}}),
    "joint": (
        [{"model": "joint", "k": 3, "m": 2}],
        ITEMS,
        {"partition": {"method": "joint", "delta": 0.5}},
    ),
}


def people(seed: int, size: int = 40) -> pl.DataFrame:
    """Ties, constants and missing values in every kind of column."""
    rng = np.random.default_rng(seed)
    words = [" ".join(sorted(set(rng.choice(list("abcdefg"), rng.integers(1, 5))))) for _ in range(size)]
    return pl.DataFrame(
        {
            "age": [None if one < 20 else int(one) for one in rng.integers(15, 70, size)],
            "town": rng.choice(["Ulm", "Bonn", "Trier", "Jena", ""], size),
            "same": ["x"] * size,
            "illness": rng.choice(["flu", "cold", "gout"], size),
            "codes": words,
            "words": [" ".join(f"T:{word}" for word in one.split()) for one in words[::-1]],
        }
    )


def released(plan: str, seed: int) -> list[list[Any]]:
    models, roles, others = PLANS[plan]
    attributes: dict[str, Any] = {name: {"role": "identifier"} for name in ("illness", "codes", "words")}
    attributes |= {"age": {"role": "quasi", "scale": "numeric"}, "town": {"role": "quasi"}}
    attributes |= {"same": {"role": "quasi"}, **roles}
    data = hn.anonymize(people(seed), {"attributes": attributes, "privacy": models, **others}).data
    return [list(map(str, row)) for row in data.rows()]


def print_all() -> None:
    """Called in another process, where kernels are Python."""
    print(json.dumps({plan: [released(plan, seed) for seed in SEEDS] for plan in PLANS}))


@pytest.fixture(scope="module")
def in_python() -> dict[str, list[Any]]:
    code = (
        "from tests.kernels_in_python import prefer_source\nprefer_source()\n"
        "from tests.properties.test_compiled import print_all\nprint_all()\n"
        "from heteronym.partition import _column_cut_kernels as kernels\n"
        "assert kernels.__file__.endswith('.py')"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        cwd=Path(__file__).parents[2],
    )
    found: dict[str, list[Any]] = json.loads(done.stdout)
    return found


@pytest.mark.parametrize("plan", PLANS)
def test_a_release_is_the_same_with_kernels_compiled_and_in_python(
    plan: str, in_python: dict[str, list[Any]]
) -> None:
    if not are_compiled():
        pytest.skip("kernels are not compiled here: there is nothing to compare")
    assert [released(plan, seed) for seed in SEEDS] == in_python[plan]
