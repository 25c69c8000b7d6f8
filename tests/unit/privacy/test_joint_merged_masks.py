"""Placeholders of rare types become one that does not tell its type, before their sentences go."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest

import heteronym as hn

TEXTS = ["Met Anna.", "Met Ben.", "Went to Rome.", "Went to Oslo.", "Has a dog.", "Has a cat."]


def release_of(m: int, *, types: bool) -> list[str | None]:
    """Six persons of one group; each tells one thing, two each of a kind, and k is 4."""
    people = pl.DataFrame({"id": [f"p-{n:03d}" for n in range(6)], "sex": ["f"] * 6, "note": TEXTS})
    plan: dict[str, Any] = {
        "data": {"person": "id"},
        "attributes": {"id": {"role": "identifier"}, "sex": {"role": "quasi"}, "note": {"role": "text"}},
        "text": {
            "model": "none",
            "patterns": {"PERSON": "Anna|Ben", "GPE": "Rome|Oslo", "PET": "dog|cat"},
            "entities": ["PERSON", "GPE", "PET"],
        },
        "privacy": [{"model": "joint", "k": 4, "m": m, "types": types}],
    }
    release = hn.anonymize(people, plan)
    assert release.verdict.holds
    return sorted(release.data["note"].to_list(), key=str)


@pytest.mark.parametrize("m", [1, 2, 3, "all"])
def test_rare_types_merge_before_sentences_go(m: Any) -> None:
    assert release_of(m, types=False) == sorted(
        ["Met [...]."] * 2 + ["Went to [...]."] * 2 + ["Has a [...]."] * 2
    )


@pytest.mark.parametrize("m", [1, 2, 3, "all"])
def test_where_hidden_types_count_the_sentences_go(m: Any) -> None:
    assert release_of(m, types=True) == [None] * 6
