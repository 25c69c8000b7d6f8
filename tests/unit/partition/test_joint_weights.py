"""The weight of columns against elements: all kinds of elements together weigh as much as one."""

from __future__ import annotations

import numpy as np
import polars as pl

import heteronym as hn


def test_events_do_not_outweigh_the_columns() -> None:
    rng = np.random.default_rng(3)
    count = 60
    columns = {f"event{n}": rng.integers(0, 50, count) for n in range(6)}
    people = pl.DataFrame({"sex": ["f", "m"] * (count // 2), "age": np.arange(count), **columns})
    plan = {
        "attributes": {
            "sex": {"role": "quasi"},
            "age": {"role": "quasi", "scale": "numeric"},
            **{name: {"role": "event", "scale": "numeric"} for name in columns},
        },
        "privacy": [{"model": "joint", "k": 5, "m": 1}],
        "partition": {"method": "joint"},
    }
    lost = {}
    for more in (1, 6):
        some = people.select("sex", "age", *list(columns)[:more])
        roles = {name: plan["attributes"][name] for name in some.columns}
        lost[more] = hn.anonymize(some, {**plan, "attributes": roles}).measures["ncp"]["relational"]
    assert lost[6] < lost[1] + 0.2
