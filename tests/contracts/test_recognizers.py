"""A recognizer says itself whether it takes part: one file, and no list of names anywhere."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import pytest

from heteronym.model.mention import Span
from heteronym.model.plan import TextPlan
from heteronym.registry import parameters_of, recognizers
from heteronym.text.combine import default_parts, pipeline
from heteronym.text.recognize import recognizers_for
from heteronym.text.rule import Rule, find

TEXT = "My car is the one with KX-4711, alas."


@pytest.fixture
def borrowed_registry() -> Iterator[None]:
    recognizers.names()
    before = dict(recognizers._parts)
    yield
    recognizers._parts.clear()
    recognizers._parts.update(before)


def registered(*, takes_part: bool, reads: frozenset[str]) -> None:
    @recognizers.register("plates")
    @dataclass(frozen=True)
    class Plates:
        """Licence plates by form."""

        languages: ClassVar[frozenset[str]] = reads
        by_default: ClassVar[bool] = takes_part

        def recognize(self, texts: Sequence[str]) -> list[list[Span]]:
            rules = (Rule("licence plate", r"\b[A-Z]{2}-\d{4}\b", "PLATE", 0.99),)
            return find(texts, rules, source="plates")


def sources(made: Any) -> set[str]:
    return {span.source for span in made.recognize([TEXT])[0]}


@pytest.mark.usefixtures("borrowed_registry")
def test_a_recognizer_that_declares_itself_takes_part_without_another_edit() -> None:
    assert "plates" not in sources(pipeline("none"))
    registered(takes_part=True, reads=frozenset({"en"}))
    assert "plates" in sources(pipeline("none"))


@pytest.mark.usefixtures("borrowed_registry")
def test_a_recognizer_that_does_not_declare_itself_waits_to_be_named() -> None:
    registered(takes_part=False, reads=frozenset())
    assert "plates" not in sources(pipeline("none"))
    assert "plates" in sources(pipeline("none", parts=["plates"]))


@pytest.mark.usefixtures("borrowed_registry")
def test_a_recognizer_takes_part_only_in_its_languages() -> None:
    registered(takes_part=True, reads=frozenset({"de"}))
    assert "plates" not in default_parts("en")
    german = recognizers_for(TextPlan(model="none", language="de"))
    names = {part.part_name for part in german[0].parts}  # type: ignore[attr-defined]
    assert names >= {"plates", "structured", "dates"}
    assert "names" not in names


@pytest.mark.parametrize("name", default_parts())
def test_a_default_part_is_no_model_and_needs_no_parameter(name: str) -> None:
    assert not getattr(recognizers.get(name), "is_model", False)
    assert [p.name for p in parameters_of(recognizers.get(name)) if p.required] == []


def test_the_order_of_the_parts_decides_nothing() -> None:
    text = (
        "On 3 May 2001 Mr Karsten Trippel, 36, a nurse of Kurdish origin from Atlanta, Georgia, paid "
        "EUR 1,200 to the Kartal State Hospital under Article 34 of the Convention (no. 12345/06)."
    )
    names = default_parts()
    forwards, backwards = pipeline("none", parts=names), pipeline("none", parts=names[::-1])
    assert forwards.recognize([text]) == backwards.recognize([text])
