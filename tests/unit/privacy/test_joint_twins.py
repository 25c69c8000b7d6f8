"""The group's map never depends on who holds a value: in another's text it reads as in its holder's."""

from __future__ import annotations

import re

import polars as pl

import heteronym as hn

PLAN = {
    "attributes": {
        "age": {"role": "quasi", "scale": "numeric"},
        "subject": {"role": "quasi"},
        "note": {"role": "text"},
    },
    "text": {"model": "none"},
    "privacy": [{"model": "joint", "k": 4, "m": 2}],
    "partition": {"method": "joint"},
    "recode": {"terms": "generalize"},
}


def test_a_columns_value_in_the_text_of_somebody_without_it_gets_the_label() -> None:
    people = pl.DataFrame(
        {
            "age": [30 + n for n in range(8)],
            "subject": ["printer", "network"] * 4,
            "note": ["The printer stopped again."] * 8,
        }
    )
    release = hn.anonymize(people, {**PLAN, "partition": {"method": "joint", "delta": 1.0}})
    assert release.verdict.holds
    for subject, note in release.data.select("subject", "note").iter_rows():
        assert subject == "printer" or not re.search(r"(?<![{,\w])printer(?![},\w])", note or "")
