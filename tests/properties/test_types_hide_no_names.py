"""A plan that lists types masks what any recognizer takes for one of them, whatever others say of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from heteronym.model.mention import Span
from heteronym.model.plan import TextPlan
from heteronym.text.combine import Combined
from heteronym.text.entity_types import TYPES
from heteronym.text.recognize import counts, recognize, recognizers_for

SAYING_NOTHING = {
    "LAW",
    "INSTITUTION",
    "MEASUREMENT",
    "NOTHING",
}  # what these types say is that nothing is there
SAYING = sorted(TYPES.keys() - SAYING_NOTHING)
TEXT = "then Dana Smithfield Carter came with Lee Marlowe to Harrowby for the others"
WORDS = [(0, 4), (5, 9), (10, 20), (21, 27), (28, 32), (38, 41), (42, 49), (53, 61)]


@dataclass(frozen=True)
class Says:
    """A recognizer that says one thing of every text."""

    span: Span
    is_model: bool = False
    languages: ClassVar[frozenset[str]] = frozenset()

    def recognize(self, texts: Sequence[str]) -> list[list[Span]]:
        return [[self.span] if text == TEXT else [] for text in texts]


places = st.tuples(st.integers(0, 7), st.integers(0, 7)).map(
    lambda pair: (WORDS[min(pair)][0], WORDS[max(pair)][1])
)
scores = st.sampled_from([0.5, 0.75, 0.85, 0.99])


@settings(max_examples=300)
@given(places, places, scores, scores, st.booleans(), st.sampled_from(SAYING), st.sampled_from(SAYING))
def test_no_type_hides_a_listed_one(
    mine: tuple[int, int],
    other: tuple[int, int],
    score: float,
    other_score: float,
    model: bool,
    kind: str,
    other_kind: str,
) -> None:
    parts = (
        Says(Span(*mine, kind, score, "one", "rule")),
        Says(Span(*other, other_kind, other_score, "another", "rule"), is_model=model),
    )
    listed = frozenset({kind})
    [found] = Combined(parts, listed).recognize([TEXT])
    covered = {place for span in found if span.type == kind for place in range(span.start, span.end)}
    words = [word for word in WORDS if mine[0] <= word[0] and word[1] <= mine[1]]
    assert all(place in covered for start, end in words for place in range(start, end))


LETTERS = [
    "Dear John Smith,\nthank you. Kind regards,\nMary Cooper\nHead of Services",
    "Attendees: Anna Cook, Peter Baker, Will Carter. Apologies: Judge, Mason",
    "cc John Baker; Grace Porter, 12 Mill Lane, Bath BA1 1AA, born 3 May 1971, plumber",
    "My brother Archer Fisher, a baker from Leeds, is 44 and works for Miller & Sons Ltd.",
]


@pytest.mark.parametrize("kind", ["PERSON", "JOB", "ORG", "GPE", "DATE", "AGE"])
def test_what_any_part_takes_for_a_listed_type_is_masked(kind: str) -> None:
    """The package's own parts, one by one against all of them together."""
    plan = TextPlan(model="none", entities=(kind,))
    parts = recognizers_for(plan)
    together = recognize(LETTERS, parts, wanted=lambda named: counts(named, plan))
    everything = recognize(LETTERS, recognizers_for(TextPlan(model="none")), wanted=lambda named: True)
    for text, spans, others in zip(LETTERS, together, everything, strict=True):
        covered = {place for span in spans for place in range(span.start, span.end)}
        for span in others:
            if span.type == kind:
                assert all(
                    place in covered for place in range(span.start, span.end) if text[place].isalnum()
                ), f"{span.rule}: {span.start}-{span.end}"


@pytest.mark.parametrize(
    "text",
    ["Dear John Smith", "Dear Mark Baker,", "Hi Sarah Cook, it is me", "Regards,\nJordan Butler\n"],
)
def test_who_is_greeted_or_signs_is_a_person(text: str) -> None:
    [found] = recognize([text], recognizers_for(TextPlan(model="none")))
    assert [span.type for span in found] == ["PERSON"]
