from __future__ import annotations

import pytest

from heteronym.model.mention import Span
from heteronym.text.settle import settle

TEXT = "Dr Pedro Lopez's book from New York City."


def span(surface: str, type: str = "X", score: float = 1.0) -> Span:
    start = TEXT.index(surface)
    return Span(start, start + len(surface), type, score, "test")


def settled(*ranked: tuple[int, Span]) -> list[tuple[str, str]]:
    return [(TEXT[s.start : s.end], s.type) for s in settle(TEXT, ranked)]


def test_the_longest_span_wins() -> None:
    assert settled((0, span("New York", "A")), (1, span("New York City", "B"))) == [("New York City", "B")]


def test_among_equals_the_earlier_recognizer_wins_then_the_score() -> None:
    assert settled((1, span("Pedro", "A")), (0, span("Pedro", "B", 0.1))) == [("Pedro", "B")]
    assert settled((1, span("Pedro", "A", 0.2)), (1, span("Pedro", "B", 0.9))) == [("Pedro", "B")]


def test_spans_that_do_not_overlap_all_stay_in_order() -> None:
    assert [s for s, _ in settled((0, span("City")), (0, span("Pedro")), (0, span("Dr")))] == [
        "Dr",
        "Pedro",
        "City",
    ]


def test_space_and_possessive_are_trimmed() -> None:
    assert settled((0, span(" Pedro Lopez's "))) == [("Pedro Lopez", "X")]


@pytest.mark.parametrize(
    ("text", "number"),
    [("Ewa (07700 900461) calls", "07700 900461"), ("at (01632) 960123", "(01632) 960123")],
)
def test_a_bracket_that_is_not_closed_within_a_number_is_no_part_of_it(text: str, number: str) -> None:
    start = text.index("(")
    end = text.index(number) + len(number)
    found = settle(text, [(0, Span(start, end, "PHONE", 0.9, "x"))])
    assert [text[s.start : s.end] for s in found] == [number]


def test_spans_outside_the_text_vanish() -> None:
    assert settle("abc", [(0, Span(3, 9, "X", 1.0, "t")), (0, Span(2, 2, "X", 1.0, "t"))]) == []
    assert settle("a b", [(0, Span(1, 2, "X", 1.0, "t"))]) == []


@pytest.mark.parametrize(
    ("text", "piece", "whole"),
    [
        ("two engineers", "engineer", "engineers"),
        ("about 36.5 May 2004", "5 May 2004", "36.5 May 2004"),
        ("at 1,200.50 now", "200", "1,200.50"),
        ("in 2004. 5 people", "2004", "2004"),
        ("ID12345x", "12345", "ID12345x"),
        ("私は東京に", "東京", "東京"),
        ("(Rome)", "Rome", "Rome"),
        ("no_split", "no", "no_split"),
    ],
)
def test_a_mention_covers_whole_words_and_numbers(text: str, piece: str, whole: str) -> None:
    start = text.index(piece)
    (span,) = settle(text, [(0, Span(start, start + len(piece), "X", 1.0, "t"))])
    assert text[span.start : span.end] == whole


def test_what_a_longer_span_leaves_of_a_name_stays_a_mention() -> None:
    text = "Karin M. Beike Leasing consultant"
    name, job = Span(0, 14, "PERSON", 0.9, "a", ""), Span(9, 33, "JOB", 0.7, "b", "")
    assert [(s.start, s.end, s.type) for s in settle(text, [(0, name), (0, job)])] == [
        (0, 8, "PERSON"),
        (9, 33, "JOB"),
    ]
    date = Span(0, 14, "DATE", 0.9, "a", "")
    assert [s.type for s in settle(text, [(0, date), (0, job)])] == ["JOB"]


def test_a_unit_is_no_initial_of_a_name() -> None:
    text = "TSH 2.6 mU/L. Skin mark"
    unit, name = Span(4, 12, "MEASUREMENT", 0.9, "a", ""), Span(11, 18, "PERSON", 0.9, "b", "")
    assert [s.type for s in settle(text, [(0, unit), (0, name)])] == ["MEASUREMENT"]


def test_what_a_longer_span_leaves_begins_with_a_word() -> None:
    text = "the head of sales at J. Skinner"
    job, name = Span(0, 22, "JOB", 0.9, "a", ""), Span(21, 31, "PERSON", 0.9, "b", "")
    assert [text[s.start : s.end] for s in settle(text, [(0, job), (0, name)])] == [
        "the head of sales at J",
        "Skinner",
    ]
