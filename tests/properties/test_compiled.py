"""Kernels give the same in Python as compiled: small tables are searched without compilation."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest

import heteronym as hn
from heteronym import compiled

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


def released(
    plan: str, frame: pl.DataFrame, monkeypatch: pytest.MonkeyPatch, patience: float
) -> pl.DataFrame:
    models, roles, others = PLANS[plan]
    attributes: dict[str, Any] = {name: {"role": "identifier"} for name in ("illness", "codes", "words")}
    attributes |= {"age": {"role": "quasi", "scale": "numeric"}, "town": {"role": "quasi"}}
    attributes |= {"same": {"role": "quasi"}, **roles}
    monkeypatch.setattr(compiled._tier, "patience", patience)
    release = hn.anonymize(frame, {"attributes": attributes, "privacy": models, **others})
    assert (compiled._tier.patience > 0) == (patience > 0), "kernels ran as they were not asked to"
    return release.data


@pytest.mark.parametrize("plan", PLANS)
@pytest.mark.parametrize("seed", range(3))
def test_a_release_is_the_same_with_kernels_compiled_and_in_python(
    plan: str, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    frame = people(seed)
    in_python = released(plan, frame, monkeypatch, 1e9)
    assert in_python.equals(released(plan, frame, monkeypatch, 0.0))


def test_what_is_large_is_compiled_and_so_is_all_that_follows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiled._tier, "patience", 1.0)
    monkeypatch.setattr(twice, "entrance", lambda array: "compiled")
    assert twice(np.arange(3)).tolist() == [0, 2, 4]
    assert twice(np.zeros(compiled.LARGE + 1)) == "compiled"
    assert twice(np.arange(3)) == "compiled"


def test_patience_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiled._tier, "patience", 1e-9)
    monkeypatch.setattr(twice, "entrance", lambda array: "compiled")
    assert twice(np.arange(3)).tolist() == [0, 2, 4]
    assert twice(np.arange(3)) == "compiled"


@compiled.kernel
def twice(array: Any) -> Any:
    return array * 2
