"""What measures something is nobody's name, code or number, wherever a mention could be repeated."""

from __future__ import annotations

import pytest

from heteronym.model.mention import Span
from heteronym.text.combine import pipeline
from heteronym.text.entities import follow_names
from heteronym.text.measurements import measured_in
from heteronym.text.propagate import propagate
from heteronym.text.settle import settle

NOTE = "Obs: pt alert, HR 78, BP 132/78, SpO2 97% on air. Murphy's sign negative."


@pytest.mark.parametrize("words", ["HR 78", "BP 132/78", "SpO2 97% on air", "Murphy's sign"])
def test_a_note_measures(words: str) -> None:
    start = NOTE.index(words)
    assert measured_in(NOTE).hold((start, start + len(words)))


def test_no_other_mention_has_a_part_of_a_measurement() -> None:
    start = NOTE.index("HR")
    name = Span(start, start + 2, "PERSON", 0.99, "model")
    longer = Span(0, NOTE.index("BP") + 2, "ORG", 0.99, "model")
    measured = Span(start, start + 5, "MEASUREMENT", 0.9, "measurements")
    settled = settle(NOTE, [(0, name), (1, longer), (2, measured)])
    assert measured in settled
    assert not [
        span
        for span in settled
        if span.start < measured.end and measured.start < span.end and span != measured
    ]


def test_names_and_terms_are_not_followed_into_measurements() -> None:
    texts = ["Seen with Anna Murphy. HR was told.", NOTE]
    name = Span(10, 21, "PERSON", 0.9, "model")
    office = Span(23, 25, "ORG", 0.9, "model")
    followed = follow_names(texts, [[name], []])
    assert followed[1] == []
    spread = propagate(texts, [[name, office], []], is_direct=lambda kind: False)
    assert spread[1] == []


def test_measurements_are_left_by_the_whole_pipeline() -> None:
    [found] = pipeline("none").recognize([NOTE])
    assert {span.type for span in found} == {"MEASUREMENT"}
