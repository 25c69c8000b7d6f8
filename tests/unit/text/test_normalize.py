from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heteronym.model.terms import normalize


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Apple", "APPLE"),
        ("apple ", "Apple"),
        ("New  York", "new york"),
        ("New\u00a0York", "New\nYork"),
        ("O’Brien", "O'Brien"),
        ("Jean–Luc", "Jean-Luc"),
        ("“Q”", '"q"'),
        ("José", "José"),
        ("STRASSE", "straße"),
        ("ﬁnance", "Finance"),
        ("a\u200bb", "ab"),
    ],
)
def test_spellings_of_one_term_are_equal(one: str, other: str) -> None:
    assert normalize(one) == normalize(other)


@pytest.mark.parametrize(("one", "other"), [("WHO", "IT"), ("the", "a"), ("US", "us all"), ("Paris", "Pari")])
def test_terms_of_stop_words_only_stay_different(one: str, other: str) -> None:
    assert normalize(one) != normalize(other)


@given(st.text())
def test_normalizing_twice_changes_nothing(text: str) -> None:
    assert normalize(normalize(text)) == normalize(text)


@given(st.text())
def test_case_never_counts(text: str) -> None:
    assert normalize(text.casefold()) == normalize(text)
