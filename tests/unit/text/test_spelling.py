"""What is written in capitals, or without any, is read again in ordinary letters, place for place."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heteronym.text.combine import pipeline
from heteronym.text.spelling import as_names, in_ordinary_letters


def readings(text: str) -> list[str]:
    return [reading.text for reading in in_ordinary_letters(text)]


def test_capitals_have_a_reading_as_words_and_one_as_names() -> None:
    text = "HUSBAND DIED IN JUNE 2021"
    assert readings(text) == ["husband died in June 2021"]
    assert [reading.text for reading in as_names(text)] == ["Husband Died in June 2021"]


def test_known_names_in_small_letters_get_their_capitals() -> None:
    assert readings("my sister priya krishnan lives in leeds") == ["my sister Priya Krishnan lives in Leeds"]
    assert readings("Sam: its priya from leeds") == ["its Priya from Leeds"]
    assert readings("ask ms. castellanos about it") == ["ask Ms. Castellanos about it"]


@pytest.mark.parametrize(
    "text",
    [
        "An ordinary sentence about Leeds.",
        "NASA sent it.",
        "no name stands in this sentence",
        "Wrapped lines go on\nwith a small letter and have no names",
        "",
        "OK",
        "I. THE",
    ],
)
def test_ordinary_text_is_read_once(text: str) -> None:
    assert readings(text) == []


def test_of_a_long_line_only_what_stands_around_capitals_is_read_again() -> None:
    text = "word " * 200 + "WE SAW JOHN SMITH " + "word " * 200
    assert all(len(reading) < 160 for reading in readings(text))


@given(
    st.lists(
        st.sampled_from(
            ["JOHN", "SMITH", "IN", "priya", "leeds", "mr", "İZMİR", "straße", "ǅ", "ŉ", "FﬁX", "Éa"]
        )
        | st.text(max_size=6),
        max_size=30,
    ),
    st.sampled_from([" ", "\n", ". ", ", "]),
)
def test_readings_keep_every_place(parts: list[str], gap: str) -> None:
    text = gap.join(parts)
    for start, reading in [*in_ordinary_letters(text), *as_names(text)]:
        stretch = text[start : start + len(reading)]
        assert len(stretch) == len(reading)
        for was, now in zip(stretch, reading):
            assert was == now or was.lower() == now.lower() or was.upper() == now.upper()


@pytest.mark.parametrize(
    "text",
    [
        "DOB [4 JUNE 1966]. [HUSBAND] DIED LAST MAY.",
        "CLAIMANT BORN IN [GHANA], SPEAKS [FRENCH]",
        "hey its me, i live in [birmingham] with [priya krishnan]",
    ],
)
def test_rules_cover_what_is_shouted_or_whispered(text: str) -> None:
    plain = re.sub(r"[\[\]]", "", text)
    spans = pipeline("none").recognize([plain])[0]
    covered = {place for span in spans for place in range(span.start, span.end)}
    for number, wanted in enumerate(re.finditer(r"\[(.*?)\]", text)):
        start = wanted.start() - 2 * number
        assert covered >= set(range(start, start + len(wanted.group(1))))
