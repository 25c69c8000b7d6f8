"""Many names in one text: what is found, without reading the text once per name."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.counting import growth

from heteronym.model.mention import Span
from heteronym.text import entities
from heteronym.text.entities import by_first_run, follow_names, places_of_parts, terms_of

_SIGNS = st.sampled_from(["Ann", "Bo", "Bo-Ann", "O'Bo", " ", "-", "_", "'", ".", "x", "É", "5"])


def _one_by_one(text: str, parts: list[str]) -> set[tuple[str, int]]:
    """Plainly: every place of every part, with nothing of a word around it."""
    found = set()
    for part in parts:
        for start in range(len(text)):
            around = text[max(start - 1, 0) : start] + text[start + len(part) : start + len(part) + 1]
            inside = text.startswith(part, start)
            if inside and not any(one.isalnum() or one in "_-" for one in around):
                found.add((part, start))
    return found


@given(st.lists(_SIGNS, max_size=14).map("".join))
def test_parts_stand_where_a_plain_search_finds_them(text: str) -> None:
    parts = ["Ann", "Bo", "Bo-Ann", "O'Bo"]
    assert set(places_of_parts(text, by_first_run(parts))) == _one_by_one(text, parts)


def test_a_name_is_compared_with_few_others(monkeypatch: pytest.MonkeyPatch) -> None:
    """The number of comparisons grows with the number of names, not with its square."""
    asked = {"near": 0}
    distance = entities.DamerauLevenshtein.distance

    class Counted:
        @staticmethod
        def distance(*given: object, **options: object) -> int:
            asked["near"] += 1
            return int(distance(*given, **options))  # type: ignore[arg-type, call-overload]

    monkeypatch.setattr(entities, "DamerauLevenshtein", Counted)
    made = {}
    for count in (1000, 4000):
        letters = [chr(97 + place) for place in range(16)]
        names = [
            "Zara K" + "".join(letters[n >> shift & 15] for shift in (0, 4, 8, 12)) for n in range(count)
        ]
        text = ". ".join(names)
        spans, at = [], 0
        for name in names:
            spans.append(Span(at, at + len(name), "PERSON", 0.9, "test", ""))
            at += len(name) + 2
        asked["near"] = 0
        assert len(set(terms_of([text], [spans])[0])) > count * 0.9
        assert len(follow_names([text], [spans])[0]) == count
        made[count] = asked["near"]
    assert made[4000] < 6 * made[1000]


def test_names_of_a_person_are_put_in_order_once_not_for_every_text() -> None:
    """Four times as many texts and names cost four times the work."""

    def read(count: int) -> None:
        texts = [f"Zara K{chr(97 + n % 26) * (n // 26 + 2)} came" for n in range(count)]
        follow_names(texts, [[Span(0, len(text) - 5, "PERSON", 0.9, "test", "")] for text in texts])

    assert growth(read, 50) < 6
