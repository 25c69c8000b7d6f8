"""Texts that tell of nobody in particular: reports on studies speak of groups, not of a person.

There an illness, a people, a percentage, a measured quantity and a duration are findings. A text is such
a report if it is long enough, has several different words of studies, and no sign of somebody in particular:
no pronoun for one, no title with a name, no patient who came, no name that a rule knows.

Cost        one search over the words of a text, and one for somebody
Randomness  none
"""

from __future__ import annotations

import re
from functools import cache

from heteronym.model.mention import Span
from heteronym.text.index import index_of
from heteronym.text.lexicon import lexicon

_LEAST_SIGNS = 4
_LEAST_WORDS = 50
# What tells of a person only where one is spoken of
_ABOUT_SOMEBODY = frozenset({"HEALTH", "NORP", "QUANTITY", "PERCENT"})
# and rules for shorthand about one patient, for spans of time and for bodies by their letters
_RULES_ABOUT_SOMEBODY = frozenset(
    {
        *("duration", "hours or minutes", "one week or month", "relative or repeated date", "aged"),
        *("day and month of a note", "day and month in figures", "duration of a note about a patient"),
        *("number with slash", "children and siblings counted", "name before a house in small letters"),
        *("body by its letters", "body by its letters behind a word"),
    }
)
_NAMING = frozenset({"names", "forms", "messages"})  # whose names are somebody's
_SURE = 0.8

Ranked = list[tuple[int, Span]]


def without_findings(text: str, ranked: Ranked) -> Ranked:
    """The spans, without those that are findings about groups if the text tells of nobody in particular."""
    if not any(_is_about_somebody(span) for _, span in ranked) or not is_impersonal(text):
        return ranked
    if any(span.type == "PERSON" and span.source in _NAMING and span.score >= _SURE for _, span in ranked):
        return ranked
    return [pair for pair in ranked if not _is_about_somebody(pair[1])]


def _is_about_somebody(span: Span) -> bool:
    return span.type in _ABOUT_SOMEBODY or span.rule in _RULES_ABOUT_SOMEBODY


def is_impersonal(text: str) -> bool:
    """Whether a text reports on a study and speaks of nobody in particular."""
    return index_of(text).cached(_reports_on_a_study)


def _reports_on_a_study(text: str) -> bool:
    words = set(_WORD.findall(text.lower()))
    if len(words & _study()) < _LEAST_SIGNS or text.count(" ") < _LEAST_WORDS:
        return False
    return _somebody().search(text) is None


_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")


@cache
def _study() -> frozenset[str]:
    return lexicon("impersonal").words("STUDY")


@cache
def _somebody() -> re.Pattern[str]:
    return lexicon("impersonal").compiled("ONE")
