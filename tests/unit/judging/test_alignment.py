"""Released texts laid over their originals."""

from __future__ import annotations

import pytest

from heteronym.judging.alignment import align

ORIGINAL = "Dear Helen Miller, age 36, lives in Oslo. Call 555-1234 now, Helen Miller."


@pytest.mark.parametrize(
    ("released", "gone"),
    [
        (ORIGINAL, []),
        (
            "Dear <PERSON>, age 36, lives in [LOCATION]. Call XXXX now, ████.",
            ["Helen Miller", "Oslo", "555-1234", "Helen Miller"],
        ),
        ("Dear Anna Kurz, age 36, lives in Oslo. Call 555-1234 now, Anna Kurz.", ["Helen Miller"] * 2),
    ],
)
def test_what_is_kept_and_what_is_swapped(released: str, gone: list[str]) -> None:
    laid = align(ORIGINAL, released)
    assert [ORIGINAL[s.start : s.end].strip() for s in laid.swaps] == gone
    for start, new, length in laid.kept:
        assert ORIGINAL[start : start + length].lower() == released[new : new + length].lower()
    at = ORIGINAL.index("36")
    assert laid.is_kept(at, at + 2)
    place = laid.place_of(at, at + 2)
    assert place is not None
    assert released[slice(*place)] == "36"


def test_two_placeholders_for_one_name_do_not_take_more_than_they_stand_for() -> None:
    laid = align("Seen by Ann Lee and Bo Li today.", "Seen by <NAME> <NAME> and <NAME> today.")
    at = "Seen by Ann Lee and Bo Li today.".index("and")
    assert laid.is_kept(at, at + 3)


def test_nothing_is_kept_of_a_text_that_went() -> None:
    assert not align("Helen Miller", "[REDACTED]").kept
