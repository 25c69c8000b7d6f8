"""Names that the table knows of its persons are masked in texts of others; ordinary words are left."""

from __future__ import annotations

import pytest
from tests.unit.reading.data import dataset
from tests.unit.reading.test_missed_mentions import surfaces

from heteronym.model.plan import TextPlan
from heteronym.reading.read_table import read_table
from heteronym.reading.scan import scan
from heteronym.text.recognizers.words import Words


def found(names: list[str], texts: list[str], *, direct: str = "PERSON") -> list[tuple[int, str]]:
    """The mentions of texts, where only "Herr Vu" is recognized."""
    data = dataset(
        {"name": names, "text": texts},
        {"name": {"role": "identifier"}, "text": {"role": "text"}},
        person="name",
    )
    plan = TextPlan(model="none", direct=(direct,))
    recognized = scan(data, plan, recognizers=[Words({"PERSON": ("Herr Vu",)})])
    return surfaces(texts, read_table(data, plan, recognized))


@pytest.mark.parametrize("text", ["ich heisse jetzt caruso", "Caruso rief an.", "für CARUSO"])
def test_a_name_of_somebody_else_in_the_table_is_a_name(text: str) -> None:
    assert [row for row, _ in found(["Rita Caruso", "Uwe Koç"], ["Herr Vu kam.", text])] == [0, 1]


def test_an_ordinary_word_is_none_and_neither_is_what_several_write() -> None:
    names = ["Rita Sonntag", "Jo Bishop", *[f"Zlatka Qe{letter}" for letter in "abcd"]]
    texts = ["Herr Vu kam.", "x", *["nicht am Sonntag liefern"] * 3, "the bishop left"]
    assert found(names, texts) == [(0, "Herr Vu")]


def test_names_that_are_no_direct_type_are_left_to_recognizers() -> None:
    names, texts = ["Rita Caruso", "Uwe Koç"], ["Herr Vu kam.", "Caruso rief an."]
    assert [row for row, _ in found(names, texts, direct="MAIL")] == [0]
