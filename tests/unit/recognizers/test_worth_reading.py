"""`accurate` is not shown sentences that name nothing; offsets stay those of the text."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heteronym.registry import recognizers
from heteronym.text.recognizers.accurate import _moved, _worth_reading

PLAIN = "It was raining all day and nobody came out of the house. "


def kept(text: str) -> str:
    return "".join(text[start:end] for start, end in _worth_reading(text)[0])


def told(text: str) -> str:
    return "".join(text[start:end] for start, end in _worth_reading(text)[1])


def test_a_sentence_that_names_nothing_is_left_out() -> None:
    assert (
        kept(f"{PLAIN}Pedro lives in Berlin now, I think. {PLAIN}") == "Pedro lives in Berlin now, I think. "
    )
    assert kept("When I'm home, I've got to sleep and I don't go out. ") == ""
    assert kept("“There is nothing to be done about it,” he said.") == ""


def test_a_sentence_that_speaks_of_somebody_is_read_for_facts_by_itself() -> None:
    sentence = "Then she retired from teaching and lives alone. "
    assert told(f"Pedro came. {sentence}{PLAIN}") == sentence
    assert kept(f"Pedro came. {sentence}{PLAIN}") == "Pedro came. "
    assert told(f"Pedro says that he is tired. {PLAIN}") == ""


@pytest.mark.parametrize(
    "sentence",
    [
        "Grace was the first who came out of the house. ",
        "It was raining when Pedro came out of the house. ",
        "It was raining when pedro came out of the house. ",
        "It was raining in berlin and nobody came out. ",
        "it was raining and everybody came out of the house. ",
        "It was raining at the NHS and nobody came out. ",
        "We went there by iPhone and nobody came out of it. ",
        "Mr. ",
        "Zbyszek is what they have always been calling him. ",
    ],
)
def test_a_sentence_that_may_name_something_is_read(sentence: str) -> None:
    assert kept(PLAIN + sentence + PLAIN) == sentence


SOME = [PLAIN, "They say that she has gone away. ", "Pedro came. ", "it was. ", "Mr. ", "\n", "x", "É! ", " "]


@given(st.lists(st.sampled_from(SOME), max_size=12))
def test_parts_are_in_order_and_whole_sentences(pieces: list[str]) -> None:
    text = "".join(pieces)
    naming, telling = _worth_reading(text)
    assert all(0 <= start < end <= len(text) for start, end in naming + telling)
    for parts in (naming, telling):
        assert all(left[1] < right[0] for left, right in pairwise(parts))
    assert all(left[1] <= right[0] for left, right in pairwise(sorted(naming + telling)))


def test_spans_are_moved_to_their_places() -> None:
    parts = [(10, 20), (50, 70)]
    found = [(0, 4, "PERSON", 1.0), (9, 12, "ORG", 1.0), (10, 15, "GPE", 1.0), (29, 30, "LOC", 1.0)]
    moved = [(start, end) for start, end, _, _ in _moved(found, parts)]
    assert moved == [(10, 14), (19, 20), (50, 55), (69, 70)]


def test_names_behind_what_was_left_out_are_at_their_places() -> None:
    text = f"{PLAIN * 3}Pedro Almeida lives in Berlin. {PLAIN * 2}He met Maria Oliveira there."
    spans = recognizers.build("accurate").recognize([text])[0]
    assert {"Pedro Almeida", "Berlin", "Maria Oliveira"} <= {text[s.start : s.end] for s in spans}
