"""Order and pseudonyms of released rows tell nothing of the source's order."""

from __future__ import annotations

import polars as pl

import heteronym as hn


def test_pseudonyms_of_a_release_do_not_follow_the_source() -> None:
    plan = {
        "data": {"person": "id"},
        "attributes": {
            "id": {"role": "identifier"},
            "age": {"role": "quasi", "scale": "numeric"},
            "n": {"role": "plain"},
        },
        "privacy": [{"model": "k-anonymity", "k": 2}],
        "release": {"person_key": "pseudonym"},
    }
    rows = [("a", 30, 1), ("a", 30, 2), ("b", 30, 1), ("b", 30, 1), ("c", 50, 1), ("d", 50, 1)]
    schema = {"id": pl.String, "age": pl.Int64, "n": pl.Int64}
    outcomes = []
    for order in ([0, 1, 2, 3, 4, 5], [5, 3, 2, 1, 0, 4], [2, 0, 3, 1, 4, 5]):
        frame = pl.DataFrame([rows[n] for n in order], schema=schema, orient="row")
        outcomes.append(hn.anonymize(frame, plan).data.rows())
    assert outcomes[0] == outcomes[1] == outcomes[2]
