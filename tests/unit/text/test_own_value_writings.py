"""The search finds every writing of a value that the written definition lists, and no other words."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from heteronym.model.schema import Attribute, Role
from heteronym.reading.search_targets import Target, own_values

CASES = tomllib.loads((Path(__file__).parents[2] / "data" / "own_value_writings.toml").read_text("utf-8"))


def cases(which: str) -> list[Any]:
    return [
        pytest.param(value["value"], case, id=f"{value['value']}: {case['how']}")
        for value in CASES["value"]
        for case in value[which]
    ]


def covered(value: str, text: str) -> set[int]:
    target = Target("name", Attribute(role=Role.IDENTIFIER), False, "PERSON")
    return {i for hit in own_values([target], [[value]], {}).find(text) for i in range(hit.start, hit.end)}


@pytest.mark.parametrize(("value", "case"), cases("found"))
def test_a_value_is_found_in_every_writing(value: str, case: dict[str, str]) -> None:
    if "cover" in case:
        before, behind = case["text"].split(case["cover"])
        inside = case["cover"]
    else:
        before, inside, behind = case["text"].replace("»", "«").split("«")
    found = covered(value, before + inside + behind)
    assert [c for i, c in enumerate(inside, len(before)) if c.isalnum() and i not in found] == []


@pytest.mark.parametrize(("value", "case"), cases("other"))
def test_other_words_are_none(value: str, case: dict[str, str]) -> None:
    assert not covered(value, case["text"])
