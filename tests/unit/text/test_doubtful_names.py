"""A plan that lists people gets the names that a model took for something else."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import pytest

from heteronym.model.mention import Span
from heteronym.text.combine import Combined
from heteronym.text.doubtful_names import could_be_somebody


@pytest.mark.parametrize(
    "name", ["Threlfall", "Jacko", "Maarten de Groot", "Ngaire Tamihana", "Jordan Price"]
)
def test_what_no_list_knows_otherwise_may_be_a_name(name: str) -> None:
    assert could_be_somebody(name)


@pytest.mark.parametrize(
    "name", ["Galway", "Leeds", "Ministry of Works", "NCRD", "Northern Ireland", "the Tiber"]
)
def test_what_a_list_knows_is_no_name(name: str) -> None:
    assert not could_be_somebody(name)


@dataclass(frozen=True)
class Model:
    """A model that takes one word for a place."""

    is_model: ClassVar[bool] = True
    languages: ClassVar[frozenset[str]] = frozenset()

    def recognize(self, texts: Sequence[str]) -> list[list[Span]]:
        return [
            [Span(at, at + 5, "GPE", 0.9, "accurate", "LOC")] if (at := text.find("Jacko")) >= 0 else []
            for text in texts
        ]


@pytest.mark.parametrize(
    ("listed", "type"), [({"PERSON"}, "PERSON"), ({"PERSON", "GPE"}, "GPE"), (None, "GPE")]
)
def test_a_listed_type_takes_the_name(listed: set[str] | None, type: str) -> None:
    parts = (Model(),)
    [found] = Combined(parts, None if listed is None else frozenset(listed)).recognize(["Then Jacko came."])
    assert [(span.start, span.end, span.type) for span in found] == [(5, 10, type)]


def test_people_who_are_not_listed_stay() -> None:
    assert Combined((Model(),), frozenset({"DATE"})).recognize(["Then Jacko came."]) == [[]]
