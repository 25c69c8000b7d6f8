"""Documents are searched for other writings of what was found in them, as tables for identifiers."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from heteronym.model.mention import Span
from heteronym.text.other_writings import add_other_writings

CASES = tomllib.loads((Path(__file__).parents[2] / "data" / "own_value_writings.toml").read_text("utf-8"))
ORDINARY = {"Hanh Do", "Ann Day"}  # a part is an ordinary word: left alone in documents
TYPES = {"name": "PERSON", "code": "CODE", "phone": "PHONE", "mail": "MAIL"}


def cases(which: str) -> list[Any]:
    return [
        pytest.param(TYPES[value["kind"]], value["value"], case, id=f"{value['value']}: {case['how']}")
        for value in CASES["value"]
        if value["kind"] in TYPES and (which == "other" or value["value"] not in ORDINARY)
        for case in value[which]
    ]


def found_in(kind: str, value: str, text: str) -> set[int]:
    whole = f"{value}.\n{text}"
    spans = add_other_writings(
        whole, [Span(0, len(value), kind, 0.9, "names", "x")], is_direct=lambda type_: type_ != "PERSON"
    )
    first = len(value) + 2
    return {place - first for span in spans for place in range(span.start, span.end) if place >= first}


@pytest.mark.parametrize(("kind", "value", "case"), cases("found"))
def test_a_finding_is_found_in_every_writing(kind: str, value: str, case: dict[str, str]) -> None:
    marked = case["text"].replace(case.get("cover", "\x00"), f"«{case.get('cover')}»")
    before, inside, behind = marked.replace("»", "«").split("«")
    found = found_in(kind, value, before + inside + behind)
    assert [c for i, c in enumerate(inside, len(before)) if c.isalnum() and i not in found] == []


@pytest.mark.parametrize(("kind", "value", "case"), cases("other"))
def test_other_words_of_a_document_stay(kind: str, value: str, case: dict[str, str]) -> None:
    assert not found_in(kind, value, case["text"])
