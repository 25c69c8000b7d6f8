"""Which words of a text are a value: the cases that producer and auditor share, and a letter of a sex."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from heteronym.io.plans import make_plan
from heteronym.io.tables import from_frame
from heteronym.model.mention import Span
from heteronym.model.schema import Attribute, Role
from heteronym.pipeline import encode_persons, make_dataset
from heteronym.reading.link import link_person
from heteronym.reading.read_person import reading_for
from heteronym.reading.search_targets import Target
from heteronym.run import Run
from heteronym.text.entity_types import VALUE

CASES = json.loads((Path(__file__).parents[2] / "data" / "ordinary_values.json").read_text("utf-8"))["cases"]


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['value']}-{case['text'][:24]}")
def test_a_value_is_found_where_the_cases_say_so(case: dict[str, Any]) -> None:
    kind, text = case["type"] or VALUE, case["text"]
    target = Target("tags", Attribute(role=Role.ITEMS, separator="|", entities=(kind,)), True, kind)
    seen = case.get("recognized")
    spans = [Span(text.index(seen), text.index(seen) + len(seen), "FAMILY", 0.9, "model")] if seen else []
    [pieces] = link_person([text], [spans], [[case["value"]]], [target], (), {})
    found = [text[piece.span.start : piece.span.end] for piece in pieces if piece.link]
    assert found == ([case["found"]] if case["found"] else [])


def letters_of(values: list[str]) -> bool:
    plan = make_plan(
        {
            "attributes": {"trait": {"role": "quasi", "entities": ["GPE"]}, "text": {"role": "text"}},
            "privacy": [{"model": "joint", "k": 2}],
        }
    )
    frame = pl.DataFrame({"trait": values, "text": ["x"] * len(values)})
    [target] = reading_for(make_dataset(from_frame(frame)[0], plan), plan.text).targets
    return target.has_letters


@pytest.mark.parametrize(
    "values", [["Male", "Female"], ["M", "F"], ["m", "w", "d"], ["Male", "Female", "Unknown"]]
)
def test_a_letter_at_an_age_tells_a_sex(values: list[str]) -> None:
    assert letters_of(values)


@pytest.mark.parametrize("values", [["Munich", "Frankfurt"], ["married", "single"], ["Unknown", "Other"]])
def test_a_letter_at_an_age_tells_nothing_else(values: list[str]) -> None:
    assert not letters_of(values)


def test_an_ordinary_word_that_is_a_value_in_one_text_stays_a_word_in_others() -> None:
    texts = ["Kind: couple", "A couple came in.", "Warfarin again.", "On warfarin, Warfarin too.", "Nothing."]
    frame = pl.DataFrame({"tags": ["Couple", "Couple", "Warfarin", "Couple", "Warfarin"], "text": texts})
    plan = make_plan(
        {
            "attributes": {
                "tags": {"role": "items", "separator": "|", "entities": ["VALUE"]},
                "text": {"role": "text"},
            },
            "privacy": [{"model": "joint", "k": 2}],
            "text": {"model": "none"},
        }
    )
    mentions = encode_persons(make_dataset(from_frame(frame)[0], plan), plan, run=Run()).mentions
    assert mentions is not None
    found = [texts[row][a:b] for row, a, b in zip(mentions.row, mentions.start, mentions.end, strict=True)]
    assert found == ["couple", "Warfarin", "warfarin", "Warfarin"]
