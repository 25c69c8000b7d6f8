"""What governs a mention, by the parse of its sentence."""

from __future__ import annotations

import pytest

from heteronym.model.mention import Span
from heteronym.text.contexts import contexts_of


def context(text: str, name: str = "Berlin") -> str:
    start = text.index(name)
    return contexts_of([text], [[Span(start, start + len(name), "GPE", 1.0, "x")]])[0][0]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("I live in Berlin.", "She lived in Berlin for years."),
        ("I love Berlin.", "They loved Berlin."),
        ("I live in Berlin.", "I live in Rome and Berlin."),
        ("My mother is from Berlin.", "A mother from Berlin called."),
    ],
)
def test_contexts_agree_whatever_the_inflection(one: str, other: str) -> None:
    assert context(one) == context(other) != ""


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("I live in Berlin.", "I love Berlin."),
        ("I live in Berlin.", "I live near Berlin."),
        ("We moved to Berlin last year.", "We came from Berlin last year."),
        ("I live in Berlin.", "Berlin"),
    ],
)
def test_contexts_differ_by_what_governs_the_mention_and_its_preposition(one: str, other: str) -> None:
    assert context(one) != context(other)


def test_every_mention_of_every_text_has_a_context_and_offsets_of_long_texts_hold() -> None:
    text = "I live in Berlin. " * 3000 + "I love Berlin."
    places = [i for i in range(len(text)) if text.startswith("Berlin", i)]
    spans = [Span(i, i + 6, "GPE", 1.0, "x") for i in places]
    found = contexts_of(["", text, "nothing"], [[], spans, []])
    assert [len(f) for f in found] == [0, len(spans), 0]
    assert (found[1][0], found[1][-1]) == (context("I live in Berlin."), context("I love Berlin."))


@pytest.mark.parametrize("text", ["\ud800 Berlin \udfff", "\x00 Berlin", "Berlin\u202e", "🙂 Berlin 🙂"])
def test_odd_characters_do_no_harm(text: str) -> None:
    assert isinstance(context(text), str)
