"""The group's map never depends on who holds a value: in another's text it reads as in its holder's."""

from __future__ import annotations

import re
from typing import Any

import polars as pl
import pytest

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


@pytest.mark.parametrize("m", [1, 2, 3, "all"])
def test_an_entry_of_a_set_that_reads_like_a_columns_value_goes_where_too_few_have_it(m: Any) -> None:
    # its label shows in the set, not in a text: no sentence can go with it
    people = pl.DataFrame(
        {
            "id": range(8),
            "sex": ["male", "female"] * 4,
            "age": range(30, 38),
            "found": ["JOB:male|GPE:Rome", *["GPE:Rome"] * 7],
        }
    )
    plan = {
        "data": {"person": "id"},
        "attributes": {
            "id": {"role": "identifier"},
            "sex": {"role": "quasi"},
            "age": {"role": "quasi", "scale": "numeric"},
            "found": {"role": "terms", "separator": "|"},
        },
        "privacy": [{"model": "joint", "k": 2, "m": m}],
        "partition": {"method": "joint", "delta": 0.5},
    }
    release = hn.anonymize(people, plan)
    assert release.verdict.holds
    assert release.data["found"].unique().to_list() == ["GPE:Rome"]
