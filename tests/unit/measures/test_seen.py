"""A term whose sentences are all left out is lost, whatever label its group has for it."""

from __future__ import annotations

import polars as pl

import heteronym as hn


def test_terms_that_went_with_their_sentences_are_lost() -> None:
    # Oslo is shared; the team of the first is not, and takes its sentence along
    notes = ["Seen in Oslo by Holm Falk."] + ["Seen in Oslo."] * 3
    people = pl.DataFrame({"age": [30, 31, 32, 33], "note": notes})
    plan = {
        "attributes": {"age": {"role": "quasi", "scale": "numeric"}, "note": {"role": "text"}},
        "text": {
            "model": "none",
            "entities": ["GPE", "TEAM"],
            "patterns": {"GPE": "Oslo", "TEAM": "Holm Falk"},
        },
        "privacy": [{"model": "joint", "k": 3, "m": 1}],
        "partition": {"method": "joint", "delta": 1.0},
        "recode": {"terms": "suppress"},
    }
    release = hn.anonymize(people, plan)
    shown = release.data["note"].drop_nulls().to_list()
    assert shown == ["Seen in Oslo."] * 3
    terms, ncp = release.measures["terms"], release.measures["ncp"]
    assert terms["kept"] == 3 / 5
    assert ncp["textual"] == ncp["information"] == 1 / 4
