"""One recognizer out of many: a model, the rules and the structured identifiers, settled together.

What a rule knows for sure (a checked number, a full date, "Mr Smith", a law) beats the model; the model
beats what a list only suggests (a first name, a town). Spans inside a law or an institution without a
name are dropped with it, which is what these two types are for. Names found once are followed by
their parts ("Smith", "J. Smith") through the same text.

Cost        the parts', plus O(spans log spans) per text
Randomness  none
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from heteronym.contracts import Recognizer
from heteronym.errors import UsageError, nearest
from heteronym.model.mention import Span
from heteronym.registry import recognizers
from heteronym.text.entities import partial_names
from heteronym.text.settle import settle

RULES = (
    "laws", "institutions", "codes", "dates", "times", "ages", "money", "quantities", "addresses", "usernames", "names",
    "peoples", "places", "jobs", "demographics",
)  # fmt: skip
HARMLESS = frozenset({"LAW", "INSTITUTION"})
SURE = 0.8  # a rule from here on is believed more than the model
# Found by form or by a title before them: no law or institution around them swallows them.
_NEVER_SWALLOWED = frozenset({"MAIL", "URL", "PHONE", "IP", "CARD", "IBAN", "ADDRESS", "USERNAME"})


@dataclass(frozen=True)
class Combined:
    """Runs its parts on each batch and settles what they say."""

    parts: tuple[Recognizer, ...] = field(metadata={"help": "recognizers, the model among them"})

    languages: ClassVar[frozenset[str]] = frozenset({"en"})

    def recognize(self, texts: Sequence[str]) -> list[list[Span]]:
        gathered: list[list[tuple[int, Span]]] = [[] for _ in texts]
        for part in self.parts:
            model = bool(getattr(part, "is_model", False))
            for mine, spans in zip(gathered, part.recognize(texts)):
                mine.extend((_rank(span, model=model), span) for span in spans)
        return [self._settled(text, ranked) for text, ranked in zip(texts, gathered)]

    @staticmethod
    def _settled(text: str, ranked: list[tuple[int, Span]]) -> list[Span]:
        if not ranked:
            return []
        kept = settle(text, without_swallowed(ranked))
        return partial_names(text, kept)


def _rank(span: Span, *, model: bool) -> int:
    if model:
        return 1
    return 0 if span.score >= SURE else 2


def without_swallowed(ranked: Sequence[tuple[int, Span]]) -> list[tuple[int, Span]]:
    """Without the spans that lie inside a law or an institution that has no name."""
    harmless = sorted((s.start, s.end) for _, s in ranked if s.type in HARMLESS)
    if not harmless:
        return list(ranked)
    covers: list[tuple[int, int]] = []
    for start, end in harmless:
        if covers and start < covers[-1][1]:
            covers[-1] = (covers[-1][0], max(end, covers[-1][1]))
        else:
            covers.append((start, end))
    starts = [start for start, _ in covers]
    result = []
    for rank, span in ranked:
        if span.type not in HARMLESS and span.type not in _NEVER_SWALLOWED:
            place = bisect_right(starts, span.start) - 1
            if place >= 0 and span.end <= covers[place][1]:
                continue
        result.append((rank, span))
    return result


def pipeline(model: str = "accurate", *, rules: Sequence[str] = RULES, structured: bool = True) -> Combined:
    """The default recognizer of `scan`: a model by name (`none` for rules alone), rules, structured identifiers."""
    names = recognizers.names()
    parts: list[Recognizer] = []
    if structured and "structured" in names:
        parts.append(recognizers.build("structured"))
    parts += [recognizers.build(name) for name in rules]
    if model == "none":
        return Combined(tuple(parts))
    if model in names:
        if not getattr(recognizers.get(model), "is_model", False):
            raise UsageError(
                f"'{model}' is a recognizer, but not a model.{nearest(model, ['accurate', 'fast', 'none'])}"
            )
        parts.append(recognizers.build(model))
    else:
        parts.append(recognizers.build("spacy", {"pipeline": model}))
    return Combined(tuple(parts))
