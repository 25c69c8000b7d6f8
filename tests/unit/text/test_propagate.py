from __future__ import annotations

import random

import pytest
from tests.counting import growth
from tests.naive.propagation import occurrences

from heteronym.model.mention import Span
from heteronym.text.propagate import is_followed, propagate


def spans(text: str, *surfaces: str, type: str = "X") -> list[Span]:
    return [Span(text.index(s), text.index(s) + len(s), type, 0.9, "test") for s in surfaces]


def propagated(texts: list[str], found: list[list[Span]]) -> list[list[tuple[str, str]]]:
    whole = propagate(texts, found, is_direct=lambda kind: kind == "MAIL")
    return [[(text[s.start : s.end], s.type) for s in mine] for text, mine in zip(texts, whole)]


def test_a_name_found_once_is_found_in_all_texts_of_the_person() -> None:
    texts = ["Pedro here.", "", "It was PEDRO's idea, not Pedros or Pedrolino."]
    assert propagated(texts, [spans(texts[0], "Pedro"), [], []])[2] == [("PEDRO", "X"), ("Pedros", "X")]


def test_an_acronym_does_not_swallow_the_word() -> None:
    texts = ["WHO and IT met.", "Who knows it? It is WHO."]
    assert propagated(texts, [spans(texts[0], "WHO", "IT"), []])[1] == [("WHO", "X")]


def test_a_longer_occurrence_takes_in_a_shorter_mention() -> None:
    texts = ["John Smith", "then John Smith left"]
    assert propagated(texts, [spans(texts[0], "John Smith"), spans(texts[1], "John")])[1] == [
        ("John Smith", "X")
    ]


def test_a_mention_never_leaves_a_piece_of_another_term_standing() -> None:
    texts = ["York Times", "the New York Times"]
    assert propagated(texts, [spans(texts[0], "York Times"), spans(texts[1], "New York")])[1] == [
        ("New York Times", "X")
    ]


def test_a_direct_type_wins_where_a_surface_has_two() -> None:
    texts = ["x@y.org x@y.org", "x@y.org"]
    found = [[Span(0, 7, "ORG", 1.0, "t"), Span(8, 15, "MAIL", 1.0, "t")], []]
    assert propagated(texts, found)[1] == [("x@y.org", "MAIL")]


def test_found_mentions_keep_their_type_where_they_stand() -> None:
    texts = ["Paris went to Paris."]
    found = [[Span(0, 5, "PERSON", 1.0, "t"), Span(14, 19, "GPE", 1.0, "t")]]
    assert propagated(texts, found)[0] == [("Paris", "PERSON"), ("Paris", "GPE")]


def test_propagation_agrees_with_its_naive_twin() -> None:
    rng = random.Random(7)
    words = "abba city cities box boxes boss class engineer engineers york newyork bus glass bosses".split()
    for _ in range(400):
        texts = [
            "".join(
                rng.choice([w, w.title(), w.upper()]) + rng.choice([" ", "  ", "-", ", ", ". ", "\n"])
                for w in rng.choices(words, k=rng.randrange(12))
            )
            for _ in range(rng.randrange(1, 4))
        ]
        found: list[list[Span]] = []
        for text in texts:
            mine: list[Span] = []
            if text and rng.random() < 0.7:
                tokens = text.replace(",", " ").replace(".", " ").replace("-", " ").split()
                surface = rng.choice(tokens)
                start = text.index(surface)
                mine = [Span(start, start + len(surface), "X", 1.0, "t")]
            found.append(mine)
        expected = occurrences(texts, [[(s.start, s.end) for s in mine] for mine in found])
        got = propagate(texts, found, is_direct=lambda kind: False)
        assert [[(s.start, s.end) for s in mine] for mine in got] == expected


def test_a_person_with_thousands_of_rows_costs_one_pass() -> None:
    def read(rows: int) -> list[list[Span]]:
        texts = [f"name{i} met name{i - 1} and spoke of name{7 * i % rows} for a while" for i in range(rows)]
        found = [[Span(0, len(text.split()[0]), "X", 1.0, "t")] for text in texts]
        return propagate(texts, found, is_direct=lambda kind: False)

    assert sum(map(len, read(4_000))) > 11_900
    assert growth(read, 300) < 6


def test_only_what_identifies_is_followed_in_a_document() -> None:
    text = "The head, Ms Ada Head, met type B. Head was ahead; a head, a type. B is a Nurse. Nurse."
    found = [
        Span(4, 8, "JOB", 1.0, "t"),
        Span(17, 21, "PERSON", 1.0, "t"),
        Span(27, 31, "PRODUCT", 1.0, "t"),
        Span(32, 33, "CODE", 1.0, "t"),
    ]
    whole = propagate([text], [found], is_direct=lambda kind: False, identifying=True)[0]
    fresh = [(text[s.start : s.end], s.type, s.start) for s in whole if s.source == "propagated"]
    assert fresh == [("Head", "PERSON", 35), ("B", "CODE", text.index("B is"))]


@pytest.mark.parametrize(
    ("type", "spelling", "followed"),
    [
        ("PERSON", "Pedro", True),
        ("PERSON", "pedro", False),
        ("CODE", "a-12", True),
        ("USERNAME", "a_b", True),
        ("PRODUCT", "Type", False),
        ("JOB", "Head", False),
        ("DATE", "14 May 2004", False),
        ("GPE", "İzmir", True),
        ("PERSON", "李明", True),
        ("TEAM", "red", True),  # a type of the owner's own
    ],
)
def test_names_places_and_numbers_are_followed_and_facts_are_not(
    type: str, spelling: str, followed: bool
) -> None:
    assert is_followed(type, spelling) is followed


def test_a_word_that_a_model_overlooked_in_most_places_is_not_followed() -> None:
    text = "Rust is fast. " + "In Rust one writes Rust. " * 5

    def followed(source: str, places: int) -> int:
        found = [Span(m, m + 4, "PERSON", 0.9, source) for m in range(len(text)) if text[m : m + 4] == "Rust"]
        return len(propagate([text], [found[:places]], is_direct=lambda kind: False, identifying=True)[0])

    assert followed("accurate", 2) == 2  # of eleven places
    assert followed("accurate", 6) == 11
    assert followed("names", 1) == 11  # a rule is no guess
