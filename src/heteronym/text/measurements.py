"""Where a text measures something ("HR 78", "Murphy's sign", "twice a day"): letters there repeat no mention.

What a recognizer found as a name, a code or a number in one text is looked for in others. There "HR" may be
a heart rate, whoever has these initials, and "10" a number of tablets. Units and signs are alike in all
languages, so the rows of all packs are asked (`knowledge/<language>/measurements.toml`).

Cost        the rows, once per text that has something to repeat
Randomness  none
"""

from __future__ import annotations

from functools import cache

from heteronym.model.mention import Span
from heteronym.text.index import index_of
from heteronym.text.lexicon import languages_of, lexicon
from heteronym.text.rule import Rule, find
from heteronym.text.stretches import Covers

NAME = "measurements"


@cache
def _rules() -> tuple[Rule, ...]:
    return tuple(rule for language in sorted(languages_of(NAME)) for rule in lexicon(NAME, language).rules())


def measured_in(text: str) -> Covers:
    """The places of a text that measure; they are found once, however often somebody asks."""
    return index_of(text).cached(_measured)


def _measured(text: str) -> Covers:
    return Covers(find([text], _rules(), source=NAME)[0])


def beside_measurements(text: str, spans: list[Span]) -> list[Span]:
    """The spans that have no part of a measurement."""
    if not spans:
        return spans
    measured = measured_in(text)
    return [span for span in spans if not measured.touch(span)]
